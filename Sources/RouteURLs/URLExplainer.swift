// SPDX-License-Identifier: MIT

public import RouteCore

/// An explainer for many URLs of one table.
///
/// The explainer prepares the data for all of its explanations once.
///
/// ```swift
/// let explainer = URLExplainer(table)
/// for url in ["/shows/7", "/shows/seven"] {
///     let explanation = explainer.explain(ByteString(url)) { _, _ in nil }
///     print(explanation.matches.count, explanation.misses.count)  // 1 1, 0 2
/// }
/// ```
public struct URLExplainer: Sendable {
    private let table: URLTable
    /// The forms of the patterns.
    ///
    /// Each URL is compared with every form.
    private let patterns: [URLPattern]
    /// The rank of each form when the forms are sorted by their texts.
    private let ranks: [Int]

    /// Creates an explainer for a table.
    ///
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public init(_ table: URLTable) {
        self.table = table
        let storage = table.storage
        patterns = (0..<storage.core.pointee.routes.count).map(storage.form)
        let texts = patterns.map { ByteString($0.description) }
        var ranks = [Int](repeating: 0, count: texts.count)
        for (rank, route) in texts.indices.sorted(by: { texts[$0] < texts[$1] }).enumerated() {
            ranks[route] = rank
        }
        self.ranks = ranks
    }

    /// Explains which patterns a URL matches, and which patterns it nearly matches.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - limit: The maximum number of near misses to report.
    ///   - kind: The closure that converts texts for kinds declared by a script.
    /// - Returns: The matches, the near misses and the ignored parts of the URL.
    /// - Throws: Any error that `kind` throws.
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public func explain<Failure: Error>(
        _ url: ByteString,
        limit: Int = 5,
        asking kind: URLTable.KindAnswer<Failure>
    ) throws(Failure) -> URLExplanation {
        var found: [URLMatch] = []
        let problem = try table.forEachMatch(of: url, asking: kind) { match in
            found.append(match())
            return true
        }
        if let problem, found.isEmpty {
            return URLExplanation(
                problem: problem,
                matches: [],
                misses: [],
                leftOut: 0,
                dropped: []
            )
        }
        let matches = found.map {
            URLExplanation.Match(
                route: $0.route,
                pattern: table.pattern($0.route),
                parameters: $0.parameters
            )
        }
        return url.withBytes { bytes in
            URLSplit.with(bytes, ignoresCase: table.ignoresCase) { split, _ in
                let subject = URLSubject(split.pointee, in: table)
                let nearest = nearest(to: subject, without: Set(matches.map(\.route)))
                let shown = nearest.prefix(limit)
                return URLExplanation(
                    problem: matches.isEmpty ? .noPattern : nil,
                    matches: matches,
                    misses: shown.map {
                        let owner = table.storage.owner($0.route)
                        return subject.miss(
                            $0.difference,
                            form: patterns[$0.route],
                            of: table.pattern(owner),
                            route: owner
                        )
                    },
                    leftOut: nearest.dropFirst(shown.count).count { $0.difference.segment != 1 },
                    dropped: dropped(split.pointee, matches.first?.pattern)
                )
            }
        }
    }

    private typealias Near = (route: Int, difference: URLSubject.Difference)

    /// Returns the nearest form of each pattern that does not match, nearest first.
    ///
    /// Forms with more matching segments are nearer. If no pattern matches, the nearest forms with
    /// a misspelled literal come first, then the nearest forms that differ only in the kind of one
    /// segment. All other ties are ordered by text.
    private func nearest(to subject: URLSubject, without matching: Set<Int>) -> [Near] {
        var all: [Near] = []
        let storage = table.storage
        for route in patterns.indices where !matching.contains(storage.owner(route)) {
            all.append((route, subject.difference(to: patterns[route], storage.owner(route))))
        }
        all.sort { left, right in
            (right.difference.fitting, ranks[left.route])
                < (left.difference.fitting, ranks[right.route])
        }
        func firstOfEach(_ all: [Near]) -> [Near] {
            var known: Set<Int> = []
            return all.filter { known.insert(storage.owner($0.route)).inserted }
        }
        guard matching.isEmpty, let best = all.first?.difference.fitting else {
            return firstOfEach(all)
        }
        let end = all.firstIndex { $0.difference.fitting != best } ?? all.count
        let grades = all[..<end].map { near in
            if subject.suggestion(near.difference) != nil { return 0 }
            return near.difference.isOnlyKind ? 1 : 2
        }
        let nearest = (0...2).flatMap { grade in
            zip(all, grades).filter { $0.1 == grade }.map(\.0)
        }
        return firstOfEach(nearest + all[end...])
    }

