// SPDX-License-Identifier: MIT

import RouteCore

/// The rules of matching, written down a second time, without a table: every pattern is tried
/// with every number of its optional segments, and what matches is sorted by the rule of rank.
struct URLNaive {
    struct Match: Equatable {
        var route: Int
        /// How many of its segments are there.
        var form: Int
        var parameters: Table
        /// What the rule compares, in order.
        var rank: [String]
    }

    /// A URL in parts that need no splitting.
    struct Subject {
        var scheme: String?
        /// The host of an http URL.
        var host: String?
        /// The decoded segments, the host of a custom scheme first.
        var segments: [String]
        var query: [(key: String, value: String)]

        var isCustom: Bool { scheme != nil && host == nil }
    }

    var patterns: [URLPattern]

    func matches(_ subject: Subject) -> [Match] {
        var matches: [Match] = []
        for (route, pattern) in patterns.enumerated() {
            for form in pattern.requiredSegments...pattern.segments.count {
                if let match = match(route, pattern, form, subject) { matches.append(match) }
            }
        }
        return matches.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }
    }

    private func match(
        _ route: Int,
        _ pattern: URLPattern,
        _ form: Int,
        _ subject: Subject
    ) -> Match? {
        var parameters = Table()
        var rank: [String] = []
        if let origin = pattern.origin {
            guard subject.scheme?.lowercased() == origin.scheme, subject.host == origin.host else {
                return nil
            }
        }
        for item in pattern.query {
            guard let text = subject.query.last(where: { ByteString($0.key) == item.key })?.value
            else {
                if item.parameter.isOptional { continue }
                return nil
            }
            guard let value = Self.value(text, item.parameter.kind) else { return nil }
            parameters[item.parameter.name] = value
        }
        var index = 0
        for segment in pattern.segments.prefix(form) {
            if case .tail(let parameter) = segment {
                guard index < subject.segments.count else { return nil }
                let rest = subject.segments[index...].joined(separator: "/")
                parameters[parameter.name] = .string(ByteString(rest))
                rank.append("9")
                index = subject.segments.count
                continue
            }
            guard index < subject.segments.count else { return nil }
            let text = subject.segments[index]
            switch segment {
            case .literal(let literal):
                let isSame =
                    subject.isCustom && index == 0
                    ? Self.folded(text) == Self.folded(literal.displayText)
                    : ByteString(text) == literal
                guard isSame else { return nil }
                rank.append("0")
            case .parameter(let parameter):
                guard let value = Self.value(text, parameter.kind) else { return nil }
                parameters[parameter.name] = value
                rank.append(Self.rank(parameter.kind))
            case .tail: break
            }
            index += 1
        }
        guard index == subject.segments.count else { return nil }
        rank += Self.queryRank(pattern)
        return Match(route: route, form: form, parameters: parameters, rank: rank)
    }

    /// More required keys first, then more of them with a kind, then a scheme, then the keys.
    private static func queryRank(_ pattern: URLPattern) -> [String] {
        let required = pattern.query.filter { !$0.parameter.isOptional }.sorted {
            $0.key < $1.key
        }
        let kinds = required.count { $0.parameter.kind != .text }
        var rank = ["\(90 - required.count)", "\(90 - kinds)", pattern.origin == nil ? "1" : "0"]
        for item in required {
            rank.append(item.key.displayText)
            rank.append(Self.rank(item.parameter.kind))
        }
        // Two spellings of a host: the one in small letters first, then by bytes.
        guard case .literal(let head)? = pattern.segments.first, let head = head.text else {
            return rank
        }
        return rank + [head == folded(head) ? "0" : "1", head]
    }

    /// In small letters, as far as ASCII goes.
    private static func folded(_ text: String) -> String {
        String(text.map { $0.isASCII ? Character($0.lowercased()) : $0 })
    }

    private static func rank(_ kind: URLPattern.Kind) -> String {
        switch kind {
        case .enumeration(let alternatives):
            let texts = alternatives.map(\.displayText).sorted()
            return "1a\(alternatives.count + 100)" + texts.joined(separator: " ")
        case .date: return "1b"
        case .uuid: return "1c"
        case .uint: return "1d"
        case .int: return "1e"
        case .number: return "1f"
        case .slug: return "1g"
        case .custom(let name): return "1h\(name)"
        case .text: return "2"
        }
    }

    /// The value of a text, nil where it is not of the kind; written apart from the library's.
    static func value(_ text: String, _ kind: URLPattern.Kind) -> Value? {
        let string = Value.string(ByteString(text))
        switch kind {
        case .text: return string
        case .int:
            guard text.wholeMatch(of: /-?[0-9]+/) != nil else { return nil }
            return Int64(text).map(Value.integer)
        case .uint:
            guard text.wholeMatch(of: /[0-9]+/) != nil else { return nil }
            return Int64(text).map(Value.integer)
        case .number:
            let form = /-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/
            guard text.wholeMatch(of: form) != nil, let number = Double(text), number.isFinite
            else { return nil }
            return .number(number)
        case .uuid:
            let form = /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/
            return text.wholeMatch(of: form).map { _ in string }
        case .slug:
            return text.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/).map { _ in string }
        case .date:
            return text.wholeMatch(of: /2024-02-29|2023-12-31|2000-01-01/).map { _ in string }
        case .enumeration(let alternatives):
            return alternatives.first { $0 == ByteString(text) }.map(Value.string)
        case .custom: return even(text)
        }
    }

    /// A kind as scripts declare them: texts of even length; the value is the length.
    static func even(_ text: String) -> Value? {
        text.utf8.count % 2 == 0 ? Value.integer(Int64(text.utf8.count)) : Value?.none
    }
}
