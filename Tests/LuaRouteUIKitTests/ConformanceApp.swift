// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import ScenarioTesting
import UIKitStandin

/// The windows of one app, for `HostConformance`.
///
/// Apart from `PageController`, the file uses only names of UIKit. An app can copy it if it imports
/// UIKit and replaces `PageController` with its own view controllers.
@MainActor
class ConformanceApp {
    let host = UIKitHost()
    private(set) var windows: [String: UIWindow] = [:]

    init(_ router: Router) {
        for page in ["Page", "Item"] { host.screens[page] = { _ in PageController() } }
        host.openWindow = { [unowned self] name in show(name) }
        host.closeWindow = { [unowned self] name, _ in windows[name] = nil }
        host.follow(router, movesClock: false)
        show("main")
    }

    private func show(_ name: String) {
        let window = UIWindow()
        windows[name] = window
        host.show(name, in: window)
    }

    /// Performs an action of the user with code that asks guarded screens, as a gesture does.
    func act(_ report: Report, _ router: Router) {
        switch report {
        case .dismissed(let presenter):
            guard let id = router.tree[presenter].modal, let modal = host.controller(of: id) else {
                return
            }
            remove([id], router) { modal.presentingViewController?.dismiss(animated: true) }
        case .children(let rest, let container):
            let removed = router.tree[container].children.filter { !rest.contains($0) }
            let controller = host.controller(of: container)
            remove(removed, router) {
                if let nav = controller as? UINavigationController {
                    nav.viewControllers = Array(nav.viewControllers.prefix(rest.count))
                } else {
                    (controller as? UISplitViewController)?.setViewController(nil, for: .secondary)
                }
            }
        case .pushed(_, _, let stack):
            let nav = host.controller(of: stack) as? UINavigationController
            nav?.pushViewController(UIViewController(), animated: false)
        case .selected(let tab):
            let tabs = router.tree[tab].parent.flatMap { host.controller(of: $0) }
            guard let tabs = tabs as? UITabBarController else { return }
            select(host.controller(of: tab), in: tabs)
        case .reselected(let id):
            guard let tabs = host.controller(of: id) as? UITabBarController else { return }
            select(tabs.selectedViewController, in: tabs)
        case .closed(let name):
            windows[name] = nil
            host.windowClosed(name)
        default: break
        }
    }

    private func remove(_ screens: [ScreenID], _ router: Router, _ act: () -> Void) {
        switch router.guard(of: screens) {
        case .free: act()
        case .asks: router.close(screens[0], options: NavigationOptions(origin: .person))
        case .never: break
        }
    }

    private func select(_ tab: UIViewController?, in tabs: UITabBarController) {
        guard let tab, tabs.delegate?.tabBarController(tabs, shouldSelect: tab) ?? true else {
            return
        }
        tabs.selectedViewController = tab
    }

    // MARK: The account

    /// The contents of the windows on screen.
    var shown: [ShownWindow] {
        windows.compactMap { name, window in
            window.rootViewController.map { ShownWindow(name, root: account(of: $0)) }
        }
    }

    private func account(of controller: UIViewController) -> ShownScreen {
        // Around what cannot be pushed, there is a box.
        let known = host.screen(of: controller).flatMap { host.controller(of: $0) }
        let content = known === controller ? controller : controller.children.first ?? controller
        var shown = ShownScreen(name(of: content), view: content)
        switch content {
        case let nav as UINavigationController: shown.children = nav.viewControllers.map(account)
        case let tabs as UITabBarController:
            let children = tabs.viewControllers ?? []
            shown.children = children.map(account)
            shown.selection = children.firstIndex { $0 === tabs.selectedViewController }
        case let split as UISplitViewController:
            shown.children = [.primary, .secondary].compactMap { split.viewController(for: $0) }
                .map(account)
        default:
            let number = (content as? PageController)?.number
            shown.fields = ["id": number.map { Value($0) } ?? .nil]
        }
        if let modal = content.presentedViewController, modal.presentingViewController === content {
            shown.modal = account(of: modal)
        } else if let tree = host.router?.tree, content.viewIfLoaded?.window == nil,
            let modal = host.screen(of: content).flatMap({ tree.screen($0)?.modal }),
            tree[modal].presentation.isContextual
        {
            // UIKit cannot present it before its place is visible.
            shown.modal = host.controller(of: modal).map(account)
        }
        return shown
    }

    private func name(of controller: UIViewController) -> String {
        switch controller {
        case is UINavigationController: "nav"
        case is UITabBarController: "tabs"
        case is UISplitViewController: "split"
        // The pages of the two classes look the same.
        default: host.screen(of: controller).flatMap { host.router?.tree.class(of: $0) } ?? "none"
        }
    }
}
