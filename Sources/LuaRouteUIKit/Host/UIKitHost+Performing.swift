// SPDX-License-Identifier: MIT

internal import LuaRouting

#if canImport(UIKit)
internal import UIKit
#else
internal import UIKitStandin
#endif

extension UIKitHost {
    /// Makes the view controller of a screen.
    ///
    /// - Throws: The error of the app, or ``HostError`` if the app makes no view controller for the
    ///   class, or returns a view controller that cannot contain the children of a screen of this
    ///   kind.
    func makeController(of screen: Screen) throws -> UIViewController {
        let name = screen.class
        guard let make = screens[name] else {
            switch screen.kind {
            case .nav: return UINavigationController()
            case .tabs: return UITabBarController()
            case .split: return UISplitViewController(style: .doubleColumn)
            case .leaf, .container, .foreign:
                throw HostError(
                    "'screens' of the host has no view controller for '\(name)'"
                        + Suggestion.hint(for: name, among: screens.keys.sorted())
                )
            }
        }
        let controller = try make(screen)
        let (isRight, expected) =
            switch screen.kind {
            case .nav: (controller is UINavigationController, "UINavigationController")
            case .tabs: (controller is UITabBarController, "UITabBarController")
            case .split: (controller is UISplitViewController, "UISplitViewController")
            case .container: (controller is any ScreenContainer, "ScreenContainer")
            case .leaf, .foreign: (true, "")
            }
        guard isRight else {
            throw HostError("the view controller for '\(name)' is not \(expected.withArticle)")
        }
        if let other = registry.identities[ObjectIdentifier(controller)] {
            throw HostError(
                "the view controller for '\(name)' already belongs to screen \(other.serial): return a new view controller"
            )
        }
        return controller
    }

    /// Makes the view controllers that are missing, and updates the fields of existing ones.
    func prepareContents(of tree: ScreenTree, in scope: Scope? = nil) throws {
        for window in tree.windows {
            try tree.visit(window.root, in: scope) { screen in
                // A foreign screen belongs to the app, which may have reported it without a view
                // controller.
                let isAbsent = screen.kind == .foreign && screens[screen.class] == nil
                if registry.controllers[screen.id] == nil, !isAbsent {
                    registry.add(try makeController(of: screen), as: screen.id)
                }
                if screen.kind == .tabs {
                    // The fields of the skipped children are unchanged.
                    setItems(of: screen.children.filter { scope?.skips($0) != true }, in: tree)
                }
                guard screen.kind != .foreign,
                    let updating = registry.controllers[screen.id] as? any ScreenUpdating,
                    registry.fields[screen.id] != screen.fields
                else { return }
                registry.fields[screen.id] = screen.fields
                updating.update(to: screen)
            }
        }
    }

    /// Sets the tab bar items of tabs whose fields have changed.
    private func setItems(of tabs: [ScreenID], in tree: ScreenTree) {
        for id in tabs {
            let tab = tree[id]
            let hasOwn = tab.fields.count > 0 || tab.kind != .nav
            let fields =
                hasOwn ? tab.fields : tab.children.first.map { tree[$0].fields } ?? Fields()
            guard registry.tabFields[id] != fields, let controller = registry.controllers[id] else {
                continue
            }
            registry.tabFields[id] = fields
            guard let item = tabItem(fields) else { continue }
            controller.tabBarItem = item
            (tab.parent.flatMap { registry.controllers[$0] } as? UITabBarController)?
                .updateTab(of: controller)
        }
    }