    private func dropped(_ split: URLSplit, _ pattern: URLPattern?) -> [String] {
        var dropped: [String] = []
        func drop(_ name: String, _ span: URLSpan) {
            guard span.count > 0 else { return }
            dropped.append("\(name) '\(ByteString(bytes: split.bytes(span)).displayText)'")
        }
        func dropKeys(_ split: URLSplit, items: [URLPattern.QueryParameter], place: String) {
            let known = Set(items.map(\.key))
            var keys: Set<ByteString> = []
            let query = split.query ?? .none
            var pairs = URLPairs(split.bytes(query), offset: Int(query.start))
            while let pair = pairs.next() {
                let (key, isWellFormed) = split.key(of: pair)
                guard !known.contains(key), keys.insert(key).inserted else { continue }
                let malformed = isWellFormed ? "" : ", malformed"
                dropped.append("key '\(key.displayText)'\(place)\(malformed)")
            }
        }
        dropKeys(split, items: pattern?.query ?? [], place: "")
        let span = split.fragment ?? .none
        guard let fragment = pattern?.fragment else {
            drop("fragment", span)
            return dropped
        }
        URLSplit.with(split.bytes(span), ignoresCase: false, isPath: true) { split, _ in
            dropKeys(split.pointee, items: fragment.query, place: " of the fragment")
        }
        return dropped
    }
}

extension URLSplit {
    /// Returns the decoded key of a query pair, and whether both the key and the value can be
    /// decoded.
    fileprivate func key(
        of pair: (key: Range<Int>, value: Range<Int>)
    ) -> (key: ByteString, isWellFormed: Bool) {
        let (key, value) = (bytes(URLSpan(pair.key)), bytes(URLSpan(pair.value)))
        let decoded = PercentEncoding.decode(key)
        let isWellFormed = decoded != nil && PercentEncoding.isWellFormed(value)
        return (decoded ?? ByteString(bytes: key), isWellFormed)
    }
}

/// A URL that is compared with one pattern at a time, without using the nodes of the table.
struct URLSubject {
    /// The first difference between a URL and a pattern.
    struct Difference {
        enum Kind {
            /// The URL has no segment for this segment of the pattern.
            case missing(URLPattern.Segment)
            /// The URL has more segments than the pattern.
            case tooMany
            case literal(ByteString)
            case kind(URLPattern.Kind)
            /// The list element with the given index is not of the given kind.
            case element(URLPattern.Kind, Int)
            /// The literal texts around the parameter differ, or the text of the parameter is
            /// empty.
            case affixes(URLPattern.Segment)
            case origin(URLOrigin)
            /// Only patterns of the given group may match, and this pattern is not in that group.
            case group(URLGroups.Group)
            /// The query or the fragment differs, or a kind that a script declares rejects a value.
            case rest
        }

        let kind: Kind
        /// The number of matching segments.
        ///
        /// If all segments match, 1 is added, or 2 if the origin and the exclusive group match,
        /// too.
        let fitting: Int
        /// The position, counted from 1, of the segment that differs; nil if all segments match.
        let segment: Int?
        /// Whether all segments match, except that the kind of one parameter rejects its text.
        var isOnlyKind = false
    }

    private let scheme: String?
    private let host: String
    private let port: UInt16?
    private let rule: LiteralCase
    private let isCustom: Bool
    private let segments: [ByteString]
    private let query: [URLMatch.QueryItem]
    /// The text after the `#` as written in the URL, or nil if the URL has no fragment.
    private let fragment: ByteString?
    private let table: URLTable

    init(_ split: URLSplit, in table: URLTable) {
        (self.table, rule) = (table, table.literalCase)
        port = split.port == 0 ? nil : split.port
        func text(_ span: URLSpan) -> String {
            ByteString(bytes: split.bytes(span)).lowercasedASCII.displayText
        }
        scheme = split.scheme.count > 0 ? text(split.scheme) : nil
        host = text(split.host)
        isCustom = split.isCustom
        segments = (0..<split.segmentCount).map { ByteString(bytes: split.bytes($0)) }
        query = split.queryItems
        fragment = split.fragment.map { ByteString(bytes: split.bytes($0)) }
    }

    // MARK: Comparing

