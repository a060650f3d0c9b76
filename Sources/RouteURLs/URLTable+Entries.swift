// SPDX-License-Identifier: MIT

internal import RouteCore

extension URLTable {
    /// A pattern, or a form of a pattern without some of its optional segments.
    public struct Entry: Sendable {
        /// The index of the pattern.
        public let route: Int
        /// The pattern.
        public let pattern: URLPattern
        /// The pattern without the optional segments that the entry omits before a required
        /// segment.
        ///
        /// Optional segments at the end of the path are included; see ``segmentCount``.
        public let form: URLPattern
        /// The number of segments of the URLs that the entry matches.
        public let segmentCount: Int

        /// The entry in pattern syntax, without the omitted segments.
        public var description: String {
            form.prefix(segmentCount).description
        }
    }

    /// All entries in matching order.
    ///
    /// If a URL matches two entries, the earlier entry wins.
    ///
    /// A pattern with optional segments has one entry for each combination of these segments,
    /// because another pattern may rank between two of these entries.
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
    /// Returns the pattern for URLs with the given number of segments.
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
    /// Compares two segments at the same position.
    ///
    /// The result is negative if this segment is tried first.
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

    /// The precedence of this type of segment.
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
    /// Whether a parameter with these affixes is tried before a parameter with other affixes.
    ///
    /// Affixes with a longer total length are tried first, then affixes with a longer prefix. If
    /// both lengths are equal, the bytes decide; a segment can match only one of these affixes.
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
    /// Whether a parameter with these affixes is tried before a pair of parameters.
    ///
    /// A segment with more literal text is tried first. If the lengths are equal, a segment with a
    /// longer prefix is tried first.
    func isTried(before pair: URLPattern.Pair) -> Bool {
        URLTableCore.isTried(
            (prefix.count, suffix.count),
            before: (pair.affixes.prefix.count, pair.literalCount)
        )
    }
}

extension URLTableCore {
    /// Whether a parameter is tried before a pair of parameters.
    ///
    /// `affixes` contains the lengths of the parameter's prefix and suffix; `pair` contains the
    /// length of the pair's prefix, and the total length of its literal texts.
    static func isTried(
        _ affixes: (prefix: Int, suffix: Int),
        before pair: (prefix: Int, all: Int)
    ) -> Bool {
        let count = affixes.prefix + affixes.suffix
        return count == pair.all ? affixes.prefix >= pair.prefix : count > pair.all
    }
}

extension URLPattern.Kind {
    /// Compares two kinds at the same position.
    ///
    /// The result is negative if this kind is tried first.
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
            // With a custom scheme the first segment is a host, whose case is ignored.
            let isHost = index == 0 && rule == .exact
            let comparison = left.comparison(to: right, isHost ? .ascii : rule)
            if comparison != 0 { return comparison }
        }
        // No URL matches both entries. List a short path before its extensions.
        if left.count != right.count { return left.count < right.count ? -1 : 1 }
        // All segments are equal, including tails.
        return URLRank(form, rule).comparison(to: URLRank(other.form, rule))
    }
}

extension URLRank {
    /// Creates the rank that the pattern has under a custom scheme.
    ///
    /// This rank also gives the right order under all other schemes.
    fileprivate init(_ pattern: URLPattern, _ rule: LiteralCase) {
        var origin = URLTableCore.Terminal.anyOrigin
        if pattern.origin == nil, let head = pattern.segments.first, head.folded(.ascii) != head {
            origin = URLTableCore.Terminal.anyCustomScheme
        }
        self.init(origin, pattern: pattern, isTail: false, rule: rule)
    }
}
