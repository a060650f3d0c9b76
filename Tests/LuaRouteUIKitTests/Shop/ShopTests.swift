// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteUIKit
import LuaRouting
import ScenarioTesting
import Testing
@_spi(Person) import UIKitStandin

extension HostTests {
    /// The shop of the article "Your first route, from `import UIKit`".
    @MainActor
    struct ShopTests {
        private let device = Device.restart()
        private let window = UIWindow()

        nonisolated private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

        private func text(_ path: String) throws -> String {
            let url = Self.folder.appending(path: path).standardized
            return try String(contentsOf: url, encoding: .utf8)
        }

        private func shop(in window: UIWindow? = nil) throws -> Shop {
            let scripts = try ScriptBundle(
                path: Self.folder.appending(path: "main.lua").path(percentEncoded: false)
            )
            let shop = try Shop(scripts: scripts, movesClock: false)
            shop.host.show("main", in: window ?? self.window)
            shop.router.start()
            device.run(for: 1)
            return shop
        }

        @Test("a button shows a product, and a swipe goes back to the list")
        func button() throws {
            let shop = try shop()
            let tabs = try #require(window.rootViewController as? UITabBarController)
            let nav = try #require(tabs.selectedViewController as? UINavigationController)
            let home = try #require(nav.topViewController as? HomeController)
            home.productTapped(7)
            device.run(for: 1)
            #expect(shop.router.treeNotation() == "tabs[*nav[Home, Product(id=7)], nav[Basket]]")
            #expect(nav.topViewController?.title == "Product 7")
            nav.swipeBack()
            device.run(for: 1)
            #expect(shop.router.treeNotation() == "tabs[*nav[Home], nav[Basket]]")
        }

        @Test("a sheet returns the size that the user tapped, or no result if it was pulled down")
        func sizes() async throws {
            let shop = try shop()
            shop.router.go(Target("Product", "show"), info: ["id": 7])
            device.run(for: 1)
            let id = shop.router.tree.visibleLeaf(of: shop.router.tree.windows[0])
            let product = try #require(shop.host.controller(of: id) as? ProductController)
            for (tap, size) in [("M", "M"), (nil, "none")] {
                let picking = Task { await product.pickSize() }
                while shop.router.tree.windows[0].name != "main" || visible(shop) == "Product" {
                    await Task.yield()
                }
                device.run(for: 1)
                let sheet = shop.router.tree.visibleLeaf(of: shop.router.tree.windows[0])
                let sizes = try #require(shop.host.controller(of: sheet) as? SizesController)
                #expect(sizes.sheetPresentationController?.detents.map(\.identifier) == [.medium])
                if let tap { sizes.sizeTapped(tap) } else { sizes.pullDown() }
                device.run(for: 1)
                await picking.value
                #expect(product.size == size)
            }
        }

        private func visible(_ shop: Shop) -> String {
            let tree = shop.router.tree
            return tree[tree.visibleLeaf(of: tree.windows[0])].class
        }

        @Test(
            "a shop is released after its router is shut down, even if view controllers reference the shop"
        )
        func released() throws {
            weak var shop: Shop?
            do {
                let open = try self.shop(in: UIWindow())
                #expect(open.host.controller(of: open.router.tree.windows[0].root) != nil)
                shop = open
                open.router.shutDown()
                device.run(for: 1)
            }
            #expect(shop == nil)
        }

        @Test("the scenarios of the article pass", arguments: Scenarios(in: folder))
        func scenario(_ scenario: Scenario) async throws { try await scenario.run() }

        @Test(
            "the scenarios of the article pass with the host of the shop app",
            arguments: Scenarios(in: folder)
        )
        func app(_ scenario: Scenario) async throws {
            let time = Task {
                while !Task.isCancelled {
                    Device.current.run(for: 0.1)
                    await Task.yield()
                }
            }
            defer { time.cancel() }
            try await run(scenario)
        }

        @MainActor
        func run(_ scenario: Scenario) async throws {
            var shops: [Shop] = []
            try await scenario.run { router in
                let shop = Shop(router: router, host: UIKitHost(), movesClock: false)
                shop.host.show("main", in: UIWindow())
                shops.append(shop)
                return shop.host
            }
            #expect(!shops.isEmpty)
        }

        @Test("the article contains the scripts and scenarios that these tests run")
        func article() throws {
            let article = try text(
                "../../../Sources/LuaRouting/Documentation.docc/FirstRouteOnUIKit.md"
            )
            #expect(article.contains(try text("main.lua")))
            #expect(article.contains(try text("shop.scenario")))
        }
    }
}
