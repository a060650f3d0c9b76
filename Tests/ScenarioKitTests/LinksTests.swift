// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// The command `luaroute links`.
struct LinksTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let origins = "router.links { \"app\", \"https://shop.example\" }\n"

    private func run(
        _ lua: String,
        _ platform: LinksCommand.Platform,
        host: String? = nil,
        isJSON: Bool = false
    ) throws -> (code: ExitCode, output: String, errors: String) {
        try folder.write("main.lua", lua)
        var command = LinksCommand(script: folder.path, platform: platform, host: host)
        command.isJSON = isJSON
        var (output, errors) = ("", "")
        let code = command.run(Console(output: { output += $0 }, errors: { errors += $0 }))
        return (code, output, errors)
    }

    private func route(_ pattern: String, _ more: String = "", _ name: String = "A") -> String {
        "router.register('\(name)', 'show', { url = '\(pattern)',\(more) build = router.screen 'A' })\n"
    }

    // MARK: Matching

    /// A component of the Apple file: a path pattern, and the patterns of the query.
    private struct Component: Decodable {
        let path: String
        let query: [String: String]?
        let exclude: Bool?
        let caseSensitive: Bool?

        enum CodingKeys: String, CodingKey {
            case path = "/"
            case query = "?"
            case exclude, caseSensitive
        }

        func matches(_ url: String) -> Bool {
            let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let ignoresCase = caseSensitive == false
            func glob(_ pattern: Substring, _ text: Substring) -> Bool {
                guard let first = pattern.first else { return text.isEmpty }
                if first == "*" {
                    return glob(pattern.dropFirst(), text)
                        || !text.isEmpty && glob(pattern, text.dropFirst())
                }
                guard let next = text.first else { return false }
                let isEqual =
                    ignoresCase ? first.lowercased() == next.lowercased() : first == next
                return (first == "?" || isEqual) && glob(pattern.dropFirst(), text.dropFirst())
            }
            guard glob(path[...], parts[0]) else { return false }
            let items =
                parts.count < 2
                ? []
                : parts[1].split(separator: "&").map { item in
                    item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                }
            return (query ?? [:]).allSatisfy { key, pattern in
                let values = items.filter { $0[0] == key }
                return !values.isEmpty
                    && values.allSatisfy { glob(pattern[...], $0.count > 1 ? $0[1] : "") }
            }
        }
    }

    private func components(_ text: String) throws -> [Component] {
        struct File: Decodable {
            struct Links: Decodable {
                struct Details: Decodable {
                    let appIDs: [String]
                    let components: [Component]
                }
                let details: [Details]
            }
            let applinks: Links
        }
        let file = try JSONDecoder().decode(File.self, from: Data(text.utf8))
        let details = try #require(file.applinks.details.first)
        #expect(details.appIDs == ["TEAM.com.example"])
        return details.components
    }

    /// Returns whether the simple patterns of Android match a decoded path.
    ///
    /// `.*` matches all characters up to the first occurrence of the character after it, without
    /// backtracking.
    private func androidMatches(_ pattern: [Character], _ text: [Character]) -> Bool {
        var (next, position) = (0, 0)
        while next < pattern.count, position < text.count {
            var character = pattern[next]
            let isEscaped = character == "\\"
            if isEscaped {
                next += 1
                character = pattern[next]
            }
            next += 1
            if next < pattern.count, pattern[next] == "*", character == ".", !isEscaped {
                next += 1
                if next >= pattern.count { return true }
                if pattern[next] == "\\" { next += 1 }
                while position < text.count, text[position] != pattern[next] { position += 1 }
                if position == text.count { return false }
                next += 1
                position += 1
            } else {
                if character != ".", text[position] != character { return false }
                position += 1
            }
        }
        let isAtEnd = next == pattern.count && position == text.count
        return isAtEnd || position == text.count && pattern[next...] == [".", "*"]
    }

    /// Returns the decoded path patterns of the filters for a scheme and a host.
    private func paths(_ xml: String, scheme: String, host: String) -> [[Character]] {
        xml.components(separatedBy: "<intent-filter").dropFirst().filter {
            $0.contains("<data android:scheme=\"\(scheme)\" android:host=\"\(host)\" />")
        }
        .flatMap { filter in
            filter.components(separatedBy: "android:pathPattern=\"").dropFirst().map { part in
                let value = part.prefix { $0 != "\"" }
                return Array(
                    value.replacing("&quot;", with: "\"").replacing("&lt;", with: "<")
                        .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
                        .replacing("\\\\", with: "\\")
                )
            }
        }
    }

    @Test(
        "the Apple and the Android file match each URL that a pattern matches",
        arguments: [
            ("/", ["/"]),
            ("/about", ["/about", "/about/"]),
            ("/shows/:id(int)", ["/shows/7", "/shows/-12/"]),
            ("/shows/:id(int)/edit", ["/shows/7/edit", "/shows/7/edit/"]),
            ("/shows/:id/edit", ["/shows/a/edit", "/shows/a%2Fb/edit", "/shows/e/edit/"]),
            ("/on/:day(date)/:id(uuid)", ["/on/2026-02-28/123e4567-e89b-12d3-a456-426614174000"]),
            ("/docs/:name.html", ["/docs/a.html", "/docs/a.b.html"]),
            ("/post-:id(int).x/y", ["/post-7.x/y"]),
            ("/@:user", ["/@ann", "/@%C3%A9"]),
            ("/:a(x|y%2Fz)/end", ["/x/end", "/y%2Fz/end"]),
            ("/shows/:id/:tab(about|reviews)?", ["/shows/7", "/shows/7/about"]),
            ("/files/*path", ["/files/a", "/files/a/b"]),
            ("/help/*topic?", ["/help", "/help/", "/help/a/b"]),
            ("/search?q=:q&page=:page(int)?", ["/search?q=", "/search?q=a&page=2"]),
            ("/find?id=:id(int)", ["/find?id=7", "/find?x=1&id=7"]),
            ("/größe", ["/gr%C3%B6%C3%9Fe"]),
            ("/a%2Ab", ["/a%2Ab", "/a*b"]),
            ("/a$(b)", ["/a$(b)"]),
            ("/a.b+c&d", ["/a.b+c&d"]),
            ("https://shop.example/only", ["/only"]),
        ]
    )
    func coverage(_ pattern: String, _ urls: [String]) throws {
        let lua = Self.origins + route(pattern)
        let apple = try run(lua, .apple(["TEAM.com.example"]))
        #expect(apple.code == .success, "\(apple.errors)")
        let components = try components(apple.output)
        let android = try run(lua, .android("com.example"))
        let paths = paths(android.output, scheme: "https", host: "shop.example")
        #expect(!paths.isEmpty)
        for url in urls {
            let explained = ExplainCommand(
                script: folder.path,
                targets: ["https://shop.example\(url)"]
            )
            let code = explained.run(
                input: { () throws(InputError) in nil },
                .silent
            )
            #expect(code == .success, "\(url)")
            #expect(components.contains { $0.matches(url) }, "\(url): \(apple.output)")
            let path = try #require(url.prefix { $0 != "?" }.removingPercentEncoding)
            #expect(
                paths.contains { androidMatches($0, Array(path)) },
                "\(url): \(android.output)"
            )
        }
        #expect(!components.contains { $0.matches("/other/path.txt") } || pattern.hasPrefix("/:"))
    }

    @Test("a note warns that the file does not include rewritten URLs")
    func rewriting() throws {
        let lua = Self.origins + route("/shows") + "router.rewrite(function() end)\n"
        for platform in [
            LinksCommand.Platform.apple(["TEAM.com.example"]), .android("com.example"),
        ] {
            let result = try run(lua, platform)
            #expect(result.code == .success)
            #expect(result.errors.contains("'router.rewrite' (main.lua:3) may change URLs"))
        }
    }

    @Test(
        "the file for a host has only the patterns of that host",
        arguments: [
            ("shop.example", ["/a", "/a/", "/b", "/b/"]), ("other.example", ["/a", "/a/"]),
            ("ann.sub.example", ["/a", "/a/", "/c", "/c/"]), ("none.example", []),
        ]
    )
    func hosts(_ host: String, _ paths: [String]) throws {
        let lua =
            "router.links { 'https://shop.example', 'https://other.example', "
            + "'https://*.sub.example' }\n" + route("/a") + route("https://shop.example/b", "", "B")
            + route("https://*.sub.example/c", "", "C")
        let result = try run(lua, .apple(["TEAM.com.example"]), host: host)
        guard !paths.isEmpty else {
            #expect(result.code == .nothingSelected)
            #expect(result.errors.contains("'none.example'"), "\(result.errors)")
            return
        }
        #expect(try components(result.output).map(\.path) == paths)
        let xml = try run(lua, .android("com.example"), host: host).output
        let filters = xml.components(separatedBy: "<data android:scheme=").count - 1
        #expect(filters == 1 && xml.contains(host.replacing("ann.", with: "*.")), "\(xml)")
    }

    @Test(
        "the file for the host of an exclusive group has only the patterns of the group's routes",
        arguments: [
            ("shop.example", ["/a", "/a/", "/b", "/b/"]), ("admin.example", ["/b", "/b/"]),
        ]
    )
    func exclusive(_ host: String, _ paths: [String]) throws {
        let lua =
            "router.links { 'https://shop.example', 'https://admin.example' }\n" + route("/a")
            + "router.group { url = 'https://admin.example', exclusive = true }"
            + ":register('B', 'show', { url = '/b', build = router.screen 'B' })\n"
            + route("https://admin.example/c", "", "C") + "router.routing 'https://admin.example/d'"
        let result = try run(lua, .apple(["TEAM.com.example"]), host: host)
        #expect(try components(result.output).map(\.path) == paths)
        // Without a host, a pattern without URLs is left out.
        let all = try components(run(lua, .apple(["TEAM.com.example"])).output).map(\.path)
        #expect(all == ["/a", "/a/", "/b", "/b/"])
    }

    @Test("a note warns if the file is larger than devices can read", arguments: [1, 40])
    func size(_ count: Int) throws {
        let long = String(repeating: "x", count: 2_000)
        let lua = Self.origins + (1...count).map { route("/\(long)\($0)", "", "A\($0)") }.joined()
        let result = try run(lua, .apple(["TEAM.com.example"]))
        #expect(result.code == .success)
        #expect(result.errors.contains("at most 131072") == (count > 1), "\(result.errors)")
    }

    @Test("if case is ignored, the literals in both files match upper and lower case")
    func ignoredCase() throws {
        let lua = "router.links({ 'https://shop.example' }, { case = 'ignore' })\n" + route("/Über")
        let components = try components(try run(lua, .apple(["TEAM.com.example"])).output)
        #expect(components.contains { $0.matches("/%C3%9CBER") })
        let xml = try run(lua, .android("com.example")).output
        let paths = paths(xml, scheme: "https", host: "shop.example")
        #expect(paths.contains { androidMatches($0, Array("/üBer")) })
    }

    @Test("only the Android file has patterns with custom schemes; their first segment is the host")
    func customSchemes() throws {
        let lua = Self.origins + route("app://player/:id(int)") + route("app://:any/x", "", "B")
        let android = try run(lua, .android("com.example")).output
        let paths = paths(android, scheme: "app", host: "player")
        #expect(paths.contains { androidMatches($0, Array("/7")) })
        #expect(android.contains("<data android:scheme=\"app\" android:host=\"*\" />"))
        let apple = try run(lua, .apple(["TEAM.com.example"]))
        #expect(apple.code == .nothingSelected)
        #expect(apple.output.isEmpty)
        #expect(apple.errors.contains("note: 'app://player/:id(int)'"), "\(apple.errors)")
    }

    @Test("routes that accept no URLs are excluded first, unless this would exclude other routes")
    func exclusion() throws {
        let closed = " origin = 'script',"
        let lua =
            Self.origins + route("/:page") + route("/admin", closed, "B")
            + route("/log/:id", closed, "C")
        let result = try run(lua, .apple(["TEAM.com.example"]))
        let components = try components(result.output)
        #expect(components.map(\.path) == ["/admin", "/admin/", "/?*"])
        #expect(components.map(\.exclude) == [true, true, nil])
        #expect(result.errors.contains("'/log/:id'"), "\(result.errors)")
        #expect(
            result.errors.contains(
                "main.lua:2) matches every path: the app opens all links of the host"
            ),
            "\(result.errors)"
        )
        #expect(!(try run(lua, .android("com.example")).output.contains("/admin")))
    }

    @Test("quotes and markup in patterns are escaped in strings and comments")
    func escaping() throws {
        let lua = Self.origins + route("/a--b\"c&d%3Ce") + route("/c--\u{301}-", "", "C")
        let components = try components(try run(lua, .apple(["TEAM.com.example"])).output)
        #expect(components.contains { $0.matches("/a--b%22c&d%3Ce") })
        let xml = try run(lua, .android("com.example")).output
        #expect(xml.contains("android:pathPattern=\"/a--b&quot;c&amp;d&lt;e\""), "\(xml)")
        #expect(xml.contains("/a- -b"))
        #expect(xml.contains("<intent-filter android:autoVerify=\"true\">"))
        for comment in xml.split(separator: "<!--").dropFirst() {
            let text = comment.unicodeScalars.prefix { $0 != ">" }.dropLast(2)
            #expect(!zip(text, text.dropFirst()).contains { $0 == "-" && $1 == "-" }, "\(comment)")
        }
    }

    @Test(
        "no XML comment contains two consecutive hyphens",
        arguments: ["/a---b", "/a----b", "/a-----b-", "/-----"]
    )
    func commentsOfXML(_ pattern: String) throws {
        let xml = try run(Self.origins + route(pattern), .android("com.example")).output
        let comments = xml.components(separatedBy: "<!--").dropFirst()
        #expect(comments.count > 1)
        for comment in comments {
            let text = comment.components(separatedBy: " -->")[0]
            #expect(!text.contains("--"), "\(text)")
        }
        #expect(xml.contains("\"\(pattern)\""))
    }

    @Test(
        "a route that accepts no URLs is not excluded if its component would match another route",
        arguments: [
            ("/a+b", "/axb", true), ("/a+b", "/a/:n(int)/b", true), ("/a+b", "/axc", false),
            ("/shows/1", "/shows/:id(int)", false), ("/x", "/:page", false),
            ("/find", "/find?q=:q", true),
        ]
    )
    func sharedExclusion(_ closed: String, _ open: String, _ isShared: Bool) throws {
        let lua = Self.origins + route(closed, " origin = 'script',", "B") + route(open)
        let result = try run(lua, .apple(["TEAM.com.example"]))
        let excluded = try components(result.output).filter { $0.exclude == true }
        #expect(excluded.isEmpty == isShared, "\(result.output)")
        #expect(result.errors.contains("would also exclude other") == isShared, "\(result.errors)")
    }

    @Test("each error has its exit code, and the Android file needs an origin")
    func failures() throws {
        #expect(try run("router.register(", .android("a.b")).code == .scriptFailed)
        let none = try run(route("/a"), .android("a.b"), isJSON: true)
        #expect(none.code == .nothingSelected)
        #expect(none.output.contains("\"schema\":\"luaroute.links/1\""))
        #expect(none.output.contains("\"text\":null"))
        #expect(none.errors.contains("'router.links' declares no origin"))
        #expect(try run(route("/a"), .apple(["A.b"])).code == .success)
        let missing = LinksCommand(script: "\(folder.path)/no.lua", platform: .android("a.b"))
        #expect(missing.run(.silent) == .inputMissing)
    }

    // MARK: Checking

    private func check(_ lua: String, _ links: String) throws -> (code: ExitCode, text: String) {
        try folder.write("main.lua", lua)
        try folder.write("links", links)
        var command = CheckCommand(paths: [folder.path])
        command.linksPath = "\(folder.path)/links"
        var text = ""
        let code = command.run(Console { text += $0 })
        return (code, text)
    }

    private static let patterns = [
        "/", "/about", "/shows/:id(int)/:tab(about|re%2Fviews)?", "/posts/:id/edit",
        "/docs/:n.html",
        "/help/*topic?", "/search?q=:q", "/find?id=:id(int)", "/größe",
        "/a$(b)*".replacing("*", with: "%2A"),
        "app://player/:n(int)/x", "app://:any/x", "https://shop.example/only",
    ]

    private var app: String {
        Self.origins
            + Self.patterns.enumerated().map { route($1, " info = nil,", "A\($0)") }.joined()
    }

    @Test("a check of the files that 'luaroute links' prints has no findings about links")
    func checkOfOwnFiles() throws {
        for platform in [LinksCommand.Platform.apple(["A.b"]), .android("a.b")] {
            let file = try run(app, platform).output
            let result = try check(app, file)
            #expect(!result.text.contains("C010"), "\(result.text)\(file)")
            let crlf = try check(app, "\u{FEFF}" + file.replacing("\n", with: "\r\n"))
            #expect(!crlf.text.contains("C010"), "\(crlf.text)")
        }
    }

    @Test("a check reports each URL that a file does not match, and each pattern without a route")
    func checkOfOtherFiles() throws {
        let lua = Self.origins + route("/shows/:id(int)") + route("/about", "", "B")
        let json = """
            { "applinks": { "details": [{ "appID": "A.b", "components": [
              { "/": "/about", "exclude": true },
              { "/": "/sho\\u0077s/*" },
              { "comment": "old", "/": "/old/*", "?": { "/": "x" } }
            ] }, { "paths": [ "NOT /x", "/gone" ] }] } }
            """
        let apple = try check(lua, json)
        #expect(apple.code == .failed)
        #expect(
            apple.text.contains("open '/about', a URL of 'B/show: /about'"),
            "\(apple.text)"
        )
        #expect(!apple.text.contains("'/shows/7'"))
        #expect(apple.text.contains("warning[C0109]: '/old/*' matches no URL of any route"))
        #expect(apple.text.contains("/links:4:28"), "\(apple.text)")
        #expect(apple.text.contains("warning[C0109]: '/gone'"))
        #expect(!apple.text.contains("'/x'"))
        let xml = """
            <manifest><!-- <data android:path="/commented"/> -->
            <intent-filter><data android:scheme="https"
              android:host='shop.example' /><data android:pathPrefix="/shows/"/>
              <data android:path = "/gone"/></intent-filter>
            <intent-filter><data android:scheme="app"/></intent-filter></manifest>
            """
        let android = try check(lua, xml)
        #expect(android.code == .failed)
        #expect(android.text.contains("'https://shop.example/about'"), "\(android.text)")
        #expect(!android.text.contains("app://"))
        #expect(!android.text.contains("'https://shop.example/shows/7'"))
        #expect(android.text.contains("warning[C0109]: '/gone'"))
        #expect(android.text.contains("/links:4:25"), "\(android.text)")
        #expect(!android.text.contains("commented"))
    }

    @Test(
        "a check compares the query, the fragment and the case as the platform does",
        arguments: [
            (#"{"/":"*","?":"utm=*"}"#, "", "/about", false),
            (#"{"/":"*","?":"q=*"}"#, "", "/search?q=:q", true),
            (#"{"/":"*","?":"*"}"#, "", "/about", true),
            (#"{"/":"*","?":{"q":"only"}}"#, "", "/search?q=:q", false),
            (#"{"/":"*","?":{"q":"?*"}}"#, "", "/search?q=:q", true),
            (#"{"/":"*","?":{"n":"1*"}}"#, "", "/search?n=:n(1|2)", true),
            (#"{"/":"*","?":{"n":"2"}}"#, "", "/search?n=:n(1|2)", false),
            (#"{"/":"*","?":{"utm":"*"}}"#, "", "/about", true),
            (#"{"/":"*","?":{"utm":""}}"#, "", "/about", true),
            (#"{"/":"*","?":{"utm":"?*"}}"#, "", "/about", false),
            (#"{"/":"*","?":{"*":"1"}}"#, "", "/x?a=1&b=1", true),
            (#"{"/":"*","?":{"*":"1"}}"#, "", "/x?a=1&b=2", false),
            (##"{"/":"*","#":"zzz"}"##, "", "/about", false),
            (##"{"/":"*","#":"*"}"##, "", "/about", true),
            (#"{"/":"/ABOUT"}"#, #""defaults":{"caseSensitive":false},"#, "/about", true),
            (#"{"/":"/ABOUT"}"#, #""defaults":{"caseSensitive":true},"#, "/about", false),
            (
                #"{"/":"/ABOUT","caseSensitive":true}"#, #""defaults":{"caseSensitive":false},"#,
                "/about", false
            ),
        ]
    )
    func checkOfComponents(
        _ component: String,
        _ more: String,
        _ pattern: String,
        _ isCovered: Bool
    ) throws {
        let lua = Self.origins + route(pattern)
        let details = #""details":[{"components":["# + component + "]}]"
        for members in [more + details, details + (more.isEmpty ? "" : "," + more.dropLast())] {
            let result = try check(lua, #"{"applinks":{"# + members + "}}")
            #expect(result.text.contains("error[C0108]") != isCovered, "\(members): \(result.text)")
            #expect(!result.text.contains("C0110"), "\(result.text)")
        }
    }

    @Test("the defaults of one app's details do not apply to another app")
    func checkOfDefaults() throws {
        let one = #"{"defaults":{"caseSensitive":false},"components":[{"/":"/A"}]}"#
        let two = #"{"components":[{"/":"/B"}]}"#
        let lua = Self.origins + route("/a") + route("/b", "", "B")
        for details in ["\(one),\(two)", "\(two),\(one)"] {
            let result = try check(lua, #"{"applinks":{"details":["# + details + "]}}")
            #expect(!result.text.contains("open '/a'"), "\(result.text)")
            #expect(result.text.contains("open '/b'"), "\(result.text)")
        }
    }

    @Test(
        "an entry that a check cannot compare causes a warning, and matches no URL",
        arguments: [
            #"{"/":"/$(pages)"}"#, #"{"/":"*","?":{"q":"$(lang)"}}"#,
            #"{"/":"/about","percentEncoded":false}"#, #"{"/":"/about","later":true}"#,
            #"{"/":"/about","exclude":true,"later":{"/":"x"}}, {"/":"/about","later":1}"#,
        ]
    )
    func checkOfUnknownComponents(_ components: String) throws {
        let json = """
            {"applinks":{"substitutionVariables":{"pages":["about"]},"details":[
            {"components":[\(components)]}]}}
            """
        let result = try check(Self.origins + route("/about"), json)
        #expect(result.text.contains("warning[C0110]"), "\(result.text)")
        #expect(result.text.contains("/links:2:"), "\(result.text)")
        #expect(result.text.contains("does not let the app open '/about'"), "\(result.text)")
        #expect(!result.text.contains("C0109"), "\(result.text)")
    }

    @Test(
        "the port in a manifest is compared only if the same element has a host",
        arguments: [
            (#"<data android:host="shop.example" android:port="9999"/>"#, "", false),
            (#"<data android:port="8443" android:host="shop.example"/>"#, ":8443", true),
            (#"<data android:host="shop.example"/>"#, ":8443", true),
            (#"<data android:host="shop.example"/><data android:port="9999"/>"#, "", true),
        ]
    )
    func checkOfPorts(_ data: String, _ port: String, _ isCovered: Bool) throws {
        let lua = "router.links { 'https://shop.example\(port)' }\n" + route("/about")
        let xml = """
            <manifest><intent-filter><data android:scheme="https"/>\(data)
            <data android:pathPrefix="/"/></intent-filter></manifest>
            """
        let result = try check(lua, xml)
        #expect(result.text.contains("error[C0108]") != isCovered, "\(result.text)")
    }

    @Test(
        "a file that is neither an Apple nor an Android file is an error",
        arguments: ["", "{", "[]", "text", "{ \"applinks\": \"\\"]
    )
    func checkOfNoFile(_ text: String) throws {
        let result = try check(Self.origins + route("/about"), text)
        #expect(result.code == .inputMissing)
        #expect(result.text.contains("error[C0104]"), "\(result.text)")
    }

    @Test("a check of incomplete XML, or of JSON without links, reports every URL as unmatched")
    func checkOfEmptyFile() throws {
        for text in ["{}", "<", "<!--", "<manifest><intent-filter><data android:path=\"/about\""] {
            let result = try check(Self.origins + route("/about"), text)
            #expect(result.code == .failed, "\(text)")
            #expect(result.text.contains("C0108"), "\(result.text)")
        }
    }

    @Test(
        "an app identifier has at least two words, joined by periods",
        arguments: [
            ("TEAM.com.a-b", true), ("a", false), ("a..b", false), ("", false), ("a.b\n", false),
        ]
    )
    func identifiers(_ text: String, _ isValid: Bool) {
        #expect(LinksCommand.isIdentifier(text) == isValid)
    }
}
