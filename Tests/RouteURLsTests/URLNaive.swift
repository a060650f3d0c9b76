// SPDX-License-Identifier: MIT

import Foundation
import RouteCore
import RouteURLs

/// A second implementation of the matching rules, without a table.
///
/// Every pattern is tried with every number of its optional segments, and the matches are sorted by
/// rank.
struct URLNaive {
    struct Match: Equatable {
        var route: Int
        /// The names of the parameters in the matching form of the path and the fragment.
        var form: [String]
        var parameters: InfoTable
        /// The texts that the ranking rule compares, in order.
        var rank: [String]
    }

    /// A URL that is already divided into parts.
    struct Subject {
        var scheme: String?
        /// Whether the URL has user information.
        var hasUser = false
        /// The host of an http URL, and the port as written in the URL.
        var host: String?
        var port = ""
        /// Whether the path begins with two slashes.
        var hasDoubledSlash = false
        /// The decoded segments, beginning with the host if the scheme is a custom one.
        var segments: [String]
        var query: [(key: String, value: String)]
        /// The decoded segments and the query of the fragment; nil if there is none.
        var fragment: (segments: [String], query: [(key: String, value: String)])?
        /// Whether slashes between segments are doubled, and the number of segments before the
        /// doubled slashes.
        var isDoubled = false
        var hostCount = 0

        /// Returns the elements of a list that begins at the segment with the given index.
        func elements(from index: Int) -> [String] {
            segments.indices.dropFirst(index).flatMap { number in
                isDoubled && number > max(index, hostCount)
                    ? ["", segments[number]] : [segments[number]]
            }
        }

        var isCustom: Bool { scheme != nil && host == nil }
    }

    var patterns: [URLPattern]
    /// The exclusive groups: the origin of each, and the indices of its patterns.
    var groups: [(origin: URLOrigin, members: Set<Int>)] = []
    var origins: [URLOrigin] = []
    var ignoresCase = false

