// SPDX-License-Identifier: MIT

import CBaseline
import ScenarioKit
import SystemGaps

/// Benchmarks of the search of states, compared with the same steps in a scenario.
extension Benchmark {
    /// The steps of the search.
    private static let steps = [
        "navigate ShowPage/open(showId=1)", "navigate ShowPage/open(showId=2)",
        "navigate AudioPlayer/open(trackId=1)", "navigate AudioPlayer/open(trackId=2)",
        "navigate MainPage/open", "user back",
    ]

    static func exploring() throws -> [Benchmark] {
        let folder = try TemporaryFolder()
        let offers = steps.map { "  can \($0)\n" }.joined()
        try folder.write("explore \"All\"\n\(offers)  bound depth 4\n", to: "search.scenario")
        let explorer = try search(folder)
        let count = explorer.steps
        // There is always a screen to go back from.
        let walk = (0..<count).map { "  \(steps[[0, 2, 1, 5, 3, 4][$0 % steps.count]])\n" }.joined()
        try folder.write("scenario \"All\"\n  start\n\(walk)", to: "walk.scenario")
        return [
            Benchmark(
                name: "X1",
                text: "a step of a search of 'scripts/podcast'",
                baselineText: "such a step in a scenario",
                bounds: [3],
                ours: Side(
                    operations: count,
                    expected: { Int64($0 * explorer.states) }
                ) { count in
                    var sum = 0
                    for _ in 0..<count { sum += try search(folder).states }
                    return Int64(sum)
                },
                baseline: Side(operations: count, expected: { Int64($0) }) { count in
                    var sum = 0
                    for _ in 0..<count {
                        var command = RunCommand(paths: [folder.path + "/walk.scenario"])
                        command.options.script = "scripts/podcast"
                        sum += command.run(.silent).count(of: .passed)
                    }
                    return Int64(sum)
                }
            )
        ]
    }

    /// Searches all states, and returns the numbers of states and of steps.
    private static func search(_ folder: TemporaryFolder) throws -> (states: Int, steps: Int) {
        var command = ExploreCommand(paths: [folder.path + "/search.scenario"])
        command.options.script = "scripts/podcast"
        var line = ""
        _ = command.run(Console { line += $0 })
        let words = line.split(separator: " ")
        guard let states = words.firstIndex(of: "states"),
            let steps = words.firstIndex(where: { $0 == "steps" }),
            let stateCount = Int(words[states - 1]), let stepCount = Int(words[steps - 1])
        else { throw MissingFunction(script: line) }
        return (stateCount, stepCount)
    }
}

/// The memory of a search of many states, with the default limits.
struct SearchMemory {
    static let name = "X2"
    static let text = "a search of 30,000 states"
    /// The maximum memory per state, in bytes.
    static let bound = 20_000

    /// The number of states.
    let states: Int
    /// The maximum heap size per state, in bytes, by the number of jobs, starting at 1.
    let bytes: [Int]

    /// A script with three dials of 22 positions.
    ///
    /// Each step turns one dial, and selects the dial's tab.
    private static let script = """
        local screen = router.screen
        router.class("Dial", { fields = { "id", "position", "title" } })
        router.start(function()
          local dials = {}
          for id = 1, 3 do dials[id] = screen("Dial", { id = id, position = 0, title = "Dial" }) end
          return router.tabs(dials)
        end)
        router.register("Dial", "turn", {
          info = { id = "integer" },
          find = { class = "Dial", by = "id" },
          build = screen "Dial",
          update = function(dial)
            dial.position = (dial.position + 1) % 22
            router.state.turned = { dial.id, dial.position }
          end,
        })
        """

    /// Searches with one job and with two jobs, which must find the same states.
    static func measure() throws -> SearchMemory {
        let folder = try TemporaryFolder()
        try folder.write(script, to: "main.lua")
        let offers = (1...3).map { "  can navigate Dial/turn(id=\($0))\n" }.joined()
        try folder.write(
            "use main.lua\nexplore \"All\"\n\(offers)  bound depth 70\n  bound time 30m\n",
            to: "search.scenario"
        )
        let searches = (1...2).map { search(folder, jobs: $0) }
        let words = searches[0].text.split(separator: " ").map(String.init)
        guard searches[0].text == searches[1].text,
            let place = words.firstIndex(of: "states"), place > 0,
            let states = Int(words[place - 1].filter { $0 != "," }), states > 30_000
        else {
            throw WrongResult(
                benchmark: name,
                side: "a search with two jobs",
                expected: searches[0].text,
                got: searches[1].text
            )
        }
        return SearchMemory(states: states, bytes: searches.map { $0.heap / states })
    }

    private static func search(
        _ folder: TemporaryFolder,
        jobs: Int
    ) -> (text: String, heap: Int) {
        var command = ExploreCommand(paths: [folder.path + "/search.scenario"])
        command.jobs = jobs
        let before = Int(baseline_heap())
        let most = Lock(0)
        command.onProgress = { _ in
            let heap = Int(baseline_heap()) - before
            most.withLock { $0 = max($0, heap) }
        }
        var text = ""
        _ = command.run(Console { text += $0 })
        return (text, most.withLock { $0 })
    }
}
