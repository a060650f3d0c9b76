// SPDX-License-Identifier: MIT

import Foundation
import RouteCore
import RouteURLs
import Testing

/// Tests with rows in the syntax of other routers: our own rows in `Rows.json`, and rows that were
/// recorded from the routers' test suites if the folder of recordings exists.
struct URLConformanceTests {
    private typealias Policy = URLConformancePolicy
    private typealias Object = [String: Any]

    @Test("the test cases of PromisingRouter match")
    func promisingRouter() throws {
        let rows = try #require(Self.read("swift_routers")["promisingrouter"] as? Object)
        var tally = Tally("PromisingRouter")
        for row in rows["bind"] as? [Object] ?? [] {
            let (route, url) = (row.text("route"), row.text("url"))
            let table = try Self.table([route])
            let match = Self.match(table, url)
            let expected = row["params"] as? Object
            // Only one of the two has a host.
            if route.contains(":///") != url.contains(":///") {
                tally.differ(.host, match == nil)
            } else {
                tally.hold(Self.agree(match?.parameters, expected), "\(route) \(url)")
            }
        }
        for row in rows["query"] as? [Object] ?? [] {
            let query = Self.query(row.text("url"))
            tally.hold(Self.agree(query.table, row["query"] as? Object), row.text("url"))
        }
        for row in rows["merge"] as? [Object] ?? [] {
            // Expressed with a host, which our patterns count as a segment.
            let route = row.text("route").replacingOccurrences(of: ":///", with: "://localhost/")
            tally.differ(.oneSource, (try? URLPattern(route + "?id=:id")) == nil)
            let match = Self.match(try Self.table([route]), row.text("url"))
            tally.hold(Self.agree(match?.query.table, row["queryParameters"] as? Object), "query")
        }
        for _ in rows["dispatch"] as? [Object] ?? [] { tally.skip(.foreign) }
        tally.report()
    }

    @Test("the test cases of URLNavigator match")
    func urlNavigator() throws {
        let file = try Self.read("swift_routers")
        var tally = Tally("URLNavigator")
        for row in file["urlnavigator_match"] as? [Object] ?? [] {
            let candidates = row["candidates"] as? [String] ?? []
            let table = try Self.table(try candidates.map(Self.translateAngles))
            let match = Self.match(table, row.text("url"))
            let isRight =
                match.map { candidates[$0.route] } == row["pattern"] as? String
                && Self.agree(
                    match?.parameters ?? InfoTable(),
                    row["values"] as? Object
                )
            tally.hold(isRight, row.text("url"))
        }
        for row in file["urlnavigator_query"] as? [Object] ?? [] {
            let query = Self.query(row.text("url"))
            for (key, expected) in row["query"] as? Object ?? [:] {
                let values = query.filter { $0.key.text == key }.compactMap(\.value.text)
                tally.hold(values == (expected as? [String] ?? ["\(expected)"]), key)
            }
            tally.hold(Set(query.map(\.key)).count == (row["query"] as? Object)?.count, "keys")
        }
        for _ in file["urlnavigator_normalise"] as? [Object] ?? [] { tally.skip(.foreign) }
        tally.report()
    }

    @Test(
        "the test cases of routing-kit and Hummingbird match",
        arguments: ["routing_kit", "hummingbird"]
    )
    func swiftRouters(_ name: String) throws {
        let file = try Self.read("swift_routers")
        var tally = Tally(name)
        for group in file[name] as? [Object] ?? [] {
            let cases = group["cases"] as? [[Any]] ?? []
            guard group["caseInsensitive"] == nil || group.text("test") == "suffixes" else {
                cases.forEach { _ in tally.differ(.letters, true) }
                continue
            }
            let routes = group["routes"] as? [String: String] ?? [:]
            var keys: [String] = []
            var patterns: [String] = []
            for (key, route) in routes.sorted(by: { $0.key < $1.key }) {
                guard let pattern = Self.translateSwift(route, of: name) else { continue }
                keys.append(key)
                patterns.append(pattern)
            }
            let table: URLTable
            (table, patterns, keys) = try Self.tableWithoutConflicts(patterns, keys, &tally)
            for row in cases {
                guard let path = row.first as? String else { continue }
                let expected = row[1] as? String
                guard expected == nil || keys.contains(expected ?? "") else {
                    tally.skip(.partial)
                    continue
                }
                let match = Self.match(table, path)
                var isRight = match.map { keys[$0.route] } == expected
                if row.count > 2, (row[2] as? [String: String])?.values.contains("") == true {
                    tally.differ(.empty, !isRight)
                    continue
                }
                if row.count > 2, let parameters = row[2] as? Object {
                    isRight = isRight && Self.agree(match?.parameters, parameters, renamed: true)
                }
                tally.hold(isRight, "\(group.text("test")) \(path)")
            }
        }
        if name == "hummingbird" {
            for row in file["hummingbird_validate"] as? [Object] ?? [] {
                let routes = (row["routes"] as? [String] ?? []).compactMap {
                    Self.translateSwift($0, of: name)
                }
                let isFine = (try? Self.table(routes)) != nil
                // Hummingbird reports a shadowed tail; ours gets a lower rank.
                if routes.contains(where: { $0.contains("*") }) {
                    tally.differ(.rank, isFine)
                } else {
                    tally.hold(isFine == row["ok"] as? Bool, "\(routes)")
                }
            }
        }
        tally.report()
    }

