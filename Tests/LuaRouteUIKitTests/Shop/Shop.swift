// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import UIKitStandin

@MainActor
final class Shop {
    let host = UIKitHost()
    let router: Router

    init(scripts: ScriptBundle, movesClock: Bool = true) throws {
        router = try Router(scripts: scripts, host: host)
        host.screens["Home"] = { [unowned self] _ in HomeController(self) }
        host.screens["Basket"] = { _ in BasketController() }
        host.screens["Product"] = { [unowned self] _ in ProductController(self) }
        host.screens["Sizes"] = { [unowned self] _ in SizesController(self) }
        host.follow(router, movesClock: movesClock)
    }
}

final class HomeController: UIViewController {
    let shop: Shop

    init(_ shop: Shop) {
        self.shop = shop
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    /// The action of a button.
    func productTapped(_ id: Int) {
        shop.router.go(Target("Product", "show"), info: ["id": id])
    }
}

final class ProductController: UIViewController, ScreenUpdating {
    let shop: Shop
    private(set) var id = 0
    private(set) var size = "none"

    init(_ shop: Shop) {
        self.shop = shop
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    func update(to screen: Screen) {
        id = screen.fields["id"].int ?? 0
        title = "Product \(id)"
    }

    func pickSize() async {
        do {
            let picked = try await shop.router.result(of: Target("Sizes", "pick"))
            size = picked?.text ?? "none"
        } catch {
            size = error.message
        }
    }
}

final class SizesController: UIViewController {
    let shop: Shop

    init(_ shop: Shop) {
        self.shop = shop
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    func sizeTapped(_ size: String) {
        guard let screen = shop.host.screen(of: self) else { return }
        shop.router.close(screen, value: Value(size))
    }
}

final class BasketController: UIViewController {}
