// SPDX-License-Identifier: MIT

/// One screen of a tree: its class, data and position.
///
/// ```swift
/// let window = router.tree.windows[0]
/// let screen = router.tree[router.tree.visibleLeaf(of: window)]
/// print(screen.class, screen.kind, screen.fields["id"])  // Page leaf 7
/// ```
public struct Screen: Sendable, Equatable {
    /// The role of a screen in the tree: a leaf, or a kind of container.
    public enum Kind: String, Sendable, CaseIterable {
        /// A screen without children.
        case leaf
        /// A stack, in which the last child is visible.
        case nav
        /// A container in which the selected child is visible.
        case tabs
        /// A container with a primary child and at most one detail, which are both visible.
        case split
        /// A container whose class declares which children are visible, and the maximum number of
        /// children.
        case container
        /// A screen without children that the host shows without the router.
        case foreign

        /// Creates the kind that the name of a class implies, such as `nav`; nil if the name
        /// implies none.
        ///
        /// No name implies `container`, because the class must declare which children such a screen
        /// shows.
        public init?(impliedBy className: String) {
            guard let kind = Kind(rawValue: className), kind != .container else { return nil }
            self = kind
        }

        /// Whether screens of this kind can have children.
        public var isContainer: Bool {
            switch self {
            case .leaf, .foreign: false
            case .nav, .tabs, .split, .container: true
            }
        }

        /// The rule that determines the visible children of screens of this kind; nil if the class
        /// declares the rule.
        var shows: Shows? {
            switch self {
            case .nav: .last
            case .tabs: .selected
            case .split, .leaf, .foreign: .all
            case .container: nil
            }
        }
    }

    /// The rule that determines the visible children of a container.
    public enum Shows: String, Sendable, CaseIterable {
        /// The last child, as in a stack.
        case last
        /// All children.
        case all
        /// The selected child, as in tabs.
        case selected
    }

    /// The links to other screens.
    public internal(set) var links: ScreenLinks
    /// The data of the screen except its links.
    ///
    /// Copies of the screen share the data until one of the copies changes.
    package private(set) var content: Content

    /// The part of a screen's data that is not needed to walk a tree.
    package final class Content: @unchecked Sendable {
        package let `class`: String
        // These properties change only while the content has one owner, so accesses never overlap.
        @exclusivity(unchecked) package fileprivate(set) var fields: Fields
        @exclusivity(unchecked) fileprivate(set) var children: ChunkedArray<ScreenID> = []
        @exclusivity(unchecked) fileprivate(set) var details: Presentation.SharedDetails?
        @exclusivity(unchecked) fileprivate(set) var route: String?

        fileprivate init(_ className: String, fields: Fields) {
            `class` = className
            self.fields = fields
        }

        fileprivate init(copying other: Content) {
            `class` = other.class
            fields = other.fields
            children = other.children
            details = other.details
            route = other.route
        }
    }

    /// The identity of the screen.
    public var id: ScreenID { links.id }

    /// The name of the screen's class, such as `ShowPage`.
    public var `class`: String { content.class }

    /// The role of the screen: a leaf, or a kind of container.
    public var kind: Kind { links.kind }

    /// The rule that determines the visible children; ignored for kinds without children.
    public var shows: Shows { links.shows }

    /// The fields of the screen, which contain its data.
    public internal(set) var fields: Fields {
        get { content.fields }
        _modify {
            makeContentUnique()
            yield &content.fields
        }
    }

    /// The route that built the screen, such as `Show/open`; nil if the screen was not built by a
    /// route.
    ///
    /// Reloads and snapshots preserve the route. When a gate closes, the route identifies the
    /// screens to remove.
    public internal(set) var route: String? {
        get { content.route }
        set {
            makeContentUnique()
            content.route = newValue
        }
    }

    /// The children in order; empty for kinds without children.
    ///
    /// - Complexity: O(1) for up to 32 children, otherwise O(*n*).
    public var children: [ScreenID] { content.children.array }

    /// The number of children.
    package var childCount: Int { content.children.count }

    /// Returns the child at an index, from 0 to ``childCount`` - 1.
    package func child(_ position: Int) -> ScreenID { content.children[position] }

    /// The children in their stored form, which is copied in O(1).
    var childList: ChunkedArray<ScreenID> {
        get { content.children }
        _modify {
            makeContentUnique()
            defer { links.leadingChild = visibleList.last }
            yield &content.children
        }
    }

    /// The index of the selected child, from 0; 0 if there is none.
    public internal(set) var selection: Int {
        get { Int(links.selection) }
        set {
            links.selection = Int32(newValue)
            links.leadingChild = visibleList.last
        }
    }

