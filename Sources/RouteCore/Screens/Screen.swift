// SPDX-License-Identifier: MIT

/// One screen of a tree: what it is, what it holds, and where it stands.
public struct Screen: Sendable, Equatable {
    /// What a screen does with other screens.
    public enum Kind: String, Sendable, CaseIterable {
        /// Holds no children.
        case leaf
        /// A stack: the last child is visible.
        case nav
        /// One child is selected, and visible.
        case tabs
        /// A primary child and at most one detail, both visible.
        case split
        /// A container as its class declares it: which children are visible, and how many there
        /// may be.
        case container
        /// Shown by the host without the router; holds no children.
        case foreign

        /// The kind that a class has by its name alone, as `nav` has; nil where the name says
        /// nothing.
        ///
        /// No class is a container by its name: what such a one shows is for a declaration to say.
        public init?(impliedBy className: String) {
            guard let kind = Kind(rawValue: className), kind != .container else { return nil }
            self = kind
        }

        /// Whether screens of this kind hold children.
        public var isContainer: Bool {
            switch self {
            case .leaf, .foreign: false
            case .nav, .tabs, .split, .container: true
            }
        }

        /// Which children all screens of this kind show; nil where the class says it.
        var shows: Shows? {
            switch self {
            case .nav: .last
            case .tabs: .selected
            case .split, .leaf, .foreign: .all
            case .container: nil
            }
        }
    }

    /// Which children of a container are visible.
    public enum Shows: String, Sendable, CaseIterable {
        /// The last one, as in a stack.
        case last
        /// All of them.
        case all
        /// The selected one, as in tabs.
        case selected
    }

    /// The identity.
    public let id: ScreenID
    /// The name of the class, such as `ShowPage`.
    public let `class`: String
    /// What the screen does with other screens.
    public let kind: Kind
    /// Which children are visible; of no account for kinds that hold none.
    public let shows: Shows
    /// The number of children that there may be, -1 where there is no limit.
    private let limit: Int32
    /// The data.
    public internal(set) var fields: Fields
    /// The children, in order; empty for kinds that hold none.
    public internal(set) var children: [ScreenID]
    /// The position of the selected child among the children, from 0; 0 where there is none.
    public internal(set) var selection: Int
    private var parentLink = Link()
    private var presenterLink = Link()
    private var modalLink = Link()
    /// How the screen is presented; of no account unless it is a modal.
    public internal(set) var presentation: Presentation

    /// The container that holds the screen; nil for the root of a level and for a contextual modal.
    public internal(set) var parent: ScreenID? {
        get { parentLink.id(besides: id) }
        set { parentLink = Link(newValue) }
    }

    /// The screen that presents this one; nil unless it is a modal.
    public internal(set) var presenter: ScreenID? {
        get { presenterLink.id(besides: id) }
        set { presenterLink = Link(newValue) }
    }

    /// The screen that this one presents, if any.
    public internal(set) var modal: ScreenID? {
        get { modalLink.id(besides: id) }
        set { modalLink = Link(newValue) }
    }

    /// The number of children that there may be; nil where there is no limit.
    public var max: Int? { limit < 0 ? nil : Int(limit) }

    /// Creates a detached screen that holds nothing.
    init(_ id: ScreenID, _ screenClass: ScreenClass, fields: Fields) {
        self.id = id
        `class` = screenClass.name
        kind = screenClass.kind
        shows = screenClass.shows
        limit = screenClass.max.map { Int32(clamping: $0) } ?? -1
        self.fields = fields
        children = []
        selection = 0
        presentation = Presentation()
    }

    /// The children that can be seen when the screen itself can.
    public var visibleChildren: ArraySlice<ScreenID> {
        switch shows {
        case .last: children.suffix(1)
        case .selected: children.isEmpty ? [] : children[selection...selection]
        case .all: children[...]
        }
    }

    /// The child that leads to the visible leaf: the last of those that are visible, such as the
    /// selected tab, or the detail or else the primary; nil where there are no children.
    public var leadingChild: ScreenID? { visibleChildren.last }
}

/// Another screen of the same tree, or none, in half the space of an optional identity.
private struct Link: Equatable {
    // Serials are counted from 1.
    private var serial: Int32 = 0
    private var slot: Int32 = 0

    init() {}

    init(_ id: ScreenID?) {
        guard let id else { return }
        serial = id.serial
        slot = id.slot
    }

    func id(besides other: ScreenID) -> ScreenID? {
        serial == 0 ? nil : ScreenID(serial: serial, slot: slot, tree: other.tree)
    }
}

/// The data of a screen: values by name, in the order in which they were set first.
public struct Fields: Sendable, Equatable {
    private var entries: [(name: String, value: Value)] = []

    /// Creates an empty set of fields.
    public init() {}

    /// The value of a field, nil where it is not set; setting nil removes it.
    ///
    /// - Complexity: O(*n*) in the number of fields.
    public subscript(name: String) -> Value {
        get {
            for entry in entries where entry.name == name { return entry.value }
            return .nil
        }
        set {
            let index = entries.firstIndex { $0.name == name }
            switch (index, newValue.isNil) {
            case (let index?, true): entries.remove(at: index)
            case (let index?, false): entries[index].value = newValue
            case (nil, true): break
            case (nil, false): entries.append((name, newValue))
            }
        }
    }

    /// The names of the fields that are set.
    public var names: [String] { entries.map(\.name) }

    /// The number of fields that are set.
    public var count: Int { entries.count }

    /// Whether the same fields have the same values, in whatever order they were set.
    public static func == (left: Fields, right: Fields) -> Bool {
        left.entries.count == right.entries.count
            && left.entries.allSatisfy { right[$0.name] == $0.value }
    }
}

extension Fields: ExpressibleByDictionaryLiteral {
    /// Creates fields; of two equal names the last one holds.
    public init(dictionaryLiteral elements: (String, Value)...) {
        for (name, value) in elements { self[name] = value }
    }
}