    /// Returns the first difference between the URL and a form of the pattern with index `route`.
    func difference(to pattern: URLPattern, _ route: Int) -> Difference {
        var difference = difference(to: pattern.segments[...], at: 0)
        if case .kind = difference?.kind, let index = difference?.segment {
            let rest = pattern.segments.dropFirst(index)
            difference?.isOnlyKind = self.difference(to: rest, at: index) == nil
        }
        if let difference { return difference }
        let count = segments.count
        if let origin = pattern.origin, own?.meets(origin) != true {
            return Difference(kind: .origin(origin), fitting: count + 1, segment: nil)
        }
        if let own, let group = table.group(excluding: route, from: own) {
            return Difference(kind: .group(group), fitting: count + 1, segment: nil)
        }
        return Difference(kind: .rest, fitting: count + 2, segment: nil)
    }

    /// Returns the first difference between the segments of the URL from the given index on and
    /// segments of a pattern; nil if all match.
    private func difference(
        to pattern: ArraySlice<URLPattern.Segment>,
        at start: Int
    ) -> Difference? {
        var index = start
        for segment in pattern {
            if segment.isTail, index < segments.count || segment.isOptional {
                let kind = segment.listKind ?? .text
                if let bad = segments[index...].firstIndex(where: { !$0.withBytes(kind.accepts) }) {
                    return Difference(kind: .element(kind, bad), fitting: index, segment: index + 1)
                }
                return nil
            }
            guard index < segments.count else {
                if segment.isOptional { break }
                return Difference(kind: .missing(segment), fitting: index, segment: index + 1)
            }
            if let kind = mismatch(segment, index) {
                return Difference(kind: kind, fitting: index, segment: index + 1)
            }
            index += 1
        }
        return index == segments.count
            ? nil : Difference(kind: .tooMany, fitting: index, segment: index + 1)
    }

    /// The origin of the URL, or nil for a bare path.
    private var own: URLOrigin? {
        scheme.map { URLOrigin(scheme: $0, host: isCustom ? nil : host, port: port) }
    }

    private func mismatch(_ segment: URLPattern.Segment, _ index: Int) -> Difference.Kind? {
        let text = segments[index]
        let rule = isCustom && index == 0 && rule == .exact ? .ascii : rule
        switch segment {
        case .literal(let literal):
            return rule.fold(text) == rule.fold(literal) ? nil : .literal(literal)
        case .affixed(let affixes, let parameter):
            let (prefixCount, suffixCount) = (affixes.prefix.count, affixes.suffix.count)
            guard
                let (found, middle) = URLForm.Text.literal(text)
                    .split(prefixCount, suffixCount: suffixCount, rule: rule),
                found == affixes.folded(rule)
            else { return .affixes(segment) }
            if case .literal(let text) = middle, text.withBytes(parameter.kind.accepts) {
                return nil
            }
            return .kind(parameter.kind)
        case .pair(let pair): return pair.split(text, rule) == nil ? .affixes(segment) : nil
        case .parameter(let parameter):
            return text.withBytes(parameter.kind.accepts) ? nil : .kind(parameter.kind)
        case .tail: return nil
        }
    }

    /// Returns the literal that was probably meant if the difference is a misspelled literal; nil
    /// otherwise.
    func suggestion(_ difference: Difference) -> String? {
        guard case .literal(let literal) = difference.kind, let segment = difference.segment else {
            return nil
        }
        let text = segments[segment - 1].displayText
        return Suggestion.nearest(to: text, among: [literal.displayText])
    }

    // MARK: Reporting

    /// Returns the near miss that reports a difference from a form of a pattern.
    func miss(
        _ difference: Difference,
        form: URLPattern,
        of pattern: URLPattern,
        route: Int
    ) -> URLExplanation.Miss {
        let (segment, reason) = reason(difference, form)
        return URLExplanation.Miss(
            route: route,
            pattern: pattern,
            segment: segment,
            reason: reason,
            suggestion: suggestion(difference)
        )
    }