    @Test("the five backtracking test cases match")
    func backtracking() throws {
        let cases: [([String], String, Int, [String: String])] = [
            (["/a/b/c", "/a/:x/d"], "/a/b/d", 1, ["x": "b"]),
            (
                ["/:object/:id", "/secret/:id/path"], "/secret/978", 0,
                ["object": "secret", "id": "978"]
            ),
            (["/:object/:id", "/secret/:id/path"], "/secret/978/path", 1, ["id": "978"]),
            (["/a/:x/c", "/:y/b/d"], "/a/b/d", 1, ["y": "a"]),
            (["/x/:a/y/:b/z", "/x/:a/:c/w/q"], "/x/1/y/w/q", 1, ["a": "1", "c": "y"]),
        ]
        for (routes, path, route, parameters) in cases {
            let match = try #require(Self.match(try Self.table(routes), path))
            #expect(match.route == route)
            #expect(Self.agree(match.parameters, parameters))
        }
    }

    @Test("the test cases of matchit match")
    func matchit() throws {
        let file = try Self.read("matchit")
        var tally = Tally("matchit")
        for group in file["match"] as? [Object] ?? [] {
            try Self.runPaths(
                group["routes"] as? [String] ?? [],
                group["matches"] as? [Object] ?? [],
                Self.translateBraces,
                &tally
            )
        }
        for group in file["insert"] as? [[Object]] ?? [] {
            try Self.runInserts(group, &tally)
        }
        tally.report()
    }

    @Test("the test cases of httprouter match")
    func httprouter() throws {
        let file = try Self.read("httprouter")
        var tally = Tally("httprouter")
        for group in file["match"] as? [Object] ?? [] {
            try Self.runPaths(
                group["routes"] as? [String] ?? [],
                group["requests"] as? [Object] ?? [],
                { $0 },
                &tally
            )
        }
        for pattern in file["double_wildcard_errors"] as? [String] ?? [] {
            tally.hold((try? URLPattern(pattern)) == nil, pattern)
        }
        for pattern in file["empty_wildcard_errors"] as? [String] ?? [] {
            tally.hold((try? URLPattern(pattern)) == nil, pattern)
        }
        tally.report()
    }

    @Test("the test cases of path-to-regexp match")
    func pathToRegexp() throws {
        let file = try Self.read("path_to_regexp_v6")
        var tally = Tally("path-to-regexp")
        for row in file["match"] as? [Object] ?? [] {
            let options = row["options"] as? Object ?? [:]
            let isSensitive = options["sensitive"] as? Bool == true
            guard options.isEmpty || isSensitive && options.count == 1 else {
                tally.skip(.option)
                continue
            }
            let (text, input) = (row.text("pattern"), row.text("input"))
            guard let translated = Self.translateExpression(text),
                let pattern = try? URLPattern(translated)
            else {
                tally.skip(text.contains("(") ? .expression : .partial)
                continue
            }
            guard !input.contains("?"), !input.contains("#") else {
                tally.skip(.sign)
                continue
            }
            let match = Self.match(try URLTable([URLTable.Route(pattern, at: "")]), input)
            guard let groups = row["groups"] as? [Any] else {
                // The row depends on a slash at the end.
                let isSlash =
                    text.hasSuffix("/") != input.hasSuffix("/") || input.contains("//")
                    || text.hasPrefix("/") != input.hasPrefix("/")
                if match != nil, isSlash {
                    tally.differ(.slash, true)
                } else {
                    tally.hold(match == nil, "\(text) \(input)")
                }
                continue
            }
            if match == nil, !isSensitive, input.lowercased() != input {
                tally.differ(.letters, true)
                continue
            }
            guard let match else {
                tally.hold(false, "\(text) \(input)")
                continue
            }
            let keys = row["keys"] as? [String] ?? []
            var isRight = true
            for (key, group) in zip(keys, groups.dropFirst()) {
                let expected = (group as? String)?.removingPercentEncoding
                isRight = isRight && Self.text(match.parameters[key]) == expected
            }
            if !isRight, pattern.segments.contains(where: { $0.parameters.count > 1 }) {
                tally.differ(.shortest, true)
                continue
            }
            tally.hold(isRight, "\(text) \(input)")
        }
        for row in file["compile"] as? [Object] ?? [] {
            try Self.compile(row, &tally)
        }
        tally.report()
    }

