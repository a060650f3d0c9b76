// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of the functions in which scripts may wait.
@Suite(.failureReports)
struct WaitingTests {
    /// A function that must return without waiting, and the way in which the host makes the script
    /// call it.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let script: String
        let run: @Sendable (RouterFixture) throws -> Void

        init(
            _ name: String,
            _ script: String,
            _ run: @escaping @Sendable (RouterFixture) throws -> Void = {
                $0.navigate("Page", "show")
            }
        ) {
            self.name = name
            self.script = script
            self.run = run
        }

        var testDescription: String { name }
    }

    static let waits = [
        "router.sleep(0)", "ended:await()", "ended:result()", "work:await()",
        "ended:result { timeout = 1 }",
    ]

    static let cases = [
        Case(
            "find",
            "router.register('Page', 'show', { find = function() try() end, build = page })"
        ),
        Case("prepare", "router.register('Page', 'show', { prepare = try, build = page })"),
        Case(
            "build",
            "router.register('Page', 'show', { build = function() try() return page() end })"
        ),
        Case("provider", "router.register('Page', 'show', function() try() return page() end)"),
        Case("update", "router.register('Page', 'show', { update = try, build = page })"),
        Case(
            "adapt",
            "router.register('Page', 'show', { adapt = function(info) try() return info end, build = page, from = router.newNav { from = 'current', via = 'present' } })"
        ),
        Case(
            "enabled",
            "router.register('Page', 'show', { enabled = function() try() return true end, build = page })"
        ),
        Case(
            "switch",
            "router.register('Page', 'show', { build = page, from = router.switch { { when = function() try() return true end, from = 'current' } } })"
        ),
        Case(
            "action",
            "router.register('Page', 'show', { build = page, via = router.action('put', { needs = 'nav' }, function(place, screen, nav) try() nav:act('push', place, screen) end) })"
        ),
        Case(
            "dismissible",
            "router.class('Main', { dismissible = function() try() return true end }) router.register('Page', 'show', { build = page, via = 'pushAsRoot' })"
        ),
        Case(
            "completion",
            "router.export('go', function() router.navigate('Page', 'show', {}, { completion = try }) end) router.register('Page', 'show', page)"
        ) { try $0.call("go") },
        Case("delay", "router.export('go', function() router.delay(1, try) end)") {
            try $0.call("go")
            $0.router.advance(to: 1)
        },
        Case("export", "router.export('go', function() try() end)") { _ = try? $0.call("go") },
        Case(
            "sort",
            "router.registerTask('Work', 'sort', function() table.sort({ 1, 2 }, function(a, b) try() return a < b end) return 1 end)"
        ) {
            $0.doTask("Work", "sort")
        },
    ]

    @Test(
        "a function that must return immediately may not wait, even if the wait would end immediately",
        arguments: cases,
        waits
    )
    func refused(_ example: Case, wait: String) throws {
        let fixture = try RouterFixture(
            """
            local ended, work
            local function page() return router.screen "Page" end
            local function try()
              local waited, why = pcall(function() \(wait) end)
              router.log.info(waited and "waited" or why)
            end
            router.start(function() return router.nav { router.screen "Main" } end)
            router.registerTask("Work", "do", function() return 1 end)
            router.export("begin", function()
              ended = router.navigate("Nobody", "show")
              local _, task = router.doTask("Work", "do")
              work = task
            end)
            \(example.script)
            """
        )
        try fixture.call("begin")
        fixture.forgetEvents()
        try example.run(fixture)
        #expect(fixture.log.contains { $0.contains("cannot wait here (") }, "\(fixture.log)")
        #expect(!fixture.log.contains("info waited"))
    }
}
