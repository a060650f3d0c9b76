// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import RouteURLs
import Testing

struct URLComparisonTests {
    @Test(
        "a table matches by the documented rules, whatever the order of registration",
        arguments: 0..<8
    )
    func tables(_ seed: UInt64) throws {
        var generator = URLGenerator(seed: seed)
        var matched = 0
        var several = 0
        for round in 0..<180 {
            let (patterns, groups, table) = try generator.table(hasGroups: round >= 140)
            let naive = URLNaive(
                patterns: patterns,
                groups: groups.list.indices.map { group in
                    (
                        groups.list[group].origin,
                        // The second group may be in the first one.
                        Set(
                            groups.members.filter {
                                $0.value == group || groups.list[$0.value].outer == group
                            }.keys
                        )
                    )
                },
                origins: table.origins,
                ignoresCase: table.ignoresCase
            )
            let shuffled = patterns.indices.shuffled(using: &generator.numbers)
            let other = try URLTable(
                shuffled.map { URLTable.Route(patterns[$0], at: "") },
                origins: table.origins,
                ignoresCase: table.ignoresCase,
                groups: URLGroups(
                    groups.list,
                    members: Dictionary(
                        uniqueKeysWithValues: shuffled.enumerated().compactMap { index, pattern in
                            groups.members[pattern].map { (index, $0) }
                        }
                    )
                )
            )
            let extended = try Self.extended(patterns, groups, like: table)
            var places: [[String]: Int] = [:]
            for (place, entry) in table.entries.enumerated() {
                let segments = Array(entry.form.segments.prefix(entry.segmentCount))
                let names = (segments + (entry.form.fragment?.segments ?? []))
                    .flatMap(\.names)
                places[["\(entry.route)"] + names] = place
            }
            for _ in 0..<20 {
                let (text, subject) = generator.url(for: patterns)
                let expected = naive.matches(subject)
                let comment: Comment = "\(text) of \(patterns.map(\.description)), seed \(seed)"
                for (left, right) in zip(expected, expected.dropFirst()) {
                    try #require(left.rank != right.rank, comment)
                    // The list of entries is consistent with the order of every pair.
                    let place = try #require(places[["\(left.route)"] + left.form])
                    let next = try #require(places[["\(right.route)"] + right.form])
                    try #require(place < next, comment)
                }
                let found = Self.all(table, text)
                try #require(found.map(\.route) == expected.map(\.route), comment)
                try #require(found.map(\.parameters) == expected.map(\.parameters), comment)
                let others = Self.all(other, text).map { shuffled[$0.route] }
                try #require(others == expected.map(\.route), comment)
                let later = Self.all(extended, text)
                try #require(later.map(\.route) == expected.map(\.route), comment)
                try #require(later.map(\.parameters) == expected.map(\.parameters), comment)
                matched += expected.isEmpty ? 0 : 1
                several += expected.count > 1 ? 1 : 0
            }
        }
        // The generated URLs match often enough.
        #expect(matched > 500 && several > 150)
    }

    /// Returns a table of the given patterns, most of which are added one by one.
    private static func extended(
        _ patterns: [URLPattern],
        _ groups: URLGroups,
        like table: URLTable
    ) throws -> URLTable {
        let routes = patterns.map { URLTable.Route($0, at: "") }
        var extended = try URLTable(
            [],
            origins: table.origins,
            ignoresCase: table.ignoresCase,
            groups: URLGroups(groups.list)
        )
        for count in 1...routes.count {
            // A copy keeps its patterns.
            let (copy, before) = (extended, extended.count)
            let members = groups.members.filter { $0.key == count - 1 }
            if !extended.append(contentsOf: [routes[count - 1].pattern], members: members) {
                extended = try URLTable(
                    Array(routes.prefix(count)),
                    origins: table.origins,
                    ignoresCase: table.ignoresCase,
                    groups: URLGroups(
                        groups.list,
                        members: groups.members.filter { $0.key < count }
                    )
                )
            }
            #expect(copy.count == before && extended.count == count)
            // A conflicting pattern is not added.
            let isAddedAgain = extended.append(contentsOf: [routes[count - 1].pattern])
            #expect(!isAddedAgain)
            #expect(extended.count == count)
        }
        return extended
    }

