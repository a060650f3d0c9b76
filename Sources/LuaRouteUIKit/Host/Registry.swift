// SPDX-License-Identifier: MIT

internal import LuaRouting

#if canImport(UIKit)
internal import UIKit
#else
internal import UIKitStandin
#endif

/// The windows, and the view controllers of screens.
///
/// While UIKit is called or a view controller is released, UIKit may call the app, and the app may
/// call the host again. The registry therefore never does either while it modifies one of its
/// properties.
@MainActor
final class Registry {
    /// The delegate of view controllers for which the app has set none.
    let delegate = HostDelegate()
    /// The windows of the app, by their names in the tree.
    var windows: [String: UIWindow] = [:]
    /// The closures that describe view controllers in adopted windows, by the names of the windows.
    var descriptions: [String: (UIViewController) -> ScreenDescription?] = [:]
    /// The names of the windows that are in the tree, or that were in it and are not closed yet.
    var used: Set<String> = []
    /// The names of the windows that were in the tree before the change being applied.
    var answered: Set<String> = []
    /// The names of the windows that are in the tree, but no longer in the app.
    var lost: Set<String> = []
    /// The screens that the app has presented itself, and that were reported to the router.
    var reported: Set<ScreenID> = []
    /// The class names of foreign screens about which a warning was logged, because scripts declare
    /// a class of another kind with the same name.
    var foreignNames: Set<String> = []
    /// The view controllers that the router does not know, and that were already reported.
    private var noted: [ObjectIdentifier: Weak] = [:]
    /// The screens whose view controllers are split view controllers.
    private var splits: Set<ScreenID> = []
    private(set) var controllers: [ScreenID: UIViewController] = [:]
    private(set) var identities: [ObjectIdentifier: ScreenID] = [:]
    /// The fields that were last passed to each ``ScreenUpdating`` view controller.
    var fields: [ScreenID: Fields] = [:]

    /// The bars of navigation controllers in boxes, and of the stacks around them.
    let bars = NavigationBars()

    /// The fields from which the tab bar item of each tab was made.
    var tabFields: [ScreenID: Fields] = [:]

    private struct Weak { weak var controller: UIViewController? }

    func add(_ controller: UIViewController, as id: ScreenID) {
        controllers[id] = controller
        identities[ObjectIdentifier(controller)] = id
        if controller is UISplitViewController { splits.insert(id) }
        if let tabs = controller as? UITabBarController, tabs.delegate == nil {
            tabs.delegate = delegate
        }
    }

    /// Records that a view controller is reported.
    ///
    /// Returns false if it was already reported.
    func note(_ controller: UIViewController) -> Bool {
        guard !isNoted(controller) else { return false }
        noted = noted.filter { $0.value.controller != nil }
        noted[ObjectIdentifier(controller)] = Weak(controller: controller)
        return true
    }

    /// Whether a view controller was already reported.
    func isNoted(_ controller: UIViewController) -> Bool {
        // An earlier object may have had the same address.
        noted[ObjectIdentifier(controller)]?.controller === controller
    }

    /// Removes the view controllers of screens that are no longer in a tree.
    ///
    /// - Parameters:
    ///   - screens: The screens that may have been removed; nil for all.
    ///   - tree: The tree.
    func removeAll(_ screens: Set<ScreenID>? = nil, except tree: ScreenTree) {
        let gone = (screens.map(Array.init) ?? Array(controllers.keys))
            .filter { !tree.isAlive($0) }
            .compactMap { id in controllers[id].map { (id, $0) } }
        guard !gone.isEmpty else { return }
        for (id, controller) in gone {
            controllers[id] = nil
            splits.remove(id)
            reported.remove(id)
            noted[ObjectIdentifier(controller)] = nil
            (fields[id], tabFields[id]) = (nil, nil)
            if identities[ObjectIdentifier(controller)] == id {
                identities[ObjectIdentifier(controller)] = nil
            }
        }
        // A collapsed split view retains the detail after the user has gone back from it.
        for case let split as UISplitViewController in splits.compactMap({ controllers[$0] }) {
            guard let detail = split.viewController(for: .secondary), item(of: detail).screen == nil
            else { continue }
            split.setViewController(nil, for: .secondary)
        }
    }

    /// Removes all windows and view controllers from the registry.
    ///
    /// The windows of the app still show them.
    func removeAll() {
        // The view controllers are released at the end, because the app may then ask the host for a screen.
        withExtendedLifetime((windows, controllers, descriptions)) {
            (windows, controllers, identities, fields) = ([:], [:], [:], [:])
            descriptions = [:]
            (tabFields, splits) = ([:], [])
        }
    }

    /// The item of a view controller.
    func item(of controller: UIViewController) -> Item {
        let content = (controller as? BoxController)?.content ?? controller
        let id = ObjectIdentifier(content)
        return identities[id].map(Item.screen) ?? .other(id)
    }

    /// The view controller to push for a child of a navigation controller, in a box if necessary.
    func pushable(_ id: ScreenID) -> UIViewController? {
        guard let controller = controllers[id],
            controller is UINavigationController || controller is UISplitViewController
        else { return controllers[id] }
        if let box = controller.parent as? BoxController { return box }
        controller.removeFromParent()
        return BoxController(controller)
    }

    /// Removes the view controller of a screen from its box.
    func unbox(_ id: ScreenID) {
        guard let content = controllers[id], content.parent is BoxController else { return }
        content.willMove(toParent: nil)
        content.viewIfLoaded?.removeFromSuperview()
        content.removeFromParent()
    }
}
