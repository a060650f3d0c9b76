// SPDX-License-Identifier: MIT

import LuaRouting
import Testing

/// Loads a script, and tells what its check found wrong.
private func mistakes(in script: String) -> [Finding] {
    do throws(RouteError) {
        _ = try Router(
            bundle: Bundle(files: ["main.lua": script]),
            host: HeadlessHost(),
            configuration: .patient
        )
        return []
    } catch {
        return error.findings
    }
}

/// What refuses scripts once they have run: all of it at once.
struct CheckTests {
    static let mistakes = Finding.Code.all.filter { $0.severity == .error && $0.host == nil }

    @Test("the example of a mistake shows it alone, and its remedy is clean", arguments: mistakes)
    func example(_ code: Finding.Code) {
        #expect(LuaRoutingTests.mistakes(in: code.example).map(\.code) == [code])
        #expect(LuaRoutingTests.mistakes(in: code.remedy).map(\.description) == [])
    }

    @Test("the codes are in order, and each has a title and an explanation")
    func codes() {
        let codes = Finding.Code.all
        #expect(codes.map(\.description) == codes.map(\.description).sorted())
        #expect(Set(codes).count == codes.count)
        for code in codes {
            #expect(!code.title.isEmpty && !code.explanation.isEmpty)
            #expect(!code.title.hasSuffix("."))
        }
    }

    @Test("five mistakes are told at once, in the order of lines, the first as the error")
    func many() throws {
        let script = """
            router.register("A", "show", { from = { "Cart", "show" } })
            router.register("C", "show", { from = "current", intercept = { "x", "y" } })
            router.register("D", "show", { build = router.nav{ { "Search", "show" } }, via = "pop" })
            """
        let error = try #require(throws: RouteError.self) {
            _ = try Router(bundle: Bundle(files: ["main.lua": script]), host: HeadlessHost())
        }
        #expect(error.description == "main.lua:1: no service 'Cart'")
        #expect(
            error.findings.map { "\($0.code) \($0)" } == [
                "L0201 main.lua:1: no service 'Cart'",
                "L0203 main.lua:2: no interceptor 'x' is declared",
                "L0203 main.lua:2: no interceptor 'y' is declared",
                "L0204 main.lua:3: no action 'pop' is declared",
                "L0201 main.lua:3: no service 'Search'",
            ]
        )
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let script: String
        var finds: [String] = []

        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "what stands behind a link, in a switch, and in a tree inside a tree",
            script: """
                router.register("A", "show", {
                  build = router.tabs{ router.nav{ { "T", "one" } } },
                  from = router.switch{
                    { when = "A", from = router.link{ find = "A", from = { "T", "two" } } },
                    { from = function() return { "T", "dynamic" } end },
                    default = { "T", "three" },
                  },
                })
                router.registerTask("T", "work", function() end)
                """,
            finds: [
                "L0201 main.lua:1: no task 'one' in service 'T' ('work' expected)",
                "L0201 main.lua:3: no task 'three' in service 'T' ('work' expected)",
                "L0201 main.lua:4: no task 'two' in service 'T' ('work' expected)",
            ]
        ),
        Case(
            name: "the first tree",
            script: #"router.start{ "Home", "show" }"#,
            finds: ["L0201 main.lua:1: no service 'Home'"]
        ),
        Case(
            name: "what was removed or replaced again names nothing",
            script: """
                local function page() return router.screen("Page") end
                router.register("A", "show", { build = page, intercept = "gone" })
                router.register("A", "show", { build = page }, { override = true })
                router.register("B", "show", { build = page, from = { "Gone", "show" } })
                router.remove("B")
                """
        ),
        Case(
            name: "a circle is told once, however many ways lead into it",
            script: """
                local function way(name, from)
                  router.register(name, "show", { from = from })
                end
                way("A", { "B", "show" })
                way("B", { "C", "show" })
                way("C", { "B", "show" })
                way("D", { "C", "show" })
                way("E", router.switch{ { when = "E", from = { "D", "show" } }, default = { "A", "show" } })
                """,
            finds: [
                "L0205 main.lua:2: the way has no beginning: B/show from C/show from B/show"
            ]
        ),
        Case(
            name: "a circle that a finder, a case or a function may leave is none",
            script: """
                local function way(name, from, find)
                  router.register(name, "show", { from = from, find = find })
                end
                way("A", { "A", "show" }, "A")
                way("B", { "C", "show" })
                way("C", router.switch{ { when = "C", from = { "B", "show" } }, default = "root" })
                way("D", router.switch{ { from = function() return { "D", "show" } end } })
                router.register("E", "show", {
                  build = router.screen("E"),
                  reuse = { "id", search = "fullStack" },
                  from = { "E", "show" },
                })
                """
        ),
        Case(
            name: "'never' finds nothing, and a policy without 'search' looks at the way behind",
            script: """
                router.register("A", "show", { from = { "A", "show" }, find = "never" })
                router.register("B", "show", {
                  build = router.screen("B"),
                  reuse = "class",
                  from = { "B", "show" },
                })
                """,
            finds: [
                "L0205 main.lua:1: the way has no beginning: A/show from A/show",
                "L0205 main.lua:2: the way has no beginning: B/show from B/show",
            ]
        ),
        Case(
            name: "all patterns that are wrong, and only they",
            script: """
                local function page(task, url)
                  router.register("Page", task, { url = url, build = router.screen("Page") })
                end
                page("a", "/a/:x")
                page("b", { "/a/:y", "/b/{" })
                page("c", "/a/:z")
                page("d", "/d/:x(knid)")
                router.kind("kind", function(text) return text end)
                router.alias("/e", "/nowhere")
                """,
            finds: [
                "L0207 main.lua:2: bad url '/b/{' at column 4: unexpected '{' (a parameter is written ':name'; '{' itself is '%7B')",
                "L0207 main.lua:2: bad url '/d/:x(knid)' at column 7: unknown kind 'knid' (did you mean 'kind'?)",
                "L0208 main.lua:2: url '/a/:y' (main.lua:2) matches what '/a/:x' (main.lua:2) matches",
                "L0208 main.lua:2: url '/a/:z' (main.lua:2) matches what '/a/:y' (main.lua:2) matches",
                "L0209 main.lua:9: alias of '/nowhere', which no route has as its 'url'",
            ]
        ),
    ]

    @Test("a check finds what keeps scripts from loading, and nothing else", arguments: cases)
    func finds(_ test: Case) {
        let found = LuaRoutingTests.mistakes(in: test.script).map { "\($0.code) \($0)" }
        #expect(found == test.finds)
    }

    @Test("ways of ten thousand steps are checked on a small stack, in little time")
    func longWay() {
        let script = """
            for n = 1, 10000 do
              router.register("S" .. n, "show", { from = { "S" .. (n % 10000 + 1), "show" } })
            end
            """
        let found = LuaRoutingTests.mistakes(in: script)
        #expect(found.count == 1)
        #expect(found.first?.code.description == "L0205")
    }

    @Test("what is registered when the scripts have loaded may come in any order")
    func later() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav{ router.screen("Home") } end)
            router.export("later", function()
              local function page() return router.screen("Page") end
              router.register("B", "show", { build = page, from = { "A", "show" } })
              router.register("A", "show", { build = page })
            end)
            router.export("wrong", function()
              router.register("C", "show", { from = "current", intercept = "nothing" })
            end)
            """
        )
        try fixture.call("later")
        #expect(fixture.navigate("B", "show").error == nil)
        #expect(throws: RouteError.self) { try fixture.call("wrong") }
    }
}
