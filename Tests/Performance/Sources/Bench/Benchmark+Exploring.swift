// SPDX-License-Identifier: MIT

import ScenarioKit

/// The search of states, beside the same steps in a scenario.
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

    /// Searches all states, and returns their number and that of the steps.
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
