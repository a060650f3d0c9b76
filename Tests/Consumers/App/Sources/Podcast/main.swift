// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting

/// Ends the program if a condition is false.
func check(_ condition: Bool, _ what: String) {
    guard condition else {
        print("failed: \(what)")
        exit(1)
    }
}

/// Calls routes and tasks of the podcast scripts.
@MainActor func run() async throws {
    var configuration = Router.Configuration()
    configuration.contract = Routes.contract
    let scripts = try ScriptBundle(path: "scripts/podcast")
    let router = try Router(scripts: scripts, host: HeadlessHost(), configuration: configuration)
    try await router.start()

    // Routes and tasks are members: a wrong parameter does not compile.
    try await router.navigate(.showPage(showId: 1))
    try await router.navigate(.audioPlayer(trackId: 7))
    let settings = try await router.doTask(.settingsLoad(user: "ann"))
    check(settings.theme == .dark, "the theme is dark")
    check(
        try await router.doTask(.orderOpen(order: "A1", price: 9.5)) == .asked,
        "a login is shown"
    )
    try await router.dismiss()

    // The fields of screens have types too.
    let leaf = router.tree[router.tree.visibleLeaf(of: router.tree.windows[0])]
    guard let player = try Routes.Screens.AudioPlayer(leaf) else {
        print("failed: the player is visible, got \(leaf.class)")
        exit(1)
    }
    check(player.trackId == 7, "the player plays track 7")

    // Scripts that drop a route which the app calls are rejected; the last good ones stay active.
    let broken = ScriptBundle(files: [
        "main.lua":
            #"router.register("MainPage", "open", { info = {}, build = router.screen "MainPage" })"#
    ])
    do throws(RouteError) {
        try await router.reload(broken)
        check(false, "the reload is rejected")
    } catch {
        check(
            error.findings.contains {
                $0.message.hasPrefix("route 'AudioPlayer/open' is not registered")
            },
            "the finding names the route: \(error.findings)"
        )
    }
    try await router.navigate(.showPage(showId: 2))
    router.shutDown()
}

try await run()
print("ok")