    /// Returns the position of the segment that differs, if any, and the reason why the URL does
    /// not match.
    private func reason(
        _ difference: Difference,
        _ pattern: URLPattern
    ) -> (segment: Int?, reason: String) {
        guard let number = difference.segment else {
            if case .origin(let origin) = difference.kind { return (nil, reason(origin)) }
            if case .group(let group) = difference.kind { return (nil, group.reason) }
            let reason = queryMismatch(pattern) ?? fragmentMismatch(pattern)
            return reason.map { (nil, $0) } ?? refusal(pattern)
        }
        let text = number <= segments.count ? segments[number - 1].displayText : ""
        switch difference.kind {
        case .missing(let segment):
            return (number, "segment \(number) ('\(segment)') is missing")
        case .literal(let literal):
            return (number, "segment \(number) is '\(text)', not '\(literal.displayText)'")
        case .kind(let kind):
            let segment = pattern.segments[number - 1]
            if case .affixed = segment {
                return (number, "segment \(number) ('\(text)') does not match '\(segment)'")
            }
            return (number, "segment \(number) ('\(text)') is not a valid \(kind)")
        case .element(let kind, let index):
            let text = segments[index].displayText
            return (number, "segment \(index + 1) ('\(text)') is not a valid \(kind)")
        case .affixes(let segment):
            return (number, "segment \(number) ('\(text)') does not match '\(segment)'")
        case .tooMany, .origin, .group, .rest:
            return (number, "segment \(number) ('\(text)') is unexpected")
        }
    }

    private func reason(_ origin: URLOrigin) -> String {
        guard origin.scheme == scheme else {
            let got = scheme.map { "not '\($0)'" } ?? "but the URL has no scheme"
            return "the pattern is for the scheme '\(origin.scheme)', \(got)"
        }
        guard origin.port == port else {
            let got = port.map { "not port \($0)" } ?? "but the URL has no port"
            let expected = origin.port.map { "port \($0)" } ?? "the default port"
            return "the pattern is for \(expected), \(got)"
        }
        return "the pattern is for the host '\(origin.host ?? "")', not '\(host)'"
    }

    private func queryMismatch(_ pattern: URLPattern) -> String? {
        for item in pattern.query {
            let values = values(of: item)
            if values.isEmpty, !item.parameter.isOptional {
                return "key '\(item.key.displayText)' is missing"
            }
            if let text = values.first(where: { !$0.withBytes(item.parameter.kind.accepts) }) {
                let (key, text) = (item.key.displayText, text.displayText)
                guard let literal = item.literal else {
                    let isOptional = item.parameter.isOptional
                    return
                        "the value '\(text)' of key '\(key)' is not a valid \(item.parameter.kind)"
                        + (isOptional
                            ? " (an optional key may be absent, but its value must be valid)" : "")
                }
                return "key '\(key)' is '\(text)', not '\(literal.displayText)'"
            }
        }
        return nil
    }

    /// Returns the reason why the fragment does not match a pattern, or nil if the fragment
    /// matches.
    private func fragmentMismatch(_ pattern: URLPattern) -> String? {
        guard let expected = pattern.fragment else { return nil }
        guard let fragment else { return "the fragment is missing" }
        // A fragment is matched like a path.
        let path = URLPattern(origin: nil, segments: expected.segments, query: expected.query)
        let table = try? URLTable([URLTable.Route(path, at: "")], ignoresCase: rule == .ignored)
        let url = fragment.withBytes { Array("/".utf8) + $0 }
        let answer = table?.match(url.withUnsafeBytes { ByteString(bytes: $0) })
        if case .match = answer { return nil }
        return "the fragment '\(fragment.displayText)' does not match '\(path)'"
    }

    /// Returns the texts of a query parameter: all values of its key if the parameter is a list,
    /// otherwise only the last value.
    private func values(of item: URLPattern.QueryParameter) -> [ByteString] {
        let values = query.filter { $0.key == item.key }.map(\.value)
        return item.parameter.isList ? values : values.suffix(1)
    }

    /// Returns the reason why a declared kind rejects a URL that otherwise matches the pattern.
    private func refusal(_ pattern: URLPattern) -> (segment: Int?, reason: String) {
        var refused: [(segment: Int?, reason: String)] = []
        for (index, segment) in pattern.segments.prefix(segments.count).enumerated() {
            guard let kind = segment.parameter?.kind, case .custom = kind else { continue }
            let text = segments[index].displayText
            refused.append((index + 1, "segment \(index + 1) ('\(text)') is not a valid \(kind)"))
        }
        for item in pattern.query {
            guard case .custom = item.parameter.kind, let text = values(of: item).first
            else { continue }
            let (key, kind) = (item.key.displayText, item.parameter.kind)
            refused.append(
                (nil, "the value '\(text.displayText)' of key '\(key)' is not a valid \(kind)")
            )
        }
        if refused.isEmpty, let kind = pattern.segments.last?.listKind {
            return (nil, "an empty segment is not a valid \(kind)")
        }
        // If the pattern has several declared kinds, it is unknown which of them rejected its text.
        guard refused.count == 1 else {
            return (nil, "a kind that the script declares rejects the URL")
        }
        return refused[0]
    }
}
