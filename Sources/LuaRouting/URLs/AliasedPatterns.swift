// SPDX-License-Identifier: MIT

internal import RouteURLs

/// The patterns of routes that aliases may refer to.
struct AliasedPatterns {
    /// The result of a search for the target of an alias.
    enum Answer {
        case none
        /// A pattern, with the values that the alias gives for some of its parameters.
        case one(URLRouteTable.Entry, URLPattern, fixed: [(URLPattern.Parameter, [ByteString])])
        /// Several patterns that differ only in parameter kinds that the alias omits.
        case several([URLRouteTable.Entry])

        var isNone: Bool { if case .none = self { true } else { false } }
    }

    /// A pattern that specifies the kinds of only some of its parameters.
    ///
    /// The patterns to which such a pattern may refer are collected once, and are shared by all
    /// patterns that have the same form and specify kinds at the same positions.
    private struct Form: Hashable {
        let pattern: URLPattern
        let isWritten: [Bool]
    }

    private let patterns: [(link: URLRouteTable.Entry, pattern: URLPattern)]
    /// For each pattern, the index of the first route with this pattern.
    private lazy var indices = Dictionary(patterns.indices.map { (patterns[$0].pattern, $0) }) {
        first,
        _ in
        first
    }
    /// The indices of the patterns, in the order of registration, by the pattern without parameter
    /// kinds.
    private lazy var forms = Dictionary(
        grouping: indices.values.sorted()
    ) {
        patterns[$0].pattern.withKinds { _ in .text }
    }
    /// The indices of the patterns, by the pattern without the parameter kinds that a form omits.
    private var shortened: [Form: [URLPattern: [Int]]] = [:]
    /// The indices of the patterns, by their first segment.
    ///
    /// The key is nil for patterns that begin with a parameter.
    private lazy var beginnings = Dictionary(grouping: patterns.indices) { index -> ByteString? in
        if case .literal(let literal)? = patterns[index].pattern.segments.first {
            literal
        } else {
            nil
        }
    }
    private var hints = Hints()
    private lazy var texts = patterns.map(\.link.pattern)

    init(_ patterns: [(link: URLRouteTable.Entry, pattern: URLPattern)]) {
        self.patterns = patterns
    }

    /// Returns the patterns to which the target of an alias refers.
    ///
    /// The result is the pattern that is equal to the target. If there is no such pattern, the
    /// result contains the patterns that differ from the target only in parameter kinds that the
    /// alias omits. If there are no such patterns either, the result is the best match among the
    /// patterns in which the alias replaces parameters with values.
    ///
    /// - Complexity: O(1) on average. O(*n*) in the number of patterns of the same form for the
    ///   first target of this form that specifies kinds at these positions. O(*n*) in the number of
    ///   patterns with the same first segment if the alias contains values.
    mutating func find(_ target: URLPattern.Target) -> Answer {
        guard target.values.isEmpty, case let answer = find(target.pattern), !answer.isNone else {
            return fixing(target)
        }
        return answer
    }

    /// Returns the best match among the patterns in which the alias replaces parameters with
    /// values.
    private mutating func fixing(_ target: URLPattern.Target) -> Answer {
        var known = beginnings[nil] ?? []
        if case .literal(let literal)? = target.pattern.segments.first {
            known += beginnings[literal] ?? []
        }
        let found = known.compactMap { index in
            target.fixed(in: patterns[index].pattern).map { (index: index, values: $0) }
        }
        guard var best = found.first else { return .none }
        if found.count > 1 {
            // Patterns that cannot be compiled together cause an error elsewhere.
            let table = try? URLTable(
                found.map { URLTable.Route(patterns[$0.index].pattern, at: "") }
            )
            let entry = table?.entries.first {
                $0.segmentCount == target.pattern.segments.count
                    || $0.form.segments[$0.segmentCount - 1].isTail
            }
            if let entry { best = found[entry.route] }
        }
        let (link, pattern) = patterns[best.index]
        return .one(link, pattern, fixed: best.values)
    }

    private mutating func find(_ pattern: URLPattern) -> Answer {
        if let index = indices[pattern] { return .one(patterns[index].link, pattern, fixed: []) }
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
        return .one(patterns[first].link, patterns[first].pattern, fixed: [])
    }

    /// Returns patterns to suggest in the error about an alias that names an unknown pattern.
    mutating func known() -> [String] { hints.among(texts) }
}
