// SPDX-License-Identifier: MIT

extension URLTable {
    /// A pattern, or what is left of it without some of its optional segments.
    public struct Entry: Sendable {
        /// The index of the pattern.
        public let route: Int
        /// The pattern.
        public let pattern: URLPattern
        /// How many of its segments a URL has here.
        public let segmentCount: Int

        /// The entry as a pattern, without the segments that are not there.
        public var description: String {
            pattern.prefix(segmentCount).description
        }
    }

    /// All that can match, in the order of matching: of two entries that match one URL the
    /// earlier one is matched first.
    ///
    /// A pattern with optional segments has an entry for each number of them, because another
    /// pattern may stand between the two.
    ///
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public var entries: [Entry] {
        var entries: [Entry] = []
        for route in 0..<count {
            let pattern = pattern(route)
            for segmentCount in pattern.requiredSegments...pattern.segments.count {
                entries.append(Entry(route: route, pattern: pattern, segmentCount: segmentCount))
            }
        }
        return entries.sorted { $0.comparison(to: $1) < 0 }
    }
}

extension URLPattern {
    /// The pattern of the URLs with so many segments.
    fileprivate func prefix(_ count: Int) -> URLPattern {
        URLPattern(
            origin: origin,
            segments: segments.prefix(count).map(\.required),
            query: query
        )
    }
}

extension URLPattern.Segment {
    fileprivate var required: URLPattern.Segment {
        switch self {
        case .literal: self
        case .parameter(let parameter): .parameter(parameter.required)
        case .tail(let parameter): .tail(parameter.required)
        }
    }

    /// Below zero where this segment goes before another in the same place.
    fileprivate func comparison(to other: URLPattern.Segment, isHead: Bool) -> Int {
        switch (self, other) {
        case (.literal(var left), .literal(var right)):
            // Custom schemes take the first segment for a host, which has no case.
            if isHead { (left, right) = (left.lowercasedASCII, right.lowercasedASCII) }
            return left == right ? 0 : left < right ? -1 : 1
        case (.parameter(let left), .parameter(let right)):
            return left.kind.isTried(before: right.kind)
                ? -1 : right.kind.isTried(before: left.kind) ? 1 : 0
        case (.tail, .tail): return 0
        case (.literal, _), (.parameter, .tail): return -1
        case (_, .literal), (.tail, .parameter): return 1
        }
    }
}

extension URLPattern.Parameter {
    fileprivate var required: URLPattern.Parameter {
        URLPattern.Parameter(name: name, kind: kind, isOptional: false)
    }
}

extension URLTable.Entry {
    fileprivate func comparison(to other: URLTable.Entry) -> Int {
        let (left, right) = (
            pattern.segments.prefix(segmentCount), other.pattern.segments.prefix(other.segmentCount)
        )
        for (index, (left, right)) in zip(left, right).enumerated() {
            let comparison = left.comparison(to: right, isHead: index == 0)
            if comparison != 0 { return comparison }
        }
        // They have no URL in common; a short path reads best before what is below it.
        if left.count != right.count { return left.count < right.count ? -1 : 1 }
        return URLRank(pattern).comparison(to: URLRank(other.pattern))
    }
}

extension URLRank {
    /// The rank under a custom scheme, which no other scheme contradicts.
    fileprivate init(_ pattern: URLPattern) {
        var origin = URLTableCore.Terminal.anyOrigin
        if pattern.origin == nil, case .literal(let head)? = pattern.segments.first,
            head.lowercasedASCII != head
        {
            origin = URLTableCore.Terminal.anyCustomScheme
        }
        self.init(origin, pattern)
    }
}
