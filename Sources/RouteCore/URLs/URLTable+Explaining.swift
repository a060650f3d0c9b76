// SPDX-License-Identifier: MIT

/// Why a URL matches what it matches, and why it does not match the rest.
public struct URLExplanation: Sendable, Equatable {
    /// A pattern that matches.
    public struct Match: Sendable, Equatable {
        /// The index of the pattern.
        public let route: Int
        /// The pattern.
        public let pattern: URLPattern
        /// What was read from the URL.
        public let parameters: Table
    }

    /// A pattern that does not match.
    public struct Miss: Sendable, Equatable {
        /// The index of the pattern.
        public let route: Int
        /// The pattern.
        public let pattern: URLPattern
        /// The number of the segment, from 1 on, that is to blame; nil where none is.
        public let segment: Int?
        /// What is wrong: `segment 2 'abc' is no int`.
        public let reason: String
    }

    /// Why the URL can match nothing, if that is so.
    public let problem: URLProblem?
    /// The patterns that match, best first: the first one wins.
    public let matches: [Match]
    /// The patterns that came nearest without matching, nearest first.
    public let misses: [Miss]
    /// What of the URL takes no part: `fragment 'top'`, `key 'utm_source'`.
    public let dropped: [String]
}

extension URLTable {
    /// Says why a URL matches what it matches.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - limit: How many patterns that do not match are told.
    ///   - kind: Asked about declared kinds.
    /// - Returns: The matches, the near misses and what was dropped.
    /// - Throws: What `kind` throws.
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public func explain<Failure: Error>(
        _ url: ByteString,
        limit: Int = 5,
        asking kind: KindAnswer<Failure>
    ) throws(Failure) -> URLExplanation {
        var found: [URLMatch] = []
        let problem = try forEachMatch(of: url, asking: kind) { match in
            found.append(match())
            return true
        }
        if let problem {
            return URLExplanation(problem: problem, matches: [], misses: [], dropped: [])
        }
        let matches = found.map {
            URLExplanation.Match(
                route: $0.route,
                pattern: pattern($0.route),
                parameters: $0.parameters
            )
        }
        return url.withBytes { bytes in
            URLSplit.with(bytes) { split, _ in
                URLExplanation(
                    problem: matches.isEmpty ? .noPattern : nil,
                    matches: matches,
                    misses: nearest(to: split.pointee, without: Set(matches.map(\.route)), limit),
                    dropped: dropped(split.pointee, matches.first?.pattern)
                )
            }
        }
    }

    /// Says why a URL of a table without declared kinds matches what it matches.
    public func explain(_ url: ByteString, limit: Int = 5) -> URLExplanation {
        explain(url, limit: limit) { _, text in .string(text) }
    }

    private func nearest(
        to split: URLSplit,
        without matching: Set<Int>,
        _ limit: Int
    ) -> [URLExplanation.Miss] {
        let subject = URLSubject(split)
        var misses: [(fitting: Int, miss: URLExplanation.Miss)] = []
        for route in 0..<count where !matching.contains(route) {
            let pattern = pattern(route)
            let (fitting, segment, reason) = subject.miss(of: pattern)
            let miss = URLExplanation.Miss(
                route: route,
                pattern: pattern,
                segment: segment,
                reason: reason
            )
            misses.append((fitting, miss))
        }
        misses.sort {
            if $0.fitting != $1.fitting { return $0.fitting > $1.fitting }
            return ByteString($0.miss.pattern.description) < ByteString($1.miss.pattern.description)
        }
        return misses.prefix(limit).map(\.miss)
    }

    private func dropped(_ split: URLSplit, _ pattern: URLPattern?) -> [String] {
        var dropped: [String] = []
        func drop(_ name: String, _ span: URLSpan) {
            guard span.count > 0 else { return }
            dropped.append("\(name) '\(ByteString(bytes: split.bytes(span)).displayText)'")
        }
        drop("user", split.user)
        drop("port", split.port)
        var keys: [ByteString] = []
        for item in split.queryItems where !keys.contains(item.key) {
            keys.append(item.key)
            if pattern?.query.contains(where: { $0.key == item.key }) != true {
                dropped.append("key '\(item.key.displayText)'")
            }
        }
        drop("fragment", split.fragment ?? .none)
        return dropped
    }
}

/// A URL to be compared with patterns one by one, without the table.
private struct URLSubject {
    private let scheme: String?
    private let host: String
    private let isCustom: Bool
    private let segments: [ByteString]
    private let query: Table

    init(_ split: URLSplit) {
        func text(_ span: URLSpan) -> String {
            ByteString(bytes: split.bytes(span)).lowercasedASCII.displayText
        }
        scheme = split.scheme.count > 0 ? text(split.scheme) : nil
        host = text(split.host)
        isCustom = split.isCustom
        segments = (0..<split.segmentCount).map { ByteString(bytes: split.bytes($0)) }
        query = split.queryItems.table
    }

    /// The first reason why a pattern does not match, and how much of it fits before.
    func miss(of pattern: URLPattern) -> (fitting: Int, segment: Int?, reason: String) {
        var index = 0
        for segment in pattern.segments {
            if segment.isTail, index < segments.count || segment.isOptional {
                index = segments.count
                break
            }
            guard index < segments.count else {
                if segment.isOptional { break }
                return (index, index + 1, "segment \(index + 1), '\(segment)', is missing")
            }
            if let reason = mismatch(segment, index) { return (index, index + 1, reason) }
            index += 1
        }
        guard index == segments.count else {
            let text = segments[index].displayText
            return (index, index + 1, "segment \(index + 1), '\(text)', is one too many")
        }
        if let origin = pattern.origin, origin.scheme != scheme {
            let got = scheme.map { "not '\($0)'" } ?? "and the URL has no scheme"
            return (index + 1, nil, "the pattern is for the scheme '\(origin.scheme)', \(got)")
        }
        if let wanted = pattern.origin?.host, wanted != host {
            return (index + 1, nil, "the pattern is for the host '\(wanted)', not '\(host)'")
        }
        return (index + 2, nil, queryMismatch(pattern))
    }

    private func mismatch(_ segment: URLPattern.Segment, _ index: Int) -> String? {
        let text = segments[index]
        switch segment {
        case .literal(let literal):
            let isSame =
                isCustom && index == 0
                ? text.lowercasedASCII == literal.lowercasedASCII : text == literal
            return isSame
                ? nil
                : "segment \(index + 1) is '\(text.displayText)', not '\(literal.displayText)'"
        case .parameter(let parameter):
            return text.withBytes(parameter.kind.accepts)
                ? nil : "segment \(index + 1), '\(text.displayText)', is no \(parameter.kind)"
        case .tail: return nil
        }
    }

    private func queryMismatch(_ pattern: URLPattern) -> String {
        for item in pattern.query {
            let value = query[.string(item.key)]
            guard case .string(let text) = value else {
                guard item.parameter.isOptional else {
                    return "key '\(item.key.displayText)' is missing"
                }
                continue
            }
            if !text.withBytes(item.parameter.kind.accepts) {
                return
                    "key '\(item.key.displayText)', '\(text.displayText)', is no \(item.parameter.kind)"
            }
        }
        // All that bytes can say fits.
        return "a kind that the script declares refuses it"
    }
}