    /// The container of the screen; nil for the root of a level and for a contextual modal.
    public internal(set) var parent: ScreenID? {
        get { links.parent }
        set { links.parent = newValue }
    }

    /// The screen that presents this screen; nil if this screen is not a modal.
    public internal(set) var presenter: ScreenID? {
        get { links.presenter }
        set { links.presenter = newValue }
    }

    /// The modal that this screen presents, if any.
    public internal(set) var modal: ScreenID? {
        get { links.modal }
        set { links.modal = newValue }
    }

    /// The presentation of the screen; ignored if the screen is not a modal.
    public internal(set) var presentation: Presentation {
        get { Presentation(isContextual: links.isContextual, content.details) }
        set {
            links.isContextual = newValue.isContextual
            makeContentUnique()
            content.details = newValue.shared
        }
    }

    /// The maximum number of children; nil if there is no limit.
    public var max: Int? { links.limit < 0 ? nil : Int(links.limit) }

    /// Creates a detached screen without children.
    init(_ id: ScreenID, _ screenClass: ScreenClass, fields: Fields) {
        links = ScreenLinks(id, screenClass)
        content = Content(screenClass.name, fields: fields)
    }

    /// The children that are visible when the screen itself is visible.
    ///
    /// - Complexity: O(1) for up to 32 children, otherwise O(*n*).
    public var visibleChildren: ArraySlice<ScreenID> {
        let visible = visibleList
        return content.children.array[visible.startIndex..<visible.endIndex]
    }

    /// The visible children, as a slice of the stored children.
    var visibleList: Slice<ChunkedArray<ScreenID>> {
        let children = content.children
        switch shows {
        case .last: return children.suffix(1)
        case .selected:
            let isSelected = children.indices.contains(selection)
            return isSelected ? children[selection...selection] : children.prefix(0)
        case .all: return children[...]
        }
    }

    /// The child on the path to the visible leaf; nil if there are no children.
    ///
    /// This is the last visible child, such as the selected tab or the detail of a split. In a
    /// split without a detail, it is the primary.
    public var leadingChild: ScreenID? { links.leadingChild }

    /// Removes the links to and from other screens.
    mutating func removeLinks() {
        childList = []
        selection = 0
        parent = nil
        presenter = nil
        modal = nil
    }

    private mutating func makeContentUnique() {
        if !isKnownUniquelyReferenced(&content) { content = Content(copying: content) }
    }

    /// Whether two screens have the same identity and contents.
    public static func == (left: Screen, right: Screen) -> Bool {
        left.links == right.links
            && (left.content === right.content
                || left.class == right.class && left.fields == right.fields
                    && left.childList == right.childList
                    && left.content.details == right.content.details
                    && left.route == right.route)
    }
}

/// The data of a screen: values by name, in the order in which they were first set.
///
/// ```swift
/// var fields: Fields = ["id": 7]
/// fields["title"] = "News"
/// print(fields.names, fields["id"])  // ["id", "title"] 7
/// ```
public struct Fields: Sendable, Equatable {
    private var entries: [(name: String, value: Value)] = []
    /// The approximate number of bytes of the names and values.
    package private(set) var byteCount = 0

    /// Creates an empty set of fields.
    public init() {}

    /// The value of a field, or nil if the field is not set; setting nil removes the field.
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
            case (let index?, true): byteCount -= Self.size(of: entries.remove(at: index))
            case (let index?, false):
                byteCount += newValue.size - entries[index].value.size
                entries[index].value = newValue
            case (nil, true): break
            case (nil, false):
                entries.append((name, newValue))
                byteCount += Self.size(of: (name, newValue))
            }
        }
    }

    private static func size(of entry: (name: String, value: Value)) -> Int {
        entry.name.utf8.count + entry.value.size
    }

    /// The names of the fields that are set.
    public var names: [String] { entries.map(\.name) }

    /// The number of fields that are set.
    public var count: Int { entries.count }

    /// Returns `other` with the changes that turned `base` into this set.
    func rebased(from base: Fields, onto other: Fields) -> Fields {
        var fields = other
        for name in names + base.names where self[name] != base[name] { fields[name] = self[name] }
        return fields
    }

    /// Whether both sets have the same fields with the same values, in any order.
    public static func == (left: Fields, right: Fields) -> Bool {
        left.entries.count == right.entries.count
            && left.entries.allSatisfy { right[$0.name] == $0.value }
    }
}

extension Fields: ExpressibleByDictionaryLiteral {
    /// Creates fields from a literal.
    ///
    /// If a name occurs twice, the last value wins.
    public init(dictionaryLiteral elements: (String, Value)...) {
        for (name, value) in elements { self[name] = value }
    }
}
