// SPDX-License-Identifier: MIT

import CBaseline
import LuaRouting

/// Navigations that change nothing: what is measured is the way to the decision.
extension Benchmark {
    /// How many screens stand in the stack.
    private static let height: Int64 = 10

    private static let target = Target("ShowPage", "open")

    /// The first tree, a stack of pages, which both scripts begin with.
    private static let stack = """
        local class, nav, register = router.class, router.nav, router.register
        local screen, start = router.screen, router.start
        class("ShowPage", { fields = { "showId" } })
        start(function()
          local pages = {}
          for i = 1, \(height) do
            pages[i] = screen("ShowPage", { showId = i })
          end
          return nav(pages)
        end)
        """

    /// A route as an app has it, but for the direction.
    ///
    /// The screen that is looked for is the visible one and the search begins at the bottom, so
    /// that the policy is asked about every screen and none of them goes.
    private static func scripted(counts: Bool = false) -> String {
        """
        \(stack)
        local reuse = router.reuse
        local upwards = { direction = "bottomUp" }
        \(counts ? "local asked = 0" : "")
        register("ShowPage", "open", function(info)
          local page = reuse(function(page)
            \(counts ? "asked = asked + 1" : "")
            return page.class == "ShowPage" and page.showId == info.showId
          end, upwards) or screen("ShowPage")
          page.showId = info.showId
          \(counts ? "router.state.asked = asked" : "")
          return page
        end)
        """
    }

    private static let declared = """
        \(stack)
        register("ShowPage", "open", {
          reuse = "class",
          build = function() error("nothing is to be built") end,
        })
        """

    private static let plain = """
        local info = { showId = \(height) }
        local function policy(page)
          return page.class == "ShowPage" and page.showId == info.showId
        end
        local function nothing() end
        local pages = {}
        for i = 1, \(height) do
          pages[i] = { class = "ShowPage", showId = i }
        end
        return policy, nothing, pages
        """

    static func navigations() throws -> [Benchmark] {
        let counted = try StandingStack(scripted(counts: true))
        _ = try counted.navigate(target, ["showId": .integer(height)], 1)
        let asked = counted.router.state["asked"]
        guard asked == .integer(height) else {
            throw WrongResult(
                benchmark: "N1",
                side: "the policy",
                expected: "\(height) questions",
                got: "\(asked)"
            )
        }
        let state = try PlainState(plain)
        return [
            Benchmark(
                name: "N1",
                text: "navigate, policy a Lua function asked 10 times",
                baselineText: "the bare policy, 10 lua_pcalls",
                bounds: [3],
                ours: try StandingStack(scripted()).side(target, ["showId": .integer(height)]),
                baseline: Side(expected: { Int64($0) * height }) { count in
                    baseline_call_policy(state.baseline, 0, Int64(count))
                }
            ),
            Benchmark(
                name: "N3",
                text: "navigate, policy declared, Lua not entered",
                baselineText: "lua_pcall of an empty function",
                bounds: [6],
                ours: try StandingStack(declared).side(target, [:]),
                baseline: Side(expected: { Int64($0) }) { count in
                    baseline_call_empty(state.baseline, 1, Int64(count))
                }
            ),
        ]
    }
}

/// A router whose stack stands, over a host that must never be asked to change it.
private final class StandingStack {
    let router: Router
    private let host = HeadlessHost()
    private let tree: String
    private let top: ScreenID

    init(_ script: String) throws {
        router = try Router(bundle: Bundle(files: ["main.lua": script]), host: host)
        router.start()
        guard let window = router.tree.windows.first else {
            throw WrongResult(benchmark: "N", side: "start", expected: "a tree", got: "none")
        }
        top = router.tree.visibleLeaf(of: window)
        tree = router.treeNotation()
        host.forgetChanges()
    }

    /// Navigates so often; answers the sum of the serials of the screens that were reached.
    func navigate(_ target: Target, _ info: Table, _ count: Int) throws -> Int64 {
        var sum: Int64 = 0
        for _ in 0..<count {
            let navigation = router.navigate(target, info: info)
            guard case .done = navigation.status, let screen = navigation.screen else {
                throw WrongResult(
                    benchmark: "\(target)",
                    side: "a navigation",
                    expected: "done",
                    got: "\(navigation.status)"
                )
            }
            sum &+= Int64(screen.serial)
        }
        guard host.changes.isEmpty, router.treeNotation() == tree else {
            throw WrongResult(
                benchmark: "\(target)",
                side: "the tree",
                expected: tree,
                got: router.treeNotation()
            )
        }
        return sum
    }

    func side(_ target: Target, _ info: Table) -> Side {
        let serial = Int64(top.serial)
        return Side(expected: { Int64($0) * serial }) { [self] count in
            try navigate(target, info, count)
        }
    }
}
