// SPDX-License-Identifier: MIT

/// A window: a name and its root screen.
public struct RouterWindow: Sendable, Equatable {
    /// The name; that of the first window is `main`.
    public let name: String
    /// The screen at the bottom of the window.
    public internal(set) var root: ScreenID
}

/// A tree of screens that can be read: one that stands, or one as it was.
///
/// *Levels* are a window's root and the modals above it that are not contextual. A modal is
/// held by the screen that presents it; a screen is *covered* by the modal of its nearest
/// ancestor-or-self that holds one.
public protocol ScreenLookup {
    /// The windows, in the order in which they were opened.
    var windows: [RouterWindow] { get }

    /// The screen of an identity, detached and gone ones included; nil where nobody holds it
    /// any more, or where it is one of another router.
    func screen(_ id: ScreenID) -> Screen?

    /// What leads from a screen to others, for each that ``screen(_:)`` gives.
    ///
    /// It takes less time than a copy of the screen.
    func links(of id: ScreenID) -> ScreenLinks?
}

extension ScreenLookup {
    /// The screen of an identity that was read from this tree, such as a child or a window's root.
    ///
    /// ```swift
    /// for window in tree.windows { print(window.name, tree[window.root].class) }
    /// ```
    ///
    /// - Precondition: The tree holds the screen. For an identity that was kept from another tree
    ///   call ``screen(_:)``, which returns nil if the screen is gone.
    @inlinable
    public subscript(id: ScreenID) -> Screen {
        guard let screen = screen(id) else {
            preconditionFailure("screen \(id.serial) is not held by this tree")
        }
        return screen
    }

    /// What leads to others from a screen that is known to be held.
    @inlinable
    package subscript(links id: ScreenID) -> ScreenLinks {
        guard let links = links(of: id) else {
            preconditionFailure("screen \(id.serial) is not held by this tree")
        }
        return links
    }

    /// The window of a name.
    @inlinable
    public func window(_ name: String) -> RouterWindow? {
        windows.first { $0.name == name }
    }

    /// The window in which a screen stands, nil for a detached or gone one.
    ///
    /// - Complexity: O(*d*) in the depth of the screen.
    @inlinable
    public func window(of id: ScreenID) -> RouterWindow? {
        guard var links = links(of: id) else { return nil }
        while let holder = links.holder { links = self[links: holder] }
        return windows.first { $0.root == links.id }
    }

    /// Whether a screen can be reached from a window.
    @inlinable
    public func isAlive(_ id: ScreenID) -> Bool {
        guard var links = links(of: id) else { return false }
        while let holder = links.holder { links = self[links: holder] }
        return windows.contains { $0.root == links.id }
    }

    /// The screens from one outwards: itself, its container, that one's container …, up to
    /// the root of its level or a contextual modal.
    public func ancestorsAndSelf(of id: ScreenID) -> some Sequence<ScreenID> {
        sequence(first: id) { self[links: $0].parent }
    }

    /// The topmost container around a screen, or the screen itself where nothing holds it.
    ///
    /// A contextual modal stands inside the container of its presenter, so the search goes
    /// on from there.
    @inlinable
    public func levelRoot(of id: ScreenID) -> ScreenID {
        var current = id
        while let surrounding = self[links: current].surrounding { current = surrounding }
        return current
    }

    /// The roots of a window's levels, the lowest first.
    public func levels(of window: RouterWindow) -> [ScreenID] {
        var levels = [window.root]
        while let last = levels.last, let modal = levelModal(of: last) { levels.append(modal) }
        return levels
    }

    /// The root screen of a window's last level.
    @inlinable
    public func topmost(of window: RouterWindow) -> ScreenID {
        var top = window.root
        while let modal = levelModal(of: top) { top = modal }
        return top
    }

    /// The roots of the topmost levels of a window that the host shows without the router, the
    /// topmost first.
    public func foreignLevels(of window: RouterWindow) -> [ScreenID] {
        var level = topmost(of: window)
        var foreign: [ScreenID] = []
        while self[links: level].kind == .foreign, let presenter = self[links: level].presenter {
            foreign.append(level)
            level = levelRoot(of: presenter)
        }
        return foreign
    }

