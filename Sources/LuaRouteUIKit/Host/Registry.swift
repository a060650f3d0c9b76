// SPDX-License-Identifier: MIT

internal import LuaRouting

#if canImport(UIKit)
internal import UIKit
#else
internal import UIKitStandin
#endif

/// The windows, and the view controllers of screens.
@MainActor
struct Registry {
    /// The windows of the app, by their names in the tree.
    var windows: [String: UIWindow] = [:]
    /// The names of those that the tree has, or had.
    var used: Set<String> = []
    /// The view controllers that the router does not know, and that were reported or are not.
    var ignored: Set<ObjectIdentifier> = []
    /// The screens that the app has presented itself, and that were reported.
    var reported: Set<ScreenID> = []
    private(set) var controllers: [ScreenID: UIViewController] = [:]
    private(set) var identities: [ObjectIdentifier: ScreenID] = [:]
    /// The boxes around view controllers that cannot be pushed.
    private var boxes: [ScreenID: BoxController] = [:]
    /// The fields that a view controller was given last, of those that are updated.
    var fields: [ScreenID: Fields] = [:]

    mutating func add(_ controller: UIViewController, as id: ScreenID) {
        controllers[id] = controller
        identities[ObjectIdentifier(controller)] = id
    }

    mutating func remove(_ id: ScreenID) {
        boxes[id] = nil
        reported.remove(id)
        fields[id] = nil
        guard let controller = controllers.removeValue(forKey: id),
            identities[ObjectIdentifier(controller)] == id
        else { return }
        identities[ObjectIdentifier(controller)] = nil
    }

    /// Removes the view controllers of screens that a tree no longer has.
    mutating func removeAll(except tree: ScreenTree) {
        let gone = controllers.keys.filter { !tree.isAlive($0) }
        guard !gone.isEmpty else { return }
        for id in gone { remove(id) }
        // A split view that is collapsed keeps the detail from which a person went back.
        for case let split as UISplitViewController in controllers.values {
            guard let detail = split.viewController(for: .secondary), item(of: detail).screen == nil
            else { continue }
            split.setViewController(nil, for: .secondary)
        }
    }

    /// The item of a view controller.
    func item(of controller: UIViewController) -> Item {
        let content = (controller as? BoxController)?.content ?? controller
        let id = ObjectIdentifier(content)
        return identities[id].map(Item.screen) ?? .other(id)
    }

    /// The view controller to push for a child of a navigation controller.
    mutating func pushable(_ id: ScreenID) -> UIViewController? {
        guard let controller = controllers[id],
            controller is UINavigationController || controller is UISplitViewController
        else { return controllers[id] }
        if let box = boxes[id] { return box }
        controller.removeFromParent()
        let box = BoxController(controller)
        boxes[id] = box
        return box
    }

    /// Takes a view controller out of its box.
    mutating func unbox(_ id: ScreenID) {
        guard let box = boxes.removeValue(forKey: id) else { return }
        box.content.willMove(toParent: nil)
        box.content.viewIfLoaded?.removeFromSuperview()
        box.content.removeFromParent()
    }
}
