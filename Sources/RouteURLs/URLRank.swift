// SPDX-License-Identifier: MIT

internal import RouteCore

/// The rank of a pattern among all patterns that end at the same node.
struct URLRank {
    private let origin: UInt32
    private let pattern: URLPattern
    /// The kind of the elements of the tail.
    ///
    /// The kind is plain text if the form does not include a tail.
    private let tail: URLPattern.Kind

    private let rule: LiteralCase

    init(_ origin: UInt32, pattern: URLPattern, isTail: Bool, rule: LiteralCase) {
        (self.origin, self.pattern, self.rule) = (origin, pattern, rule)
        tail = isTail ? pattern.segments.last?.listKind ?? .text : .text
    }

    /// Compares two ranks.
    ///
    /// The result is negative if the pattern of this rank is matched first, and zero if the ranks
    /// are equal.
    ///
    /// If the patterns have equal ranks without their fragments, a pattern with a fragment comes
    /// first. Two fragments are compared by their segments, then by their queries.
    func comparison(to other: URLRank) -> Int {
        let order = comparisonWithoutFragment(to: other)
        guard order == 0, pattern.fragment != nil || other.pattern.fragment != nil else {
            return order
        }
        guard let fragment = pattern.fragment else { return 1 }
        guard let otherFragment = other.pattern.fragment else { return -1 }
        for (left, right) in zip(fragment.segments, otherFragment.segments) {
            let order = left.comparison(to: right, rule)
            if order != 0 { return order }
        }
        let (count, otherCount) = (fragment.segments.count, otherFragment.segments.count)
        guard count == otherCount else { return count < otherCount ? -1 : 1 }
        let (left, right) = (Self.required(fragment.query), Self.required(otherFragment.query))
        let counts = Self.countComparison(left, right)
        return counts == 0 ? Self.keyComparison(left, right) : counts
    }

    /// Compares two ranks, ignoring the fragments of the patterns.
    ///
    /// The following criteria apply in this order:
    ///
    /// - the kind of a tail
    /// - the number of required query keys, then of keys with a fixed text, then of keys with a
    ///   kind, higher numbers first
    /// - patterns with a scheme before patterns without one, and a fixed host before a wildcard
    ///   host
    /// - the bytes of the query keys, then the order of their kinds
    ///
    /// Patterns can still be equal if their first segments differ only in case, which only custom
    /// schemes ignore. The pattern whose first segment is in lower case then comes first. If
    /// neither is in lower case, the bytes decide.
    private func comparisonWithoutFragment(to other: URLRank) -> Int {
        let order = tail.comparison(to: other.tail)
        if order != 0 { return order }
        let (left, right) = (Self.required(pattern.query), Self.required(other.pattern.query))
        let counts = Self.countComparison(left, right)
        if counts != 0 { return counts }
        if pattern.origin?.unnamed != other.pattern.origin?.unnamed {
            guard let origin = pattern.origin else { return 1 }
            guard let otherOrigin = other.pattern.origin else { return -1 }
            guard origin.isWild == otherOrigin.isWild else { return origin.isWild ? 1 : -1 }
            // No URL belongs to both origins, so any consistent order is correct.
            return ByteString(origin.description) < ByteString(otherOrigin.description) ? -1 : 1
        }
        let keys = Self.keyComparison(left, right)
        if keys != 0 { return keys }
        guard origin == URLTableCore.Terminal.anyCustomScheme || origin != other.origin else {
            return 0
        }
        if origin != other.origin { return origin < other.origin ? -1 : 1 }
        guard let head = pattern.segments.first?.texts,
            let otherHead = other.pattern.segments.first?.texts, head != otherHead
        else { return 0 }
        return head.lexicographicallyPrecedes(otherHead) ? -1 : 1
    }

    private static func countComparison(
        _ left: [URLPattern.QueryParameter],
        _ right: [URLPattern.QueryParameter]
    ) -> Int {
        if left.count != right.count { return left.count > right.count ? -1 : 1 }
        for isMore in [hasLiteral, hasKind] where !left.isEmpty {
            let (count, other) = (left.count(where: isMore), right.count(where: isMore))
            if count != other { return count > other ? -1 : 1 }
        }
        return 0
    }

    private static func keyComparison(
        _ left: [URLPattern.QueryParameter],
        _ right: [URLPattern.QueryParameter]
    ) -> Int {
        for (left, right) in zip(left, right) {
            if left.key != right.key { return left.key < right.key ? -1 : 1 }
            let order = left.parameter.kind.comparison(to: right.parameter.kind)
            if order != 0 { return order }
        }
        return 0
    }

    private static func hasLiteral(_ item: URLPattern.QueryParameter) -> Bool {
        item.literal != nil
    }

    private static func hasKind(_ item: URLPattern.QueryParameter) -> Bool {
        item.parameter.kind != .text
    }

    private static func required(
        _ query: [URLPattern.QueryParameter]
    ) -> [URLPattern.QueryParameter] {
        guard !query.isEmpty else { return [] }
        return query.filter { !$0.parameter.isOptional }.sorted { $0.key < $1.key }
    }
}

extension URLPattern.Segment {
    /// The literal texts of the segment.
    fileprivate var texts: [ByteString] {
        switch self {
        case .literal(let literal): [literal]
        case .affixed(let affixes, _): [affixes.prefix, affixes.suffix]
        case .pair(let pair): [pair.affixes.prefix, pair.between, pair.affixes.suffix]
        case .parameter, .tail: []
        }
    }
}

extension URLConflict {
    init(_ routes: [URLTable.Route], _ conflict: URLTableBuilder.Conflict) {
        let (earlier, later) = (routes[conflict.first], routes[conflict.second])
        let (pattern, other) = (later.pattern, earlier.pattern)
        let ending =
            pattern.segments.count == other.segments.count ? "" : " if optional parts are absent"
        self.init(
            first: conflict.first,
            second: conflict.second,
            message: pattern == other
                ? "url '\(pattern)' is given twice (\(earlier.place) and \(later.place))"
                : "url '\(pattern)' (\(later.place)) matches the same URLs as '\(other)' (\(earlier.place))\(ending)"
        )
    }
}
