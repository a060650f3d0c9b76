// SPDX-License-Identifier: MIT

import LuaRouting
import Testing

struct RecyclingTests {
    static let script = """
        router.class("ShowPage", { fields = { "showId" } })
        router.register("ShowPage", "open", function(info)
          local page = router.reuse(function(page)
            return page.class == "ShowPage" and page.showId == info.showId
          end) or router.screen("ShowPage")
          page.showId = info.showId
          return page
        end)
        router.register("AudioPlayer", "open", {
          info = { trackId = "integer", title = "string?" },
          reuse = "class",
          build = function() return router.screen("AudioPlayer") end,
        })
        router.class("AudioPlayer", { fields = { "trackId", "title" } })
        router.start(function() return router.nav { router.screen("MainPage") } end)
        """

    @Test("recycling keeps a stack from growing without limit")
    func endlessStack() throws {
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": Self.script]),
            host: HeadlessHost()
        )
        router.start()
        router.navigate(Target("ShowPage", "open"), info: ["showId": 1])
        router.navigate(Target("AudioPlayer", "open"), info: ["trackId": 7])
        router.navigate(Target("ShowPage", "open"), info: ["showId": 2])
        router.navigate(Target("ShowPage", "open"), info: ["showId": 3])
        router.navigate(Target("AudioPlayer", "open"), info: ["trackId": 9])
        #expect(
            router.treeNotation()
                == "nav[MainPage, ShowPage(showId=1), AudioPlayer(trackId=9)]"
        )
    }
}
