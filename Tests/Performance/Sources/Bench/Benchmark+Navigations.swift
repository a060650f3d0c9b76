// SPDX-License-Identifier: MIT

import CBaseline
import LuaRouting

/// Benchmarks of navigations that change nothing, which measure only the decision.
extension Benchmark {
    /// The height of the stack, except in N2.
    private static let height: Int64 = 10

    private static let tall: Int64 = 1_000

    private static let target = Target("ShowPage", "open")

    /// Returns the first tree, which is a stack of pages, as the scripts create it.
    private static func stack(of height: Int64) -> String {
        """
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
    }

    /// Returns a script with a route like that of an app, except for the direction of the search.
    ///
    /// The route searches for the visible screen, starting at the bottom of the stack. So the
    /// policy is called for every screen, and no screen is removed.
    private static func scripted(height: Int64 = height, counts: Bool = false) -> String {
        """
        \(stack(of: height))
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
        \(stack(of: height))
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
        for height in [height, tall] { try checkQuestions(height) }
        let state = try PlainState(plain)
        let low = try StandingStack(scripted())
        let reused = try StandingStack(declared).side(target, [:])
        let coordinator = Coordinator(height: height)
        let silent = (try StandingStack(scripted()), try StandingStack(declared))
        (silent.0.router.isRecording, silent.1.router.isRecording) = (false, false)
        let recorded = try StandingTree(of: StandingTree.sizes[0])
        let unrecorded = try StandingTree(of: StandingTree.sizes[0])
        unrecorded.router.isRecording = false
        return [
            Benchmark(
                name: "N1",
                text: "navigate, policy a Lua function asked 10 times",
                baselineText: "the bare policy, 10 lua_pcalls",
                bounds: [8],
                ours: low.side(target, ["showId": .integer(height)]),
                baseline: Side(expected: { Int64($0) * height }) { count in
                    baseline_call_policy(state.baseline, 0, Int64(count))
                }
            ),
            Benchmark(
                name: "N2",
                text: "N1, stack of \(tall), per screen",
                baselineText: "N1, per screen",
                bounds: [1.2],
                ours: try StandingStack(scripted(height: tall))
                    .side(target, ["showId": .integer(tall)], operations: Int(tall)),
                baseline: low.side(
                    target,
                    ["showId": .integer(height)],
                    operations: Int(height)
                )
            ),
            Benchmark(
                name: "N3",
                text: "navigate, policy declared, Lua not entered",
                baselineText: "lua_pcall of an empty function",
                bounds: [],
                ours: reused,
                baseline: Side(expected: { Int64($0) }) { count in
                    baseline_call_empty(state.baseline, 1, Int64(count))
                }
            ),
            Benchmark(
                name: "N3b",
                text: "N3",
                baselineText: "a coordinator written by hand in Swift",
                bounds: [],
                ours: reused,
                baseline: Side(expected: { Int64($0) * height }) { count in
                    coordinator.navigate(count)
                }
            ),
            Benchmark(
                name: "N4",
                text: "push and back, tree of \(StandingTree.sizes[3])",
                baselineText: "tree of \(StandingTree.sizes[0])",
                bounds: [1.5],
                ours: try StandingTree(of: StandingTree.sizes[3]).side(.push),
                baseline: try StandingTree(of: StandingTree.sizes[0]).side(.push)
            ),
            Benchmark(
                name: "N6",
                text: "push and back, stack of \(StandingTree.sizes[3])",
                baselineText: "stack of \(StandingTree.sizes[0])",
                bounds: [1.5],
                ours: try StandingTree(stackOf: StandingTree.sizes[3]).side(.push),
                baseline: try StandingTree(stackOf: StandingTree.sizes[0]).side(.push)
            ),
            Benchmark(
                name: "N7",
                text: "open a URL among 1,000 patterns and back, 10 screens",
                baselineText: "among 10 patterns",
                bounds: [1.5],
                ours: try StandingTree(of: StandingTree.sizes[0], patterns: 1_000).side(.open),
                baseline: try StandingTree(of: StandingTree.sizes[0], patterns: 10).side(.open)
            ),
            Benchmark(
                name: "F1",
                text: "N1, recorded",
                baselineText: "the same, not recorded",
                bounds: [1.05],
                ours: low.side(target, ["showId": .integer(height)]),
                baseline: silent.0.side(target, ["showId": .integer(height)])
            ),
            Benchmark(
                name: "F3",
                text: "N3, recorded",
                baselineText: "the same, not recorded",
                bounds: [1.05],
                ours: reused,
                baseline: silent.1.side(target, [:])
            ),
            Benchmark(
                name: "F4",
                text: "push and back, recorded",
                baselineText: "the same, not recorded",
                bounds: [1.05],
                ours: recorded.side(.push),
                baseline: unrecorded.side(.push)
            ),
            Benchmark(
                name: "E1",
                text: "push and back of a field of 5 MB, events heard",
                baselineText: "nobody listens",
                bounds: [2],
                ours: try LargeField(isHeard: true).side,
                baseline: try LargeField(isHeard: false).side
            ),
        ]
    }

    /// Checks that the policy is called for every screen.
    private static func checkQuestions(_ height: Int64) throws {
        let counted = try StandingStack(scripted(height: height, counts: true))
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
    }

    // MARK: Growth

    static var growths: [Growth] {
        let trees = [StandingTree.Work.push, .near, .missing].map { work in
            Growth(
                name: "G-\(work.rawValue)",
                text: work.text,
                unit: "screens",
                points: StandingTree.sizes.map { size in
                    Growth.Point(size: size) { try StandingTree(of: size).side(work) }
                }
            )
        }
        let routes = Growth(
            name: "G-routes",
            text: "N3, as the table of routes grows",
            unit: "routes",
            points: [10, 100, 1_000, 10_000, 100_000].map { count in
                Growth.Point(size: count) {
                    try StandingStack(declared(among: count)).side(target, [:])
                }
            }
        )
        return trees + [routes]
    }

    private static func declared(among count: Int) -> String {
        """
        \(declared)
        local function build() error("nothing is to be built") end
        for i = 2, \(count) do
          register("Page" .. i, "open", { build = build })
        end
        """
    }
}
