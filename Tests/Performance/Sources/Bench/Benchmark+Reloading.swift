// SPDX-License-Identifier: MIT

import CBaseline
import LuaRouting

/// Benchmarks of loading many routes, and of replacing them by a reload.
extension Benchmark {
    static let loadedRoutes = 1_000

    /// The number of routes in a module.
    private static let moduleRoutes = 50

    /// Returns the text of a module with typical routes, each with a class and a URL, and every
    /// fifth route with a policy.
    private static func module(_ number: Int, title: String) -> String {
        (1...moduleRoutes).map { index in
            let name = "Page\(number * moduleRoutes + index)"
            let reuse =
                index % 5 == 0
                ? "function(screen, info) return screen.id == info.id end" : "{ by = \"id\" }"
            return """
                router.class("\(name)", { fields = { "id", "title" } })
                router.register("\(name)", "open", {
                  info = { id = "integer", title = "string?" },
                  url = "/\(name.lowercased())/:id(int)",
                  reuse = \(reuse),
                  build = function(info)
                    return router.screen("\(name)", { id = info.id, title = \(title) })
                  end,
                })

                """
        }.joined()
    }

    /// Returns the files of an app with the given number of routes.
    ///
    /// One line can be replaced, so that a reload has a change.
    static func routes(
        _ count: Int = loadedRoutes,
        title: String = "info.title"
    ) -> ScriptBundle {
        let count = count / moduleRoutes
        var files: [String: String] = [:]
        for number in 0..<count {
            files["routes\(number).lua"] = module(
                number,
                title: number == 0 ? title : "info.title"
            )
        }
        files["main.lua"] = (0..<count).map { "require \"routes\($0)\"\n" }.joined() + start
        return ScriptBundle(files: files)
    }

    private static let start = """
        router.start(function() return router.nav { router.screen "Page1" } end)
        """

    /// The same routes for plain Lua, which has no modules.
    private static let plainRoutes =
        (0..<loadedRoutes / moduleRoutes).map { "do\n\(module($0, title: "info.title"))end\n" }
        .joined() + start

    /// Growths that show how the number of routes affects operations after loading.
    static var lateGrowths: [Growth] {
        let sizes = [10, 100, 1_000, 10_000]
        return [
            Growth(
                name: "G-register",
                text: "a route with a URL is registered late",
                unit: "routes",
                points: sizes.map { size in
                    Growth.Point(size: size) {
                        let router = try Router.unbounded(lateBundle(of: size))
                        var last = 0
                        return Side(expected: { Int64($0) }) { count in
                            let before = router.links.entries.count
                            for _ in 0..<count {
                                last += 1
                                _ = try router.call("add", ["n": .integer(Int64(last))])
                            }
                            return Int64(router.links.entries.count - before)
                        }
                    }
                }
            ),
            Growth(
                name: "G-state",
                text: "a value of the state is set",
                unit: "names",
                points: sizes.map { size in
                    Growth.Point(size: size) {
                        let router = try Router.unbounded(lateBundle(of: 1))
                        for number in 1...size {
                            try router.setState("name\(number)", to: .integer(Int64(number)))
                        }
                        return Side(expected: { Int64($0) }) { count in
                            for number in 0..<count {
                                try router.setState("name1", to: .integer(Int64(number)))
                            }
                            return router.state.entries.count == size ? Int64(count) : 0
                        }
                    }
                }
            ),
            Growth(
                name: "G-unmatched",
                text: "a URL that matches nothing is opened",
                unit: "routes",
                points: sizes.map { size in
                    Growth.Point(size: size) {
                        let router = try Router.unbounded(lateBundle(of: size))
                        router.start()
                        return Side(expected: { Int64($0) }) { count in
                            var failed = 0
                            for _ in 0..<count {
                                let navigation = router.open("/area1/res0/x/nowhere")
                                if case .failed = navigation.status { failed += 1 }
                            }
                            return Int64(failed)
                        }
                    }
                }
            ),
        ]
    }

