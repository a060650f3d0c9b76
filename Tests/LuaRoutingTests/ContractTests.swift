// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// A change of one declaration, and the expected problem; nil if the app's calls remain valid.
struct ContractChange: CustomTestStringConvertible, Sendable {
    let contract: String
    let script: String
    let problem: String?

    init(_ contract: String, _ script: String, _ problem: String?) {
        (self.contract, self.script, self.problem) = (contract, script, problem)
    }

    var testDescription: String { "\(contract) ⇒ \(script)" }
}

/// Tests that scripts are rejected if they break the contract against which an app was compiled.
@Suite(.failureReports)
struct ContractTests {
    private static func route(_ info: String, _ more: String = "") -> String {
        "router.register('A', 'b', { info = \(info), build = router.screen 'P', \(more) })"
    }

    private static let compatible = [
        ContractChange(#"route A/b {id="integer"}"#, route("{ id = 'integer' }"), nil),
        ContractChange(#"route A/b {id="integer"}"#, route("{ id = 'number' }"), nil),
        ContractChange(#"route A/b {id="integer"}"#, route("{ id = 'any' }"), nil),
        ContractChange(#"route A/b {id="integer"}"#, route("{ id = 'integer?' }"), nil),
        ContractChange(
            #"route A/b {id="integer"}"#,
            route("{ id = function(x) return x end }"),
            nil
        ),
        ContractChange(
            #"route A/b {id="integer"}"#,
            route("{ id = 'integer', size = 'string?' }"),
            nil
        ),
        ContractChange(
            #"route A/b {id="integer"}"#,
            "router.register('A', 'b', function() end)",
            nil
        ),
        ContractChange(#"route A/b {kind={"a"}}"#, route("{ kind = { 'a', 'b' } }"), nil),
        ContractChange(#"route A/b {kind={"a", "b"}}"#, route("{ kind = 'string' }"), nil),
        ContractChange(#"route A/b {ids="[integer]"}"#, route("{ ids = '[number]' }"), nil),
        ContractChange(#"route A/b {ids="[integer]"}"#, route("{ ids = 'table' }"), nil),
        ContractChange(
            #"route A/b {at={x="integer"}}"#,
            route("{ at = { x = 'integer', y = 'integer?' } }"),
            nil
        ),
        ContractChange("route A/b", "router.register('A', 'b', function() end)", nil),
        ContractChange(#"route A/b {} -> "number""#, route("{}", "result = 'integer'"), nil),
        ContractChange(#"route A/b {} -> {"a", "b"}"#, route("{}", "result = { 'a' }"), nil),
        ContractChange(#"route A/b {} -> "string""#, route("{}", "result = { 'a' }"), nil),
        ContractChange(
            #"route A/b {} -> {a="integer?"}"#,
            route("{}", "result = { b = 'any' }"),
            nil
        ),
        ContractChange("route A/b {}", route("{}", "result = 'integer'"), nil),
        ContractChange(
            #"task A/b {} -> "integer?""#,
            "router.registerTask('A', 'b', function() end, { info = {}, result = 'integer' })",
            nil
        ),
        ContractChange(
            #"screen P:leaf {id="integer"}"#,
            "router.class('P', { fields = { 'title', id = 'integer' } })",
            nil
        ),
        ContractChange(#"screen P:leaf {title="any?"}"#, "router.class('P', { fields = {} })", nil),
        ContractChange(#"screen P:leaf {title="any?"}"#, "", nil),
        ContractChange("export f", "router.export('f', function() end)", nil),
    ]

    private static let breaking = [
        ContractChange("route A/b {}", "", "route 'A/b' is not registered"),
        ContractChange(
            "route A/b {}",
            "router.registerTask('A', 'b', function() end)",
            "route 'A/b' is not registered"
        ),
        ContractChange(
            "route A/b {}",
            route("{}", "origin = { 'script', 'url' }"),
            "route 'A/b' does not allow the host in its 'origin'"
        ),
        ContractChange(
            #"route A/b {id="integer"}"#,
            route("{ id = 'integer', size = 'string' }"),
            "route 'A/b' has a different 'info': 'size' is required"
        ),
        ContractChange(
            #"route A/b {id="integer"}"#,
            route("{}"),
            "route 'A/b' has a different 'info': 'id' is missing"
        ),
        ContractChange(
            #"route A/b {id="integer?"}"#,
            route("{ id = 'integer' }"),
            "route 'A/b' has a different 'info': 'id' is required, but was optional"
        ),
        ContractChange(
            #"route A/b {id="number"}"#,
            route("{ id = 'integer' }"),
            #"route 'A/b' has a different 'info': 'id' is "integer", but was "number""#
        ),
        ContractChange(
            #"route A/b {kind={"a", "b"}}"#,
            route("{ kind = { 'a' } }"),
            #"route 'A/b' has a different 'info': 'kind' can no longer be "b""#
        ),
        ContractChange(
            #"route A/b {kind="string"}"#,
            route("{ kind = { 'a' } }"),
            #"route 'A/b' has a different 'info': 'kind' is {"a"}, but was "string""#
        ),
        ContractChange(
            #"route A/b {ids="[number]"}"#,
            route("{ ids = '[integer]' }"),
            #"route 'A/b' has a different 'info': 'ids[]' is "integer", but was "number""#
        ),
        ContractChange(
            #"route A/b {at={x="integer"}}"#,
            route("{ at = { x = 'integer', y = 'integer' } }"),
            "route 'A/b' has a different 'info': 'at.y' is required"
        ),
        ContractChange(
            "route A/b",
            route("{ id = 'integer?' }"),
            "route 'A/b' declares 'info', but accepted any parameters before"
        ),
        ContractChange(
            #"route A/b {} -> "integer""#,
            route("{}"),
            "route 'A/b' no longer declares its 'result'"
        ),
        ContractChange(
            #"route A/b {} -> "integer""#,
            route("{}", "result = 'number'"),
            #"route 'A/b' has a different 'result': 'result' is "number", but was "integer""#
        ),
        ContractChange(
            #"route A/b {} -> {"a"}"#,
            route("{}", "result = { 'a', 'b' }"),
            #"route 'A/b' has a different 'result': 'result' can now be "b""#
        ),
        ContractChange(
            #"route A/b {} -> {a="integer"}"#,
            route("{}", "result = { a = 'integer?' }"),
            "route 'A/b' has a different 'result': 'result.a' is optional, but was required"
        ),
        ContractChange(
            #"task A/b {} -> "integer""#,
            "router.registerTask('A', 'b', function() end, { info = {}, result = 'integer?' })",
            "task 'A/b' has a different 'result': 'result' is optional, but was required"
        ),
        ContractChange("task A/b {}", "", "task 'A/b' is not registered"),
        ContractChange(
            #"screen P:leaf {id="integer"}"#,
            "router.class('P', { fields = { 'id' } })",
            "class 'P' has different fields: 'id' is optional, but was required"
        ),
        ContractChange(
            #"screen P:leaf {id="integer"}"#,
            "",
            "class 'P' has different fields: 'id' is missing"
        ),
        ContractChange(
            "screen P:leaf {}",
            "router.class('P', { kind = 'nav' })",
            "class 'P' is a nav, but was a leaf"
        ),
        ContractChange("export f", "", "function 'f' is not exported"),
    ]

    private func load(_ change: ContractChange) throws {
        var configuration = Router.Configuration.patient
        configuration.contract = RouterContract(
            """
            luaroute.contract/1
            \(change.contract)
            """,
            file: "App/Routes.swift",
            line: 10
        )
        _ = try RouterFixture(
            "router.start(function() return router.nav { router.screen 'Home' } end)\n"
                + change.script,
            configuration: configuration
        )
    }

    @Test("scripts with a compatible change are loaded", arguments: compatible)
    func accepted(_ change: ContractChange) throws {
        try load(change)
    }

    @Test(
        "scripts that no longer match a call by the app are rejected with both locations",
        arguments: breaking
    )
    func rejected(_ change: ContractChange) throws {
        let error = #expect(throws: RouteError.self) { try load(change) }
        let finding = try #require(error?.findings.first)
        #expect(error?.findings.count == 1)
        #expect(finding.code.description == "L0236")
        #expect(
            finding.message
                == "\(change.problem ?? ""); the app was compiled against App/Routes.swift:12"
        )
        let isGone = change.script.isEmpty || finding.message.contains("not registered")
        #expect(finding.location?.line == (isGone ? nil : 2))
    }

    @Test(
        "the error for a reload that breaks the contract has the route's location before the reload"
    )
    func reload() throws {
        var configuration = Router.Configuration.patient
        configuration.contract = RouterContract(
            """
            luaroute.contract/1
            route Page/show {id="integer"}
            """
        )
        // The text is taken to begin in the line after the call, as it does in a generated file.
        let line = #line - 5
        let script = """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", { info = { id = "integer" }, build = router.screen "Page" })
            """
        let fixture = try RouterFixture(script, configuration: configuration)
        let broken = script.replacing("\"Page\", \"show\"", with: "\"Page\", \"open\"")
        let reload = fixture.router.reload(ScriptBundle(files: ["main.lua": broken]))
        guard case .rejected(let rejection) = reload.status else {
            Issue.record("the reload was not rejected: \(reload.status)")
            return
        }
        #expect(
            rejection.findings.map(\.message) == [
                "route 'Page/show' is not registered (formerly at main.lua:2); the app was compiled against LuaRoutingTests/ContractTests.swift:\(line)"
            ]
        )
        fixture.navigate("Page", "show", ["id": 7])
        #expect(fixture.tree == "nav[Home, Page(id=7)]")
    }

    @Test(
        "lines of a contract may be indented, empty or repeated, and end with '\\r\\n' or white space"
    )
    func layout() throws {
        let text = " luaroute.contract/1\t\r\n\r\n\texport f \r\n  \r\nexport f\r\nexport g"
        var configuration = Router.Configuration.patient
        configuration.contract = RouterContract(text, file: "Routes.swift", line: 4)
        let error = #expect(throws: RouteError.self) {
            try RouterFixture("router.export('f', function() end)", configuration: configuration)
        }
        let message = try #require(error).message
        #expect(message.contains("against Routes.swift:10"), "\(message)")
    }

    @Test(
        "an unreadable contract rejects the scripts, and the error has its line",
        arguments: [
            ("luaroute.contract/2", "'luaroute.contract/1' expected", 5),
            ("luaroute.contract/1\nroutes A/b", "got 'routes A/b'", 6),
            ("luaroute.contract/1\nroute A", "got 'route A'", 6),
            ("luaroute.contract/1\nroute A/b {id=}", "bad contract", 6),
            ("luaroute.contract/1\nscreen P {}", "got 'screen P {}'", 6),
            ("luaroute.contract/1\nroute A/b {id=\"intger\"}", "did you mean 'integer'?", 6),
            ("luaroute.contract/1\nroute A/b {id=\"[[[integer\"}", "bad contract", 6),
            ("luaroute.contract/1\nroute A/b {} 7", "got 'route A/b {} 7'", 6),
        ]
    )
    func unreadable(_ text: String, _ problem: String, _ line: Int) {
        var configuration = Router.Configuration.patient
        configuration.contract = RouterContract(text, file: "Routes.swift", line: 4)
        let error = #expect(throws: RouteError.self) {
            try RouterFixture("router.export('f', function() end)", configuration: configuration)
        }
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
        #expect(error?.location?.description == "Routes.swift:\(line)")
    }
}
