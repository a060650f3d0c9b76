// SPDX-License-Identifier: MIT

import LuaRouting

/// The Swift examples of the documentation, word for word, so that they compile.
///
/// `DocumentationTests` looks for each of them here.
enum DocumentationExamples {
    static func readme(app: any Host) throws {
        let router = try Router(bundle: Bundle(path: "routes"), host: app)
        router.start()
        router.navigate(Target("Product", "show"), info: ["id": 1]) { navigation in
            print(navigation.status)
        }
    }

    static func router() throws {
        let bundle = try Bundle(path: "scripts/podcast")
        let router = try Router(bundle: bundle, host: HeadlessHost())
        router.start()
        router.navigate(Target("ShowPage", "open"), info: ["showId": 1])
    }

    static func overview() throws -> (Router, Navigation) {
        let bundle = Bundle(files: [
            "main.lua": """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", function(info)
              return router.screen("Page", { id = info.id })
            end)
            """
        ])
        let router = try Router(bundle: bundle, host: HeadlessHost())
        router.start()
        let navigation = router.navigate(Target("Page", "show"), info: ["id": 7])
        print(router.treeNotation())  // nav[Home, Page(id=7)]
        return (router, navigation)
    }
}
