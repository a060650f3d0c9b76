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
    /// - Complexity: O(*n*²) in the number of patterns whose first segments may be equal.
    public var shadows: [Shadow] {
        let forms = entries.map(Form.init)
        let longest = forms.map(\.path.count).max() ?? 0
        // Patterns that begin with another literal have no URL in common.
        var byHead: [ByteString?: [Int]] = [:]
        for (index, form) in forms.enumerated() { byHead[form.head, default: []].append(index) }
        return forms.indices.compactMap { index in
            let form = forms[index]
            guard let samples = form.samples(longest: longest) else { return nil }
            let others: [Int]
            if let head = form.head {
                others = (byHead[head] ?? []) + (byHead[nil] ?? [])
            } else {
                others = Array(forms.indices)
            }
            let better = others.filter { $0 < index }
            var winners: Set<Int> = []
            for sample in samples {
                guard let winner = better.filter({ forms[$0].matches(sample) }).min() else {
                    return nil
                }
                winners.insert(winner)
            }
            var routes: [Int] = []
            for winner in winners.sorted() where !routes.contains(forms[winner].entry.route) {
                routes.append(forms[winner].entry.route)
            }
            return Shadow(entry: form.entry, winners: routes)
        }
    }
}

/// A form of a pattern, and what stands for the URLs that it matches.
private struct Form {
    /// A text of a URL: a known one, or one of a kind that is as unlike all else as can be.
    enum Text {
        case literal(ByteString)
        case any(URLPattern.Kind)
    }

    /// URLs that all patterns treat alike.
    struct Sample {
        var origin: URLOrigin?
        var path: [Text]
        var query: [(key: ByteString, text: Text)]
    }

    /// How many samples are looked at.
    private static let limit = 256

    let entry: URLTable.Entry
    let path: ArraySlice<URLPattern.Segment>

    init(_ entry: URLTable.Entry) {
        self.entry = entry
        path = entry.pattern.segments.prefix(entry.segmentCount)
    }

    /// The first segment, where it is a literal.
    var head: ByteString? {
        if case .literal(let head)? = path.first { head } else { nil }
    }

    /// Samples of all that the form matches, with nothing that it does not require; nil where they
    /// are too many.
    func samples(longest: Int) -> [Sample]? {
        var samples = [Sample(origin: entry.pattern.origin, path: [], query: [])]
        for segment in path {
            let texts: [[Text]]
            switch segment {
            case .literal(let literal): texts = [[.literal(literal)]]
            case .parameter(let parameter): texts = Self.texts(of: parameter.kind).map { [$0] }
            case .tail:
                // What is longer than all patterns is matched by tails, as what is just longer.
                let count = max(1, longest + 1 - path.count + 1)
                texts = (1...count).map { [Text](repeating: .any(.text), count: $0) }
            }
            guard samples.count * texts.count <= Self.limit else { return nil }
            samples = samples.flatMap { sample in
                texts.map { texts in
                    var sample = sample
                    sample.path += texts
                    return sample
                }
            }
        }
        for item in entry.pattern.query where !item.parameter.isOptional {
            let texts = Self.texts(of: item.parameter.kind)
            guard samples.count * texts.count <= Self.limit else { return nil }
            samples = samples.flatMap { sample in
                texts.map { text in
                    var sample = sample
                    sample.query.append((item.key, text))
                    return sample
                }
            }
        }
        return samples
    }

    private static func texts(of kind: URLPattern.Kind) -> [Text] {
        if case .enumeration(let alternatives) = kind { return alternatives.map(Text.literal) }
        return [.any(kind)]
    }

    /// Whether the form matches all URLs for which a sample stands, and that is certain.
    func matches(_ sample: Sample) -> Bool {
        guard entry.pattern.origin == nil || entry.pattern.origin == sample.origin else {
            return false
        }
        let hasTail = path.last?.isTail ?? false
        guard hasTail ? sample.path.count >= path.count : sample.path.count == path.count else {
            return false
        }
        for (segment, text) in zip(path, sample.path) {
            switch segment {
            case .literal(let literal):
                guard case .literal(let other) = text, literal == other else { return false }
            case .parameter(let parameter):
                guard parameter.kind.takes(text) else { return false }
            case .tail: break
            }
        }
        return entry.pattern.query.allSatisfy { item in
            guard let (_, text) = sample.query.first(where: { $0.key == item.key }) else {
                return item.parameter.isOptional
            }
            return item.parameter.kind.takes(text)
        }
    }
}

extension URLPattern.Kind {
    /// Whether each text for which one stands is of this kind, as far as can be known.
    fileprivate func takes(_ text: Form.Text) -> Bool {
        switch (self, text) {
        case (.text, _): true
        case (.custom(let name), .any(.custom(let other))): name == other
        case (.custom, _), (_, .any(.custom)): false
        case (_, .literal(let literal)): literal.withBytes(accepts)
        case (.int, .any(.uint)), (.number, .any(.uint)), (.number, .any(.int)),
            (.slug, .any(.uint)), (.slug, .any(.date)):
            true
        case (_, .any(let kind)): normalized == kind.normalized
        }
    }
}
