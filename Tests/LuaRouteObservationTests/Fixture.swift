// SPDX-License-Identifier: MIT

import LuaRouteObservation
import LuaRouting

/// A router with a model as its host.
@MainActor
final class Fixture {
    static let script = """
        local register, screen, present = router.register, router.screen, router.present
        router.class("Page", { fields = { "id" } })
        router.class("Draft", {
          fields = { "locked" },
          dismissible = function(draft) return not draft.locked end,
          leaving = function() if not router.state.leaves then router.stop("unsaved") end end,
        })
        router.start(function()
          return router.tabs {
            router.nav { screen "Home" },
            router.split { router.nav { screen "List" }, screen "Page" },
          }
        end)
        local page = screen "Page"
        register("Page", "push", { build = page })
        register("Page", "sheet", { build = page, via = present { style = "formSheet" } })
        register("Page", "stack", { build = router.nav { page }, via = present { style = "formSheet" } })
        register("Page", "cover", { build = page, via = present {} })
        register("Page", "overlay", { build = page, via = present { contextual = true } })
        register("Page", "detail", { build = page, via = "pushToDetails" })
        register("Page", "draft", { build = screen "Draft" })
        register("Page", "draftSheet", { build = screen "Draft", via = present { style = "formSheet" } })
        register("Page", "draftDetail", { build = screen "Draft", via = "pushToDetails" })
        router.export("lock", function() router.find("Draft").locked = true end)
        router.export("set", function(info) info.page.id = info.id end)
        router.expects { tasks = { "App/work" } }
        """

    let model: RouterModel
    let router: Router
    /// The reasons why values that were set on bindings were ignored.
    private(set) var ignored: [String] = []

    init(_ other: RouterModel? = nil) throws {
        model = other ?? RouterModel()
        router = try Router(scripts: ScriptBundle(files: ["main.lua": Self.script]), host: model)
        model.connect(to: router)
        model.onIgnoredSet = { [unowned self] in ignored.append($0) }
        router.start()
    }

    var tree: String { router.treeNotation() }

    /// The trees of the model's windows as text.
    var shown: [String] {
        let printer = NotationPrinter(classes: router.classes)
        return model.windows.map { printer.tree(model.tree, window: $0.name) }
    }

    var draft: ScreenID? {
        router.tree.screens(under: root).first { router.tree[$0].class == "Draft" }
    }

    /// The visible leaf of the first window, as the model shows it.
    var visible: ScreenID { model.tree.visibleLeaf(of: model.tree.windows[0]) }

    var root: ScreenID { router.tree.windows[0].root }

    /// Returns the screen at a path of child indices, starting at the root.
    func child(_ path: Int...) -> ScreenID {
        path.reduce(root) { router.tree[$0].children[$1] }
    }

    @discardableResult
    func navigate(_ task: String, from screen: ScreenID? = nil) -> Navigation {
        var options = NavigationOptions()
        options.from = screen
        return router.navigate(Target("Page", task), options: options)
    }
}
