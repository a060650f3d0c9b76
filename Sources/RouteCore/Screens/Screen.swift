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
        /// Shown by the host without the router; holds no children.
        case foreign

        /// Whether screens of this kind hold children.
        public var isContainer: Bool {
            switch self {
            case .leaf, .foreign: false
            case .nav, .tabs, .split: true
            }
        }
    }

    /// How a modal is presented.
    public struct Presentation: Sendable, Equatable {
        /// Whether it covers only its presenter's place inside a container.
        public var isContextual: Bool

        /// Creates a presentation.
        public init(isContextual: Bool = false) {
            self.isContextual = isContextual
        }
    }

    /// The identity.
    public let id: ScreenID
    /// The name of the class, such as `ShowPage`.
    public let `class`: String
    /// What the screen does with other screens.
    public let kind: Kind
    /// The data.
    public internal(set) var fields: Fields
    /// The children, in order; empty for kinds that hold none.
    public internal(set) var children: [ScreenID]
    /// The position of the selected child among the children, from 0; 0 where there is none.
    public internal(set) var selection: Int
    /// The container that holds the screen; nil for the root of a level and for a contextual modal.
    public internal(set) var parent: ScreenID?
    /// The screen that presents this one; nil unless it is a modal.
    public internal(set) var presenter: ScreenID?
    /// The screen that this one presents, if any.
    public internal(set) var modal: ScreenID?
    /// How the screen is presented; of no account unless it is a modal.
    public internal(set) var presentation: Presentation

    /// The children that can be seen when the screen itself can.
    public var visibleChildren: ArraySlice<ScreenID> {
        switch kind {
        case .leaf, .foreign: []
        case .nav: children.suffix(1)
        case .tabs: children.isEmpty ? [] : children[selection...selection]
        case .split: children[...]
        }
    }

    /// The child that leads to the visible leaf: the last of a stack, the selected tab, the
    /// detail or else the primary; nil where there are no children.
    public var leadingChild: ScreenID? { visibleChildren.last }
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