    @Test(
        "each of many paths matches the route that was registered for the path",
        arguments: ["shop_routes"]
            + ["github_api_routes", "gplus_api_routes", "parse_api_routes", "static_routes"].filter
        {
            recorded($0) != nil
        }
    )
    func sets(_ name: String) throws {
        let file = try Self.read(name)
        var tally = Tally(name)
        let rows = file["routes"] as? [Object] ?? []
        let patterns = Array(Set(rows.map { $0.text("pattern") })).sorted()
        let table = try Self.table(patterns)
        for row in rows {
            let match = Self.match(table, row.text("path"))
            let isRight =
                match.map { patterns[$0.route] } == row.text("pattern")
                && Self.agree(match?.parameters, row["params"] as? Object)
            tally.hold(isRight, row.text("path"))
        }
        tally.report()
    }

    // MARK: Running rows

    private static func runPaths(
        _ routes: [String],
        _ rows: [Object],
        _ translate: (String) -> String?,
        _ tally: inout Tally
    ) throws {
        var keys: [String] = []
        var patterns: [String] = []
        for route in routes {
            guard let pattern = translate(route), (try? URLPattern(pattern)) != nil else {
                continue
            }
            keys.append(route)
            patterns.append(pattern)
        }
        let all = keys
        let table: URLTable
        (table, patterns, keys) = try tableWithoutConflicts(patterns, keys, &tally)
        for row in rows {
            let path = row.text("path")
            let expected = row["route"] as? String
            guard expected == nil || all.contains(expected ?? "") else {
                tally.skip(.partial)
                continue
            }
            guard !path.contains("?"), !path.contains("#") else {
                tally.skip(.sign)
                continue
            }
            let match = match(table, path)
            let found = match.map { keys[$0.route] }
            guard found == expected else {
                // Is the result correct except for slashes at the ends?
                let isSlash =
                    found.map(trimmed) == expected.map(trimmed)
                    || (found ?? "").hasSuffix("/") != path.hasSuffix("/")
                    || (found ?? "").hasPrefix("/") != path.hasPrefix("/")
                    || (expected ?? "").contains("*") && path.hasSuffix("/")
                if isSlash {
                    tally.differ(.slash, true)
                } else {
                    tally.hold(false, "\(path): \(found ?? "-"), not \(expected ?? "-")")
                }
                continue
            }
            guard let match else {
                tally.hold(true, path)
                continue
            }
            var isRight = true
            var isTrimmed = true
            for (name, value) in row.pairs("params") {
                let text = match.parameters[sanitized(name)].text ?? ""
                isRight = isRight && text == value
                isTrimmed = isTrimmed && trimmed(text) == trimmed(value)
            }
            if !isRight, isTrimmed {
                tally.differ(.trailing, true)
            } else {
                tally.hold(isRight, path)
            }
        }
    }

    private static func runInserts(_ rows: [Object], _ tally: inout Tally) throws {
        var patterns: [String] = []
        for row in rows {
            let route = row.text("route")
            guard let pattern = translateBraces(route), (try? URLPattern(pattern)) != nil else {
                if row["ok"] as? Bool == true {
                    tally.skip(.partial)
                } else {
                    tally.hold(true, route)
                }
                continue
            }
            let isFine = (try? table(patterns + [pattern])) != nil
            let isSlash = patterns.contains { trimmed($0) == trimmed(pattern) && $0 != pattern }
            switch (row["ok"] as? Bool == true, isFine) {
            case (true, false) where isSlash: tally.differ(.slash, true)
            // A tail and a parameter, or a parameter and a part of one.
            case (false, true):
                let other = row["with"] as? String ?? ""
                tally.differ(
                    .rank,
                    other.contains("{*") != route.contains("{*") || isPartial(other)
                        || isPartial(route)
                )
            case (let expected, let found): tally.hold(expected == found, route)
            }
            if isFine { patterns.append(pattern) }
        }
    }

