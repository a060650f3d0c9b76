// SPDX-License-Identifier: MIT

/// A window of a router, with its name and root screen.
///
/// ```swift
/// for window in router.tree.windows {
///     print(window.name, router.tree[window.root].class)  // main nav
/// }
/// ```
public struct RouterWindow: Sendable, Equatable {
    /// The name of the first window, even after it was closed and opened again.
    package static let main = "main"

    /// The name of the window.
    public let name: String
    /// The screen that is the root of the window's lowest level.
    public internal(set) var root: ScreenID
}

/// Read access to a tree of screens: the current tree, or the tree before a draft was opened.
///
/// The *levels* of a window are its root and the modals above it that are not contextual. The
/// *holder* of a modal is its presenter. The modal that *covers* a screen is the modal that the
/// screen presents. If the screen presents no modal, the modal of the nearest container that
/// presents a modal covers the screen.
///
/// ```swift
/// func title(of tree: some ScreenLookup, window name: String) -> String {
///     tree.window(name).map { tree[tree.visibleLeaf(of: $0)].class } ?? ""
/// }
/// print(title(of: router.tree, window: "main"))  // Page
/// ```
public protocol ScreenLookup {
    /// The windows, in the order in which they were opened, except that `main` is always first.
    var windows: [RouterWindow] { get }

    /// Returns the screen with the given ID, even if it is detached or removed; nil if the screen
    /// was released or belongs to another router.
    func screen(_ id: ScreenID) -> Screen?

    /// Returns the links of a screen; nil if ``screen(_:)`` returns nil for the ID.
    ///
    /// This is faster than copying the screen.
    func links(of id: ScreenID) -> ScreenLinks?
}

extension ScreenLookup {
    /// The screen with an ID that was read from this tree, such as the ID of a child or of a
    /// window's root.
    ///
    /// ```swift
    /// for window in tree.windows { print(window.name, tree[window.root].class) }
    /// ```
    ///
    /// - Precondition: The tree contains the screen. For an ID from another version of the tree,
    ///   call ``screen(_:)``, which returns nil if this tree does not contain the screen.
    @inlinable
    public subscript(id: ScreenID) -> Screen {
        guard let screen = screen(id) else {
            preconditionFailure("screen \(id.serial) is not in this tree")
        }
        return screen
    }

    /// The links of a screen that is known to be in the tree.
    @inlinable
    package subscript(links id: ScreenID) -> ScreenLinks {
        guard let links = links(of: id) else {
            preconditionFailure("screen \(id.serial) is not in this tree")
        }
        return links
    }

    /// Returns the window with the given name; nil if there is none.
    @inlinable
    public func window(_ name: String) -> RouterWindow? {
        windows.first { $0.name == name }
    }

    /// Returns the window that contains a screen; nil if the screen is detached or removed.
    ///
    /// - Complexity: O(*d*) in the depth of the screen.
    @inlinable
    public func window(of id: ScreenID) -> RouterWindow? {
        guard var links = links(of: id) else { return nil }
        while let holder = links.holder { links = self[links: holder] }
        return windows.first { $0.root == links.id }
    }

    /// Whether a screen is in a window.
    @inlinable
    public func isAlive(_ id: ScreenID) -> Bool {
        guard var links = links(of: id) else { return false }
        while let holder = links.holder { links = self[links: holder] }
        return windows.contains { $0.root == links.id }
    }

    /// Returns the outermost container around a screen, or the screen itself if it has no
    /// container.
    ///
    /// If the search reaches a contextual modal, it continues with the presenter.
    @inlinable
    public func levelRoot(of id: ScreenID) -> ScreenID {
        var current = id
        while let surrounding = self[links: current].surrounding { current = surrounding }
        return current
    }

    /// Returns the roots of a window's levels, the lowest first.
    public func levels(of window: RouterWindow) -> [ScreenID] {
        var levels = [window.root]
        while let last = levels.last, let modal = levelModal(of: last) { levels.append(modal) }
        return levels
    }

    /// Returns the root screen of a window's topmost level.
    @inlinable
    public func topmost(of window: RouterWindow) -> ScreenID {
        var top = window.root
        while let modal = levelModal(of: top) { top = modal }
        return top
    }

    /// Returns the foreign levels at the top of a window, the topmost first.
    ///
    /// The host shows these levels without the router.
    public func foreignLevels(of window: RouterWindow) -> [ScreenID] {
        var level = topmost(of: window)
        var foreign: [ScreenID] = []
        while self[links: level].kind == .foreign, let presenter = self[links: level].presenter {
            foreign.append(level)
            level = levelRoot(of: presenter)
        }
        return foreign
    }

    /// Returns the visible leaf of a window's topmost level that is not foreign.
    public func visibleLeafBelowForeign(of window: RouterWindow) -> ScreenID {
        let leaf = visibleLeaf(of: window)
        guard self[links: leaf].kind == .foreign,
            let presenter = foreignLevels(of: window).last.flatMap({ self[links: $0].presenter })
        else { return leaf }
        return visibleLeaf(under: levelRoot(of: presenter))
    }