    @Test("an explanation lists the nearest pattern as the first near miss", arguments: 0..<8)
    func nearest(_ seed: UInt64) throws {
        var generator = URLGenerator(seed: seed)
        var compared = 0
        for round in 0..<180 {
            let (patterns, groups, table) = try generator.table(hasGroups: round >= 140)
            // If case is ignored, another spelling of the literal may be named.
            guard !table.ignoresCase,
                !patterns.contains(where: { $0.description.contains { "AV".contains($0) } })
            else { continue }
            let extended = try Self.extended(patterns, groups, like: table)
            for _ in 0..<20 {
                var (text, _) = generator.url(for: patterns)
                // Include misspelled names.
                if Bool.random(using: &generator.numbers),
                    let index = text.indices.randomElement(
                        using: &generator.numbers
                    )
                {
                    text.insert("x", at: index)
                }
                let explanation = table.explain(ByteString(text), limit: 1) { _, _ in nil }
                guard explanation.problem == .noPattern else { continue }
                let expected = explanation.misses.first.flatMap { $0.isNear ? $0 : nil }
                let comment: Comment = "\(text) of \(patterns.map(\.description)), seed \(seed)"
                try #require(table.nearest(to: ByteString(text), .noPattern) == expected, comment)
                let later = extended.nearest(to: ByteString(text), .noPattern)
                try #require(later == expected, comment)
                compared += expected == nil ? 0 : 1
            }
        }
        #expect(compared > 50)
    }

    @Test(
        "a URL printed from a pattern matches that pattern with the same parameters",
        arguments: 0..<4
    )
    func printing(_ seed: UInt64) throws {
        var generator = URLGenerator(seed: seed)
        for _ in 0..<1000 {
            let pattern = try generator.pattern()
            // A wildcard host cannot be printed.
            if pattern.origin?.host?.hasPrefix("*") == true, pattern.hostParameter == nil {
                continue
            }
            let parameters = generator.parameters(of: pattern)
            let comment: Comment = "\(pattern), \(parameters), seed \(seed)"
            let again = try URLPattern(pattern.description, kinds: ["even"])
            try #require(again == pattern, comment)
            let url: String
            do throws(RouteError) {
                url = try pattern.url(parameters)
            } catch {
                // Optional segments may be taken for each other, and some have no name.
                try #require(
                    error.message.contains("a value that can be read back from '")
                        || error.message.contains("because ':_' has no value"),
                    comment
                )
                continue
            }
            let table = try URLTable([URLTable.Route(pattern, at: "")])
            guard case .match(let match) = table.match(ByteString(url)) else {
                Issue.record("\(url) does not match: \(comment)")
                return
            }
            try #require(match.parameters == parameters, "\(url): \(comment)")
            try #require(try pattern.url(match.parameters) == url, comment)
        }
    }

    static func all(_ table: URLTable, _ url: String) -> [URLMatch] {
        var matches: [URLMatch] = []
        while case .match(let match) = table.match(
            ByteString(url),
            skipping: matches.count,
            asking: { kind, text in
                #expect(kind == "even")
                return URLNaive.even(text.displayText)
            }
        ) {
            matches.append(match)
        }
        return matches
    }
}

/// A generator of patterns and URLs that use only a few words, so that they often match.
struct URLGenerator {
    var numbers: RandomNumbers
    private var fitting: [URLPattern.Kind: [String]] = [:]

    init(seed: UInt64) { numbers = RandomNumbers(seed: seed) }