    private static func compile(_ row: Object, _ tally: inout Tally) throws {
        let text = row.text("pattern")
        guard row["options"] is NSNull || row["options"] == nil else { return tally.skip(.option) }
        guard let translated = translateExpression(text), let pattern = try? URLPattern(translated)
        else { return tally.skip(text.contains("(") ? .expression : .partial) }
        var parameters = InfoTable()
        for (name, value) in row["params"] as? Object ?? [:] {
            switch value {
            // Our patterns omit the parameter.
            case let list as [String] where list.isEmpty: break
            case let list as [String]:
                parameters[name] = .string(ByteString(list.joined(separator: "/")))
            case let text as String:
                let isInteger = pattern.parameters.contains {
                    $0.name == name && ($0.kind == .uint || $0.kind == .int)
                }
                parameters[name] =
                    (isInteger ? Int64(text).map(Value.integer) : nil)
                    ?? .string(ByteString(text))
            case let number as NSNumber: parameters[name] = .integer(number.int64Value)
            default: break
            }
        }
        let printed = try? pattern.url(parameters)
        guard let expected = row["expected"] as? String else {
            if let printed, printed.contains("%") { return tally.differ(.escape, true) }
            return tally.hold(printed == nil, "\(text) \(parameters)")
        }
        guard let printed else { return tally.hold(false, "\(text) \(parameters) \(expected)") }
        let decoded = printed.removingPercentEncoding ?? printed
        if trimmed(expected) == trimmed(decoded), expected != decoded {
            tally.differ(.slash, true)
        } else {
            tally.hold(
                printed == expected || decoded == expected,
                "\(text) \(parameters) \(expected) \(printed)"
            )
        }
    }

    private static func tableWithoutConflicts(
        _ patterns: [String],
        _ keys: [String],
        _ tally: inout Tally
    ) throws -> (URLTable, [String], [String]) {
        var (patterns, keys) = (patterns, keys)
        while true {
            let routes = try patterns.map { URLTable.Route(try URLPattern($0), at: $0) }
            do throws(URLConflict) {
                let table = try URLTable(routes)
                return (table, patterns, keys)
            } catch {
                let isSlash = trimmed(patterns[error.first]) == trimmed(patterns[error.second])
                tally.differ(isSlash ? .slash : .shape, true)
                // The rows expect the named parameter.
                let isWild = patterns[error.second].contains(":any")
                let index = isWild ? error.second : isSlash ? error.second : error.first
                patterns.remove(at: index)
                keys.remove(at: index)
            }
        }
    }

    private static func table(_ patterns: [String]) throws -> URLTable {
        try URLTable(patterns.map { URLTable.Route(try URLPattern($0), at: $0) })
    }

    private static func match(_ table: URLTable, _ url: String) -> URLMatch? {
        if case .match(let match) = table.match(ByteString(url)) { match } else { nil }
    }

    /// Returns the query of a URL, regardless of the path.
    private static func query(_ url: String) -> [URLMatch.QueryItem] {
        guard let table = try? table(["/*all?"]) else { return [] }
        return match(table, url)?.query ?? []
    }

    private static func text(_ value: Value) -> String? {
        if case .integer(let integer) = value { return String(integer) }
        return value.text
    }

    private static func agree(_ found: InfoTable?, _ expected: Object?, renamed: Bool = false)
        -> Bool
    {
        guard let found, let expected else { return found == nil && expected == nil }
        // Values of unnamed parts have no counterpart.
        return expected.allSatisfy { name, value in
            let name = name == "**" ? "rest" : renamed ? sanitized(name) : name
            switch value {
            case let list as [String]: return found[name].text == list.joined(separator: "/")
            case let text as String: return found[name].text == text
            case let number as NSNumber:
                return found[name].isEqual(to: .number(number.doubleValue))
            default: return false
            }
        }
    }

    // MARK: Translating

