// SPDX-License-Identifier: MIT

import CBaseline
import LuaRouting
import ScenarioKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Benchmarks of reading and running scenario files.
extension Benchmark {
    /// The number of parsed steps.
    private static let steps = 10_000

    /// The number of scenarios in one repetition, each with ten steps.
    private static let height = 20

    private static let script = """
        router.class("ShowPage", { fields = { "showId" } })
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("ShowPage", "open", {
          info = { showId = "integer" },
          reuse = { by = "showId" },
          build = function() return router.screen "ShowPage" end,
        })
        """

    /// The shows to which a scenario navigates, in order.
    private static let shows: [Int64] = [1, 2, 3, 1, 4, 5, 4, 6, 1]

    private static var readable: String {
        var text = "use nothing.lua\n"
        for step in 0..<steps {
            if step % 20 == 0 { text += "scenario \"number \(step)\"  @tag\n" }
            text += "  navigate ShowPage/open(showId=\(step))\n"
        }
        return text
    }

    private static var loadable: String {
        (0..<steps).map { "navigate('ShowPage', 'open', { showId = \($0) })\n" }.joined()
    }

    static func scenarios() throws -> [Benchmark] {
        let bytes = Array(readable.utf8)
        let source = loadable
        let state = try PlainState("return function() end")
        let folder = try TemporaryFolder()
        try folder.write(script, to: "main.lua")
        let steps = shows.map { "  navigate ShowPage/open(showId=\($0))\n" }.joined()
        let scenarios = (0..<height).map { "scenario \"\($0)\"\n  start\n\(steps)" }.joined()
        try folder.write("use main.lua\n\(scenarios)", to: "all.scenario")
        let bundle = try ScriptBundle(path: folder.path + "/main.lua")
        return [
            Benchmark(
                name: "S1",
                text: "parse \(Self.steps) steps",
                baselineText: "Lua compiles as many calls",
                bounds: [1],
                ours: Side(operations: Self.steps, expected: { Int64($0) }) { count in
                    var sum: Int64 = 0
                    for _ in 0..<count {
                        let text = SourceText(name: "all.scenario", content: bytes)
                        if case .success = ScenarioParser.parse(text) { sum += 1 }
                    }
                    return sum
                },
                baseline: Side(operations: Self.steps, expected: { Int64($0) }) { count in
                    baseline_load(state.baseline, source, Int64(source.utf8.count), Int64(count))
                }
            ),
            Benchmark(
                name: "S2",
                text: "run scenarios of 10 steps",
                baselineText: "the same navigations from Swift",
                bounds: [1.2],
                ours: Side(operations: height, expected: { Int64($0 * height) }) { count in
                    var sum = 0
                    for _ in 0..<count {
                        let report = RunCommand(paths: [folder.path + "/all.scenario"])
                            .run(.silent)
                        sum += report.count(of: .passed)
                    }
                    return Int64(sum)
                },
                baseline: Side(operations: height, expected: { Int64($0 * height) }) { count in
                    var sum: Int64 = 0
                    for _ in 0..<(count * height) {
                        let router = try Router(scripts: bundle, host: HeadlessHost())
                        router.start()
                        var done = 0
                        for show in shows {
                            let navigation = router.navigate(
                                Target("ShowPage", "open"),
                                info: ["showId": .integer(show)]
                            )
                            if case .done = navigation.status { done += 1 }
                        }
                        if done == shows.count { sum += 1 }
                    }
                    return sum
                }
            ),
        ]
    }
}

/// A folder that is deleted with its contents when its last reference is released.
final class TemporaryFolder {
    let path: String
    private var files: [String] = []

    init() throws {
        var template = Array("/tmp/luaroute-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw MissingFunction(script: "a folder") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func write(_ text: String, to name: String) throws {
        guard let file = fopen("\(path)/\(name)", "w") else {
            throw MissingFunction(script: name)
        }
        defer { fclose(file) }
        fputs(text, file)
        files.append(name)
    }

    deinit {
        for name in files { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}
