// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import Testing
@_spi(Person) import UIKitStandin

/// The tests of the host, which run one after the other because there is only one device.
@Suite(.serialized)
enum HostTests {}

/// The view controller of a leaf, which knows its screen's number.
final class PageController: UIViewController, ScreenUpdating {
    private(set) var number: Int?
    private(set) var updates = 0

    func update(to screen: Screen) {
        number = screen.fields["id"].int
        updates += 1
    }
}

/// A view controller that no route shows.
final class LegacyController: UIViewController {}

/// A container of the app, which shows the selected child.
final class PagesController: UIViewController, ScreenContainer {
    private(set) var contents: [UIViewController] = []
    var selectedContent: UIViewController?

    func setContents(_ contents: [UIViewController], animated: Bool) {
        for old in self.contents where !contents.contains(old) { old.removeFromParent() }
        for new in contents { addChild(new) }
        self.contents = contents
    }
}

/// An app with a router, on its own device.
@MainActor
final class AppFixture {
    let device = Device.restart()
    let host = UIKitHost()
    let router: Router
    let window = UIWindow()
    var windows: [String: UIWindow]
    nonisolated static let script = """
        router.class("pages", { kind = "container", shows = "selected" })
        router.start(function() return router.nav { router.screen("Page", { id = 0 }) } end)
        local function given(info) return info.screen end
        local function register(name, via)
          router.register("Put", name, { info = { screen = "screen" }, build = given, via = via })
        end
        for _, action in ipairs {
          "push", "pushAsRoot", "pushReplacingLast", "present", "presentWithNav", "replaceRoot",
          "addTab", "setAsPrimary", "pushToDetails", "pushOnToDetails", "replaceLast",
        } do register(action, action) end
        register("sheet", router.present { style = "pageSheet" })
        register("form", router.present { style = "formSheet", modal = true })
        register("popover", router.present { style = "popover" })
        register("over", router.present { style = "overFullScreen", transition = "crossDissolve" })
        register("inPlace", router.present { contextual = true })
        register("overPlace", router.present { contextual = true, style = "overCurrentContext" })
        register("unknownStyle", router.present { style = "sheeet" })
        register("firstTab", router.addTab { at = 1 })
        -- Moves the last child of the stack into the new container, which takes its place.
        router.action("wrap", { needs = "nav" }, function(place, new, nav)
          local children = place.children
          local last = table.remove(children)
          table.insert(children, new)
          nav:setChildren(place, children)
          nav:setChildren(new, { last })
        end)
        register("wrap", "wrap")
        -- Moves the first child of the stack over it.
        router.action("lift", { needs = "nav" }, function(place, new, nav)
          local children = place.children
          local first = children[1]
          children[1] = new
          nav:setChildren(place, children)
          nav:act("present", new, first)
        end)
        register("lift", "lift")
        router.export("set", function(info)
          local screen = router.find {
            class = "Page", match = function(page) return page.id == info.id end,
          }
          screen.title = info.title
        end)
        router.options { policy = "parallel", foreign = "cover" }
        """

