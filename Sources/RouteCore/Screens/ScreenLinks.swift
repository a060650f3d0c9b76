// SPDX-License-Identifier: MIT

/// What leads from one screen of a tree to others: enough to walk the tree without a copy of
/// what the screens hold.
public struct ScreenLinks: Sendable, Equatable {
    /// The identity of the screen.
    public let id: ScreenID
    /// What the screen does with other screens.
    public let kind: Screen.Kind
    /// Which children are visible; of no account for kinds that hold none.
    public let shows: Screen.Shows
    /// Whether the screen, if it is a modal, covers only its presenter's place inside a container.
    public internal(set) var isContextual = false
    /// Whether the screen was removed from its tree, and cannot come back.
    var isGone = false
    /// The number of children that there may be, -1 where there is no limit.
    let limit: Int32
    /// The position of the selected child.
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

    /// The child that leads to the visible leaf: the last of those that are visible, such as the
    /// selected tab, or the detail or else the primary; nil where there are no children.
    @inlinable public internal(set) var leadingChild: ScreenID? {
        get { leadingLink.id(besides: id) }
        set { leadingLink = Link(newValue) }
    }

    /// What holds the screen: the container or else the presenter; nil for the root of a window
    /// and for a screen that stands nowhere.
    @inlinable public var holder: ScreenID? { parent ?? presenter }

    /// What the screen stands in inside its level: the container, or the presenter of a contextual
    /// modal.
    @inlinable public var surrounding: ScreenID? { parent ?? (isContextual ? presenter : nil) }
}

/// Another screen of the same tree, or none, in half the space of an optional identity.
@usableFromInline
struct Link: Equatable, Sendable {
    // Serials are counted from 1.
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
