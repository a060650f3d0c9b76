// SPDX-License-Identifier: MIT

import CBaseline
import LuaRouting

/// Loading many routes, and loading others in their place.
extension Benchmark {
    static let loadedRoutes = 1_000

    /// Routes as an app has them.
    static func routes(_ word: String) -> String {
        """
        local register, screen = router.register, router.screen
        local function build(info) return screen("Page") end
        for i = 1, \(loadedRoutes) do
          register("\(word)" .. i, "open", {
            info = { id = "integer", title = "string?" },
            url = "/\(word)" .. i .. "/:id(int)",
            reuse = { by = "id" },
            build = build,
            via = "push",
          })
        end
        """
    }

    static func reloading() throws -> [Benchmark] {
        let source = routes("page")
        let bundle = Bundle(files: ["main.lua": source])
        let load = Side(operations: loadedRoutes, expected: { Int64($0 * loadedRoutes) }) { count in
            var sum = 0
            for _ in 0..<count { sum += try Router.unbounded(bundle).services.count }
            return Int64(sum)
        }
        let others = [bundle, Bundle(files: ["main.lua": routes("other")])]
        let router = try Router.unbounded(bundle)
        var turn = 0
        return [
            Benchmark(
                name: "R1",
                text: "load \(loadedRoutes) routes, checked, a route",
                baselineText: "the script, C callbacks that do nothing",
                bounds: [1.6],
                ours: load,
                baseline: Side(
                    operations: loadedRoutes,
                    expected: { Int64($0 * loadedRoutes) },
                    run: { count in
                        baseline_register(source, Int64(source.utf8.count), Int64(count))
                    }
                )
            ),
            Benchmark(
                name: "R2",
                text: "reload \(loadedRoutes) routes, the old ones freed, a route",
                baselineText: "R1",
                bounds: [1.2],
                ours: Side(operations: loadedRoutes, expected: { Int64($0 * loadedRoutes) }) {
                    count in
                    var sum = 0
                    for _ in 0..<count {
                        turn += 1
                        let reload = router.reload(others[turn % 2])
                        sum += reload.isAccepted ? router.services.count : 0
                    }
                    return Int64(sum)
                },
                baseline: load
            ),
        ]
    }
}

/// How long the router stands still while other scripts come to serve.
struct CommitTime {
    static let name = "R3"
    static let text = "commit of a reload, \(Benchmark.loadedRoutes) routes"
    /// What is not to be exceeded, in nanoseconds.
    static let bound = 50_000.0

    /// In nanoseconds: the median, and the longest.
    let median: Double
    let longest: Double

    /// Measures some reloads.
    static func measure() throws -> CommitTime {
        let bundles = ["page", "other"].map {
            Bundle(files: ["main.lua": Benchmark.routes($0)])
        }
        let router = try Router.unbounded(bundles[0])
        var times: [Double] = []
        for turn in 1...51 {
            guard case .accepted(let acceptance) = router.reload(bundles[turn % 2]).status else {
                throw WrongResult(benchmark: name, side: "a reload", expected: "accepted", got: "?")
            }
            times.append(acceptance.commitTime / .nanoseconds(1))
        }
        times.sort()
        return CommitTime(median: times[times.count / 2], longest: times[times.count - 1])
    }
}

extension Router {
    /// A router for scripts of any size.
    fileprivate static func unbounded(_ bundle: Bundle) throws -> Router {
        let configuration = Configuration(
            budget: Budget(duration: .seconds(60)),
            loadBudget: .unlimited
        )
        return try Router(bundle: bundle, host: HeadlessHost(), configuration: configuration)
    }
}
