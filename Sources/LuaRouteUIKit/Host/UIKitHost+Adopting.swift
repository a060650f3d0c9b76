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
        _ describe: (UIViewController) -> ScreenDescription?
    ) throws {
        guard let router else { throw HostError("call 'follow' with the router before 'adopt'") }
        guard let root = window.rootViewController else {
            throw HostError("the window has no root view controller")
        }
        let adopted = Adopted(root, describe)
        guard !adopted.isInTransition else {
            throw HostError("the window is in a transition: call 'adopt' after the transition")
        }
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
        settle()
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

    init(
        _ controller: UIViewController,
        _ describe: (UIViewController) -> ScreenDescription?
    ) {
        let controller = (controller as? BoxController)?.content ?? controller
        self.controller = controller
        var contents: [UIViewController] = []
        var selection: UIViewController?
        let known = describe(controller)
        let kind: Screen.Kind
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
        description =
            known
            ?? (kind.isContainer
                ? ScreenDescription(class: kind.rawValue) : ScreenDescription(controller))
        self.kind = kind
        children = contents.map { Adopted($0, describe) }
        self.selection = selection
        modal =
            controller.presentedViewController
            .flatMap { $0.presentingViewController === controller ? $0 : nil }
            .map { [Adopted($0, describe)] } ?? []
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
