// SPDX-License-Identifier: MIT

#if canImport(UIKit)
internal import UIKit
#else
internal import UIKitStandin
#endif

/// The bars of navigation controllers in boxes on the stacks of others, of which one is shown.
///
/// The bar of the outer stack is shown while the inner one shows its first view controller: its
/// back button and its gesture leave the box. Otherwise the bar of the inner stack is shown, with
/// which the user goes back within the box. UIKit begins no gesture in a stack whose bar is hidden.
@MainActor
final class NavigationBars {
    private struct Stack { weak var controller: UINavigationController? }

    /// The stacks on which boxes were pushed.
    private var outer: [Stack] = []
    /// The stacks whose bars are hidden here.
    private var hidden: [Stack] = []

    /// Manages the bar of a stack on which a box is pushed.
    func add(_ stack: UINavigationController) {
        if !outer.contains(where: { $0.controller === stack }) {
            outer.append(Stack(controller: stack))
        }
    }

    /// Shows one bar for each pair of stacks, except where the app has hidden it.
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
    /// Whether the user can go back in the navigation controller, or in one that it shows in a box.
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

    /// Shows the title and the buttons on the right of the first view controller in the bar of the
    /// outer stack.
    fileprivate func showItem(of inner: UINavigationController) {
        guard let shown = inner.topViewController?.navigationItem else { return }
        let title = shown.title ?? inner.topViewController?.title
        if navigationItem.title != title { navigationItem.title = title }
        if navigationItem.rightBarButtonItems != shown.rightBarButtonItems {
            navigationItem.rightBarButtonItems = shown.rightBarButtonItems
        }
    }
}
