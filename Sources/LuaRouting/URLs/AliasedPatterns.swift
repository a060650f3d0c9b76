// SPDX-License-Identifier: MIT

/// The patterns of routes, for the aliases that stand for them.
struct AliasedPatterns {
    /// What an alias stands for.
    enum Answer {
        case none
        case one(LinkTable.Link, URLPattern)
        /// Patterns that differ by kinds that the alias does not write.
        case several([LinkTable.Link])
    }

    /// A pattern that writes kinds at some places only: what it may stand for is gathered once for
    /// all patterns of the same form with kinds at the same places.
    private struct Form: Hashable {
        let pattern: URLPattern
        let isWritten: [Bool]
    }

    private let patterns: [(link: LinkTable.Link, pattern: URLPattern)]
    /// The first link of each pattern.
    private let indices: [URLPattern: Int]
    /// The patterns by what is left of them without kinds, in the order of registration.
    private lazy var forms = Dictionary(
        grouping: patterns.indices.filter { indices[patterns[$0].pattern] == $0 }
    ) {
        patterns[$0].pattern.withKinds { _ in .text }
    }
    /// The patterns by what is left of them without the kinds that a form does not write.
    private var shortened: [Form: [URLPattern: [Int]]] = [:]
    private var hints = Hints()
    private lazy var texts = patterns.map(\.link.pattern)

    init(_ patterns: [(link: LinkTable.Link, pattern: URLPattern)]) {
        self.patterns = patterns
        indices = Dictionary(patterns.indices.map { (patterns[$0].pattern, $0) }) { first, _ in
            first
        }
    }

    /// The pattern that is the same, or else those that are but for kinds that this one does not
    /// write.
    ///
    /// - Complexity: O(1) on average; O(*n*) in the number of patterns of the same form for the first
    ///   pattern that writes kinds at its places.
    mutating func find(_ pattern: URLPattern) -> Answer {
        if let index = indices[pattern] { return .one(patterns[index].link, pattern) }
        var isWritten: [Bool] = []
        let bare = pattern.withKinds { parameter in
            isWritten.append(parameter.kind != .text)
            return .text
        }
        let form = Form(pattern: bare, isWritten: isWritten)
        if shortened[form] == nil {
            let known = forms[bare] ?? []
            shortened[form] = Dictionary(grouping: known) { index in
                var places = isWritten[...]
                return patterns[index].pattern.withKinds { parameter in
                    places.popFirst() == true ? parameter.kind : .text
                }
            }
        }
        guard let found = shortened[form]?[pattern], let first = found.first else { return .none }
        guard found.count == 1 else { return .several(found.map { patterns[$0].link }) }
        return .one(patterns[first].link, patterns[first].pattern)
    }

    /// What a pattern that no route has is compared with.
    mutating func known() -> [String] { hints.among(texts) }
}
