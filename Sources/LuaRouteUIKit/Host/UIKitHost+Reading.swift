// SPDX-License-Identifier: MIT

internal import LuaRouting

#if canImport(UIKit)
internal import UIKit
#else
internal import UIKitStandin
#endif

/// A view hierarchy that was read from UIKit.
struct Reading {
    var hierarchy = Hierarchy()
    /// Whether any view controller is in a transition.
    var isInTransition = false
    /// Whether a gesture of the user controls a transition.
    var isInteractive = false
    /// The screens that were read; nil for all.
    var scope: Scope?
    /// The view controllers that the router does not know.
    var others: [ObjectIdentifier: UIViewController] = [:]
}

extension UIKitHost {
    /// Reads the view hierarchies of the windows, and the contents of all view controllers of
    /// screens, or only of the view controllers in a scope.
    ///
    /// - Complexity: O(*n*) in the number of view controllers that are read.
    func read(_ scope: Scope? = nil) -> Reading {
        var reading = Reading()
        reading.scope = scope
        for (name, window) in registry.windows where registry.used.contains(name) {
            let root = window.rootViewController.map { visit($0, &reading) }
            reading.hierarchy.roots.updateValue(root, forKey: name)
            if let root { raiseReported(in: root, &reading.hierarchy) }
        }
        // Some of these screens are not yet, or no longer, in a window.
        let all = scope.map { Array($0.touched) } ?? Array(registry.controllers.keys)
        for id in all where reading.hierarchy.contents[.screen(id)] == nil {
            guard let controller = registry.controllers[id] else { continue }
            var detached = Reading()
            detached.scope = scope
            _ = visit(controller, &detached)
            reading.hierarchy.contents.merge(detached.hierarchy.contents) { shown, _ in shown }
        }
        return reading
    }

    /// Moves modals that the app has presented inside a container to the topmost level, where they
    /// are in the tree.
    private func raiseReported(in root: Item, _ hierarchy: inout Hierarchy) {
        var levels = [root]
        while let modal = levels.last.flatMap({ hierarchy[$0].modal }) { levels.append(modal) }
        var raised: (modal: Item, holder: Item)?
        hierarchy.visit(root) { item, holder in
            guard let holder, hierarchy[holder].modal == item, !levels.contains(item) else {
                return
            }
            if item.screen.map({ registry.reported.contains($0) }) ?? true {
                raised = (item, holder)
            }
        }
        guard let (modal, holder) = raised, let top = levels.last else { return }
        hierarchy.contents[holder]?.modal = nil
        hierarchy.contents[top]?.modal = modal
        raiseReported(in: root, &hierarchy)
    }

    private func visit(_ controller: UIViewController, _ reading: inout Reading) -> Item {
        let item = registry.item(of: controller)
        if let id = item.screen, reading.scope?.skips(id) == true { return item }
        let content = (controller as? BoxController)?.content ?? controller
        let transition = content.transitionCoordinator
        if transition != nil || content.isBeingPresented || content.isBeingDismissed {
            reading.isInTransition = true
        }
        if transition?.isInteractive == true { reading.isInteractive = true }
        if case .other(let id) = item { reading.others[id] = content }
        var contents = Hierarchy.Contents()
        // The children of the app's own containers are not screens.
        if item.screen != nil {
            contents.children = children(of: content).map { visit($0, &reading) }
            contents.selection = selection(of: content).map(registry.item)
            if let split = content as? UISplitViewController {
                contents.showsLast = split.isCollapsed
                contents.covered = coveredColumns(of: split)
            }
        }
        contents.modal = modal(over: content).map { visit($0, &reading) }
        reading.hierarchy.contents[item] = contents
        return item
    }

    /// The columns of a split view over which the app has pushed a view controller.
    ///
    /// The view controller is on the stack of the navigation controller that UIKit puts around the
    /// column.
    private func coveredColumns(of split: UISplitViewController) -> Set<Item> {
        let columns = children(of: split).filter { column in
            guard let stack = column.parent as? UINavigationController,
                registry.identities[ObjectIdentifier(stack)] == nil,
                let top = stack.topViewController
            else { return false }
            return top !== column && top !== stack.collapsedDetail
        }
        return Set(columns.map(registry.item))
    }

    func children(of controller: UIViewController) -> [UIViewController] {
        switch controller {
        case let nav as UINavigationController:
            nav.screenViewControllers
        case let tabs as UITabBarController: tabs.contents
        case let split as UISplitViewController:
            [.primary, .secondary].filter { split.hasOnScreen($0) }
                .compactMap { split.viewController(for: $0) }
        case let container as any ScreenContainer: container.contents
        default: []
        }
    }

    private func selection(of controller: UIViewController) -> UIViewController? {
        switch controller {
        case let tabs as UITabBarController: tabs.selectedContent
        case let container as any ScreenContainer: container.selectedContent
        default: nil
        }
    }

    /// The modal of a view controller.
    ///
    /// If the app ignores the modal, the result is the modal that the ignored modal presents.
    private func modal(over controller: UIViewController) -> UIViewController? {
        var modal = controller.ownModal
        while let current = modal, isIgnored(current) { modal = current.ownModal }
        return modal
    }

    /// Whether a view controller is not a screen and must not be reported as one.
    func isIgnored(_ controller: UIViewController) -> Bool {
        registry.identities[ObjectIdentifier(controller)] == nil
            && describeForeign(controller) == nil
            && registry.descriptions.values.allSatisfy {
                laterDescription(of: controller, $0) == nil
            }
    }
}

extension UIViewController {
    /// Whether the view controller belongs to the system, such as a context menu.
    var isOfSystem: Bool { String(describing: type(of: self)).hasPrefix("_") }

    /// Whether the view controller is a search or belongs to the system, and is never a screen.
    var isAuxiliary: Bool { self is UISearchController || isOfSystem }

    /// The modal that this view controller itself has presented, as opposed to a modal of an
    /// ancestor.
    var ownModal: UIViewController? {
        presentedViewController.flatMap { $0.presentingViewController === self ? $0 : nil }
    }
}

extension UINavigationController {
    /// The view controllers of the stack, except the detail of a collapsed split view, which UIKit
    /// pushes on this stack.
    var screenViewControllers: [UIViewController] {
        let detail = collapsedDetail
        return viewControllers.filter { $0 !== detail }
    }

    /// The view controller on the stack that is the detail of a collapsed split view, or the
    /// navigation controller that UIKit has put around the detail; nil if there is none.
    var collapsedDetail: UIViewController? {
        guard let split = splitViewController, split.isCollapsed,
            let detail = split.viewController(for: .secondary)
        else { return nil }
        return viewControllers.first { controller in
            controller === detail
                || (controller as? UINavigationController)?.viewControllers.first === detail
        }
    }
}

extension UISplitViewController {
    /// Whether the user can reach a column.
    ///
    /// In a collapsed split view, the detail is on the stack of the primary column until the user goes
    /// back.
    fileprivate func hasOnScreen(_ column: Column) -> Bool {
        guard column == .secondary, isCollapsed, viewController(for: .compact) == nil,
            let primary = viewController(for: .primary),
            let stack = primary as? UINavigationController ?? primary.navigationController
        else { return true }
        return stack.collapsedDetail != nil
    }
}
