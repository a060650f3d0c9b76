// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

/// Tests that a script which exceeds its budget ends with `budget`, and changes nothing else.
@Suite(.failureReports)
struct BreachTests {
    /// An endless script in one place, the request that runs the script, and the line at which it
    /// must be stopped.
    struct Breach: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let definition: String
        /// The expected end of the request.
        ///
        /// By default, the request fails with `budget`.
        var ends = "budget"

        init(_ place: String, _ definition: String, ends: String = "budget") {
            testDescription = place
            self.definition = definition
            self.ends = ends
        }
    }

    private static let away = "while true do end"

    static let breaches = [
        Breach("provider", "router.register('Bad', 'go', function() \(away) end)"),
        Breach("build", "router.register('Bad', 'go', { build = function() \(away) end })"),
        Breach(
            "policy",
            "router.register('Bad', 'go', { build = router.screen 'Main', reuse = function() \(away) end })"
        ),
        Breach(
            "finder",
            "router.register('Bad', 'go', { build = router.screen 'Bad', find = function() \(away) end })"
        ),
        Breach(
            "reuse in a provider",
            "router.register('Bad', 'go', function() router.reuse(function() \(away) end) end)"
        ),
        Breach(
            "prepare",
            "router.register('Bad', 'go', { build = router.screen 'Bad', prepare = function() \(away) end })"
        ),
        Breach(
            "update",
            "router.register('Bad', 'go', { build = router.screen 'Bad', update = function() \(away) end })"
        ),
        Breach(
            "interceptor",
            """
            router.interceptor('away', function() \(away) end) \
            router.register('Bad', 'go', { build = router.screen 'Bad', intercept = 'away' })
            """
        ),
        Breach(
            "interceptor that has waited",
            """
            router.interceptor('away', function() router.sleep(1) \(away) end) \
            router.register('Bad', 'go', { build = router.screen 'Bad', intercept = 'away' })
            """
        ),
        Breach(
            "interceptor that catches all",
            """
            router.interceptor('away', function() while true do pcall(function() \(away) end) end end) \
            router.register('Bad', 'go', { build = router.screen 'Bad', intercept = 'away' })
            """
        ),
        Breach(
            "after",
            "router.register('Bad', 'go', { build = router.screen 'Bad', after = function() \(away) end })",
            ends: "done"
        ),
        Breach(
            "completion",
            """
            router.register('Bad', 'go', { build = router.screen 'Bad', after = function() \
            router.navigate('Good', 'show', {}, { completion = function() \(away) end }) end })
            """,
            ends: "done"
        ),
        Breach(
            "timer",
            """
            router.register('Bad', 'go', { build = router.screen 'Bad', after = function() \
            router.delay(1, function() \(away) end) end })
            """,
            ends: "done"
        ),
        Breach(
            "listener",
            """
            router.on('created', function(e) if e.class == 'Bad' then \(away) end end) \
            router.register('Bad', 'go', { build = router.screen 'Bad' })
            """,
            ends: "done"
        ),
    ]

    @Test(
        "exceeding a budget ends the current call into Lua, and the router and other scripts keep working",
        arguments: breaches
    )
    func breach(_ breach: Breach) throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Good", "show", function() return router.screen "Good" end)
            router.registerTask("Good", "run", function() return "fine" end)
            \(breach.definition)
            """
        )
        let router = fixture.router
        let before = fixture.tree
        let navigation = fixture.navigate("Bad", "go")
        router.advance(to: router.now + 10)
        let message = "instruction budget exceeded (at most 5000000 instructions)"
        if breach.ends == "done" {
            #expect(navigation.status.name == "done")
            // An error after the end is reported, and undoes nothing.
            #expect(fixture.log.contains { $0.hasPrefix("error") && $0.contains(message) })
        } else {
            #expect(navigation.error?.code == .budget)
            #expect(navigation.error?.message == message)
            #expect(navigation.error?.location?.file == "main.lua")
            #expect(navigation.error?.location?.line == 4)
            #expect(fixture.tree == before)
        }
        #expect(fixture.brokenRules == [])
        #expect(fixture.doTask("Good", "run").value == "fine")
        #expect(fixture.navigate("Good", "show").status.name == "done")
        #expect(router.pending.isEmpty)
    }

    @Test("loading scripts that exceed their budget fails with 'budget' and the line")
    func load() {
        for (chunk, message) in [
            ("while true do end", "instruction budget exceeded (at most 5000000 instructions)"),
            (
                "local t = {} while true do t[#t + 1] = {} end",
                "memory limit exceeded (at most 16 MiB)"
            ),
        ] {
            let error = #expect(throws: RouteError.self) {
                try RouterFixture("require 'routes'", modules: ["routes.lua": "\n\(chunk)"])
            }
            #expect(error?.code == .budget)
            #expect(error?.description == "routes.lua:2: \(message)")
        }
    }

    @Test("a script can lower its budget but not raise it")
    func lower() throws {
        func bytes(_ options: String, _ given: Int) throws -> String {
            let bundle = ScriptBundle(files: [
                "main.lua": """
                router.options { budget = { \(options) } }
                router.registerTask("T", "run", function()
                  local t = {} for i = 1, 1e7 do t[\(given < 1 << 30 ? "i" : "1")] = {} end
                end)
                router.registerTask("T", "short", function() for i = 1, 50 do end return 1 end)
                """
            ])
            var configuration = Router.Configuration.patient
            configuration.budget.bytes = given
            let router = try Router(
                scripts: bundle,
                host: HeadlessHost(),
                configuration: configuration
            )
            let task = router.doTask(Target("T", "run"))
            #expect(router.doTask(Target("T", "short")).value == 1)
            return task.error?.message ?? "\(task.status)"
        }
        #expect(try bytes("bytes = 1 << 20", 4 << 20) == "memory limit exceeded (at most 1 MiB)")
        #expect(try bytes("bytes = 1 << 30", 4 << 20) == "memory limit exceeded (at most 4 MiB)")
        #expect(
            try bytes("instructions = 1000", 4 << 20)
                == "instruction budget exceeded (at most 1000 instructions)"
        )
        #expect(
            try bytes("instructions = 1 << 60", 1 << 30)
                == "instruction budget exceeded (at most 5000000 instructions)"
        )
    }

    @Test("exceeding a budget in one router does not affect another router")
    func apart() throws {
        let script = """
            router.registerTask("T", "away", function() while true do end end)
            router.registerTask("T", "run", function() return "fine" end)
            """
        let fixtures = try [
            RouterFixture(script, starts: false), RouterFixture(script, starts: false),
        ]
        #expect(fixtures[0].doTask("T", "away").error?.code == .budget)
        #expect(fixtures[1].doTask("T", "run").value == "fine")
        #expect(fixtures[0].doTask("T", "run").value == "fine")
    }

    @Test("scripts can use coroutines and environment variables only with the profile 'trusted'")
    func profiles() throws {
        let bundle = ScriptBundle(files: [
            "main.lua": """
            local module = require "vendor.module"
            router.registerTask("T", "run", function() return module() end)
            """,
            "vendor/module.lua": """
            return function()
              local word = coroutine and coroutine.wrap(function() coroutine.yield("co") end)()
              return tostring(word) .. tostring(string.pack ~= nil) .. tostring(os.getenv ~= nil)
                .. tostring(os.getenv and os.getenv("PATH") ~= nil and os.getenv("NO SUCH") == nil)
                .. tostring(load) .. tostring(io) .. tostring(debug)
            end
            """,
        ])
        for (profile, text) in [
            (ScriptProfile.strict, "nilfalsefalsenilnilnilnil"),
            (.trusted, "cotruetruetruenilnilnil"),
        ] {
            var configuration = Router.Configuration.patient
            configuration.profile = profile
            let router = try Router(
                scripts: bundle,
                host: HeadlessHost(),
                configuration: configuration
            )
            #expect(router.doTask(Target("T", "run")).value.text == text)
        }
    }

    @Test(
        "the error for a removed global names its replacement",
        arguments: [
            (
                "coroutine",
                "to wait, use 'router.sleep', or 'await' of a navigation or task; to call a function later, use 'router.delay'"
            ),
            (
                "load",
                "scripts can run only files of the bundle: use 'require', or call functions from a table"
            ),
        ]
    )
    func refused(_ name: String, _ hint: String) throws {
        let error = #expect(throws: RouteError.self) { try RouterFixture("local x = \(name)") }
        #expect(error?.description == "main.lua:1: undefined global '\(name)' (\(hint))")
    }

    @Test("the error for a forbidden metafield names its effect and an alternative")
    func metafields() throws {
        let error = #expect(throws: RouteError.self) {
            try RouterFixture("setmetatable({}, { __gc = print })")
        }
        #expect(
            error?.message
                == "metafield '__gc' is not allowed (no code runs when a value is collected: call the function where the value is last used)"
        )
    }
}
