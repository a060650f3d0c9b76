// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import LuaVM
import Testing

/// Tests that values in Lua and memory that Swift keeps for scripts count together.
struct MemoryTests {
    /// A way for a script to make Swift keep memory, which the script repeats until it is stopped.
    struct Hoard: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The body of the exported function `hoard`.
        let body: String
        /// The statements that run when the scripts load.
        var setup = ""
    }

    static let hoards = [
        Hoard(
            testDescription: "fields of screens",
            body: "for n = 1, 1e6 do held[n] = router.screen('Page', { text = text(n) }) end"
        ),
        Hoard(
            testDescription: "fields that are set later",
            body: """
                local page = router.screen 'Page'
                for n = 1, 1e6 do page['f' .. n] = text(n) end
                """
        ),
        Hoard(
            testDescription: "info of queued navigations",
            body: """
                for n = 1, 1e6 do router.navigate('Wait', 'show', { n = n, text = text(n) }) end
                """,
            setup:
                "router.register('Wait', 'show', { ready = 'gate', build = router.screen 'Page' })"
        ),
        Hoard(
            testDescription: "info of failed navigations that are held",
            body:
                "for n = 1, 1e6 do held[n] = router.navigate('No', 'show', { text = text(n) }) end"
        ),
        Hoard(
            testDescription: "info of tasks that are held",
            body:
                "for n = 1, 1e6 do held[n] = select(2, router.doTask('No', 'do', { text = text(n) })) end"
        ),
        Hoard(
            testDescription: "results of tasks that are held",
            body:
                "for n = 1, 1e6 do held[n] = select(2, router.doTask('Give', 'do', { n = n })) end",
            setup: "router.registerTask('Give', 'do', function(info) return text(info.n) end)"
        ),
        Hoard(
            testDescription: "definitions",
            body: """
                for n = 1, 1e6 do
                  router.register('Page' .. n, 'show', { build = router.screen('Page', { text = text(n) }) })
                end
                """
        ),
        Hoard(
            testDescription: "trees of routes",
            body: """
                for n = 1, 1e6 do
                  held[n] = router.nav { { 'Page', 'show' }, router.screen('P', { text = text(n) }) }
                end
                """
        ),
        Hoard(
            testDescription: "exports",
            body: "for n = 1, 1e6 do router.export('e' .. n .. ('x'):rep(1000), function() end) end"
        ),
        Hoard(
            testDescription: "listeners",
            body: "for n = 1, 1e6 do router.on('done', function() end) end"
        ),
        Hoard(
            testDescription: "the script state",
            body: "for n = 1, 1e6 do router.state['s' .. n] = text(n) end"
        ),
    ]

    private static func router(_ hoard: Hoard) throws -> Router {
        var configuration = Router.Configuration.patient
        configuration.budget = Budget(
            instructions: 50_000_000,
            duration: .seconds(60),
            bytes: 16 * 1024 * 1024
        )
        let main = """
            local held
            local function text(n) return ('x'):rep(20000) .. n end
            router.start(function() return router.nav { router.screen 'Main' } end)
            \(hoard.setup)
            router.export('hoard', function() held = {} \(hoard.body) end)
            router.export('forget', function() held = false end)
            router.export('ping', function() return 'pong' end)
            """
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": main]),
            host: TestHost(),
            configuration: configuration
        )
        router.start()
        return router
    }

    @Test(
        "a script that makes Swift retain memory is stopped at the memory limit",
        arguments: hoards
    )
    func limit(_ hoard: Hoard) throws {
        let router = try Self.router(hoard)
        let error = #expect(throws: RouteError.self) { try router.call("hoard") }
        #expect(error?.code == .budget, "\(error.map { "\($0)" } ?? "it ended")")
    }

    @Test("the process grows by at most one and a half times the memory limit")
    func process() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            // The libraries, and what the first router makes for all.
            _ = try? MemoryTests.router(MemoryTests.hoards[0]).call("ping")
            let before = residentBytes()
            for hoard in MemoryTests.hoards {
                let router = try MemoryTests.router(hoard)
                _ = try? router.call("hoard")
                let growth = residentBytes() - before
                guard growth < 24 * 1024 * 1024 else {
                    fatalError("\(hoard.testDescription): \(growth / 1024) KiB")
                }
            }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        if !message.isEmpty { Issue.record("\(message)") }
    }

    @Test("released memory no longer counts, and the next call into Lua works")
    func release() throws {
        for hoard in Self.hoards.prefix(1) + Self.hoards[3...5] {
            let router = try Self.router(hoard)
            for _ in 0..<3 {
                _ = try? router.call("hoard")
                try router.call("forget")
                router.collectGarbage()
                #expect(try router.call("ping") == "pong", "\(hoard.testDescription)")
            }
        }
    }

    @Test("host navigations also fail at the memory limit, and work again after memory is freed")
    func hostNavigations() throws {
        let router = try Self.router(
            Hoard(
                testDescription: "",
                body: "",
                setup: """
                    router.register('Big', 'show', {
                      build = router.screen('Page', { text = text(1) }), via = 'push',
                    })
                    """
            )
        )
        var failed: Navigation?
        var count = 0
        while failed == nil, count < 10_000 {
            let navigation = router.navigate(Target("Big", "show"))
            if navigation.isPending == false, navigation.error != nil { failed = navigation }
            count += 1
        }
        #expect(failed?.error?.code == .budget)
        #expect(500...1_000 ~= count, "\(count) screens fit")
        #expect(router.popToRoot().status.name == "done")
        #expect(router.navigate(Target("Big", "show")).status.name == "done")
    }

    @Test("the numbers of pending navigations, pending tasks and windows are limited")
    func numbers() throws {
        let router = try Self.router(
            Hoard(
                testDescription: "",
                body: "",
                setup: """
                    router.register('Wait', 'show', { ready = 'gate', build = router.screen 'Page' })
                    router.expects { tasks = { 'Host/work' } }
                    router.export('open', function()
                      for n = 1, 64 do
                        local _, failure = router.openWindow('w' .. n, router.screen 'A'):await()
                        if n == 64 then return failure.code .. ': ' .. failure.message end
                      end
                    end)
                    """
            )
        )
        for number in 0..<1_000 {
            router.navigate(Target("Wait", "show"), info: ["n": .integer(Int64(number))])
        }
        let navigation = router.navigate(Target("Wait", "show"), info: ["n": -1])
        #expect(navigation.error?.code == .budget)
        for _ in 0..<1_000 { router.doTask(Target("Host", "work")) }
        #expect(router.doTask(Target("Host", "work")).error?.code == .budget)
        for navigation in router.pending { router.cancel(navigation) }
        #expect(router.navigate(Target("Wait", "show")).isPending)
        var opened: Value?
        router.call("open") { opened = try? $0.get() }
        #expect(opened?.text == "budget: too many windows (at most 64 at the same time)")
        #expect(router.tree.windows.count == 64)
    }
}

/// Returns the memory of this process that is in use, in bytes; 0 if the system does not report it.
private func residentBytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
        return 0
    }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4_096
}
