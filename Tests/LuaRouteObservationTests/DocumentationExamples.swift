// SPDX-License-Identifier: MIT

import LuaRouteObservation
import LuaRouting
import Testing

/// The app of the article "Your first route, from `import SwiftUI`".
@MainActor
final class ObservedShop {
    let model = RouterModel()
    let router: Router
    /// Moves the router's clock: timeouts and timers.
    private let driver: RouterDriver

    init(scripts: ScriptBundle) throws {
        router = try Router(scripts: scripts, host: model)
        driver = RouterDriver(router)
        model.connect(to: router)
        model.onIgnoredSet = { reason in print(reason) }
        router.start()
    }
}

/// The Swift examples of this library's documentation, word for word, so that they compile.
///
/// `DocumentationTests` of `LuaRouting` looks for each of them here.
@MainActor
struct DocumentationExamples {
    @Test("the example of a connected model shows the first tree")
    func connecting() throws {
        let bundle = ScriptBundle(files: ["main.lua": Fixture.script])
        let model = RouterModel()
        let router = try Router(scripts: bundle, host: model)
        let driver = RouterDriver(router)
        model.connect(to: router)
        router.start()
        #expect(model.windows.count == 1)
        #expect(driver.router === router)
    }

    @MainActor
    private struct ProductView {
        let id: ScreenID
        init(_ id: ScreenID) { self.id = id }
        func onAppear(_ act: @MainActor () -> Void) { act() }
    }

    private func appearing(_ model: RouterModel, _ id: ScreenID) {
        ProductView(id).onAppear { model.appeared(id) }
    }

    @Test("the app in the article shows a screen after a timer of the scripts fires")
    func timer() async throws {
        let script = """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Late", "show", {
              build = router.screen "Late", via = "push",
              intercept = function() router.sleep(0.01) end,
            })
            """
        let shop = try ObservedShop(scripts: ScriptBundle(files: ["main.lua": script]))
        try await shop.router.navigate(Target("Late", "show"))
        let root = try #require(shop.model[window: "main"])
        #expect(shop.model[path: root].map { shop.model[screen: $0]?.class } == ["Late"])
    }

    @Test("the example of a sheet prints its style")
    func sheet() throws {
        let fixture = try Fixture()
        let (model, root) = (fixture.model, fixture.root)
        fixture.navigate("sheet")
        func print(_ style: String) { #expect(style == "formSheet") }
        let sheet = model[sheet: root]
        print(sheet?.presentation.style ?? "none")  // formSheet
    }
}
