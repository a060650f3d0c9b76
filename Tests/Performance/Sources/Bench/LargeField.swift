// SPDX-License-Identifier: MIT

import LuaRouting

/// A router that pushes and pops a screen with a field of 5 MB.
final class LargeField {
    private let router: Router
    private let info: InfoTable = ["text": Value(String(repeating: "a", count: 5_000_000))]
    private var events: Int64 = 0

    private static let script = """
        router.class("Page", { fields = { "text" } })
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", {
          info = { text = "string" }, build = router.screen "Page",
        })
        """

    /// Creates a router.
    ///
    /// - Parameter isHeard: Whether the router has a listener for its events.
    /// - Throws: An error if the script does not load.
    init(isHeard: Bool) throws {
        router = try Router(
            scripts: ScriptBundle(files: ["main.lua": Self.script]),
            host: DutifulHost()
        )
        router.start()
        if isHeard { router.onEvent = { [unowned self] _ in events += 1 } }
    }

    var side: Side {
        Side(expected: { Int64($0) }) { [self] count in
            for _ in 0..<count {
                _ = try router.navigate(Target("Page", "show"), info: info).reached()
                _ = try router.back().reached()
            }
            return Int64(count)
        }
    }
}