    init(_ script: String = AppFixture.script, isFollowed: Bool = true) throws {
        windows = ["main": window]
        var configuration = Router.Configuration(now: 0)
        configuration.applyTimeout = 10
        let log = Log()
        router = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: host,
            configuration: configuration,
            onEvent: { event in
                if event.kind == .log { log.lines.append(event["message"].text ?? "") }
            }
        )
        logged = log
        host.screens["Page"] = { _ in PageController() }
        host.screens["pages"] = { _ in PagesController() }
        host.popoverSource = { $1.view }
        window.makeKeyAndVisible()
        if isFollowed { host.follow(router, movesClock: false) }
        host.show("main", in: window)
    }

    private final class Log { var lines: [String] = [] }
    private let logged: Log
    var lines: [String] { logged.lines }

    /// Starts the router, and shows the first tree.
    func start() -> AppFixture {
        router.start()
        device.run(for: 1)
        return self
    }

    /// Advances the time of the device and of the router.
    func run(for seconds: Double) {
        // A driver would move the router's clock as often.
        var rest = seconds
        while rest > 0 {
            let step = min(rest, 0.5)
            device.run(for: step)
            router.advance(to: router.now + step)
            rest -= step
        }
        device.run()
    }

    /// Advances the time until the device and the router have nothing more to do.
    ///
    /// - Returns: Whether that was the case within a few minutes.
    func rest() -> Bool {
        device.run()
        var hasLooked = false
        for _ in 0..<1000 {
            let due = [device.nextEvent.map { $0 - device.time }, routerDue].compactMap(\.self)
                .min()
            guard let due else {
                guard !hasLooked else { return true }
                // The host looks at hidden view controllers later.
                device.run(for: 0.3)
                device.run()
                hasLooked = true
                continue
            }
            hasLooked = false
            device.run(for: due)
            router.advance(to: router.now + due)
            device.run()
        }
        return false
    }

    private var routerDue: Double? { router.nextDeadline.map { max($0 - router.now, 0) } }

    @discardableResult
    func put(
        _ action: String,
        _ screen: ScreenID,
        from place: ScreenID? = nil,
        animated: Bool = true
    ) -> Navigation {
        var options = NavigationOptions(isAnimated: animated)
        options.from = place
        return router.navigate(
            Target("Put", action),
            info: ["screen": .screen(screen)],
            options: options
        )
    }

    func page(_ number: Int) throws -> ScreenID { try router.screen("Page", ["id": .init(number)]) }

    /// Sets the tree to one that is given in tree notation, and shows it.
    func show(_ notation: String) throws {
        try router.setTree(TreeNotation(notation))
        device.run(for: 2)
    }

    var tree: String { router.treeNotation() }

    /// Returns the screens of a class or kind in the main window, in order.
    func screens(_ name: String) -> [ScreenID] {
        guard let root = router.tree.windows.first?.root else { return [] }
        return router.tree.screens(under: root).filter { router.tree[$0].class == name }
    }

    func screen(_ number: Int) -> ScreenID? {
        for window in router.tree.windows {
            for id in router.tree.screens(under: window.root)
            where router.tree[id].fields["id"].int == number { return id }
        }
        return nil
    }

    func controller<Controller: UIViewController>(_ id: ScreenID?) -> Controller? {
        id.flatMap { host.controller(of: $0) } as? Controller
    }

    var nav: UINavigationController? { controller(screens("nav").first) }
    var tabs: UITabBarController? { controller(screens("tabs").first) }
    var split: UISplitViewController? { controller(screens("split").first) }

    /// Returns the view controller of a screen that is inside another view controller: in a box, or
    /// in the navigation controller that UIKit puts around a column of a split view.
    func content(of controller: UIViewController) -> UIViewController {
        host.controller(isKnown: controller) ? controller : controller.children.first ?? controller
    }

    // MARK: The account of the windows

    /// The differences between the windows and the tree, of which there are none when the app is at
    /// rest.
    var differences: [String] {
        var differences: [String] = []
        let tree = router.tree
        for window in tree.windows {
            guard let root = windows[window.name]?.rootViewController else {
                differences.append("window '\(window.name)' shows nothing")
                continue
            }
            compare(window.root, root, isVisible: true, &differences)
        }
        for (name, window) in windows where tree.window(name) == nil {
            if window.rootViewController != nil {
                differences.append("window '\(name)' is not empty")
            }
        }
        return differences
    }

    /// Returns whether a modal is shown over a view controller.
    ///
    /// An alert counts even if it is over another view controller, because the app chooses the
    /// presenter.
    private func covers(_ modal: ScreenID, _ controller: UIViewController) -> Bool {
        let alert = host.controller(of: modal) as? UIAlertController
        return controller.presentedViewController != nil || alert?.presentingViewController != nil
    }

    /// Returns the number of visible bars of a stack and of the stacks in boxes on top of it.
    private func bars(of nav: UINavigationController) -> Int {
        let inner = nav.topViewController.flatMap { top in
            top is UINavigationController ? nil : content(of: top) as? UINavigationController
        }
        return (nav.isNavigationBarHidden ? 0 : 1) + (inner.map(bars) ?? 0)
    }

    private func compare(
        _ id: ScreenID,
        _ controller: UIViewController,
        isVisible: Bool,
        _ differences: inout [String]
    ) {
        let screen = router.tree[id]
        let title = "\(screen.class)#\(id.serial)"
        if host.controller(of: id) !== controller {
            differences.append("\(title) has another view controller: \(controller)")
        }
        var (children, selected): ([UIViewController], UIViewController?) = ([], nil)
        switch controller {
        case let nav as UINavigationController:
            let split = nav.splitViewController.flatMap { $0.isCollapsed ? $0 : nil }
            children = nav.viewControllers.filter { split?.isSecondary($0) != true }
            if bars(of: nav) > 1 { differences.append("\(title) shows several bars") }
            selected = children.last
        case let tabs as UITabBarController:
            (children, selected) = (tabs.shownTabs, tabs.shownTab)
        case let split as UISplitViewController:
            children = split.shownColumns
        case let pages as PagesController:
            (children, selected) = (pages.contents, pages.selectedContent)
        case let page as PageController:
            if page.number != screen.fields["id"].int {
                differences.append("\(title) shows \(page.number ?? -1)")
            }
        default: if screen.kind != .foreign { differences.append("\(title) is \(controller)") }
        }
        let contents = children.map(content)
        for case let stack as UINavigationController in contents.map(\.parent)
        where controller is UISplitViewController && !host.controller(isKnown: stack) {
            if stack.viewControllers.first !== contents.first(where: { $0.parent === stack }) {
                differences.append("a column of \(title) is pushed on another one")
            }
        }
        if contents.count != screen.children.count {
            differences.append("\(title) has \(contents.count) children: \(screen.children.count)")
        } else {
            let isCollapsed = (controller as? UISplitViewController)?.isCollapsed ?? false
            for (child, content) in zip(screen.children, contents) {
                // The app may have pushed something on the stack that UIKit puts around a column.
                let stack = content.parent as? UINavigationController
                let top = stack.flatMap {
                    host.controller(isKnown: $0) ? nil : $0.topViewController
                }
                let isCovered =
                    isCollapsed && child != screen.children.last
                    || screen.kind == .split && top != nil && top !== content
                let isShown =
                    isVisible && screen.visibleChildren.contains(child) && !isCovered
                    && !(screen.modal.map { covers($0, controller) } ?? false)
                compare(child, content, isVisible: isShown, &differences)
            }
        }
        if screen.shows == .selected, !children.isEmpty,
            selected !== children[min(screen.selection, children.count - 1)]
        {
            differences.append("\(title) has another selection")
        }
        var modal = controller.presentedViewController
            .flatMap { $0.presentingViewController === controller ? $0 : nil }
        if let shown = modal, shown is UIAlertController || shown.isContextMenu { modal = nil }
        if let alert = screen.modal, router.tree[alert].kind == .foreign,
            let shown = host.controller(of: alert) as? UIAlertController,
            shown.presentingViewController != nil
        {
            // The app presents it wherever it likes: the tree has it above the topmost level.
            modal = shown
        }
        switch (screen.modal, modal) {
        case (let id?, let modal?): compare(id, modal, isVisible: isVisible, &differences)
        case (let id?, nil):
            // A modal inside a container waits until its place is visible.
            let isLevel = router.tree.levelRoot(of: screen.id) == screen.id
            if isLevel || isVisible { differences.append("#\(id.serial) over \(title) is missing") }
        case (nil, let modal?): differences.append("over \(title) there is \(modal)")
        case (nil, nil): break
        }
    }
}

extension UIViewController {
    var isContextMenu: Bool { "\(type(of: self))".hasPrefix("_UIContextMenu") }
}

extension UIKitHost {
    func controller(isKnown controller: UIViewController) -> Bool {
        guard let id = screen(of: controller) else { return false }
        return self.controller(of: id) === controller
    }
}
