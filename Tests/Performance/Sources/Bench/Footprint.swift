// SPDX-License-Identifier: MIT

import CBaseline
import LuaRouting

/// The memory of idle routers: one without routes, and what routes and screens add.
struct Footprint {
    static let name = "N5"
    static let text = "an idle router with \(routes) routes"

    private static let routes = 100
    private static let screens = 100
    /// So many are made that what is made once does not count.
    private static let routers = 16

    /// Bytes of the heap, and those of them that are values of Lua.
    struct Bytes {
        let heap: Int
        let lua: Int

        /// The share of one of so many parts, compared with a smaller footprint.
        func part(of count: Int, beyond smaller: Bytes) -> Bytes {
            Bytes(heap: (heap - smaller.heap) / count, lua: (lua - smaller.lua) / count)
        }
    }

    /// The footprint with the routes.
    let whole: Bytes
    /// With routes that have classes and URLs, in modules.
    let modules: Bytes
    /// Without routes.
    let base: Bytes
    let route: Bytes
    let screen: Bytes

    private static func script(routes: Int, screens: Int) -> String {
        """
        local register, screen = router.register, router.screen
        router.start(function()
          local screens = { screen "Page0" }
          for i = 1, \(screens) do screens[i + 1] = screen("Page", { id = i }) end
          return router.nav(screens)
        end)
        for i = 1, \(routes) do
          register("Page" .. i, "open", {
            info = { id = "integer" },
            reuse = { by = "id" },
            build = function(info) return screen("Page" .. i) end,
          })
        end
        """
    }

    /// Measures the routers of one script.
    ///
    /// - Throws: ``WrongResult``, or what stopped the work.
    static func measure() throws -> Footprint {
        let whole = try measure(routes: routes, screens: 0)
        let base = try measure(routes: 0, screens: 0)
        let full = try measure(routes: 0, screens: screens)
        return Footprint(
            whole: whole,
            modules: try measure(Benchmark.routes(routes), routes: routes),
            base: base,
            route: whole.part(of: routes, beyond: base),
            screen: full.part(of: screens, beyond: base)
        )
    }

    private static func measure(routes: Int, screens: Int) throws -> Bytes {
        let text = script(routes: routes, screens: screens)
        return try measure(ScriptBundle(files: ["main.lua": text]), routes: routes)
    }

    private static func measure(_ bundle: ScriptBundle, routes: Int) throws -> Bytes {
        func make() throws -> Router {
            let router = try Router(scripts: bundle, host: HeadlessHost())
            router.start()
            router.collectGarbage()
            guard router.services.count == routes, router.tree.windows.count == 1 else {
                throw WrongResult(
                    benchmark: name,
                    side: "a router",
                    expected: "\(routes) services and a tree",
                    got: "\(router.services.count) and \(router.treeNotation())"
                )
            }
            return router
        }
        _ = try make()
        let before = Int(baseline_heap())
        let made = try (0..<routers).map { _ in try make() }
        let heap = Int(baseline_heap()) - before
        let lua = made.reduce(0) { $0 + $1.scriptMemory }
        return Bytes(heap: heap / routers, lua: lua / routers)
    }
}
