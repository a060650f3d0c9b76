// SPDX-License-Identifier: MIT

import CBaseline
import LuaRouting

/// What a router that does nothing takes of memory.
struct Footprint {
    static let name = "N5"
    static let text = "an idle router with \(routes) routes"

    private static let routes = 100
    /// So many are made that what is made once does not count.
    private static let routers = 16

    /// Bytes of the heap, those of Lua included.
    let heap: Int
    /// Bytes of the values of Lua.
    let lua: Int

    private static let script = """
        local register, screen = router.register, router.screen
        router.start(function() return router.nav { screen "Page0" } end)
        for i = 1, \(routes) do
          register("Page" .. i, "open", {
            info = { id = "integer" },
            reuse = { by = "id" },
            build = function(info) return screen("Page" .. i) end,
          })
        end
        """

    /// Measures the routers of one script.
    ///
    /// - Throws: ``WrongResult``, or what stopped the work.
    static func measure() throws -> Footprint {
        let bundle = Bundle(files: ["main.lua": script])
        _ = try make(bundle)
        let before = Int(baseline_heap())
        let made = try (0..<routers).map { _ in try make(bundle) }
        let heap = Int(baseline_heap()) - before
        let lua = made.reduce(0) { $0 + $1.scriptMemory }
        return Footprint(heap: heap / routers, lua: lua / routers)
    }

    private static func make(_ bundle: Bundle) throws -> Router {
        let router = try Router(bundle: bundle, host: HeadlessHost())
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
}
