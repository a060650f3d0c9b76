// SPDX-License-Identifier: MIT

internal import LuaRouting

#if canImport(UIKit)
public import UIKit
#else
public import UIKitStandin
#endif

/// Functions that handle user gestures on guarded screens, and taps on the selected tab.
///
/// The host is the delegate of each tab bar controller and presentation controller that has no
/// delegate. If an app sets its own delegate, the delegate must call these functions:
///
/// ```swift
/// final class MyDelegate: NSObject, UITabBarControllerDelegate,
///     UIAdaptivePresentationControllerDelegate
/// {
///     let host: UIKitHost
///     init(_ host: UIKitHost) { self.host = host }
///
///     func tabBarController(
///         _ tabs: UITabBarController,
///         shouldSelect tab: UIViewController
///     ) -> Bool {
///         host.shouldSelect(tab, in: tabs)
///     }
///
///     @available(iOS 18, tvOS 18, visionOS 2, *)
///     func tabBarController(_ tabs: UITabBarController, shouldSelectTab tab: UITab) -> Bool {
///         tab.viewController.map { host.shouldSelect($0, in: tabs) } ?? true
///     }
///
///     func presentationControllerDidAttemptToDismiss(_ presentation: UIPresentationController) {
///         host.didAttemptToDismiss(presentation)
///     }
/// }
/// ```
extension UIKitHost {
    /// Returns whether UIKit should select a tab.
    ///
    /// A tap on the selected tab is reported to the router, which pops the stack of the tab by default;
    /// scripts can change that.
    ///
    /// - Parameters:
    ///   - tab: The view controller of the tab that the user has tapped.
    ///   - tabs: The tab bar controller.
    /// - Returns: False if the tab is selected and the tab bar controller belongs to a screen.
    public func shouldSelect(_ tab: UIViewController, in tabs: UITabBarController) -> Bool {
        guard tab === tabs.selectedContent, let router,
            let id = registry.identities[ObjectIdentifier(tabs)], router.tree.isAlive(id)
        else { return true }
        router.report(.reselected(id))
        return false
    }

    /// Requests the dismissal of the guarded screen that the user tried to pull down.
    ///
    /// The request has the origin `person`, and `leaving` of the screen decides whether the screen
    /// is dismissed. A sheet that was presented with `modal` stays on screen.
    ///
    /// - Parameter presentation: The presentation controller of the screen.
    public func didAttemptToDismiss(_ presentation: UIPresentationController) {
        let modal = presentation.presentedViewController
        guard let screen = registry.item(of: modal).screen.flatMap({ router?.tree.screen($0) }),
            let presenter = screen.presenter, !screen.presentation.isModal
        else { return }
        leave(by: .dismissed(presenter: presenter)) { modal.dismiss(animated: true) }
    }

    /// Makes UIKit block its gestures on the visible guarded screens, and only on these.
    func keepGuarded() {
        for restore in restorations { restore() }
        restorations = []
        kept = guards.isEmpty ? Hierarchy() : last
        for id in guards.keys {
            guard let controller = registry.controllers[id] else { continue }
            if controller.presentingViewController?.presentedViewController === controller,
                let presentation = controller.presentationController
            {
                let before = controller.isModalInPresentation
                restorations.append { controller.isModalInPresentation = before }
                controller.isModalInPresentation = true
                if presentation.delegate == nil { presentation.delegate = registry.delegate }
            }
            keepOnStack(controller)
        }
    }

    private func keepOnStack(_ controller: UIViewController) {
        guard let (pushed, stack) = pushed(controller) else { return }
        if !(stack.view.gestureRecognizers ?? []).contains(where: { $0 is GuardRecognizer }) {
            let recognizer = GuardRecognizer(stack, self)
            stack.view.addGestureRecognizer(recognizer)
            stack.interactivePopGestureRecognizer?.require(toFail: recognizer)
        }
        if #available(iOS 26, visionOS 26, *),
            let gesture = stack.interactiveContentPopGestureRecognizer, gesture.isEnabled
        {
            restorations.append { gesture.isEnabled = true }
            gesture.isEnabled = false
        }
        let inner = pushed as? UINavigationController
        // If the inner stack shows a later screen, the user goes back within the inner stack.
        if let inner, inner.viewControllers.count > 1 { return }
        let item = (inner?.topViewController ?? pushed).navigationItem
        guard item.backAction == nil else { return }
        let action = UIAction { [weak self, weak stack] _ in
            guard let self, let stack, let report = report(ofGoingBackIn: stack) else { return }
            leave(by: report) { stack.popViewController(animated: true) }
        }
        item.backAction = action
        restorations.append { if item.backAction === action { item.backAction = nil } }
    }

