// SPDX-License-Identifier: MIT

import CBaseline
import LuaRouting

/// The memory of idle routers without routes, and the additional memory for routes and screens.
struct Footprint {
    static let name = "N5"
    static let text = "an idle router with \(routes) routes"

    private static let routes = 100
    private static let screens = 100
    /// The number of routers to create, so that memory that is allocated once does not matter.
    private static let routers = 16

    /// The number of bytes of the heap, and how many of them Lua values use.
    struct Bytes {
        let heap: Int
        let lua: Int

        /// Returns the share of one part, given the number of parts and the footprint without them.
        func part(of count: Int, beyond smaller: Bytes) -> Bytes {
            Bytes(heap: (heap - smaller.heap) / count, lua: (lua - smaller.lua) / count)
        }
    }

    /// The footprint with routes.
    let whole: Bytes
    /// The footprint with routes in modules, which have classes and URLs.
    let modules: Bytes
    /// The footprint without routes.
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
    /// - Throws: ``WrongResult``, or the error that stopped the work.
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