    private static func sanitized(_ name: String) -> String {
        name.first?.isNumber == true ? "p\(name)" : name
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: "/"))
    }

    /// Whether a parameter has literal text around it.
    private static func isPartial(_ route: String) -> Bool {
        route.split(separator: "/").contains { part in
            part.contains("{") && !(part.hasPrefix("{") && part.hasSuffix("}"))
        }
    }

    /// Returns a segment that consists of a parameter with literal text around it.
    private static func segment(_ prefix: String, _ parameter: String, _ suffix: String) -> String {
        // The first byte of the suffix could continue the name.
        let first = suffix.utf8.first.map { "%\(String($0, radix: 16))" } ?? ""
        return literal(prefix) + ":" + parameter + first + literal(String(suffix.dropFirst()))
    }

    private static func literal(_ text: String) -> String {
        text.replacing("{", with: "%7B").replacing("}", with: "%7D").replacing("*", with: "%2A")
    }

    /// Translates `/users/:id`, `*`, `**` and `{id}`; returns nil for a part of a segment.
    private static func translateSwift(_ route: String, of name: String) -> String? {
        // The catch-all of routing-kit matches nothing only if it is the whole pattern.
        if name == "routing_kit", route == "/**" { return "/*rest?" }
        var parts: [String] = []
        for (index, part) in route.split(separator: "/").map(String.init).enumerated() {
            if part == "**" {
                parts.append("*rest")
            } else if part == "*" {
                parts.append(":any\(index)")
            } else if part.hasPrefix(":") {
                parts.append(":" + sanitized(String(part.dropFirst())))
            } else if part.hasPrefix("{"), part.hasSuffix("}"), !part.dropLast().contains("}") {
                parts.append(":" + part.dropFirst().dropLast())
            } else if let match = part.wholeMatch(of: /([^{}*]*)\{([^{}]+)\}([^{}*]*)/) {
                let (_, prefix, name, suffix) = match.output
                parts.append(segment("\(prefix)", "\(name)", "\(suffix)"))
            } else if let match = part.wholeMatch(of: /([^{}*]*)\*([^{}*]*)/) {
                let (_, prefix, suffix) = match.output
                parts.append(segment("\(prefix)", "any\(index)", "\(suffix)"))
            } else if part.contains("{") || part.contains("*") {
                return nil
            } else {
                parts.append(literal(part))
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Translates `{name}` and `{*name}`; doubled braces are literal.
    private static func translateBraces(_ route: String) -> String? {
        var parts: [String] = []
        for part in route.split(separator: "/", omittingEmptySubsequences: false).map(String.init) {
            let plain = part.replacing("{{", with: "").replacing("}}", with: "")
            if !plain.contains("{"), !plain.contains("}") {
                parts.append(
                    part.replacing("{{", with: "%7B").replacing("}}", with: "%7D")
                        .replacing("*", with: "%2A")
                )
            } else if part == plain, part.hasPrefix("{*"), part.hasSuffix("}") {
                parts.append(String(part.dropFirst().dropLast()))
            } else {
                let form = /((?:[^{}]|\{\{|\}\})*)\{([a-z0-9]+)\}((?:[^{}]|\{\{|\}\})*)/
                guard let match = part.wholeMatch(of: form) else { return nil }
                let texts = [match.output.1, match.output.3].map {
                    $0.replacing("{{", with: "{").replacing("}}", with: "}")
                }
                parts.append(segment(String(texts[0]), String(match.output.2), String(texts[1])))
            }
        }
        return parts.joined(separator: "/")
    }

    /// Translates `<id>`, `<int:id>` and `<path:id>`.
    private static func translateAngles(_ route: String) throws -> String {
        var text = route
        for (kind, ours) in ["int": "(int)", "float": "(number)", "uuid": "(uuid)", "string": ""] {
            text = text.replacing(try Regex("<\(kind):([a-z]+)>")) {
                ":\($0.output[1].substring ?? "")\(ours)"
            }
        }
        return text.replacing(/<path:([a-z]+)>/) { "*\($0.output.1)" }
            .replacing(/<([a-z]+)>/) { ":\($0.output.1)" }
    }

    /// Translates the patterns of path-to-regexp whose parameters are whole segments.
    private static func translateExpression(_ text: String) -> String? {
        guard !text.contains("\\") || text.contains("\\d"), !text.contains("{") else { return nil }
        var parts: [String] = []
        let segments = text.split(separator: "/").map(String.init)
        for (index, part) in segments.enumerated() {
            guard part.contains(":") || part.contains("(") else {
                guard !part.contains("\\") else { return nil }
                parts.append(part)
                continue
            }
            let pair = /:([A-Za-z_][A-Za-z0-9_]*)([-.]):([A-Za-z_][A-Za-z0-9_]*)/
            if let match = part.wholeMatch(of: pair) {
                let (_, first, between, second) = match.output
                parts.append(segment("", "\(first)", "\(between)") + ":\(second)")
                continue
            }
            let form =
                /([A-Za-z0-9.]*):([A-Za-z_][A-Za-z0-9_]*)(\(([^()]*)\))?([?+*])?(-?[A-Za-z.]*)/
            guard let match = part.wholeMatch(of: form) else { return nil }
            let (prefix, name, suffix) = (match.output.1, match.output.2, match.output.6)
            var kind = ""
            if let expression = match.output.4 {
                if expression == "\\d+" {
                    kind = "(uint)"
                } else if expression.wholeMatch(of: /[a-z]+(\|[a-z]+)+/) != nil {
                    kind = "(\(expression))"
                } else {
                    return nil
                }
            }
            guard prefix.isEmpty, suffix.isEmpty else {
                guard match.output.5 == nil else { return nil }
                parts.append(segment(String(prefix), "\(name)\(kind)", String(suffix)))
                continue
            }
            switch match.output.5 {
            case "?": parts.append(":\(name)\(kind)?")
            case nil: parts.append(":\(name)\(kind)")
            case let sign:
                guard index == segments.count - 1, kind.isEmpty else { return nil }
                parts.append("*\(name)\(sign == "*" ? "?" : "")")
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    // MARK: Reading

    /// Returns our own rows with the given name, followed by the recorded ones.
    private static func read(_ name: String) throws -> Object {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Rows.json")
        let ours = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? Object
        let others = try recorded(name).map {
            try JSONSerialization.jsonObject(with: Data(contentsOf: $0))
        }
        return try #require(joined(ours?[name] ?? Object(), others ?? Object()) as? Object)
    }

    /// Joins two values: lists are concatenated, objects are joined by key, and of other values the
    /// first is returned.
    private static func joined(_ first: Any, _ second: Any) -> Any {
        if let first = first as? Object, let second = second as? Object {
            return first.merging(second, uniquingKeysWith: joined)
        }
        if let first = first as? [Any], let second = second as? [Any] { return first + second }
        return first
    }

    /// Returns the file of recorded rows, which is in a folder next to the package; nil if there is
    /// none.
    private static func recorded(_ name: String) -> URL? {
        var folder = URL(filePath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let file = folder.appending(path: "shared/data/urls/\(name).json")
            if FileManager.default.fileExists(atPath: file.path) { return file }
        }
        return nil
    }

    /// The number of rows for each result.
    private struct Tally {
        private let name: String
        private var held = 0
        private var failed: [String] = []
        private var skipped: [String: Int] = [:]
        private var differences: [String: Int] = [:]

        init(_ name: String) { self.name = name }

        mutating func hold(_ isRight: Bool, _ row: String) {
            if isRight { held += 1 } else { failed.append(row) }
        }

        mutating func skip(_ reason: URLConformancePolicy.Unsayable) {
            skipped[reason.rawValue, default: 0] += 1
        }

        /// Counts a row with an intended difference.
        ///
        /// If the difference is not as expected, the row counts as failed.
        mutating func differ(_ reason: URLConformancePolicy.Difference, _ isAsExpected: Bool) {
            if isAsExpected {
                differences[reason.rawValue, default: 0] += 1
            } else {
                failed.append(reason.rawValue)
            }
        }

        func report() {
            print("\(name): \(held) rows hold, \(failed.count) fail")
            for (reason, count) in differences.sorted(by: { $0.key < $1.key }) {
                print("  \(count) differ: \(reason)")
            }
            for (reason, count) in skipped.sorted(by: { $0.key < $1.key }) {
                print("  \(count) cannot be said: \(reason)")
            }
            #expect(failed.isEmpty, "\(name)")
            #expect(held > 0, "\(name)")
        }
    }
}

extension [String: Any] {
    fileprivate func text(_ key: String) -> String { self[key] as? String ?? "" }

    fileprivate func pairs(_ key: String) -> [(String, String)] {
        if let list = self[key] as? [[String]] { return list.map { ($0[0], $0[1]) } }
        return (self[key] as? [String: String] ?? [:]).map { ($0.key, $0.value) }
    }
}
