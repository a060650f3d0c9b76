// SPDX-License-Identifier: MIT

import LuaRouting
import RouteEngine
import TestSupport
import Testing

/// A navigation to the visible screen that nobody observes ends as an observed one does.
@Suite(.failureReports)
struct StraightPathTests {
    private static let script = """
        router.class("A", { fields = { "id" } })
        local function build(info) return router.screen("A", { id = info.id }) end
        router.register("A", "class", { reuse = "class", build = build })
        router.register("A", "id", { info = { id = "integer" }, reuse = { "id" }, build = build })
        router.register("A", "gated", { reuse = "class", build = build, ready = { "open" } })
        router.register("A", "after", {
          reuse = "class", build = build,
          after = function() router.state.after = (router.state.after or 0) + 1 end,
        })
        router.start(function() return router.nav { router.screen("B"), build { id = 1 } } end)
        """

    /// The observable outcome of a navigation.
    private struct Outcome: Equatable {
        let id: Int
        let status, tree: String
        let screen: Int32?
        let info: Table
        let completions: Int
        let state: Table
    }

    private static let requests: [(task: String, info: Table)] = [
        ("class", [:]), ("class", ["id": 1]), ("id", ["id": 1]), ("id", ["id": 2]), ("id", [:]),
        ("id", ["id": 2]), ("class", ["other": .boolean(true)]), ("after", [:]), ("none", [:]),
        ("gated", [:]), ("class", [:]),
    ]

    /// The outcomes of navigations one after the other, each with a completion and without, and
    /// the number of the last event.
    private static func outcomes(isObserved: Bool) throws -> ([Outcome], Int?) {
        let host = TestHost()
        let router = try Router(
            bundle: Bundle(files: ["main.lua": script]),
            host: host,
            configuration: .patient,
            onEvent: isObserved ? { _ in } : nil
        )
        router.start()
        var outcomes: [Outcome] = []
        for (task, info) in requests {
            for completes in [false, true] {
                var ends = 0
                let navigation = router.navigate(
                    Target("A", task),
                    info: info,
                    completion: completes ? { _ in ends += 1 } : nil
                )
                #expect(!completes || ends == navigation.completions)
                #expect(navigation.target == Target("A", task))
                #expect(navigation.url == nil)
                outcomes.append(
                    Outcome(
                        id: navigation.id,
                        status: navigation.status.name,
                        tree: router.treeNotation(),
                        screen: navigation.screen?.serial,
                        info: navigation.info,
                        completions: navigation.completions,
                        state: router.state
                    )
                )
            }
        }
        var last: Int?
        router.onEvent = { last = $0.sequence }
        router.navigate(Target("A", "class"))
        return (outcomes, last)
    }

    @Test("an unobserved navigation ends as an observed one does, and counts as many events")
    func unobserved() throws {
        let (observed, last) = try Self.outcomes(isObserved: true)
        let (unobserved, lastUnobserved) = try Self.outcomes(isObserved: false)
        #expect(observed == unobserved)
        #expect(last == lastUnobserved)
        #expect(observed.contains { $0.status == "done" && $0.completions == 1 })
    }

    @Test("the events of the straight path are those of an observed navigation")
    func events() throws {
        let fixture = try RouterFixture(Self.script)
        fixture.navigate("A", "class")
        #expect(fixture.events.map(\.kind) == World.eventsOfStraightPath)
    }
}
