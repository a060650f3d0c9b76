// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import UIKitStandin

import class Foundation.Bundle

@MainActor
final class Shop {
    let host: UIKitHost
    let router: Router

    convenience init(scripts: ScriptBundle, movesClock: Bool = true) throws {
        let host = UIKitHost()
        let router = try Router(scripts: scripts, host: host)
        self.init(router: router, host: host, movesClock: movesClock)
    }

    /// Creates a shop for a router that exists already, such as the router of a test.
    init(router: Router, host: UIKitHost, movesClock: Bool = true) {
        (self.router, self.host) = (router, host)
        host.screens["Home"] = { [weak self] _ in
            self.map { HomeController($0) } ?? UIViewController()
        }
        host.screens["Basket"] = { _ in BasketController() }
        host.screens["Product"] = { [weak self] _ in
            self.map { ProductController($0) } ?? UIViewController()
        }
        host.screens["Sizes"] = { [weak self] _ in
            self.map { SizesController($0) } ?? UIViewController()
        }
        router.onEvent = { event in
            // Reloads, and failures of navigations that no code awaits.
            if event.kind == .log || event.kind == .reload { print(event.json) }
        }
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

    /// Called when the user taps a button.
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

final class UnavailableController: UIViewController {}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var shop: Shop?

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        do {
            let shop = try Shop(scripts: ScriptBundle(path: Bundle.main.bundlePath + "/Routes"))
            self.shop = shop
            let host = shop.host
            window = host.connect(scene, to: session, options: connectionOptions) { window, error in
                if error != nil { window.rootViewController = UnavailableController() }
            }
        } catch {
            // The scripts in the app do not load. Run a test that loads them before each release.
            fatalError("\(error)")
        }
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        shop?.host.open(URLContexts)
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        shop?.host.continue(userActivity)
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        shop?.host.restorationActivity()
    }

    func sceneDidDisconnect(_ scene: UIScene) {
        shop?.router.shutDown()
    }
}