    /// Returns the path from a screen to its visible leaf: the screen itself, then contextual
    /// modals and visible children.
    public func visiblePath(under id: ScreenID) -> some Sequence<ScreenID> {
        sequence(first: id) { visibleInside($0) }
    }

    /// Returns the next screen on the path to the visible leaf: the contextual modal, or the
    /// leading child if there is no contextual modal; nil if the given screen is the leaf.
    @inlinable
    func visibleInside(_ id: ScreenID) -> ScreenID? {
        let links = self[links: id]
        if let modal = links.modal, self[links: modal].isContextual { return modal }
        return links.leadingChild
    }

    /// Returns the leaf at the end of the visible path, which may lead through contextual modals.
    @inlinable
    public func visibleLeaf(under id: ScreenID) -> ScreenID {
        var leaf = id
        while let inner = visibleInside(leaf) { leaf = inner }
        return leaf
    }

    /// Returns the screen that a window shows: the visible leaf of its topmost level.
    @inlinable
    public func visibleLeaf(of window: RouterWindow) -> ScreenID {
        visibleLeaf(under: topmost(of: window))
    }

    /// Returns the screen whose area the given screen covers: the screen itself, or the screen that
    /// presents it contextually, directly or through other contextual modals.
    @inlinable
    func placeholder(of screen: ScreenLinks) -> ScreenLinks {
        var links = screen
        while links.parent == nil, links.isContextual, let presenter = links.presenter {
            links = self[links: presenter]
        }
        return links
    }

    /// Returns the modal that covers a screen; nil if there is none, or if the screen was released.
    @inlinable
    public func coveringModal(of id: ScreenID) -> ScreenID? {
        guard var current = links(of: id) else { return nil }
        while true {
            if let modal = current.modal { return modal }
            // A contextual modal is not covered by the modal of its presenter, but may be covered
            // by the modal of the presenter's container.
            guard let container = placeholder(of: current).parent else { return nil }
            current = self[links: container]
        }
    }

    /// Returns the nearest screen of the given kind: the given screen, or a container around it
    /// within the same level; nil if there is none, or if the given screen was released.
    @inlinable
    public func nearest(_ kind: Screen.Kind, from id: ScreenID) -> ScreenID? {
        var current: ScreenID? = id
        while let place = current, let links = links(of: place) {
            if links.kind == kind { return place }
            current = links.surrounding
        }
        return nil
    }

    /// Returns the nearest screen that satisfies a condition: the given screen, or a container
    /// around it within the same level; nil if there is none, or if the given screen was released.
    public func nearest(from id: ScreenID, where fits: (Screen) -> Bool) -> ScreenID? {
        var current: ScreenID? = id
        while let place = current, let screen = screen(place) {
            if fits(screen) { return place }
            current = screen.links.surrounding
        }
        return nil
    }

    /// Returns the container of the given kind for a screen, like ``container(at:where:)``.
    @inlinable
    public func container(_ kind: Screen.Kind, at place: ScreenID) -> ScreenID? {
        if let nearest = nearest(kind, from: place) { return nearest }
        guard links(of: place) != nil else { return nil }
        var innermost: ScreenID?
        var current = place
        while let inner = visibleInside(current) {
            if self[links: inner].kind == kind { innermost = inner }
            current = inner
        }
        return innermost
    }

    /// Returns the container in which an action at the given screen takes place.
    ///
    /// This is the nearest suitable screen among the given screen and its containers, within its
    /// level. If there is none, it is the innermost suitable screen on the path to the visible leaf
    /// of the given screen. Returns nil if there is no suitable screen, or if the given screen was
    /// released.
    public func container(at place: ScreenID, where fits: (Screen) -> Bool) -> ScreenID? {
        if let nearest = nearest(from: place, where: fits) { return nearest }
        guard links(of: place) != nil else { return nil }
        var innermost: ScreenID?
        for id in visiblePath(under: place) where fits(self[id]) { innermost = id }
        return innermost
    }

    /// Whether a screen is visible: no modal covers it, and each of its containers shows it.
    @inlinable
    public func isVisible(_ id: ScreenID) -> Bool {
        guard var current = links(of: id) else { return false }
        while current.modal == nil {
            let place = placeholder(of: current)
            guard let container = place.parent else { return isAlive(place.id) }
            current = self[links: container]
            guard current.shows == .all || current.leadingChild == place.id else { return false }
        }
        return false
    }

    /// Returns a screen and all screens in and above it, each after its container or presenter.
    public func screens(under id: ScreenID) -> [ScreenID] {
        var screens: [ScreenID] = []
        visit(id) { screens.append($0.id) }
        return screens
    }

    /// Calls the given closure with a screen and all screens in and above it, each after its
    /// container or presenter.
    public func visit(_ id: ScreenID, _ body: (Screen) throws -> Void) rethrows {
        let screen = self[id]
        try body(screen)
        for child in screen.childList { try visit(child, body) }
        if let modal = screen.modal { try visit(modal, body) }
    }

    /// Returns the modal that is the root of the level above the given root; nil if there is none.
    @inlinable
    func levelModal(of root: ScreenID) -> ScreenID? {
        guard let modal = self[links: root].modal, !self[links: modal].isContextual else {
            return nil
        }
        return modal
    }
}
