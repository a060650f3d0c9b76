// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting

// The scripts are those of the README's first example.
let script = """
    local nav, register, screen = router.nav, router.register, router.screen
    router.start(function() return nav { screen("Home") } end)
    register("Product", "show", { info = { id = "integer" }, reuse = { by = "id" }, build = screen("Product") })
    register("Basket", "show", { build = screen("Basket"), via = "presentWithNav" })
    """
let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
try script.write(to: folder.appending(path: "main.lua"), atomically: true, encoding: .utf8)

let shop = try Shop(scripts: folder)
shop.productTapped(7)
await shop.showBasket()

let shown = shop.host.root?.children.map(\.name)
guard shown == ["Home", "Product"], shop.host.root?.modal?.children.first?.name == "Basket" else {
    print("the hierarchy is not equal to the tree: \(shop.router.treeNotation())")
    exit(1)
}
shop.router.shutDown()
print("ok")
