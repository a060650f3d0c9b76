// SPDX-License-Identifier: MIT

import LuaRouting

/// Benchmarks of work that few apps have much of, which show how the cost grows with the amount of
/// work.
///
/// Each figure is the cost of one part of the work. If the total cost grows linearly, the figure is
/// constant.
extension Benchmark {
    static var cornerGrowths: [Growth] {
        [
            corner(
                "interceptAll",
                "a navigation asks interceptors, each",
                unit: "interceptors",
                script: """
                    for i = 1, SIZE do
                      router.interceptor("i" .. i, function() end)
                      router.interceptAll("i" .. i)
                    end
                    """
            ) { router, _ in
                _ = try router.navigate(Target("Page", "near")).reached()
            },
            corner(
                "leaving",
                "screens that are asked are popped, each",
                unit: "screens",
                // A stack has at most 1,000.
                sizes: [10, 100, 999],
                script: """
                    router.class("Asked", { leaving = function() end })
                    router.export("fill", function(info)
                      local pages = { router.screen "Home" }
                      for i = 2, SIZE + 1 do pages[i] = router.screen "Asked" end
                      router.replace(router.root(), router.nav(pages))
                    end)
                    """
            ) { router, _ in
                try router.call("fill")
                _ = try router.popToRoot().reached()
            },
            corner(
                "children",
                "a stack whose leaves are routes is built, each",
                unit: "leaves",
                // A new container has at most 1,000.
                sizes: [10, 100, 1_000],
                script: """
                    local leaves = {}
                    for i = 1, SIZE do leaves[i] = { "Page", "push" } end
                    router.register("Pages", "show", {
                      build = router.nav(leaves), via = router.present {},
                    })
                    """
            ) { router, _ in
                _ = try router.navigate(Target("Pages", "show")).reached()
                _ = try router.dismiss().reached()
            },
            corner(
                "results",
                "screens whose results are awaited are pushed and popped, each",
                unit: "screens"
            ) { router, size in
                var ended = 0
                for _ in 0..<size {
                    router.result(of: router.navigate(Target("Page", "push"))) { _ in ended += 1 }
                }
                _ = try router.popToRoot().reached()
                try check(ended, size, "results")
            },
            corner(
                "waiters",
                "one screen's result is awaited, by each",
                unit: "waiters"
            ) { router, size in
                var ended = 0
                let navigation = router.navigate(Target("Page", "push"))
                for _ in 0..<size {
                    router.result(of: navigation, timeout: 10) { _ in ended += 1 }
                }
                router.advance(to: router.now + 20)
                _ = try router.back().reached()
                try check(ended, size, "results")
            },
            corner(
                "unknown",
                "a route is not found, for each that there is",
                unit: "routes",
                script: """
                    for i = 1, SIZE do
                      router.register("Page" .. i, "open", { build = router.screen "Page" })
                    end
                    """
            ) { router, _ in
                guard case .failed = router.navigate(Target("Pag7x", "open")).status else {
                    return try check(0, 1, "failures")
                }
            },
            removal("remove", "a route is removed, and registered again", url: ""),
            removal(
                "remove-url",
                "a route with a URL is removed, and registered again",
                url: "url = \"/area\" .. i % 100 .. \"/page\" .. i,"
            ),
            corner(
                "events",
                "an event has listeners, each",
                unit: "listeners",
                script: """
                    local heard = 0
                    for i = 1, SIZE do router.on("done", function() heard = heard + 1 end) end
                    """
            ) { router, _ in
                _ = try router.navigate(Target("Page", "near")).reached()
            },
            corner(
                "names",
                "a script sets names of the state and reads them, each",
                unit: "names",
                script: """
                    router.export("change", function()
                      local sum = 0
                      for i = 1, SIZE do router.state["name" .. i] = i end
                      for i = 1, SIZE do sum = sum + router.state["name" .. i] end
                      return sum
                    end)
                    """
            ) { router, size in
                guard try router.call("change") == .integer(Int64(size * (size + 1) / 2)) else {
                    return try check(0, size, "names")
                }
            },
        ]
    }

    private static func removal(_ name: String, _ text: String, url: String) -> Growth {
        corner(
            name,
            text,
            unit: "routes",
            script: """
                local function add(i)
                  router.register("Late" .. i, "open", { \(url) build = router.screen "Page" })
                end
                for i = 1, SIZE do add(i) end
                router.export("replace", function()
                  for i = 1, SIZE do router.remove("Late" .. i) end
                  for i = 1, SIZE do add(i) end
                end)
                """
        ) { router, size in
            try router.call("replace")
            try check(router.services.count, size + 1, "services")
        }
    }

    private static func corner(
        _ name: String,
        _ text: String,
        unit: String,
        sizes: [Int] = [100, 1_000, 10_000],
        script: String = "",
        _ work: @escaping (Router, Int) throws -> Void
    ) -> Growth {
        Growth(
            name: "G-\(name)",
            text: text,
            unit: unit,
            points: sizes.map { size in
                Growth.Point(size: size) {
                    let router = try Router.unbounded(bundle(script, size))
                    router.start()
                    return Side(operations: size, expected: { Int64($0) }) { count in
                        for _ in 0..<count { try work(router, size) }
                        return Int64(count)
                    }
                }
            }
        )
    }

    private static func bundle(_ script: String, _ size: Int) -> ScriptBundle {
        let routes = """
            router.register("Page", "push", { build = router.screen "Page" })
            router.register("Page", "near", { reuse = "class", build = router.screen "Home" })
            router.start(function() return router.nav { router.screen "Home" } end)

            """
        return ScriptBundle(files: [
            "main.lua": "local SIZE = \(size)\n" + routes + script
        ])
    }

    private static func check(_ got: Int, _ expected: Int, _ what: String) throws {
        guard got != expected else { return }
        throw WrongResult(
            benchmark: "G",
            side: what,
            expected: "\(expected)",
            got: "\(got)"
        )
    }
}
