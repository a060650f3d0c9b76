// SPDX-License-Identifier: MIT

#if canImport(UIKit)
internal import UIKit
#else
internal import UIKitStandin
#endif

/// The bars of nested navigation controllers: an inner one, which is in a box, and an outer one, on
/// whose stack the box was pushed.
///
/// Only one of the two bars is shown.
///
/// While the inner stack shows its first view controller, the bar of the outer stack is shown, and
/// the outer back button and gesture leave the box. Otherwise the bar of the inner stack is shown,
/// with which the user goes back within the box. UIKit does not start the back gesture of a stack
/// whose bar is hidden.
@MainActor
final class NavigationBars {
    private struct Stack { weak var controller: UINavigationController? }

    /// The stacks on which boxes were pushed.
    private var outer: [Stack] = []
    /// The stacks whose bars this object has hidden.
    private var hidden: [Stack] = []

    /// Manages the bar of a stack on which a box is pushed.
    func add(_ stack: UINavigationController) {
        if !outer.contains(where: { $0.controller === stack }) {
            outer.append(Stack(controller: stack))
        }
    }

    /// Shows one bar for each pair of stacks, unless the app has hidden that bar.
    ///
    /// - Complexity: O(*n*) in the number of stacks on which boxes were pushed.
    func arrange() {
        guard !outer.isEmpty else { return }
        outer.removeAll { $0.controller == nil }
        var bare: [UINavigationController] = []
        for case let stack? in outer.map(\.controller) {
            guard let box = stack.topViewController as? BoxController, let inner = box.innerStack
            else { continue }
            let isDeep = inner.isDeep
            let (shown, other) = isDeep ? (inner, stack) : (stack, inner)
            guard !shown.isNavigationBarHidden || hides(shown) else { continue }
            if !other.isNavigationBarHidden || hides(other) { bare.append(other) }
            if !isDeep { box.showItem(of: inner) }
        }
        for case let stack? in hidden.map(\.controller) where !bare.contains(stack) {
            stack.setNavigationBarHidden(false, animated: false)
        }
        for stack in bare where !stack.isNavigationBarHidden {
            stack.setNavigationBarHidden(true, animated: false)
        }
        hidden = bare.map(Stack.init)
    }

    private func hides(_ stack: UINavigationController) -> Bool {
        hidden.contains { $0.controller === stack }
    }
}

extension UINavigationController {
    /// Whether the user can go back in the navigation controller, or in a navigation controller
    /// that it shows in a box.
    fileprivate var isDeep: Bool {
        viewControllers.count > 1
            || (topViewController as? BoxController)?.innerStack?.isDeep ?? false
    }
}

extension BoxController {
    /// The navigation controller in the box; nil if the box contains another view controller, or
    /// none.
    fileprivate var innerStack: UINavigationController? {
        content.parent === self ? content as? UINavigationController : nil
    }

    /// Shows the title and the right bar buttons of the inner stack's first view controller in the
    /// bar of the outer stack.
    fileprivate func showItem(of inner: UINavigationController) {
        guard let shown = inner.topViewController?.navigationItem else { return }
        let title = shown.title ?? inner.topViewController?.title
        if navigationItem.title != title { navigationItem.title = title }
        if navigationItem.rightBarButtonItems != shown.rightBarButtonItems {
            navigationItem.rightBarButtonItems = shown.rightBarButtonItems
        }
    }
}
