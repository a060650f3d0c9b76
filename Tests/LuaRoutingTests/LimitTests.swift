// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import SystemGaps
import TestSupport
import Testing

/// Tests of the limits of chains of parent routes, and of trees of routes.
@Suite(.failureReports)
struct LimitTests {
    @Test(
        "a tree that doubles in size at each level is stopped at the limit",
        .timeLimit(.minutes(10)),
        arguments: ["tree", "function() return tree end"]
    )
    func doubling(_ build: String) throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            for i = 1, 24 do
              local next = "R" .. i + 1
              local function make() return router.tabs { { next, "x" }, { next, "x" } } end
              local tree = make()
              router.register("R" .. i, "x", {
                build = \(build.replacingOccurrences(of: "return tree", with: "return make()")),
                via = "present",
              })
            end
            router.register("R25", "x", function() return router.screen "Leaf" end)
            """
        )
        fixture.router.collectGarbage()
        let before = fixture.router.tree.heldCount
        let navigation = fixture.navigate("R1", "x")
        #expect(navigation.error?.code == .budget)
        #expect(
            navigation.error?.message
                == "a tree of routes is too large (at most 10000 children expected)"
        )
        #expect(fixture.tree == "nav[Main]")
        #expect(fixture.operations == [])
        fixture.router.collectGarbage()
        #expect(fixture.router.tree.heldCount == before)
        // A tree of some hundred leaves is none too many.
        #expect(fixture.navigate("R18", "x").status.name == "done")
        #expect(fixture.brokenRules == [])
    }

    /// The form in which a chain of steps and switches is written.
    enum Way: String, CaseIterable, Sendable {
        case links, routes, switches, functions

        /// Registers `Deep/go`.
        func script(_ steps: Int) -> String {
            let start = """
                router.start(function() return router.nav { router.screen "Main" } end)
                local steps = \(steps)
                local function page() return router.screen "Page" end
                """
            let way =
                switch self {
                case .links:
                    """
                    local from = "root"
                    for i = 2, steps do from = router.link { build = page, from = from } end
                    router.register("Deep", "go", { build = page, from = from })
                    """
                case .routes:
                    """
                    for i = 1, steps do
                      router.register(i == steps and "Deep" or "R" .. i, "go", {
                        build = page, from = i == 1 and "root" or { "R" .. i - 1, "go" },
                      })
                    end
                    """
                case .switches:
                    """
                    local from = "root"
                    for i = 2, steps do from = router.switch { { from = from } } end
                    router.register("Deep", "go", { build = page, from = from })
                    """
                case .functions:
                    """
                    local from = "root"
                    for i = 2, steps do
                      local inner = from
                      from = router.switch {
                        { when = function() return false end, from = "root" },
                        default = function() return inner end,
                      }
                    end
                    router.register("Deep", "go", { build = page, from = from })
                    """
                }
            return start + "\n" + way
        }
    }

    @Test(
        "a chain of forty steps and switches fits on the stack of a phone",
        arguments: Way.allCases
    )
    func deepest(_ way: Way) throws {
        let end = try onSmallStack {
            let fixture = try RouterFixture(way.script(40))
            let navigation = fixture.navigate("Deep", "go")
            return "\(navigation.status.name) \(fixture.router.tree.heldCount)"
        }
        let built = way == .links || way == .routes ? 40 : 1
        #expect(end == "done \(2 + built)")
    }

    @Test("a chain of parent routes beyond the limit is an error", arguments: Way.allCases)
    func tooDeep(_ way: Way) throws {
        let end = try onSmallStack {
            let fixture = try RouterFixture(way.script(41))
            let navigation = fixture.navigate("Deep", "go")
            return "\(navigation.error?.code.rawValue ?? navigation.status.name) \(fixture.tree)"
        }
        #expect(end == "startNotFound nav[Main]")
    }

    @Test(
        "nested trees of routes fit on the stack of a phone",
        arguments: ["tree", "function() return tree end"]
    )
    func nestedTrees(_ build: String) throws {
        let end = try onSmallStack {
            let fixture = try RouterFixture(
                """
                router.start(function() return router.nav { router.screen "Main" } end)
                for i = 1, 39 do
                  local function make() return router.nav { { "R" .. i + 1, "x" } } end
                  local tree = make()
                  router.register("R" .. i, "x", {
                    build = \(build.replacingOccurrences(of: "return tree", with: "return make()")),
                    via = "present",
                  })
                end
                router.register("R40", "x", function() return router.screen "Leaf" end)
                """
            )
            return fixture.navigate("R1", "x").status.name
        }
        #expect(end == "done")
    }

    /// Runs a closure on a thread with a stack of 1 MiB, which is the size of the main thread's
    /// stack on a phone.
    private func onSmallStack(_ body: @escaping @Sendable () throws -> String) throws -> String {
        let outcome = Outcome()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            outcome.set(Result { try body() })
            done.signal()
        }
        thread.stackSize = 1 << 20
        thread.start()
        done.wait()
        return try #require(outcome.get).get()
    }

    /// The result of a closure that ran on another thread.
    private final class Outcome: Sendable {
        private let result = Lock<Result<String, any Error>?>(nil)

        var get: Result<String, any Error>? { result.withLock { $0 } }

        func set(_ outcome: Result<String, any Error>) { result.withLock { $0 = outcome } }
    }
}
