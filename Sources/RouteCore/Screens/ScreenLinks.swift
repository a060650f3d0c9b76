// SPDX-License-Identifier: MIT

/// The links from one screen to others, with which a tree can be walked without copying the
/// screens' data.
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
    /// The rule that determines the visible children; ignored for kinds without children.
    public let shows: Screen.Shows
    /// Whether the screen is a modal that covers only its presenter's area inside a container.
    public internal(set) var isContextual = false
    /// Whether the screen was removed from its tree.
    ///
    /// A removed screen cannot be inserted again.
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

    /// The container of the screen; nil for the root of a level and for a contextual modal.
    @inlinable public internal(set) var parent: ScreenID? {
        get { parentLink.id(besides: id) }
        set { parentLink = Link(newValue) }
    }

    /// The screen that presents this screen; nil if this screen is not a modal.
    @inlinable public internal(set) var presenter: ScreenID? {
        get { presenterLink.id(besides: id) }
        set { presenterLink = Link(newValue) }
    }

    /// The modal that this screen presents, if any.
    @inlinable public internal(set) var modal: ScreenID? {
        get { modalLink.id(besides: id) }
        set { modalLink = Link(newValue) }
    }

    /// The child on the path to the visible leaf; nil if there are no children.
    ///
    /// This is the last visible child, such as the selected tab or the detail of a split. In a
    /// split without a detail, it is the primary.
    @inlinable public internal(set) var leadingChild: ScreenID? {
        get { leadingLink.id(besides: id) }
        set { leadingLink = Link(newValue) }
    }

    /// The container of the screen or, if there is none, its presenter; nil for the root of a
    /// window and for a detached screen.
    @inlinable public var holder: ScreenID? { parent ?? presenter }

    /// The container of the screen, or the presenter if the screen is a contextual modal.
    @inlinable public var surrounding: ScreenID? { parent ?? (isContextual ? presenter : nil) }
}

/// An optional reference to a screen of the same tree, half the size of an optional ``ScreenID``.
@usableFromInline
struct Link: Equatable, Sendable {
    // Serials start at 1, so 0 means that there is no screen.
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