    /// Performs a step.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - tree: The tree that is being shown.
    ///   - reading: The hierarchy from which the step was computed.
    ///   - isAnimated: Whether to animate the step if it is visible.
    /// - Throws: ``HostError`` if there is no window, or a popover has no anchor.
    func perform(
        _ step: Step,
        _ tree: ScreenTree,
        from reading: Reading,
        isAnimated: Bool
    ) throws {
        switch step {
        case .open(let name):
            guard let openWindow else {
                let fix =
                    name == "main"
                    ? "call 'connect', or 'show(\"main\", in: window)', before 'start' of the router"
                    : "set 'openWindow'"
                throw HostError("the host has no window '\(name)': \(fix)")
            }
            openWindow(name)
        case .close(let name):
            let window = registry.windows[name]
            guard dismissModals(of: window) else { return }
            registry.used.remove(name)
            window?.rootViewController = nil
            // If the first tree could not be shown, the next start of the router needs the window.
            guard let window, !tree.windows.isEmpty else { return }
            registry.windows[name] = nil
            closeWindow?(name, window)
        case .root(let item, let name):
            let window = registry.windows[name]
            guard dismissModals(of: window) else { return }
            window?.rootViewController = item.flatMap(controller)
        case .dismiss(let item):
            let modal = reading.hierarchy[item].modal.flatMap { controller($0, reading) }
            modal?.presentingViewController?.dismiss(animated: isAnimated)
        case .detach(let items, let id):
            guard let container = registry.controllers[id] else { return }
            let remaining = reading.hierarchy[.screen(id)].children.filter { !items.contains($0) }
            set(remaining, of: container, reading, isAnimated: false)
            // UIKit may have kept some of the children.
            let kept = children(of: container).map(registry.item)
            for case .screen(let child) in items where !kept.contains(.screen(child)) {
                registry.unbox(child)
            }
        case .children(let items, let id):
            guard let container = registry.controllers[id] else { return }
            set(items, of: container, reading, isAnimated: isAnimated)
        case .select(let item, let id):
            select(controller(item), in: registry.controllers[id])
        case .present(let id, let item):
            guard let modal = registry.controllers[id], var presenter = controller(item) else {
                return
            }
            while let ignored = presenter.ownModal {
                // A context menu would dismiss the screen together with itself.
                if ignored.isOfSystem { return presenter.dismiss(animated: false) }
                presenter = ignored
            }
            let screen = tree[id]
            let source = popoverSource?(screen, presenter)
            try screen.presentation.apply(to: modal, from: presenter, source: source)
            presenter.present(modal, animated: isAnimated)
        case .wait: break
        }
    }

    /// Dismisses the modal of a window's root, such as a context menu, which would otherwise stay
    /// above the next root.
    ///
    /// - Returns: Whether no modal is left over the root.
    private func dismissModals(of window: UIWindow?) -> Bool {
        guard let root = window?.rootViewController, root.presentedViewController != nil else {
            return true
        }
        root.dismiss(animated: false)
        return root.presentedViewController == nil
    }

    private func controller(_ item: Item) -> UIViewController? {
        item.screen.flatMap { registry.controllers[$0] }
    }

    private func controller(_ item: Item, _ reading: Reading) -> UIViewController? {
        if case .other(let id) = item { reading.others[id] } else { controller(item) }
    }

    private func set(
        _ items: [Item],
        of container: UIViewController,
        _ reading: Reading,
        isAnimated: Bool
    ) {
        let isVisible = isAnimated && container.viewIfLoaded?.window != nil
        let controllers = items.compactMap { controller($0, reading) }
        switch container {
        case let nav as UINavigationController:
            let children = items.compactMap { item in
                item.screen.map { registry.pushable($0) } ?? controller(item, reading)
            }
            // The detail of a collapsed split view stays on top.
            let detail = nav.collapsedDetail.map { [$0] } ?? []
            nav.setViewControllers(children + detail, animated: isVisible)
            if children.contains(where: { $0 is BoxController }) { registry.bars.add(nav) }
            registry.bars.arrange()
        case let tabs as UITabBarController:
            tabs.setContents(controllers, usesTabs: usesTabs, animated: isVisible)
        case let split as UISplitViewController:
            let columns = items.filter { $0.screen != nil }.map(controller)
            for (index, column) in [UISplitViewController.Column.primary, .secondary].enumerated() {
                let child = columns.indices.contains(index) ? columns[index] : nil
                guard child !== split.viewController(for: column) else { continue }
                // Without this call, UIKit would push the new view controller on the current one.
                split.setViewController(nil, for: column)
                if let child { split.setViewController(child, for: column) }
            }
            if columns.count > 1 { split.show(.secondary) }
        case let container as any ScreenContainer:
            container.setContents(controllers, animated: isVisible)
        default: break
        }
    }

    private func select(_ child: UIViewController?, in container: UIViewController?) {
        switch container {
        case let tabs as UITabBarController: tabs.selectedContent = child
        case let container as any ScreenContainer: container.selectedContent = child
        default: break
        }
    }
}
