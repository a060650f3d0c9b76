// SPDX-License-Identifier: MIT

import LuaRouting

/// The examples of URL patterns and tables.
extension TypeExamples {
    static let urls: [Example] = [
        Example("URLPattern", urlPattern),
        Example("URLOrigin", urlOrigin),
        Example("URLTable", urlTable),
        Example("URLMatch", urlMatch),
        Example("URLAnswer", urlAnswer),
        Example("URLProblem", urlProblem),
        Example("URLConflict", urlConflict),
        Example("URLCandidate", urlCandidate),
        Example("URLExplanation", urlExplanation),
        Example("URLExplainer", urlExplainer),
        Example("URLRouteTable", urlRouteTable),
    ]

    private static func urlPattern() throws {
        let pattern = try URLPattern("/shows/:showId(int)/:tab(about|reviews)?")
        let url = try pattern.url(["showId": 7, "tab": "about"])
        print(pattern.parameters.map(\.name), url)  // ["showId", "tab"] /shows/7/about
    }

    private static func urlOrigin() throws {
        let origin = try URLOrigin("https://:tenant.example.com")
        print(origin.scheme, origin.parameter ?? "")  // https tenant
    }

    private static func urlTable() throws {
        let patterns = try ["/shows/:showId(int)", "/shows/new"].map { try URLPattern($0) }
        let table = try URLTable(patterns.map { URLTable.Route($0, at: "routes.lua:1") })
        if case .match(let match) = table.match("/shows/new") { print(patterns[match.route]) }
        // /shows/new
    }

    private static func urlMatch() throws {
        let table = try showTable()
        if case .match(let match) = table.match("/shows/7?ref=mail#top") {
            print(match.parameters, match.query.map(\.key), match.fragment ?? "")
            // {showId=7} [ref] top
        }
    }

    private static func urlAnswer() throws {
        let table = try showTable()
        switch table.match("/shows/7") {
        case .match(let match): print(match.parameters)  // {showId=7}
        case .none(let problem): print(problem)
        }
    }

    private static func urlProblem() throws {
        let table = try showTable()
        if case .none(let problem) = table.match("/shows/../7") { print(problem) }
        // a dot segment at byte 8, which URL parsers read differently
    }

    private static func urlConflict() throws {
        let patterns = try [URLPattern("/shows/:id"), URLPattern("/shows/:name")]
        let routes = zip(patterns, 1...).map { URLTable.Route($0, at: "main.lua:\($1)") }
        for conflict in URLTable.conflicts(among: routes) { print(conflict.message) }
        // url '/shows/:name' (main.lua:2) matches the same URLs as '/shows/:id' (main.lua:1)
    }

    private static func urlCandidate() throws {
        let table = try showTable()
        let url = Array("/shows/7/about".utf8)
        url.withUnsafeBytes { bytes in
            _ = table.visit(bytes) { candidate in
                print(candidate.route, candidate.range(of: 0) ?? 0..<0)  // 1 7..<8
                return false
            }
        }
    }

    private static func urlExplanation() throws {
        let table = try showTable()
        let explanation = table.explain("/show/7")
        print(explanation.misses[0].pattern)  // /shows/:showId(int)
        print(explanation.misses[0].advice)  // segment 1 is 'show', did you mean 'shows'?
    }

    private static func urlExplainer() throws {
        let table = try showTable()
        let explainer = URLExplainer(table)
        for url in ["/shows/7", "/shows/seven"] {
            let explanation = explainer.explain(ByteString(url)) { _, _ in nil }
            print(explanation.matches.count, explanation.misses.count)  // 1 1, 0 2
        }
    }

    private static func urlRouteTable() throws {
        let router = try startedRouter()
        for entry in router.links.entries { print(entry.pattern, entry.target) }
        // app://pages/:id(int) Page/show
    }
}
