// SPDX-License-Identifier: MIT

internal import RouteCore

extension URLTable {
    /// A pattern, or its form without some optional segments.
    public struct Entry: Sendable {
        /// The index of the pattern.
        public let route: Int
        /// The pattern.
        public let pattern: URLPattern
        /// The pattern without the omitted optional segments that precede other segments.
        public let form: URLPattern
        /// The number of segments of a URL that matches the entry.
        public let segmentCount: Int

        /// The entry as a pattern, without the omitted segments.
        public var description: String {
            form.prefix(segmentCount).description
        }
    }

    /// All entries in matching order: of two entries that match one URL, the earlier one wins.
    ///
    /// A pattern with optional segments has one entry for each combination, because another pattern
    /// may rank between two of these.
    ///
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public var entries: [Entry] {
        var entries: [Entry] = []
        for route in 0..<count {
            let pattern = pattern(route)
            for form in pattern.forms {
                for segmentCount in form.requiredSegments...form.segments.count {
                    entries.append(
                        Entry(
                            route: route,
                            pattern: pattern,
                            form: form,
                            segmentCount: segmentCount
                        )
                    )
                }
            }
        }
        let rule = literalCase
        return entries.sorted { $0.comparison(to: $1, rule) < 0 }
    }
}

extension URLPattern {
    /// Returns the pattern for URLs with a number of segments.
    fileprivate func prefix(_ count: Int) -> URLPattern {
        URLPattern(
            origin: origin,
            segments: segments.prefix(count).map(\.required),
            query: query,
            fragment: fragment
        )
    }
}

extension URLPattern.Segment {
    /// Compares segments at the same position: negative if this one is tried first.
    func comparison(to other: URLPattern.Segment, _ rule: LiteralCase) -> Int {
        switch (folded(rule), other.folded(rule)) {
        case (.literal(let left), .literal(let right)):
            return left == right ? 0 : left < right ? -1 : 1
        case (.affixed(let left, let parameter), .affixed(let right, let other)):
            guard left == right else { return left.isTried(before: right) ? -1 : 1 }
            return parameter.kind.comparison(to: other.kind)
        case (.parameter(let left), .parameter(let right)), (.tail(let left), .tail(let right)):
            return left.kind.comparison(to: right.kind)
        case (.pair(let left), .pair(let right)): return left.comparison(to: right)
        case (.affixed(let affixes, _), .pair(let pair)):
            return affixes.isTried(before: pair) ? -1 : 1
        case (.pair(let pair), .affixed(let affixes, _)):
            return affixes.isTried(before: pair) ? 1 : -1
        case (let left, let right): return left.rank - right.rank
        }
    }

    /// The precedence of the form of the segment.
    private var rank: Int {
        switch self {
        case .literal: 0
        case .affixed, .pair: 1
        case .parameter: 2
        case .tail: 3
        }
    }
}

extension URLPattern.Affixes {
    /// Whether a parameter between these texts is tried before a parameter between the other texts.
    ///
    /// The order is by the total length of both texts, then by the length of the prefix. For given
    /// lengths a segment has only one pair of texts.
    func isTried(before other: URLPattern.Affixes) -> Bool {
        let (count, otherCount) = (
            prefix.count + suffix.count, other.prefix.count + other.suffix.count
        )
        guard count == otherCount else { return count > otherCount }
        guard prefix.count == other.prefix.count else { return prefix.count > other.prefix.count }
        return prefix == other.prefix ? suffix < other.suffix : prefix < other.prefix
    }
}

extension URLPattern.Affixes {
    /// Whether a parameter between these texts is tried before a pair of parameters: by the length
    /// of all literal texts, then by the length of the prefix.
    func isTried(before pair: URLPattern.Pair) -> Bool {
        URLTableCore.isTried(
            (prefix.count, suffix.count),
            before: (pair.affixes.prefix.count, pair.literalCount)
        )
    }
}

extension URLTableCore {
    /// Whether a parameter is tried before a pair of parameters, given the lengths of the
    /// parameter's prefix and suffix, and the lengths of the pair's prefix and of all its literal
    /// text.
    static func isTried(
        _ affixes: (prefix: Int, suffix: Int),
        before pair: (prefix: Int, all: Int)
    ) -> Bool {
        let count = affixes.prefix + affixes.suffix
        return count == pair.all ? affixes.prefix >= pair.prefix : count > pair.all
    }
}

extension URLPattern.Kind {
    /// Compares kinds at the same position: negative if this one is tried first.
    func comparison(to other: URLPattern.Kind) -> Int {
        isTried(before: other) ? -1 : other.isTried(before: self) ? 1 : 0
    }
}

extension URLTable.Entry {
    fileprivate func comparison(to other: URLTable.Entry, _ rule: LiteralCase) -> Int {
        let (left, right) = (
            form.segments.prefix(segmentCount), other.form.segments.prefix(other.segmentCount)
        )
        for (index, (left, right)) in zip(left, right).enumerated() {
            // Under a custom scheme the first segment is a host, which has no case.
            let isHost = index == 0 && rule == .exact
            let comparison = left.comparison(to: right, isHost ? .ascii : rule)
            if comparison != 0 { return comparison }
        }
        // They share no URL; a short path is listed before its extensions.
        if left.count != right.count { return left.count < right.count ? -1 : 1 }
        // The segments, tails included, are equal.
        return URLRank(form, rule).comparison(to: URLRank(other.form, rule))
    }
}

extension URLRank {
    /// Creates the rank under a custom scheme, which orders patterns consistently with all other
    /// schemes.
    fileprivate init(_ pattern: URLPattern, _ rule: LiteralCase) {
        var origin = URLTableCore.Terminal.anyOrigin
        if pattern.origin == nil, let head = pattern.segments.first, head.folded(.ascii) != head {
            origin = URLTableCore.Terminal.anyCustomScheme
        }
        self.init(origin, pattern: pattern, isTail: false, rule: rule)
    }
}