    /// The visible leaf of the topmost level of a window that is not foreign.
    public func visibleLeafBelowForeign(of window: RouterWindow) -> ScreenID {
        let leaf = visibleLeaf(of: window)
        guard self[links: leaf].kind == .foreign,
            let presenter = foreignLevels(of: window).last.flatMap({ self[links: $0].presenter })
        else { return leaf }
        return visibleLeaf(under: levelRoot(of: presenter))
    }

    /// The screens from one inwards to the visible leaf: itself, and what is reached from it
    /// through contextual modals and visible children.
    public func visiblePath(under id: ScreenID) -> some Sequence<ScreenID> {
        sequence(first: id) { visibleInside($0) }
    }

    /// What is visible in a screen: its contextual modal, or else its leading child.
    @inlinable
    func visibleInside(_ id: ScreenID) -> ScreenID? {
        let links = self[links: id]
        if let modal = links.modal, self[links: modal].isContextual { return modal }
        return links.leadingChild
    }

    /// The leaf that is reached through visible children, contextual modals included.
    @inlinable
    public func visibleLeaf(under id: ScreenID) -> ScreenID {
        var leaf = id
        while let inner = visibleInside(leaf) { leaf = inner }
        return leaf
    }

    /// The screen that a window shows: the visible leaf of its topmost level.
    @inlinable
    public func visibleLeaf(of window: RouterWindow) -> ScreenID {
        visibleLeaf(under: topmost(of: window))
    }

    /// The screen in whose place one stands: itself, or what presents it contextually, directly
    /// or through others.
    @inlinable
    func placeholder(of screen: ScreenLinks) -> ScreenLinks {
        var links = screen
        while links.parent == nil, links.isContextual, let presenter = links.presenter {
            links = self[links: presenter]
        }
        return links
    }

    /// The modal that covers a screen, nil where none does, or where nobody holds the screen any
    /// more.
    @inlinable
    public func coveringModal(of id: ScreenID) -> ScreenID? {
        guard var current = links(of: id) else { return nil }
        while true {
            if let modal = current.modal { return modal }
            // What presents a contextual modal does not cover it, but its container's may.
            guard let container = placeholder(of: current).parent else { return nil }
            current = self[links: container]
        }
    }

    /// The nearest screen of a kind at or above a place, inside its level; nil where none is, or
    /// where nobody holds the place any more.
    @inlinable
    public func nearest(_ kind: Screen.Kind, from id: ScreenID) -> ScreenID? {
        var current: ScreenID? = id
        while let place = current, let links = links(of: place) {
            if links.kind == kind { return place }
            current = links.surrounding
        }
        return nil
    }

    /// The nearest screen that fits at or above a place, inside its level; nil where none does, or
    /// where nobody holds the place any more.
    public func nearest(from id: ScreenID, where fits: (Screen) -> Bool) -> ScreenID? {
        var current: ScreenID? = id
        while let place = current, let screen = screen(place) {
            if fits(screen) { return place }
            current = screen.links.surrounding
        }
        return nil
    }

    /// The container of a kind that a place means: as ``container(at:where:)``.
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

    /// The container that a place means: the nearest that fits at or above it, inside its level;
    /// else the innermost that fits on its way to the visible leaf; nil where none does, or where
    /// nobody holds the place any more.
    public func container(at place: ScreenID, where fits: (Screen) -> Bool) -> ScreenID? {
        if let nearest = nearest(from: place, where: fits) { return nearest }
        guard links(of: place) != nil else { return nil }
        var innermost: ScreenID?
        for id in visiblePath(under: place) where fits(self[id]) { innermost = id }
        return innermost
    }

    /// Whether a screen can be seen: nothing covers it, and all its containers show it.
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

    /// A screen and all that is in and above it, holders first.
    public func screens(under id: ScreenID) -> [ScreenID] {
        var screens: [ScreenID] = []
        visit(id) { screens.append($0.id) }
        return screens
    }

    /// Calls a closure with a screen and all that stands in and above it, holders first.
    public func visit(_ id: ScreenID, _ body: (Screen) throws -> Void) rethrows {
        let screen = self[id]
        try body(screen)
        for child in screen.childList { try visit(child, body) }
        if let modal = screen.modal { try visit(modal, body) }
    }

    /// The modal that makes the next level.
    @inlinable
    func levelModal(of root: ScreenID) -> ScreenID? {
        guard let modal = self[links: root].modal, !self[links: modal].isContextual else {
            return nil
        }
        return modal
    }
}