    /// Returns the entry of a navigation stack that shows a screen, and the stack; nil if the user
    /// cannot go back from the screen.
    ///
    /// The entry is the screen's view controller, or a view controller that contains it without
    /// another screen in between.
    private func pushed(
        _ controller: UIViewController
    ) -> (UIViewController, UINavigationController)? {
        var pushed = controller
        while let parent = pushed.parent {
            if let stack = parent as? UINavigationController,
                stack.viewControllers.first !== pushed
            {
                return (pushed, stack)
            }
            // Only a box, or the navigation controller that UIKit puts around the detail of a split
            // view, may be between the view controller and the entry.
            guard registry.identities[ObjectIdentifier(parent)] == nil else { return nil }
            pushed = parent
        }
        return nil
    }

    /// Returns the report that the user goes back in a stack; nil if no screen would be removed.
    func report(ofGoingBackIn stack: UINavigationController) -> Report? {
        guard let tree = router?.tree, let top = stack.topViewController else { return nil }
        let isDetail = top === stack.collapsedDetail
        let removed = isDetail ? stack.splitViewController?.viewController(for: .secondary) : top
        guard let id = removed.flatMap({ registry.item(of: $0).screen }),
            let container = tree.screen(id)?.parent
        else { return nil }
        let rest = tree[container].children.prefix { $0 != id }
        return rest.isEmpty ? nil : .children(Array(rest), of: container)
    }

    /// Calls `leaving` of the guarded screens before a removal.
    ///
    /// If no screen is guarded any more, `remove` is called immediately.
    func leave(by report: Report, orElse remove: () -> Void) {
        if case .done? = router?.leave(by: report) { remove() }
    }
}

/// The delegate of view controllers to which the app has not assigned a delegate.
@MainActor
final class HostDelegate: NSObject, UITabBarControllerDelegate,
    UIPopoverPresentationControllerDelegate
{
    weak var host: UIKitHost?

    func tabBarController(
        _ tabBarController: UITabBarController,
        shouldSelect viewController: UIViewController
    ) -> Bool {
        host?.shouldSelect(viewController, in: tabBarController) ?? true
    }

    @available(iOS 18, tvOS 18, visionOS 2, *)
    func tabBarController(
        _ tabBarController: UITabBarController,
        shouldSelectTab tab: UITab
    ) -> Bool {
        tab.viewController.flatMap { host?.shouldSelect($0, in: tabBarController) } ?? true
    }

    func presentationControllerDidAttemptToDismiss(_ presentation: UIPresentationController) {
        host?.didAttemptToDismiss(presentation)
    }
}

/// Recognizes a swipe back from a guarded screen, and calls `leaving` of the screen.
///
/// The gesture of the navigation controller waits until this recognizer fails.
@MainActor
private final class GuardRecognizer: UIScreenEdgePanGestureRecognizer, UIGestureRecognizerDelegate {
    private weak var stack: UINavigationController?
    private weak var host: UIKitHost?

    init(_ stack: UINavigationController, _ host: UIKitHost) {
        (self.stack, self.host) = (stack, host)
        super.init(target: nil, action: nil)
        let direction = stack.view.effectiveUserInterfaceLayoutDirection
        edges = direction == .rightToLeft ? .right : .left
        delegate = self
    }

    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        guard let host, let stack, let report = host.report(ofGoingBackIn: stack) else {
            return false
        }
        var isGuarded = true
        host.leave(by: report) { isGuarded = false }
        return isGuarded
    }
}
