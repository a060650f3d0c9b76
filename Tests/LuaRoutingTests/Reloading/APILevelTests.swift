// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// The start of a script that declares its API level with `router.api`.
@Suite(.failureReports) @MainActor struct APILevelTests {
    private static let start =
        "router.start(function() return router.nav { router.screen 'Main' } end)"
    private static let message =
        "main.lua:1: the scripts need API level 2, but this host supports level 1 "
        + "(load scripts for a supported level, or update the app)"

    private func bundle(_ line: String) -> ScriptBundle {
        ScriptBundle(files: ["main.lua": "\(line)\n\(Self.start)"])
    }

    @Test("scripts load if they name the host's API level or no API level")
    func known() throws {
        for line in ["router.api(1)", ""] {
            let router = try Router(scripts: bundle(line), host: HeadlessHost())
            #expect(router.apiLevel == 1)
        }
    }

    @Test("scripts of another API level do not load, and the error has both levels")
    func unknown() throws {
        let error = #expect(throws: RouteError.self) {
            try Router(scripts: bundle("router.api(2)"), host: HeadlessHost())
        }
        #expect(error?.description == Self.message)
    }

    @Test(
        "a reload with scripts of another API level is rejected with the reason 'api'",
        arguments: [
            "router.api(2)", "router.api(0)", "router.api(-1)", "router.api(math.maxinteger)",
            "pcall(router.api, 2)", "pcall(router.api, 2) router.api(1)",
        ]
    )
    func reload(_ line: String) throws {
        let router = try Router(scripts: bundle(""), host: HeadlessHost())
        let rejection = router.reload(bundle(line)).rejection
        #expect(rejection?.reason == .api)
        #expect(rejection?.findings.count == 1)
        if line == "router.api(2)" { #expect(rejection?.findings[0].description == Self.message) }
        #expect(router.apiLevel == 1)
    }

    @Test(
        "an API level that is not an integer is a script error",
        arguments: ["router.api()", "router.api('1')", "router.api(1.5)"]
    )
    func noLevel(_ line: String) throws {
        let router = try Router(scripts: bundle(""), host: HeadlessHost())
        #expect(router.reload(bundle(line)).rejection?.reason != .api)
        #expect(router.reload(bundle(line)).rejection != nil)
    }
}