    /// Returns a bundle of routes with URLs, and an export that registers one more route.
    private static func lateBundle(of size: Int) -> ScriptBundle {
        ScriptBundle(files: [
            "main.lua": """
            local function add(word, i)
              router.register(word .. i, "open", {
                info = { id = "integer" },
                url = "/area" .. i % 100 .. "/res" .. i // 100 % 100 .. "/:id(int)/" .. word .. i,
                build = function() return router.screen "Page" end,
              })
            end
            router.start(function() return router.screen "Page" end)
            router.export("add", function(info) add("late", info.n) end)
            for i = 1, \(size) do add("page", i) end
            """
        ])
    }

    static func reloading() throws -> [Benchmark] {
        let bundle = routes()
        let load = Side(operations: loadedRoutes, expected: { Int64($0 * loadedRoutes) }) { count in
            var sum = 0
            for _ in 0..<count { sum += try Router.unbounded(bundle).links.entries.count }
            return Int64(sum)
        }
        let plain = Side(operations: loadedRoutes, expected: { Int64($0 * loadedRoutes) }) {
            count in
            baseline_register(plainRoutes, Int64(plainRoutes.utf8.count), Int64(count))
        }
        let others = [bundle, routes(title: "'other'")]
        let router = try Router.unbounded(bundle)
        var turn = 0
        return [
            Benchmark(
                name: "R1",
                text: "load \(loadedRoutes) routes from text, checked, a route",
                baselineText: "the same text, C callbacks that do nothing",
                bounds: [2],
                ours: load,
                baseline: plain
            ),
            Benchmark(
                name: "R2",
                text: "reload \(loadedRoutes) routes after a change of one line, a route",
                baselineText: "R1",
                bounds: [1.2],
                ours: Side(operations: loadedRoutes, expected: { Int64($0 * loadedRoutes) }) {
                    count in
                    var sum = 0
                    for _ in 0..<count {
                        turn += 1
                        let reload = router.reload(others[turn % 2])
                        sum += reload.isAccepted ? router.links.entries.count : 0
                    }
                    return Int64(sum)
                },
                baseline: load
            ),
            Benchmark(
                name: "R4",
                text: "cold start: \(loadedRoutes) routes from text, checked and started",
                baselineText: "the same text, C callbacks that do nothing",
                bounds: [2],
                ours: Side(operations: loadedRoutes, expected: { Int64($0 * loadedRoutes) }) {
                    count in
                    var sum = 0
                    for _ in 0..<count {
                        let router = try Router.unbounded(routes())
                        router.start()
                        sum += router.links.entries.count * router.tree.windows.count
                    }
                    return Int64(sum)
                },
                baseline: plain
            ),
            Benchmark(
                name: "R5",
                text: "a router without routes, made, started and freed",
                baselineText: "the same libraries",
                bounds: [],
                ours: Side(expected: { Int64($0) }) { count in
                    let script = "router.start(function() return router.screen 'Page' end)"
                    let bundle = ScriptBundle(files: ["main.lua": script])
                    var sum = 0
                    for _ in 0..<count {
                        let router = try Router(scripts: bundle, host: HeadlessHost())
                        router.start()
                        sum += router.tree.windows.count
                    }
                    return Int64(sum)
                },
                baseline: Side(expected: { Int64($0) }) { baseline_states(Int64($0)) }
            ),
        ]
    }
}

/// The time for which the commit of a reload blocks the router.
struct CommitTime {
    static let name = "R3"
    static let text = "commit of a reload, \(Benchmark.loadedRoutes) routes"
    /// The maximum, in nanoseconds.
    static let bound = 50_000.0

    /// The median and the longest time, in nanoseconds.
    let median: Double
    let longest: Double

    /// Measures several reloads.
    static func measure() throws -> CommitTime {
        let bundles = ["info.title", "'other'"].map { Benchmark.routes(title: $0) }
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
    /// Creates a router with budgets that scripts of any size meet.
    static func unbounded(_ bundle: ScriptBundle) throws -> Router {
        let unbounded = Budget(instructions: .max, duration: .seconds(3_600), bytes: 1 << 36)
        let configuration = Configuration(budget: unbounded, loadBudget: unbounded)
        return try Router(scripts: bundle, host: HeadlessHost(), configuration: configuration)
    }
}
