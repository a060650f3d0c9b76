// SPDX-License-Identifier: MIT

/// The links from one screen to others: sufficient to walk the tree without copying the screens'
/// data.
///
/// ```swift
/// var place = router.tree.visibleLeaf(of: router.tree.windows[0])
/// while let holder = router.tree.links(of: place)?.holder { place = holder }
/// print(router.tree[place].class)  // nav
/// ```
public struct ScreenLinks: Sendable, Equatable {
    /// The identity of the screen.
    public let id: ScreenID
    /// The role of the screen: a leaf, or a kind of container.
    public let kind: Screen.Kind
    /// The visible children; ignored for kinds without children.
    public let shows: Screen.Shows
    /// Whether the screen, if it is a modal, covers only its presenter's area inside a container.
    public internal(set) var isContextual = false
    /// Whether the screen was removed from its tree, to which it cannot return.
    var isGone = false
    /// The maximum number of children, or -1 if there is no limit.
    let limit: Int32
    /// The index of the selected child.
    var selection: Int32 = 0
    @usableFromInline var parentLink = Link()
    @usableFromInline var presenterLink = Link()
    @usableFromInline var modalLink = Link()
    @usableFromInline var leadingLink = Link()

    init(_ id: ScreenID, _ screenClass: ScreenClass) {
        self.id = id
        kind = screenClass.kind
        shows = screenClass.shows
        limit = screenClass.max.map { Int32(clamping: $0) } ?? -1
    }

    /// The container that holds the screen; nil for the root of a level and for a contextual modal.
    @inlinable public internal(set) var parent: ScreenID? {
        get { parentLink.id(besides: id) }
        set { parentLink = Link(newValue) }
    }

    /// The screen that presents this one; nil unless it is a modal.
    @inlinable public internal(set) var presenter: ScreenID? {
        get { presenterLink.id(besides: id) }
        set { presenterLink = Link(newValue) }
    }

    /// The screen that this one presents, if any.
    @inlinable public internal(set) var modal: ScreenID? {
        get { modalLink.id(besides: id) }
        set { modalLink = Link(newValue) }
    }

    /// The child on the path to the visible leaf: the last visible one, such as the selected tab,
    /// or a split's detail, or its primary if it has no detail; nil if there are no children.
    @inlinable public internal(set) var leadingChild: ScreenID? {
        get { leadingLink.id(besides: id) }
        set { leadingLink = Link(newValue) }
    }

    /// The holder of the screen, its container or, if it has none, its presenter; nil for the root
    /// of a window and for a detached screen.
    @inlinable public var holder: ScreenID? { parent ?? presenter }

    /// The container of the screen, or the presenter of a contextual modal.
    @inlinable public var surrounding: ScreenID? { parent ?? (isContextual ? presenter : nil) }
}

/// An optional screen of the same tree, in half the space of an optional ``ScreenID``.
@usableFromInline
struct Link: Equatable, Sendable {
    // Serials start at 1; 0 means none.
    @usableFromInline var serial: Int32 = 0
    @usableFromInline var slot: Int32 = 0

    @inlinable
    init() {}

    @inlinable
    init(_ id: ScreenID?) {
        guard let id else { return }
        serial = id.serial
        slot = id.slot
    }

    @inlinable
    func id(besides other: ScreenID) -> ScreenID? {
        serial == 0 ? nil : ScreenID(serial: serial, slot: slot, tree: other.tree)
    }
}
