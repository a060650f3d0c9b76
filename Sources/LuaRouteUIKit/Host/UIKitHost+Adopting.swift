// SPDX-License-Identifier: MIT

internal import LuaRouting

#if canImport(UIKit)
public import UIKit
#else
public import UIKitStandin
#endif

extension UIKitHost {
    /// Sets the router's tree of a window from the existing view hierarchy of the window.
    ///
    /// With this function, an existing app can move to routes screen by screen.
    ///
    /// Navigation, tab bar and split view controllers become screens of the kinds `nav`, `tabs` and
    /// `split`. The app describes all other view controllers. Without a description, a view controller
    /// becomes a screen of the kind `foreign`, which the router can cover and remove but never makes.
    ///
    /// If a view controller already has a screen of the same class in the window, the router keeps
    /// that screen, and the results that are awaited from it. Pending navigations continue. A
    /// change that the host is showing is cancelled.
    ///
    /// The host keeps the closure. When the app's own code later shows a view controller in the
    /// window, and ``describeForeign`` returns nil or only the name of its type, the closure
    /// describes this view controller too. The closure is released when the window is adopted
    /// again, closed, or replaced with another window.
    ///
    /// ```swift
    /// try host.adopt(window) { controller in
    ///     (controller as? ProductController).map {
    ///         ScreenDescription(class: "Product", fields: ["id": .init($0.id)])
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - window: The window, with a root view controller and no active transition.
    ///   - name: The name of the window in the tree.
    ///   - describe: Returns the class and the fields of a view controller; nil for a view controller
    ///     that the scripts do not know. A container needs no description.
    /// - Throws: An error with a readable message if the window shows nothing, is in a transition, or
    ///   contains something that no tree can represent. Nothing has changed in this case.
    public func adopt(
        _ window: UIWindow,
        as name: String = "main",
        _ describe: @escaping (UIViewController) -> ScreenDescription?
    ) throws {
        guard router != nil else { throw HostError("call 'follow' with the router before 'adopt'") }
        guard let root = window.rootViewController else {
            throw HostError("the window has no root view controller")
        }
        let adopted = Adopted(root) { controller in
            describe(controller).map { ($0, nil) }
        }
        guard !adopted.isInTransition else {
            throw HostError("the window is in a transition: call 'adopt' after the transition")
        }
        try adopt(adopted, window, as: name)
        registry.descriptions[name] = describe
        settle()
    }

    /// Adopts each window again in which the app's own code shows a view controller that the
    /// closure of ``adopt(_:as:_:)`` describes.
    ///
    /// Existing screens keep their classes and fields.
    ///
    /// - Returns: Whether a window was adopted.
    func adoptDescribed(in tree: ScreenTree) -> Bool {
        var isAdopted = false
        for (name, describe) in registry.descriptions.sorted(by: { $0.key < $1.key }) {
            guard let window = registry.windows[name], let root = window.rootViewController,
                registry.item(of: root).screen != nil
            else { continue }
            var described: [UIViewController] = []
            let adopted = Adopted(root, isIgnored: { isIgnored($0) }) { controller in
                if let screen = registry.item(of: controller).screen.flatMap({ tree.screen($0) }) {
                    return (ScreenDescription(class: screen.class), screen.kind)
                }
                if let known = laterDescription(of: controller, describe) {
                    if !registry.isNoted(controller) { described.append(controller) }
                    return (known, nil)
                }
                return controller.isUIKitContainer
                    ? nil : describeForeign(controller).map { ($0, .foreign) }
            }
            guard !described.isEmpty else { continue }
            do {
                try adopt(adopted, window, as: name)
                isAdopted = true
            } catch {
                router?.log("warn", "\(error)")
                // The other view controllers are now reported as foreign, and then known.
                for controller in described where describeForeign(controller) == nil {
                    _ = registry.note(controller)
                }
            }
        }
        return isAdopted
    }

    /// Returns what the closure of ``adopt(_:as:_:)`` says about a view controller that the app's
    /// own code shows later; nil if ``describeForeign`` says more than the name of its type.
    func laterDescription(
        of controller: UIViewController,
        _ describe: (UIViewController) -> ScreenDescription?
    ) -> ScreenDescription? {
        guard !controller.isAuxiliary else { return nil }
        if let foreign = describeForeign(controller) {
            let name = ScreenDescription(controller).class
            guard foreign.class == name, foreign.fields.count == 0 else { return nil }
        }
        return describe(controller)
    }

