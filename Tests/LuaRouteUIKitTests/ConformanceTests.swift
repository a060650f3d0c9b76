// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import ScenarioTesting
import Testing
import UIKitStandin

extension HostTests {
    /// The host as any other one.
    @MainActor
    struct ConformanceTests {
        /// The windows of one app.
        @MainActor
        private final class App {
            let host = UIKitHost()
            var windows: [String: UIWindow] = [:]

            init(_ router: Router) {
                for page in ["Page", "Item"] { host.screens[page] = { _ in PageController() } }
                host.openWindow = { [unowned self] name in show(name) }
                host.closeWindow = { [unowned self] name, _ in windows[name] = nil }
                host.follow(router, movesClock: false)
                show("main")
            }

            private func show(_ name: String) {
                windows[name] = UIWindow()
                host.show(name, in: windows[name] ?? UIWindow())
            }

            /// Does what a person would do: by a gesture, or else by a button of the app.
            func act(_ report: Report, _ router: Router) {
                func press(_ remove: () -> Void) {
                    if case .done = router.leave(by: report) { remove() }
                }
                switch report {
                case .dismissed(let presenter):
                    let modal = router.tree[presenter].modal.flatMap { host.controller(of: $0) }
                    guard let modal else { return }
                    let isSheet = modal.presentationController is UISheetPresentationController
                    if isSheet, modal.presentedViewController == nil {
                        modal.pullDown()
                    } else {
                        press { modal.presentingViewController?.dismiss(animated: true) }
                    }
                case .children(let rest, let container):
                    switch host.controller(of: container) {
                    case let nav as UINavigationController
                    where nav.viewIfLoaded?.window != nil
                        && rest.count == nav.viewControllers.count - 1:
                        if rest.count.isMultiple(of: 2) { nav.tapBack() } else { nav.swipeBack() }
                    case let nav as UINavigationController:
                        press {
                            nav.viewControllers = Array(nav.viewControllers.prefix(rest.count))
                        }
                    case let split as UISplitViewController:
                        press { split.setViewController(nil, for: .secondary) }
                    default: break
                    }
                case .selected(let tab), .reselected(let tab):
                    let id = router.tree[tab].kind == .tabs ? tab : router.tree[tab].parent ?? tab
                    guard let tabs = host.controller(of: id) as? UITabBarController else { return }
                    let selected =
                        id == tab ? tabs.selectedViewController : host.controller(of: tab)
                    guard let selected,
                        tabs.delegate?.tabBarController(tabs, shouldSelect: selected) ?? true
                    else { return }
                    tabs.selectedViewController = selected
                case .closed(let name):
                    windows[name] = nil
                    host.windowClosed(name)
                default: break
                }
            }

            private func account(of controller: UIViewController) -> ShownScreen {
                // Around what cannot be pushed, there is a box.
                let known = host.screen(of: controller).flatMap { host.controller(of: $0) }
                let content =
                    known === controller ? controller : controller.children.first ?? controller
                var shown = ShownScreen(name(of: content), view: content)
                switch content {
                case let nav as UINavigationController:
                    shown.children = nav.viewControllers.map(account)
                case let tabs as UITabBarController:
                    let children = tabs.viewControllers ?? []
                    shown.children = children.map(account)
                    shown.selection = children.firstIndex { $0 === tabs.selectedViewController }
                case let split as UISplitViewController:
                    shown.children = split.shownColumns.map(account)
                default:
                    let number = (content as? PageController)?.number
                    shown.fields = ["id": number.map { Value($0) } ?? .nil]
                }
                if let modal = content.presentedViewController,
                    modal.presentingViewController === content
                {
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
                default:
                    host.screen(of: controller).flatMap { host.router?.tree.class(of: $0) }
                        ?? "none"
                }
            }

            var shown: [ShownWindow] {
                windows.compactMap { name, window in
                    window.rootViewController.map { ShownWindow(name, root: account(of: $0)) }
                }
            }
        }

        @Test("the host passes the conformance test of any host")
        func conforms() async {
            for seed in 1...2 as ClosedRange<UInt64> {
                let device = Device.restart()
                let time = Task {
                    while !Task.isCancelled {
                        device.run(for: 0.1)
                        await Task.yield()
                    }
                }
                var apps: [ObjectIdentifier: App] = [:]
                await HostConformance.run(seed: seed) { router in
                    let app = App(router)
                    apps[ObjectIdentifier(app.host)] = app
                    return app.host
                } person: { host, report in
                    guard let app = apps[ObjectIdentifier(host)], let router = host.router else {
                        return
                    }
                    device.perform { app.act(report, router) }
                } shown: { host in
                    device.run(for: 2)
                    return apps[ObjectIdentifier(host)]?.shown ?? []
                }
                time.cancel()
                await time.value
                #expect(device.exceptions == [])
            }
        }
    }
}
