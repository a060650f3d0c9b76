// SPDX-License-Identifier: MIT

internal import RouteCore

extension URLTable {
    /// A pattern that never matches, because other patterns match all of its URLs first.
    public struct Shadow: Sendable {
        /// The pattern, or one of its forms without some optional segments.
        public let entry: Entry
        /// The indices of the patterns that match instead, in matching order.
        public let winners: [Int]
    }

    /// The patterns and forms of patterns that no URL reaches, in matching order.
    ///
    /// The search is conservative. A pattern counts as reachable if the result depends on a kind
    /// that a script declares, if its alternatives produce more than a few hundred different URLs,
    /// or if so many other patterns nearly match that the search would take too long.
    ///
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public var shadows: [Shadow] { shadowSearch().shadows }

    /// Returns the shadows and the number of steps that the search took.
    package func shadowSearch() -> (shadows: [Shadow], steps: Int) {
        let rule = literalCase
        let forms = entries.filter { group(excluding: $0.route) == nil }.map { entry in
            let own = storage.groups.members[entry.route]
            let groups = storage.groups.groups(from: own).filter { group in
                entry.pattern.origin?.meets(storage.groups.list[group].origin) ?? true
            }
            return URLForm(entry, rule, groups: Set(groups))
        }
        let longest = forms.map(\.path.count).max() ?? 0
        var tree = URLFormTree(forms, rule)
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

/// A form of a pattern, with the samples that represent its URLs.
struct URLForm {
    /// A text in a sample: either a known text, or any text of a kind.
    enum Text {
        case literal(ByteString)
        case any(URLPattern.Kind)
        /// Any text of a kind between literal texts.
        case affixed(URLPattern.Affixes, URLPattern.Kind)
    }

    /// A set of URLs that no pattern distinguishes.
    struct Sample {
        var origin: URLOrigin?
        var path: [Text]
        var query: [ByteString: Text]
        var fragment: URLPattern.Fragment?
        /// The exclusive groups that apply to the URLs of the sample.
        var groups: Set<Int>
    }

    /// The maximum number of samples of a form.
    private static let limit = 256

    let entry: URLTable.Entry
    let path: ArraySlice<URLPattern.Segment>
    private let rule: LiteralCase
    private let groups: Set<Int>

    init(_ entry: URLTable.Entry, _ rule: LiteralCase, groups: Set<Int>) {
        (self.entry, self.rule, self.groups) = (entry, rule, groups)
        path = entry.form.segments.prefix(entry.segmentCount)
    }

    /// Calls the closure with samples that together cover all URLs that match the form.
    ///
    /// The samples leave out the optional parts of the form.
    ///
    /// - Parameters:
    ///   - longest: The number of segments of the longest form in the table.
    ///   - body: The closure to call with each sample. The iteration ends when the closure returns
    ///     false.
    /// - Returns: Whether the form may be reachable. This is true if the closure returned false, or
    ///   if covering the form would take more than the maximum number of samples.
    func forEachSample(longest: Int, _ body: (Sample) -> Bool) -> Bool {
        // Only tails match URLs longer than all patterns, so one additional segment is enough.
        let hasTail = path.last?.isTail ?? false
        let tails = hasTail ? max(1, longest + 1 - path.count + 1) : 1
        var choices: [[Text]] = []
        for segment in path where !segment.isTail {
            switch segment {
            case .literal(let literal): choices.append(texts(of: literal))
            // Too little is known about the text of a pair.
            case .pair: return true
            case .parameter(let parameter): choices.append(Self.texts(of: parameter.kind))
            case .affixed(let affixes, let parameter):
                choices.append(Self.texts(of: parameter.kind).map { $0.between(affixes) })
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
            var sample = Sample(
                origin: entry.pattern.origin,
                path: [],
                query: [:],
                fragment: entry.form.fragment,
                groups: groups
            )
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
            if hasTail {
                // An enumeration counts as a kind whose texts no other kind accepts, except plain
                // text.
                let kind = path.last?.listKind ?? .text
                sample.path += [Text](repeating: .any(kind.normalized), count: rest + 1)
            }
            guard body(sample) else { return true }
        }
        return false
    }

    /// Returns the spellings of a literal to use in samples: the literal itself or, if its case is
    /// ignored, the literal in lower case and in upper case.
    private func texts(of literal: ByteString) -> [Text] {
        guard rule == .ignored else { return [.literal(literal)] }
        let folded = rule.fold(literal)
        let upper = ByteString(folded.displayText.uppercased())
        return folded == upper ? [.literal(folded)] : [.literal(folded), .literal(upper)]
    }

    private static func texts(of kind: URLPattern.Kind) -> [Text] {
        switch kind {
        case .enumeration(let alternatives): alternatives.map(Text.literal)
        case .bool: URLPattern.Kind.Code.booleans.map { Text.literal(ByteString(bytes: $0)) }
        default: [.any(kind)]
        }
    }

    /// Whether the form is certain to match all URLs of a sample whose path matches the form.
    func takesRest(of sample: Sample) -> Bool {
        guard sample.groups.isSubset(of: groups) else { return false }
        guard entry.pattern.origin == nil || entry.pattern.origin?.takes(sample.origin) == true
        else { return false }
        let fragment = entry.form.fragment
        guard fragment == nil || fragment == sample.fragment else { return false }
        if let kind = path.last?.listKind {
            guard sample.path[(path.count - 1)...].allSatisfy(kind.takes) else { return false }
        }
        return entry.pattern.query.allSatisfy { item in
            guard let text = sample.query[item.key] else { return item.parameter.isOptional }
            return item.parameter.kind.takes(text)
        }
    }
}

extension URLOrigin {
    /// Whether every URL of another origin also belongs to this origin.
    fileprivate func takes(_ other: URLOrigin?) -> Bool {
        guard let other else { return false }
        return unnamed == other.unnamed || isWild && !other.isWild && meets(other)
    }
}

extension URLForm.Text {
    /// Returns the text with a literal prefix and suffix added.
    fileprivate func between(_ affixes: URLPattern.Affixes) -> URLForm.Text {
        switch self {
        case .literal(let literal):
            var bytes: [UInt8] = []
            for part in [affixes.prefix, literal, affixes.suffix] {
                part.withBytes { bytes.append(contentsOf: $0) }
            }
            return .literal(ByteString(bytes: bytes))
        case .any(let kind), .affixed(_, let kind): return .affixed(affixes, kind)
        }
    }

    /// Splits the text into a prefix and a suffix of the given lengths, and the text between them.
    ///
    /// Returns nil if the prefix or the suffix is unknown, or if the text between them is empty.
    func split(
        _ prefixCount: Int,
        suffixCount: Int,
        rule: LiteralCase
    ) -> (affixes: URLPattern.Affixes, middle: URLForm.Text)? {
        func cut(_ text: ByteString, _ range: (Int) -> Range<Int>) -> ByteString {
            text.withBytes { bytes in
                ByteString(bytes: UnsafeRawBufferPointer(rebasing: bytes[range(bytes.count)]))
            }
        }
        switch self {
        case .any: return nil
        case .literal(let literal):
            guard literal.count > prefixCount + suffixCount else { return nil }
            let affixes = URLPattern.Affixes(
                prefix: cut(literal) { _ in 0..<prefixCount },
                suffix: cut(literal) { ($0 - suffixCount)..<$0 }
            )
            let middle = cut(literal) { prefixCount..<($0 - suffixCount) }
            return (affixes.folded(rule), .literal(middle))
        case .affixed(let texts, let kind):
            guard texts.prefix.count >= prefixCount, texts.suffix.count >= suffixCount else {
                return nil
            }
            let affixes = URLPattern.Affixes(
                prefix: cut(texts.prefix) { _ in 0..<prefixCount },
                suffix: cut(texts.suffix) { ($0 - suffixCount)..<$0 }
            )
            let isSame = texts.prefix.count == prefixCount && texts.suffix.count == suffixCount
            return (affixes.folded(rule), isSame ? .any(kind) : self)
        }
    }
}

extension URLPattern.Kind {
    /// Whether all texts that the given text represents are known to be of this kind.
    func takes(_ text: URLForm.Text) -> Bool {
        switch text {
        case .literal(let literal):
            switch self {
            case .custom: false
            default: literal.withBytes(accepts)
            }
        case .any(let kind): kind.takers.contains(normalized)
        case .affixed: self == .text
        }
    }

    /// The kinds that are known to accept every text of this kind.
    ///
    /// For an enumeration, these are only plain text and the enumeration itself.
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
