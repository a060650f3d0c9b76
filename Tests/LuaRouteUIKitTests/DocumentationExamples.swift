// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import UIKitStandin

/// The examples of the documentation comments and of the articles, word for word.
@MainActor
enum DocumentationExamples {
    final class HomeController: UIViewController {}

    enum Updating {
        final class ProductController: UIViewController, ScreenUpdating {
            func update(to screen: Screen) { title = screen.fields["name"].text }
        }
    }

    final class ProductController: UIViewController {
        let id: Int

        init(id: Int) {
            self.id = id
            super.init(nibName: nil, bundle: nil)
        }

        required init?(coder: NSCoder) { nil }
    }

    static func host(scripts: ScriptBundle, window: UIWindow) throws {
        let host = UIKitHost()
        host.screens["Home"] = { _ in HomeController() }
        host.screens["Product"] = { screen in ProductController(id: screen.fields["id"].int ?? 0) }
        let router = try Router(scripts: scripts, host: host)
        host.follow(router)
        host.show("main", in: window)
        router.start()
    }

    final class SizesController: UIViewController {
        let host = UIKitHost()

        func close(_ router: Router) {
            if let screen = host.screen(of: self) { router.close(screen, value: "M") }
        }
    }

    static func adopting(_ host: UIKitHost, _ window: UIWindow) throws {
        try host.adopt(window) { controller in
            (controller as? ProductController).map {
                ScreenDescription(class: "Product", fields: ["id": .init($0.id)])
            }
        }
    }

    final class MyDelegate: NSObject, UITabBarControllerDelegate,
        UIAdaptivePresentationControllerDelegate
    {
        let host: UIKitHost
        init(_ host: UIKitHost) { self.host = host }

        func tabBarController(
            _ tabs: UITabBarController,
            shouldSelect tab: UIViewController
        ) -> Bool {
            host.shouldSelect(tab, in: tabs)
        }

        @available(iOS 18, tvOS 18, visionOS 2, *)
        func tabBarController(_ tabs: UITabBarController, shouldSelectTab tab: UITab) -> Bool {
            tab.viewController.map { host.shouldSelect($0, in: tabs) } ?? true
        }

        func presentationControllerDidAttemptToDismiss(_ presentation: UIPresentationController) {
            host.didAttemptToDismiss(presentation)
        }
    }

    /// The alerts of the article about trees.
    static func asking(_ host: UIKitHost, over presenter: UIViewController) {
        var alerts: [Int: UIAlertController] = [:]
        host.onTask = { [weak presenter] task in
            let alert = UIAlertController(
                title: task.info["title"].text,
                message: nil,
                preferredStyle: .alert
            )
            for (title, isYes) in [("Discard", true), ("Keep", false)] {
                alert.addAction(
                    UIAlertAction(title: title, style: isYes ? .destructive : .cancel) { _ in
                        task.end(true, .boolean(isYes))
                    }
                )
            }
            alerts[task.id] = alert
            presenter?.present(alert, animated: true)
        }
        host.onCancelTask = { task in
            alerts.removeValue(forKey: task.id)?.dismiss(animated: true)
        }
    }

    final class PagesController: UIViewController, ScreenContainer {
        private(set) var contents: [UIViewController] = []
        var selectedContent: UIViewController?

        func setContents(_ contents: [UIViewController], animated: Bool) {
            for old in self.contents where !contents.contains(old) { old.removeFromParent() }
            for new in contents { addChild(new) }
            self.contents = contents
        }
    }
}