    private static let literals = [
        "a", "b", "A", "longer-than-eight", "longer-than-eighu", "é", "É", "a/b",
    ]
    /// Literal texts around a parameter.
    private static let affixes = [
        ("@", ""), ("v", ""), ("V", ""), ("a", ""), ("", ".x"), ("@", ".x"), ("é", ".É"), ("", "x"),
        ("longer-than-", ""), ("", "(x)"),
    ]
    private static let origins = [
        "", "", "", "", "pod://", "https://h.example", "https://*.h.example",
        "https://:t.h.example", "https://h.example:8443",
    ]
    private static let kinds = [
        "", "", "", "(int)", "(uint)", "(number)", "(slug)", "(date)", "(uuid)", "(a|b)", "(b|a|7)",
        "(even)", "(bool)",
    ]
    private static let lists = ["", "", "(list)", "(int list)", "(a|b list)", "(even list)"]
    private static let texts = [
        "a", "b", "A", "7", "-7", "7.5", "1e9", "x-y", "2024-02-29", "2023-02-29", "é", "a/b",
        "100%",
        "longer-than-eight", "longer-than-eighu", "9223372036854775808", "a b", "?#&=+", "B", ":x",
        "123e4567-e89b-12d3-a456-426614174000", "true", "0", ".", "..", "@a", "v7", "V7.x", "@.x",
        "É", "éa.É",
    ]

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[numbers.below(elements.count)]
    }

    /// Returns a pattern that can be read.
    mutating func pattern() throws -> URLPattern {
        while true {
            var text = pick(Self.origins)
            path(to: &text, numbers.below(4), "p")
            if text.isEmpty { text = "/" }
            query(to: &text, ["k", "l"])
            if numbers.isTrue(oneIn: 8) {
                text += "#"
                path(to: &text, numbers.below(3), "f")
                query(to: &text, ["m"])
                if text.hasSuffix("#") { text += "/" }
            }
            do throws(NotationError) {
                return try URLPattern(text, kinds: ["even"])
            } catch {
                // Some optional segments make a pattern that matches URLs in two ways.
                guard error.message == "the pattern matches some URLs in two ways" else {
                    throw error
                }
            }
        }
    }

    private mutating func path(to text: inout String, _ count: Int, _ name: String) {
        for index in 0..<count {
            if !text.hasSuffix("://") { text += "/" }
            let isOptional = numbers.isTrue(oneIn: 4)
            let mark = isOptional ? "?" : ""
            let own =
                !isOptional && numbers.isTrue(oneIn: 6) ? "_" : "\(name)\(index)"
            if !isOptional, numbers.isTrue(oneIn: 2) {
                text += Self.encode(pick(Self.literals))
            } else if !isOptional, numbers.isTrue(oneIn: 3) {
                let (prefix, suffix) = pick(Self.affixes)
                let first = suffix.utf8.first.map { Self.escape($0) } ?? ""
                text += Self.encode(prefix) + ":\(own)" + pick(Self.kinds)
                text += first + Self.encode(String(suffix.dropFirst()))
            } else if !isOptional, numbers.isTrue(oneIn: 5) {
                let (prefix, suffix) = pick([("", ""), ("", ""), ("v", ""), ("", ".x")])
                text += "\(prefix):\(own)\(pick(Self.kinds))\(pick(["-", ".", "-", "~é"]))"
                text += ":\(name)\(index)s\(pick(Self.kinds))\(suffix)"
            } else if index == count - 1, numbers.isTrue(oneIn: 4) {
                text += "*\(own)\(pick(Self.lists))\(mark)"
            } else {
                text += ":\(own)\(pick(Self.kinds))\(mark)"
            }
        }
    }

    private mutating func query(to text: inout String, _ keys: [String]) {
        var separator = "?"
        for key in keys where numbers.isTrue(oneIn: 6) {
            if numbers.isTrue(oneIn: 4) {
                text += "\(separator)\(key)=\(Self.encode(pick(["a", "7", "", ":x", "é"])))"
                separator = "&"
                continue
            }
            let mark = numbers.isTrue(oneIn: 3) ? "?" : ""
            text += "\(separator)\(key)=:\(key)\(pick(Self.kinds + Self.lists))\(mark)"
            separator = "&"
        }
    }

    /// Returns patterns without conflicts, their exclusive groups, and their table.
    mutating func table(
        hasGroups: Bool
    ) throws -> ([URLPattern], URLGroups, URLTable) {
        var patterns = try (0...numbers.below(12)).map { _ in try pattern() }
        let declared = [
            "pod", "https://h.example", pick(["https://:u.h.example", "https://*.h.example"]),
        ]
        let origins =
            numbers.isTrue(oneIn: 3)
            ? try declared.filter { _ in numbers.below(3) > 0 }.map { try URLOrigin($0) } : []
        let ignoresCase = numbers.isTrue(oneIn: 4)
        var list: [URLGroups.Group] = []
        let exclusive = ["pod", "https://h.example", "https://*.h.example"]
        for name in hasGroups ? exclusive : []
        where list.count < 2 && numbers.isTrue(oneIn: 2) {
            let outer = list.isEmpty || numbers.isTrue(oneIn: 2) ? nil : 0
            list.append(URLGroups.Group(try URLOrigin(name), at: "", in: outer))
        }
        while true {
            let routes = patterns.map { URLTable.Route($0, at: "") }
            var groups = URLGroups(list)
            for index in routes.indices where !list.isEmpty && numbers.isTrue(oneIn: 2) {
                groups.members[index] = numbers.below(list.count)
            }
            do throws(URLConflict) {
                let table = try URLTable(
                    routes,
                    origins: origins,
                    ignoresCase: ignoresCase,
                    groups: groups
                )
                return (patterns, groups, table)
            } catch {
                patterns.remove(at: error.second)
            }
        }
    }

    /// Returns a URL that probably matches one of the given patterns.
    mutating func url(for patterns: [URLPattern]) -> (String, URLNaive.Subject) {
        let pattern = pick(patterns)
        var segments: [String] = []
        for segment in pattern.segments where numbers.below(8) > 0 {
            segments.append(text(of: segment))
            while segment.isTail, numbers.isTrue(oneIn: 2) { segments.append(pick(Self.texts)) }
        }
        var subject = URLNaive.Subject(scheme: nil, host: nil, segments: segments, query: [])
        for item in pattern.query where numbers.below(5) > 0 {
            subject.query.append((item.key.displayText, value(of: item.parameter.kind)))
        }
        while numbers.isTrue(oneIn: 4) {
            subject.query.append((pick(["k", "l"]), pick(Self.texts)))
        }
        if let fragment = pattern.fragment, numbers.below(5) > 0 {
            var (segments, query): ([String], [(key: String, value: String)]) = ([], [])
            for segment in fragment.segments where numbers.below(6) > 0 {
                segments.append(text(of: segment))
            }
            for item in fragment.query where numbers.below(5) > 0 {
                query.append((item.key.displayText, value(of: item.parameter.kind)))
            }
            subject.fragment = (segments, query)
        }
        return (write(&subject, pattern), subject)
    }

    private mutating func write(_ subject: inout URLNaive.Subject, _ pattern: URLPattern) -> String
    {
        var text = ""
        var encoded = subject.segments.map { segment in
            numbers.isTrue(oneIn: 8) ? Self.encodeAll(segment) : Self.encode(segment)
        }
        if let origin = pattern.origin, numbers.below(6) > 0 {
            subject.scheme = numbers.isTrue(oneIn: 3) ? origin.scheme.uppercased() : origin.scheme
            subject.host = origin.host?.replacing("*", with: pick(["acme", "b", "B-1", "a.b"]))
            subject.port = origin.port.map { "\($0)" } ?? ""
        } else if numbers.isTrue(oneIn: 3) {
            subject.scheme = pick(["pod", "other", "https"])
            let hosts = ["h.example", "else.example", "acme.h.example", "H.Example", ".h.example"]
            subject.host = subject.scheme == "https" ? pick(hosts) : nil
        }
        var isHostLess = false
        if let scheme = subject.scheme {
            isHostLess = subject.host == nil && (encoded.isEmpty || numbers.isTrue(oneIn: 3))
            subject.hasUser = !isHostLess && numbers.isTrue(oneIn: 10)
            let user = subject.hasUser ? pick(["me:pw@", "@"]) : ""
            if !isHostLess, numbers.isTrue(oneIn: 5) { subject.port = pick(["443", "80", "8443"]) }
            let port = !subject.port.isEmpty || numbers.isTrue(oneIn: 9) ? ":\(subject.port)" : ""
            if let host = subject.host {
                text = "\(scheme)://\(user)\(host)\(port)"
            } else if isHostLess {
                text = "\(scheme):" + pick(["", "//"])
            } else {
                text = "\(scheme)://" + user + encoded.removeFirst() + port
            }
            if !encoded.isEmpty, !isHostLess || !text.hasSuffix(":") {
                subject.hasDoubledSlash = subject.host != nil && numbers.isTrue(oneIn: 8)
                text += subject.hasDoubledSlash ? "//" : "/"
            }
        } else if numbers.isTrue(oneIn: 2) {
            text = "/"
        }
        let separator = pick(["/", "/", "//"])
        subject.isDoubled = separator == "//"
        subject.hostCount = subject.segments.count - encoded.count
        text += encoded.joined(separator: separator)
        if subject.scheme == nil, numbers.isTrue(oneIn: 6), text.hasPrefix("/") {
            text = "/" + text
        }
        if numbers.isTrue(oneIn: 5), !text.hasSuffix(":") { text += "/" }
        if subject.scheme == nil { subject.hasDoubledSlash = text.hasPrefix("//") }
        for (index, item) in subject.query.enumerated() {
            text += index == 0 ? "?" : pick(["&", "&&"])
            text += "\(item.key)=\(Self.encode(item.value))"
        }
        if let (segments, query) = subject.fragment {
            text += "#" + pick(["", "/"]) + segments.map(Self.encode).joined(separator: "/")
            for (index, item) in query.enumerated() {
                text += index == 0 ? "?" : "&"
                text += "\(item.key)=\(Self.encode(item.value))"
            }
            return text
        }
        // A malformed fragment matches no pattern that reads it.
        return numbers.isTrue(oneIn: 5) ? text + "#top%" : text
    }

    private mutating func text(of segment: URLPattern.Segment) -> String {
        if numbers.isTrue(oneIn: 10) { return pick(Self.texts) }
        switch segment {
        case .literal(let literal):
            let text = literal.displayText
            return numbers.isTrue(oneIn: 6) ? text.uppercased() : text
        case .affixed(let affixes, let parameter):
            let prefix = affixes.prefix.displayText
            let head = numbers.isTrue(oneIn: 6) ? prefix.uppercased() : prefix
            return head + value(of: parameter.kind) + affixes.suffix.displayText
        case .pair(let pair):
            return pair.affixes.prefix.displayText + value(of: pair.first.kind)
                + pair.between.displayText + value(of: pair.second.kind)
                + pair.affixes.suffix.displayText
        case .parameter(let parameter), .tail(let parameter): return value(of: parameter.kind)
        }
    }

    private mutating func value(of kind: URLPattern.Kind) -> String {
        numbers.isTrue(oneIn: 8) ? pick(Self.texts) : pick(texts(of: kind))
    }

    private mutating func texts(of kind: URLPattern.Kind) -> [String] {
        // The kind of a literal in the query.
        if case .enumeration(let texts) = kind, texts.count == 1 { return [texts[0].displayText] }
        if let texts = fitting[kind] { return texts }
        let texts = Self.texts.filter { URLNaive.value($0, kind) != nil }
        fitting[kind] = texts
        return texts
    }

    /// Returns parameters that are unchanged after a pattern prints and reads them.
    mutating func parameters(of pattern: URLPattern) -> InfoTable {
        var parameters = InfoTable()
        if let name = pattern.hostParameter?.name { parameters[name] = pick(["acme", "b-1"]) }
        for segments in [pattern.segments, pattern.fragment?.segments ?? []] {
            let end = (segments.lastIndex { !$0.isOptional } ?? -1) + 1
            var isLeftOut = false
            for (index, segment) in segments.enumerated() {
                if case .pair(let pair) = segment {
                    parameters[pair.first.name] = printable(pair.first.kind)
                    parameters[pair.second.name] = printable(pair.second.kind)
                }
                guard let parameter = segment.parameter else { continue }
                let isAbsent = parameter.isOptional && numbers.isTrue(oneIn: 3)
                if index >= end { isLeftOut = isLeftOut || isAbsent }
                guard !isAbsent, !isLeftOut else { continue }
                parameters[parameter.name] = printable(segment, parameter)
            }
        }
        for item in pattern.query + (pattern.fragment?.query ?? []) where item.literal == nil {
            guard !item.parameter.isOptional || numbers.isTrue(oneIn: 2) else { continue }
            let value = printable(item.parameter.kind)
            parameters[item.parameter.name] =
                item.parameter.isList ? .table(InfoTable(list: [value, value])) : value
        }
        return parameters
    }

    private mutating func printable(
        _ segment: URLPattern.Segment,
        _ parameter: URLPattern.Parameter
    ) -> Value {
        guard segment.isTail, !parameter.isList else {
            let value = printable(parameter.kind)
            guard parameter.isList else { return value }
            return .table(InfoTable(list: [Value](repeating: value, count: 1 + numbers.below(3))))
        }
        let parts = (0...numbers.below(3)).map { _ in
            pick(Self.printed.filter { !$0.contains("/") })
        }
        return .string(ByteString(parts.joined(separator: "/")))
    }

    /// The texts that can be a segment of a URL.
    private static let printed = texts.filter { $0 != "." && $0 != ".." }

    private mutating func printable(_ kind: URLPattern.Kind) -> Value {
        if case .custom = kind { return .string(ByteString(pick(Self.printed))) }
        let text = pick(texts(of: kind).filter(Self.printed.contains))
        return URLNaive.value(text, kind) ?? .string(ByteString(text))
    }

    private static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"),
                UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"),
                UInt8(ascii: " "), 0x80...:
                escape(byte)
            default: String(Unicode.Scalar(byte))
            }
        }.joined()
    }

    private static func encodeAll(_ text: String) -> String { text.utf8.map(escape).joined() }

    private static func escape(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return "%" + (digits.count == 1 ? "0" : "") + digits
    }
}
