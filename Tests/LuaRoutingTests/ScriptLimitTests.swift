// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of the limits on what a script may create, each with the error for the first element
/// beyond the limit.
@Suite(.failureReports)
struct ScriptLimitTests {
    /// A limit and a script that exceeds it by one.
    struct Limit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The body of an exported function.
        let body: String
        let code: RouteError.Code
        let message: String

        init(_ name: String, _ body: String, _ code: RouteError.Code, _ message: String) {
            testDescription = name
            self.body = body
            self.code = code
            self.message = message
        }
    }

    static let limits = [
        Limit(
            "timers",
            """
            for _ = 1, 10000 do router.delay(1e6, print) end
            assert(not pcall(router.delay, 1e6, print))
            router.sleep(1)
            """,
            .budget,
            "too many timers (at most 10000 at the same time)"
        ),
        Limit(
            "children of a new container",
            """
            local children = {}
            for n = 1, 1000 do children[n] = router.screen "A" end
            router.nav(children)
            for n = 1, 1001 do children[n] = router.screen "A" end
            router.nav(children)
            """,
            .budget,
            "too many children (at most 1000 expected, got 1001)"
        ),
        Limit(
            "bytes of the script state, half of which the load has filled",
            """
            router.state.third = ("x"):rep(1e6)
            router.state.fourth = ("x"):rep(1e6)
            router.state.fifth = ("x"):rep(2e5)
            """,
            .budget,
            "router.state is full (at most 4 MiB expected)"
        ),
        Limit(
            "integer keys of a table that Swift reads",
            """
            local keys = {}
            for n = 1, 4096 do keys[n * 8] = true end
            router.state.keys = keys
            keys[8 * 4097] = true
            router.state.keys = keys
            """,
            .badInfo,
            "a table with too many integer keys outside its list part cannot be passed between scripts and host"
        ),
    ]

    @Test(
        "a script that exceeds a limit gets an error, and the next call into Lua works",
        arguments: limits
    )
    func limit(_ limit: Limit) throws {
        let fixture = try RouterFixture(
            """
            router.state.first, router.state.second = ("x"):rep(1e6), ("x"):rep(1e6)
            router.export("exceed", function() \(limit.body) end)
            router.export("next", function() return ("next"):upper() end)
            """,
            starts: false
        )
        var result: Result<Value, RouteError>?
        fixture.router.call("exceed") { result = $0 }
        let error = #expect(throws: RouteError.self) { try result?.get() }
        #expect(error?.code == limit.code)
        #expect(error?.message == limit.message)
        #expect(try fixture.call("next") == "NEXT")
    }

    @Test("the text of a screen is limited to 64 KiB")
    func text() throws {
        let fixture = try RouterFixture(
            """
            router.export("size", function(info)
              return #tostring(router.screen("Page", { text = ("x"):rep(info.size) }))
            end)
            """,
            starts: false
        )
        #expect(try fixture.call("size", ["size": 1_000]) == 1_013)
        let size = try fixture.call("size", ["size": 1_000_000]).wholeNumber
        #expect(64 * 1024...64 * 1024 + 16 ~= size, "\(size) bytes")
    }

    @Test(
        "by default, a call into Lua and a load are limited to 5 million instructions, 100 ms and 16 MiB"
    )
    func defaults() {
        let configuration = Router.Configuration()
        let budget = Budget(instructions: 5_000_000, duration: .milliseconds(100), bytes: 16 << 20)
        #expect(configuration.budget == budget)
        #expect(configuration.loadBudget == budget)
        #expect(configuration.entriesPerTurn == 4)
        #expect(configuration.profile == .strict)
    }
}
