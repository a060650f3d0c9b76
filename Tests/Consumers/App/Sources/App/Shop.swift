// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting

/// An app, with a function for each action of its user.
final class Shop {
    let host = ShopHost()
    private let router: Router
    private let driver: RouterDriver

    init() throws {
        router = try Router(scripts: ScriptBundle(files: ["main.lua": shopScript]), host: host)
        // Moves the router's clock, for timeouts.
        driver = RouterDriver(router)
    }

    /// The view hierarchy of the window.
    var text: String { stack?.text ?? "" }

    private var stack: Stack? { host.windows["main"]?.root as? Stack }

    func launch() async throws { try await router.start() }

    func tapProduct(_ id: Int) { router.go(Target("Product", "show"), info: ["id": id]) }

    func tapOrders() -> Task<Arrival, any Error> {
        Task { try await router.navigate(Target("Orders", "show")) }
    }

    /// Shows the login screen, and returns the name of the user; nil if the user does not log in.
    func login() async throws -> String? {
        try await router.result(of: Target("Login", "show"))?.text
    }

    /// Ends the login with a name, as the button of the login screen does.
    func confirmLogin(_ name: String) async throws {
        guard let login = stack?.modal as? Stack, let page = login.pages.first.flatMap(host.screen)
        else { return }
        try await router.close(page, value: Value(name))
    }

    /// Removes the last page of the stack, as the UI framework does when the user swipes back.
    func swipeBack() {
        guard let stack, let id = host.screen(stack) else { return }
        stack.pages.removeLast()
        router.report(.children(stack.pages.compactMap(host.screen), of: id))
    }

    /// Dismisses the sheet, as the UI framework does when the user pulls the sheet down.
    func pullSheet() {
        guard let stack, let id = host.screen(stack) else { return }
        stack.modal = nil
        router.report(.dismissed(presenter: id))
    }

    /// The screens that are shown from now on.
    var shown: AsyncStream<Shown> { router.shown }

    func open(_ link: URL) async throws {
        try await router.open(link.absoluteString, origin: .external)
    }

    func quit() {
        driver.stop()
        router.shutDown()
    }
}
