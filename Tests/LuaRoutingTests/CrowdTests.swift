// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LuaRouting

/// Tests of scripts with thousands of lines: no budget limits the work of a load and of a check
/// after the scripts have run.
@Suite(.failureReports)
struct CrowdTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// The text of each line, in which `#` is replaced by the number of the line.
        let line: String
        var ending = ""
        /// The number of findings for each line.
        var findings = 1
        /// The number of known names per line with which an unknown name is compared.
        var known = 1
        /// Whether the first findings have a suggestion.
        var isHinted = true

        var testDescription: String { name }
    }

    private static let count = 1_500

    static let cases = [
        Case(
            name: "interceptors",
            line: """
                router.interceptor("name#", function() end)
                router.register("S#", "show", { from = "root", intercept = "naem#" })
                """
        ),
        Case(
            name: "actions",
            line: #"router.register("S#", "show", { from = "root", via = "psuh" })"#,
            known: 0
        ),
        Case(
            name: "services",
            line: #"router.register("Service#", "show", { from = { "Srevice#", "show" } })"#
        ),
        Case(
            name: "tasks of one service",
            line: #"router.register("S", "show#", { from = { "S", "shwo#" } })"#
        ),
        Case(
            name: "aliases",
            line: """
                router.register("S#", "show", { url = "/page#", build = router.screen("P") })
                router.alias("/a#", "/paeg#")
                """
        ),
        Case(
            name: "kinds",
            line: """
                router.kind("kind#", function(text) return text end)
                router.routing("/x#/:a(kind#)/:b(knid#)")
                """,
            known: 0,
            isHinted: false
        ),
        Case(
            name: "dependencies",
            line: """
                router.provide("name#", function() return 1 end)
                router.register("S#", "show", { needs = { "naem#" }, build = router.screen("P") })
                """
        ),
        Case(
            name: "services of every route",
            line: """
                router.register("Service#", "show", { build = router.screen("P") })
                router.interceptAll("all", { only = { "Srevice#" } })
                """,
            ending: #"router.interceptor("all", function() end)"#
        ),
        Case(
            name: "classes",
            line: """
                classes[#] = "Class#"
                router.register("S#", "show", { find = "Calss#", build = router.screen("Class#") })
                """,
            ending: "router.expects{ screens = classes }"
        ),
        Case(
            name: "parameters",
            line: """
                info["name#"] = "any?"
                router.register("S#", "show", { url = "/#/:naem#", info = { name# = "any?" }, build = router.screen("P") })
                """,
            ending: "router.class('P', {})",
            known: 0
        ),
    ]

    @Test(
        "thousands of mistakes are all reported, the first ones with a suggestion",
        arguments: cases
    )
    func crowd(_ test: Case) throws {
        let lines = (1...Self.count).map { test.line.replacing("#", with: "\($0)") }
        let script = (["local classes, info = {}, {}"] + lines + [test.ending]).joined(
            separator: "\n"
        )
        #expect(script.utf8.count < 256 * 1024)
        let findings: [Finding]
        do throws(RouteError) {
            let host = HeadlessHost()
            findings = try Router(
                scripts: ScriptBundle(files: ["main.lua": script]),
                host: host,
                configuration: .patient
            ).check()
        } catch {
            findings = error.findings
        }
        #expect(findings.count == test.findings * Self.count)
        let hinted = findings.count { $0.message.contains("did you mean") }
        #expect((hinted > 0) == test.isHinted)
        #expect(hinted * test.known * Self.count <= Hints.limit + Self.count)
        #expect(findings.allSatisfy { $0.message.utf8.count < 300 })
    }

    @Test("a cycle of thousands of parent routes is reported once")
    func circles() {
        let script = """
            local count = 5000
            for n = 1, count do
              router.register("S" .. n, "show", { from = router.switch{
                { when = "X", from = { "S" .. math.min(n + 1, count), "show" } },
                default = { "S1", "show" },
              } })
            end
            """
        let error = #expect(throws: RouteError.self) {
            _ = try Router(
                scripts: ScriptBundle(files: ["main.lua": script]),
                host: HeadlessHost(),
                configuration: .patient
            )
        }
        #expect(error?.findings.count == 1)
        #expect(
            error?.message == "the chain of parent routes has no start: S5000/show from S5000/show"
        )
    }

    @Test("of a thousand routings that override one another, the last one remains")
    func overrides() throws {
        let script = """
            for n = 1, 3000 do router.routing("/a/:x" .. n, { override = n > 1 }) end
            """
        let fixture = try RouterFixture(script, starts: false)
        #expect(fixture.router.dispatch("/a/1").pattern == "/a/:x3000")
    }

    @Test("each of thousands of route aliases leads to its target")
    func aliases() throws {
        let script = """
            router.start(function() return router.nav { router.screen "Main" } end)
            for n = 1, 3000 do
              router.register("S" .. n, "show", { url = "/s" .. n, build = router.screen("P") })
              router.alias("/a" .. n, "/s" .. 3001 - n)
            end
            """
        let fixture = try RouterFixture(script)
        for number in [1, 2, 1500, 3000] {
            #expect(
                fixture.router.open("/a\(number)").target == Target("S\(3001 - number)", "show")
            )
        }
        #expect(fixture.router.check().isEmpty)
    }

    @Test("each of thousands of pattern aliases that differ by kinds leads to its target")
    func kindsOfAliases() throws {
        let script = """
            router.start(function() return router.nav { router.screen "Main" } end)
            for n = 1, 3000 do
              router.register("S" .. n, "show", { url = "/s/:a(x" .. n .. "|y)/:b(int)", build = router.screen("P") })
              router.alias("/a" .. n .. "/:a/:b", "/s/:a(x" .. n .. "|y)/:b")
            end
            """
        let fixture = try RouterFixture(script)
        for number in [1, 2, 1500, 3000] {
            let navigation = fixture.router.open("/a\(number)/y/7")
            #expect(navigation.target == Target("S\(number)", "show"))
            #expect(navigation.params == ["a": "y", "b": 7])
            #expect(fixture.router.open("/a\(number)/z/7").error?.code == .notFound)
        }
    }

    @Test("URLs of thousands of declared origins are accepted, and other URLs are not")
    func origins() throws {
        let script = """
            router.start(function() return router.nav { router.screen "Main" } end)
            local origins = {}
            for n = 1, 3000 do origins[n] = "https://h" .. n .. ".example" end
            router.links(origins)
            router.register("S", "show", { url = "/s", build = router.screen("P") })
            router.register("T", "show", { url = "https://other.example/t", build = router.screen("P") })
            """
        let fixture = try RouterFixture(script)
        for number in [1, 2, 1500, 3000] {
            let navigation = fixture.router.open("https://h\(number).example/s")
            #expect(navigation.target == Target("S", "show"))
        }
        for url in ["https://h3001.example/s", "https://other.example/s"] {
            #expect(fixture.router.open(url).error?.code == .notFound)
        }
    }

    @Test(
        "the first search for suggestions always runs; later ones only within the comparison limit"
    )
    func hints() {
        var hints = Hints()
        let many = (0..<(Hints.limit * 2)).map { "n\($0)" }
        #expect(hints.among(many).count == many.count)
        #expect(hints.among(["a"]).isEmpty)
        var small = Hints()
        for _ in 0..<(Hints.limit / 2) { #expect(small.among(["a", "b"]) == ["a", "b"]) }
        #expect(small.among(["a", "b"]).isEmpty)
    }
}
