// SPDX-License-Identifier: MIT

import LuaVM
import Testing

@testable import LuaRouting

/// Tests of the fingerprints of a router's scripts, including everything that the library defines
/// for the scripts.
@Suite struct FingerprintInternalsTests {
    private static let main = """
        local shop = require("shop")
        router.class("Page", { fields = { title = "string" } })
        router.start(function() return router.nav { router.screen("Page") } end)
        router.register("Page", "open", {
          build = function()
            shop.visits = shop.visits + 1
            return router.screen("Page")
          end,
        })
        """

    private func router() throws -> Router {
        let shop = "local shop = setmetatable({ visits = 0 }, { __index = os }) return shop"
        let bundle = ScriptBundle(files: ["main.lua": Self.main, "shop.lua": shop])
        let router = try Router(scripts: bundle, host: HeadlessHost())
        router.start()
        return router
    }

    private func print(_ router: Router) throws -> Fingerprint {
        let runtime = router.generation.runtime
        return try runtime.lua.fingerprint(of: [.environment(runtime.state.modules.own)])
    }

    @Test(
        "routers that load the same scripts have equal fingerprints, regardless of garbage collection"
    )
    func equal() throws {
        let first = try router()
        let second = try router()
        let start = try print(first)
        #expect(try print(second) == start)
        second.generation.runtime.lua.collectGarbage()
        #expect(try print(second) == start)
    }

    @Test("changes that a navigation makes in a module are detected")
    func changed() throws {
        let first = try router()
        let second = try router()
        let start = try print(first)
        #expect(first.navigate(Target("Page", "open")).error == nil)
        #expect(second.navigate(Target("Page", "open")).error == nil)
        #expect(try print(first) == print(second))
        #expect(try print(first) != start)
    }
}
