// SPDX-License-Identifier: MIT

extension URLTable {
    /// What can match and never does, because all URLs that it matches go to other patterns.
    public struct Shadow: Sendable {
        /// The pattern, or what is left of it without some of its optional segments.
        public let entry: Entry
        /// The indices of the patterns that are matched first, in that order.
        public let winners: [Int]
    }

    /// The patterns, and forms of patterns, that no URL reaches, in the order of matching.
    ///
    /// Of a kind that a script declares nothing is known: where one counts, a pattern is taken for
    /// reachable, as it is where its alternatives make more than some hundred different URLs.
    ///
    /// So is what others nearly match so often that it would take too long to tell.
    ///
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public var shadows: [Shadow] { shadowSearch().shadows }

    /// The shadows, and how many steps it took to find them.
    package func shadowSearch() -> (shadows: [Shadow], steps: Int) {
        let forms = entries.map(URLForm.init)
        let longest = forms.map(\.path.count).max() ?? 0
        var tree = URLFormTree(forms)
        let shadows = forms.indices.compactMap { index -> Shadow? in
            var winners: Set<Int> = []
            let isReached = forms[index].forEachSample(longest: longest) { sample in
                guard let winner = tree.first(matching: sample, before: index) else { return false }
                winners.insert(winner)
                return true
            }
            guard !isReached else { return nil }
            var routes: [Int] = []
            for winner in winners.sorted() where !routes.contains(forms[winner].entry.route) {
                routes.append(forms[winner].entry.route)
            }
            return Shadow(entry: forms[index].entry, winners: routes)
        }
        return (shadows, tree.steps)
    }
}

/// A form of a pattern, and what stands for the URLs that it matches.
struct URLForm {
    /// A text of a URL: a known one, or one of a kind that is as unlike all else as can be.
    enum Text {
        case literal(ByteString)
        case any(URLPattern.Kind)
    }

    /// URLs that all patterns treat alike.
    struct Sample {
        var origin: URLOrigin?
        var path: [Text]
        var query: [ByteString: Text]
    }

    /// How many samples are looked at.
    private static let limit = 256

    let entry: URLTable.Entry
    let path: ArraySlice<URLPattern.Segment>

    init(_ entry: URLTable.Entry) {
        self.entry = entry
        path = entry.pattern.segments.prefix(entry.segmentCount)
    }

    /// Goes over samples of all that the form matches, with nothing that it does not require.
    ///
    /// - Parameters:
    ///   - longest: The number of segments of the longest form of all.
    ///   - body: Called with each, until it returns false.
    /// - Returns: Whether it did, or there are too many samples.
    func forEachSample(longest: Int, _ body: (Sample) -> Bool) -> Bool {
        // What is longer than all patterns is matched by tails, as what is just longer.
        let hasTail = path.last?.isTail ?? false
        let tails = hasTail ? max(1, longest + 1 - path.count + 1) : 1
        var choices: [[Text]] = []
        for segment in path where !segment.isTail {
            switch segment {
            case .literal(let literal): choices.append([.literal(literal)])
            case .parameter(let parameter): choices.append(Self.texts(of: parameter.kind))
            case .tail: break
            }
        }
        let segmentCount = choices.count
        let query = entry.pattern.query.filter { !$0.parameter.isOptional }
        choices += query.map { Self.texts(of: $0.parameter.kind) }
        var count = tails
        for texts in choices {
            count *= texts.count
            guard count <= Self.limit else { return true }
        }
        for number in 0..<count {
            var sample = Sample(origin: entry.pattern.origin, path: [], query: [:])
            var rest = number
            for (position, texts) in choices.enumerated() {
                let text = texts[rest % texts.count]
                rest /= texts.count
                if position < segmentCount {
                    sample.path.append(text)
                } else {
                    sample.query[query[position - segmentCount].key] = text
                }
            }
            if hasTail { sample.path += [Text](repeating: .any(.text), count: rest + 1) }
            guard body(sample) else { return true }
        }
        return false
    }

    private static func texts(of kind: URLPattern.Kind) -> [Text] {
        if case .enumeration(let alternatives) = kind { return alternatives.map(Text.literal) }
        return [.any(kind)]
    }

    /// Whether the form, whose path matches, matches all URLs for which a sample stands, and that
    /// is certain.
    func takesRest(of sample: Sample) -> Bool {
        guard entry.pattern.origin == nil || entry.pattern.origin == sample.origin else {
            return false
        }
        return entry.pattern.query.allSatisfy { item in
            guard let text = sample.query[item.key] else { return item.parameter.isOptional }
            return item.parameter.kind.takes(text)
        }
    }
}

extension URLPattern.Kind {
    /// Whether each text for which one stands is of this kind, as far as can be known.
    func takes(_ text: URLForm.Text) -> Bool {
        switch text {
        case .literal(let literal):
            switch self {
            case .custom: false
            default: literal.withBytes(accepts)
            }
        case .any(let kind): kind.takers.contains(normalized)
        }
    }

    /// The kinds of which each text of this kind is too, as far as can be known; not for lists.
    var takers: [URLPattern.Kind] {
        switch self {
        case .text: [.text]
        case .uint: [.text, .slug, .number, .int, .uint]
        case .int: [.text, .number, .int]
        case .date: [.text, .slug, .date]
        default: [.text, self]
        }
    }
}
