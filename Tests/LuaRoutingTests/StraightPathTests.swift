// SPDX-License-Identifier: MIT

import LuaRouting
import RandomNumbers
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
        router.register("B", "modal", { via = "presentWithNav", build = function()
          return router.screen("B")
        end })
        router.register("B", "pass", { build = function()
          router.navigate("A", "class")
          return router.screen("B")
        end })
        router.export("go", function(info) router.navigate("A", info.task, { id = 1 }) end)
        router.start(function() return router.nav { router.screen("B"), build { id = 1 } } end)
        """

    /// The observable outcome of a navigation.
    private struct Outcome: Equatable {
        let id: Int
        let status, tree: String
        let screen: Int32?
        let info: InfoTable
        let completions: Int
        let state: InfoTable
    }

    private static let requests: [(task: String, info: InfoTable)] = [
        ("class", [:]), ("class", ["id": 1]), ("id", ["id": 1]), ("id", ["id": 2]), ("id", [:]),
        ("id", ["id": 2]), ("class", ["other": .boolean(true)]), ("after", [:]), ("none", [:]),
        ("gated", [:]), ("class", [:]),
    ]

    private static func startedRouter(isObserved: Bool) throws -> (router: Router, host: TestHost) {
        let host = TestHost()
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: host,
            configuration: .patient,
            onEvent: isObserved ? { _ in } : nil
        )
        router.start()
        return (router, host)
    }

    /// The number of the last event, after one more navigation.
    private static func lastEvent(of router: Router) -> Int? {
        var last: Int?
        router.onEvent = { last = $0.sequence }
        router.navigate(Target("A", "class"))
        return last
    }

    /// The outcomes of navigations one after the other, each with a completion and without, and
    /// the number of the last event.
    private static func outcomes(isObserved: Bool) throws -> ([Outcome], Int?) {
        let (router, _) = try startedRouter(isObserved: isObserved)
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
        return (outcomes, lastEvent(of: router))
    }

    @Test("an unobserved navigation has the outcome and event count of an observed one")
    func unobserved() throws {
        let (observed, last) = try Self.outcomes(isObserved: true)
        let (unobserved, lastUnobserved) = try Self.outcomes(isObserved: false)
        #expect(observed == unobserved)
        #expect(last == lastUnobserved)
        #expect(observed.contains { $0.status == "done" && $0.completions == 1 })
    }

    /// A log of random steps, the number of the last event, and how many navigations took the path.
    private static func transcript(
        seed: UInt64,
        isObserved: Bool
    ) throws -> (lines: [String], last: Int?, straight: Int) {
        var numbers = RandomNumbers(seed: seed)
        let (router, host) = try startedRouter(isObserved: isObserved)
        var (lines, straight): ([String], Int) = ([], 0)
        func end(_ navigation: Navigation) {
            if navigation.isStraight { straight += 1 }
            lines.append(
                "\(navigation.id) \(navigation.status.name) "
                    + "\(navigation.screen?.serial ?? 0) \(navigation.info) "
                    + "\(navigation.route.map(String.init(describing:)) ?? "") "
                    + "\(navigation.completions)"
            )
        }
        func navigate(_ service: String, _ task: String, _ info: InfoTable, again: Bool) {
            var options = NavigationOptions()
            options.isForced = numbers.isTrue(oneIn: 4)
            if numbers.isTrue(oneIn: 6) { options.timeout = 2 }
            if numbers.isTrue(oneIn: 6) { options.origin = .url }
            if numbers.isTrue(oneIn: 8) { options.via = .push }
            let target = Target(service, task)
            end(
                router.navigate(target, info: info, options: options) { navigation in
                    end(navigation)
                    if again { end(router.navigate(Target("A", "class"))) }
                }
            )
        }
        for _ in 0..<40 {
            let info: InfoTable = ["id": .integer(Int64(1 + numbers.below(2)))]
            switch numbers.below(14) {
            case 0...3: navigate("A", "class", [:], again: numbers.isTrue(oneIn: 3))
            case 4, 5: navigate("A", "id", info, again: numbers.isTrue(oneIn: 3))
            case 6: navigate("A", numbers.pick(["gated", "after", "none"]), info, again: false)
            case 7: navigate("B", numbers.pick(["modal", "pass"]), [:], again: true)
            case 8: end(router.back())
            case 9: end(router.dismiss())
            case 10: _ = try router.call("go", ["task": numbers.pick(["class", "id"])])
            case 11: router.advance(to: router.now + 1)
            case 12: router.collectGarbage()
            default: try numbers.isTrue(oneIn: 2) ? router.ready("open") : router.unready("open")
            }
            lines.append("\(router.treeNotation()) \(router.state) \(host.operations)")
        }
        return (lines, lastEvent(of: router), straight)
    }

    @Test("random navigations have the same outcome with and without the fast path")
    func randomSteps() throws {
        var straight = 0
        for seed in 1...UInt64(40) {
            let observed = try Self.transcript(seed: seed, isObserved: true)
            let unobserved = try Self.transcript(seed: seed, isObserved: false)
            #expect(observed.lines == unobserved.lines, "seed \(seed)")
            #expect(observed.last == unobserved.last, "seed \(seed)")
            #expect(observed.straight == 0)
            straight += unobserved.straight
        }
        #expect(straight > 200)
    }

    @Test("the events of the fast path are those of an observed navigation")
    func events() throws {
        let fixture = try RouterFixture(Self.script)
        fixture.navigate("A", "class")
        #expect(fixture.events.map(\.kind) == World.eventsOfStraightPath)
    }
}