    private func adopt(_ adopted: Adopted, _ window: UIWindow, as name: String) throws {
        guard let router else { return }
        let text = adopted.levels.map { $0.notation(router.classes) }.joined(separator: " ^ ")
        let number = progress.change
        // The router calls `prepare` of the host before `adopt` returns.
        adoption = { [weak self] in
            guard let self, let root = router.tree.window(name)?.root else { return }
            adopted.visit(root, in: router.tree) { registry.add($0, as: $1) }
        }
        do {
            let screens = adopted.all.map { registry.item(of: $0.controller).screen }
            try router.adopt(TreeNotation(text), keeping: screens, window: name)
        } catch {
            adoption = nil
            throw HostError(
                "the screens of the window do not form a valid tree: \(error.message) in \(text)"
            )
        }
        adoption?()
        adoption = nil
        // The adopted screens already have the positions that UIKit gives them.
        registry.reported.subtract(
            adopted.all.compactMap { registry.item(of: $0.controller).screen }
        )
        // The router no longer waits for the change that was in progress.
        if progress.change == number { change = nil }
        rest = nil
        registry.windows[name] = window
        registry.lost.remove(name)
        registry.used.insert(name)
        registry.answered.insert(name)
        do { try prepareContents(of: router.tree) } catch { router.log("error", "\(error)") }
        last = read().hierarchy
    }
}

extension UIViewController {
    fileprivate var isUIKitContainer: Bool {
        self is UINavigationController || self is UITabBarController
            || self is UISplitViewController
    }
}

/// A view controller in the hierarchy of a window that is adopted.
@MainActor
private struct Adopted {
    let controller: UIViewController
    let description: ScreenDescription
    let kind: Screen.Kind
    let children: [Adopted]
    let selection: UIViewController?
    let modal: [Adopted]

    /// Reads a view controller and its descendants.
    ///
    /// - Parameters:
    ///   - controller: The view controller.
    ///   - isIgnored: Whether a view controller is not a screen.
    ///   - describe: Returns the description of a view controller, and the kind of its screen; nil
    ///     for the kind that follows from the view controller.
    init(
        _ controller: UIViewController,
        isIgnored: (UIViewController) -> Bool = { _ in false },
        _ describe: (UIViewController) -> (ScreenDescription, Screen.Kind?)?
    ) {
        let controller = (controller as? BoxController)?.content ?? controller
        self.controller = controller
        var contents: [UIViewController] = []
        var selection: UIViewController?
        let known = describe(controller)
        var kind: Screen.Kind
        switch controller {
        case let nav as UINavigationController:
            kind = .nav
            contents = nav.screenViewControllers
        case let tabs as UITabBarController:
            kind = .tabs
            contents = tabs.contents
            selection = tabs.selectedContent
        case let split as UISplitViewController:
            kind = .split
            contents = [.primary, .secondary].compactMap { split.viewController(for: $0) }
        case let container as any ScreenContainer where known != nil:
            kind = .container
            contents = container.contents
            selection = container.selectedContent
        default: kind = known == nil ? .foreign : .leaf
        }
        if let fixed = known?.1 { kind = fixed }
        if !kind.isContainer { contents = [] }
        description =
            known?.0
            ?? (kind.isContainer
                ? ScreenDescription(class: kind.rawValue) : ScreenDescription(controller))
        self.kind = kind
        children = contents.filter { !isIgnored($0) }
            .map { Adopted($0, isIgnored: isIgnored, describe) }
        self.selection = selection
        var modal = controller.ownModal
        while let current = modal, isIgnored(current) { modal = current.ownModal }
        self.modal = modal.map { [Adopted($0, isIgnored: isIgnored, describe)] } ?? []
    }

    var isInTransition: Bool {
        controller.transitionCoordinator != nil || children.contains(where: \.isInTransition)
            || modal.contains(where: \.isInTransition)
    }

    /// The view controller, and the modals above it.
    var levels: [Adopted] { [self] + modal.flatMap(\.levels) }

    /// All view controllers, in the order of ``TreeNotation/screens``.
    var all: [Adopted] { [self] + children.flatMap(\.all) + modal.flatMap(\.all) }

    /// The screen in tree notation, without the modals above it.
    func notation(_ classes: ScreenClasses) -> String {
        var text = description.class
        if kind != .leaf, text != kind.rawValue, kind != classes[text].kind {
            text += ":\(kind.rawValue)"
        }
        if description.fields.count > 0 {
            text += NotationPrinter(classes: classes).fields(
                description.fields,
                of: description.class
            )
        }
        guard kind.isContainer else { return text }
        let contents = children.map { child in
            (child.controller === selection ? "*" : "")
                + child.levels.map { $0.notation(classes) }.joined(separator: " ^ ")
        }
        return text + "[\(contents.joined(separator: ", "))]"
    }

    /// Calls a closure with each view controller and its screen.
    func visit(_ id: ScreenID, in tree: ScreenTree, body: (UIViewController, ScreenID) -> Void) {
        body(controller, id)
        for (child, screen) in zip(children, tree[id].children) {
            child.visit(screen, in: tree, body: body)
        }
        if let modal = modal.first, let screen = tree[id].modal {
            modal.visit(screen, in: tree, body: body)
        }
    }
}