    func matches(_ subject: Subject) -> [Match] {
        var matches: [Match] = []
        // Ambiguous URLs and user information do not match.
        guard !subject.hasUser, !subject.segments.contains(where: { $0 == "." || $0 == ".." }),
            origins.isEmpty || !subject.hasDoubledSlash
        else { return [] }
        var declared = InfoTable()
        if !origins.isEmpty, subject.scheme != nil {
            let answering = origins.filter { Self.label(of: subject, $0) != nil }
            guard !answering.isEmpty else { return [] }
            if !answering.contains(where: { $0.host?.hasPrefix("*") != true }),
                let name = answering.compactMap(\.parameter).first
            {
                declared[name] = .string(ByteString(Self.label(of: subject, answering[0]) ?? ""))
            }
        }
        let members = members(matching: subject)
        for (route, pattern) in patterns.enumerated() where members?.contains(route) ?? true {
            for path in Self.choices(among: pattern.segments) {
                for part in Self.choices(among: pattern.fragment?.segments ?? []) {
                    if let match = match(route, pattern, (path, part), subject, declared) {
                        matches.append(match)
                    }
                }
            }
        }
        return matches.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }
    }

    /// Returns the patterns in the exclusive group of the URL's origin; nil if all patterns may
    /// match.
    private func members(matching subject: Subject) -> Set<Int>? {
        let groups = groups.filter { Self.label(of: subject, $0.origin) != nil }
        func isWild(_ origin: URLOrigin) -> Bool { origin.host?.hasPrefix("*") == true }
        if let group = groups.first(where: { !isWild($0.origin) }) { return group.members }
        let isDeclared = origins.contains {
            !isWild($0) && Self.label(of: subject, $0) != nil
        }
        return isDeclared ? nil : groups.first?.members
    }

    /// Returns the possible selections of optional segments.
    ///
    /// Optional segments at the end are left out only together with the segments after them.
    private static func choices(among segments: [URLPattern.Segment]) -> [[URLPattern.Segment]] {
        let optional = segments.indices.filter { segments[$0].isOptional }
        let end = (segments.lastIndex { !$0.isOptional } ?? -1) + 1
        return (0..<1 << optional.count).compactMap { bits in
            let left = Set(optional.indices.filter { bits & 1 << $0 != 0 }.map { optional[$0] })
            let cut = left.filter { $0 >= end }.min() ?? segments.count
            guard (cut..<segments.count).allSatisfy(left.contains) else { return nil }
            return segments.indices.filter { !left.contains($0) }.map { segments[$0] }
        }
    }

    private func match(
        _ route: Int,
        _ pattern: URLPattern,
        _ form: (path: [URLPattern.Segment], fragment: [URLPattern.Segment]),
        _ subject: Subject,
        _ declared: InfoTable
    ) -> Match? {
        var parameters = declared
        var rank: [String] = []
        if let origin = pattern.origin {
            guard let label = Self.label(of: subject, origin) else { return nil }
            if let name = origin.parameter { parameters[name] = .string(ByteString(label)) }
        }
        guard match(pattern.query, subject.query, &parameters),
            match(form.path, subject, &parameters, &rank)
        else { return nil }
        rank += Self.queryRank(pattern)
        if let fragment = pattern.fragment {
            guard let (segments, query) = subject.fragment,
                !segments.contains(where: { $0 == "." || $0 == ".." })
            else { return nil }
            let part = Subject(scheme: nil, host: nil, segments: segments, query: query)
            guard match(fragment.query, query, &parameters),
                match(form.fragment, part, &parameters, &rank)
            else { return nil }
            rank += Self.queryRank(fragment.query)
        } else if patterns.contains(where: { $0.fragment != nil }) {
            rank.append("~")
        }
        parameters["_"] = nil
        let names = (form.path + form.fragment).flatMap(\.names)
        return Match(route: route, form: names, parameters: parameters, rank: rank)
    }

    /// Returns whether a query has the items that a pattern requires.
    private func match(
        _ items: [URLPattern.QueryParameter],
        _ query: [(key: String, value: String)],
        _ parameters: inout InfoTable
    ) -> Bool {
        for item in items {
            let texts = query.filter { ByteString($0.key) == item.key }.map(\.value)
            if texts.isEmpty, item.parameter.isOptional { continue }
            if let literal = item.literal {
                guard texts.last == literal.displayText else { return false }
                continue
            }
            guard let value = Self.value(texts, item.parameter) else { return false }
            parameters[item.parameter.name] = value
        }
        return true
    }

    /// Returns whether a path has exactly the given segments.
    private func match(
        _ segments: [URLPattern.Segment],
        _ subject: Subject,
        _ parameters: inout InfoTable,
        _ rank: inout [String]
    ) -> Bool {
        var index = 0
        for segment in segments {
            if case .tail(let parameter) = segment {
                guard index < subject.segments.count else { return false }
                let texts =
                    parameter.isList
                    ? subject.elements(from: index)
                    : [subject.segments[index...].joined(separator: "/")]
                guard let value = Self.value(texts, parameter) else { return false }
                parameters[parameter.name] = value
                rank.append("9" + Self.rank(parameter.kind))
                index = subject.segments.count
                continue
            }
            guard index < subject.segments.count else { return false }
            let text = subject.segments[index]
            switch segment {
            case .literal(let literal):
                let fold = fold(subject, index)
                guard fold(text) == fold(literal.displayText) else { return false }
                rank.append("0")
            case .affixed(let affixes, let parameter):
                let (prefix, suffix) = (affixes.prefix.displayText, affixes.suffix.displayText)
                let counts = (prefix.utf8.count, suffix.utf8.count)
                let bytes = Array(text.utf8)
                guard bytes.count > counts.0 + counts.1,
                    let start = String(bytes: bytes.prefix(counts.0), encoding: .utf8),
                    let end = String(bytes: bytes.suffix(counts.1), encoding: .utf8)
                else { return false }
                let fold = fold(subject, index)
                guard fold(start) == fold(prefix), fold(end) == fold(suffix) else { return false }
                let middle = String(
                    decoding: bytes.dropFirst(counts.0).dropLast(counts.1),
                    as: UTF8.self
                )
                guard let value = Self.value(middle, parameter.kind) else { return false }
                parameters[parameter.name] = value
                rank.append(
                    "0 \(900 - counts.0 - counts.1) \(900 - counts.0)" + Self.rank(parameter.kind)
                )
            case .pair(let pair):
                let fold = fold(subject, index)
                let texts = [pair.affixes.prefix, pair.between, pair.affixes.suffix]
                    .map(\.displayText)
                var found: (Value, Value)?
                for start in text.indices.dropFirst() where found == nil {
                    let (head, tail) = (String(text[..<start]), String(text[start...]))
                    guard fold(tail).hasPrefix(fold(texts[1])),
                        fold(head).hasPrefix(fold(texts[0])),
                        fold(tail).hasSuffix(fold(texts[2]))
                    else { continue }
                    let first = String(head.dropFirst(texts[0].count))
                    let rest = tail.dropFirst(texts[1].count)
                    guard !first.isEmpty, rest.count > texts[2].count else { continue }
                    let second = String(rest.dropLast(texts[2].count))
                    guard let one = Self.value(first, pair.first.kind),
                        let two = Self.value(second, pair.second.kind)
                    else { continue }
                    found = (one, two)
                }
                guard let found else { return false }
                parameters[pair.first.name] = found.0
                parameters[pair.second.name] = found.1
                let counts = texts.map(\.utf8.count)
                rank.append(
                    "0 \(900 - counts.reduce(0, +)) \(900 - counts[0]) p\(900 - counts[2])"
                        + Self.rank(pair.first.kind) + Self.rank(pair.second.kind)
                        + texts.joined(separator: " ")
                )
            case .parameter(let parameter):
                guard let value = Self.value(text, parameter.kind) else { return false }
                parameters[parameter.name] = value
                rank.append(Self.rank(parameter.kind))
            case .tail: break
            }
            index += 1
        }
        return index == subject.segments.count
    }

    /// Returns the rank of the query: first by the number of required keys, then by the number of
    /// keys with a text, then with a kind, then whether there is a scheme, then by the keys.
    private static func queryRank(_ pattern: URLPattern) -> [String] {
        let isWild = pattern.origin?.host?.hasPrefix("*") == true
        let origin = pattern.origin == nil ? "2" : isWild ? "1" : "0"
        var rank = queryRank(pattern.query)
        rank.insert(origin, at: 3)
        // Two spellings of a host: lower case first, then by bytes.
        let texts: [ByteString] =
            switch pattern.segments.first {
            case .literal(let head): [head]
            case .affixed(let affixes, _): [affixes.prefix, affixes.suffix]
            case .pair(let pair): [pair.affixes.prefix, pair.between, pair.affixes.suffix]
            default: []
            }
        let spellings = texts.map(\.displayText)
        return rank + [spellings == spellings.map(folded) ? "0" : "1"] + spellings
    }

    private static func queryRank(_ query: [URLPattern.QueryParameter]) -> [String] {
        let required = query.filter { !$0.parameter.isOptional }.sorted { $0.key < $1.key }
        let counts = [
            required.count, required.count { $0.literal != nil },
            required.count { $0.parameter.kind != .text },
        ]
        return counts.map { "\(90 - $0)" }
            + required.flatMap { [$0.key.displayText, rank($0.parameter.kind)] }
    }

    /// Returns the label of a URL's host that an origin reads; an empty text if it reads none, and
    /// nil if the URL does not belong to the origin.
    private static func label(of subject: Subject, _ origin: URLOrigin) -> String? {
        guard subject.scheme?.lowercased() == origin.scheme else { return nil }
        let standard = origin.scheme == "https" ? "443" : origin.scheme == "http" ? "80" : ""
        let port = subject.port == standard ? "" : subject.port
        let expected = origin.port.map { number in "\(number)" } ?? ""
        guard port == expected else { return nil }
        guard let host = subject.host?.lowercased(), let pattern = origin.host else {
            return subject.host == nil && origin.host == nil ? "" : nil
        }
        guard pattern.hasPrefix("*.") else { return host == pattern ? "" : nil }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isSame = labels.dropFirst().joined(separator: ".") == pattern.dropFirst(2)
        guard isSame, let label = labels.first, !label.isEmpty else { return nil }
        return String(label)
    }

    /// Returns the function that folds a segment for comparison with a literal.
    private func fold(_ subject: Subject, _ index: Int) -> (String) -> String {
        if ignoresCase { return { text in text.lowercased() } }
        if subject.isCustom, index == 0 { return Self.folded }
        return { text in text }
    }

    /// Returns a text with ASCII letters in lower case.
    private static func folded(_ text: String) -> String {
        String(text.map { $0.isASCII ? Character($0.lowercased()) : $0 })
    }

    private static func rank(_ kind: URLPattern.Kind) -> String {
        switch kind {
        case .enumeration(let alternatives):
            let texts = alternatives.map(\.displayText).sorted()
            return "1a\(alternatives.count + 100)" + texts.joined(separator: " ")
        case .bool: return "1aa"
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

    /// Returns the value of a list, or of the last text; nil if there is no text, or if a text is
    /// not of the parameter's kind.
    private static func value(_ texts: [String], _ parameter: URLPattern.Parameter) -> Value? {
        let values = (parameter.isList ? texts : texts.suffix(1)).map { value($0, parameter.kind) }
        guard !values.isEmpty, !values.contains(where: { $0 == nil }) else { return nil }
        return parameter.isList
            ? .table(InfoTable(list: values.compactMap(\.self))) : values[0]
    }

    /// Returns the value of a text; nil if the text is not of the kind.
    ///
    /// This implementation is independent of the library.
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
        case .bool:
            return [
                "true": .boolean(true), "1": .boolean(true), "false": .boolean(false),
                "0": .boolean(false),
            ][text]
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

    /// A kind for tests that accepts texts of even length, whose value is the length.
    static func even(_ text: String) -> Value? {
        text.utf8.count % 2 == 0 ? Value.integer(Int64(text.utf8.count)) : Value?.none
    }
}

extension URLPattern.Segment {
    /// The names of the parameters.
    var names: [String] {
        if case .pair(let pair) = self { return [pair.first.name, pair.second.name] }
        return parameter.map { [$0.name] } ?? []
    }
}
