// SPDX-License-Identifier: MIT

/// The notation of a window's tree: the levels of the window, the lowest first.
///
/// ```
/// nav[Main, Show(showId=1), Player(trackId=7)]
/// tabs[*nav[Circle], Square] ^ nav[Login]
/// ```
///
/// An expectation has the same form, but `_` matches any class, and `...` matches any run of
/// children. A value may be a matcher: `id=_`, `price > 10`, `tags contains "new"`,
/// `user={name="ann", ...}`. All ranges are UTF-8 offsets in the parsed text.
///
/// ```swift
/// let tree = try TreeNotation("nav[Home, Page(id=7)] ^ Login")
/// print(tree.levels.map(\.name))  // ["nav", "Login"]
/// ```
public struct TreeNotation: Sendable {
    /// The levels, each presented over the previous one; never empty.
    public let levels: [ScreenNotation]
    /// The range of the tree in the text.
    public let range: Range<Int>
    /// Whether all fields of all screens are compared, including fields that are not written, as
    /// `exactly` requests.
    package var isExact = false
}

/// The notation of a screen.
///
/// ```swift
/// let screen = try TreeNotation("Page(id=7)").levels[0]
/// print(screen.name, InfoTable(screen.fields ?? []))  // Page {id=7}
/// ```
public struct ScreenNotation: Sendable {
    /// The class name; `_` in an expectation matches any class.
    public let name: String
    /// The kind, if one is written.
    public let kind: Screen.Kind?
    /// The fields in the written order; nil if there are no parentheses.
    public internal(set) var fields: [FieldNotation]?
    /// The children; nil if there are no brackets.
    public internal(set) var children: [ChildNotation]?
    /// The range of the screen in the text.
    public let range: Range<Int>

    /// The range of the class in the text.
    package let nameRange: Range<Int>
    let kindRange: Range<Int>
    /// The range of the fields with their parentheses; empty if there are none.
    package let fieldsRange: Range<Int>
    let childrenRange: Range<Int>
    /// Whether all fields are compared, including fields that are not written, as `exactly`
    /// requests.
    package var isExact = false

    /// Whether the notation matches any class.
    public var isAnyClass: Bool { name == "_" }
}

/// The notation of a child of a container.
///
/// ```swift
/// let list = try TreeNotation("nav[..., Page]", .pattern).levels[0]
/// for child in list.children ?? [] {
///     switch child {
///     case .rest: print("any screens")  // any screens
///     case .child(let tree, _): print(tree.levels[0].name)  // Page
///     }
/// }
/// ```
public enum ChildNotation: Sendable {
    /// Any run of children, possibly empty, written as `...`.
    case rest(Range<Int>)
    /// A child. The first level of the tree is the child itself, and the further levels are its
    /// contextual modals. `star` is the range of the `*`, or nil if the child is not marked as
    /// selected.
    case child(TreeNotation, star: Range<Int>?)
}

/// The notation of a field: `showId=1`.
///
/// ```swift
/// let fields = try TreeNotation("Page(id=7)").levels[0].fields ?? []
/// for field in fields { print(field.name, field.value, field.range) }  // id 7 5..<9
/// ```
public struct FieldNotation: Sendable {
    /// The name of the field.
    public let name: String
    /// The notation of the value.
    package let notation: ValueNotation
    /// The range of the field in the text.
    public let range: Range<Int>

    /// The value of the field; nil if the field must be absent, or if a matcher or a placeholder is
    /// written.
    public var value: Value { notation.value { _ in .nil } }
}

extension TreeNotation {
    /// Parses a text that contains one tree.
    ///
    /// - Throws: An error at the first byte that cannot be parsed.
    public init(_ text: String, _ mode: NotationParser.Mode = .tree) throws(NotationError) {
        var parser = NotationParser(Array(text.utf8))
        parser.allowsMatchers = mode == .pattern
        parser.skipSpace()
        self = try parser.parseTree(mode)
        try parser.expectEnd()
    }
}

extension InfoTable {
    /// Creates a table from the notation of fields.
    public init(_ fields: [FieldNotation]) {
        self.init(fields) { _ in .nil }
    }

    /// Creates a table from the notation of fields.
    ///
    /// A placeholder has the value that `names` returns for its name.
    package init(_ fields: [FieldNotation], _ names: ValueNotation.Names) {
        self.init()
        for field in fields { self[field.name] = field.notation.value(names) }
    }
}
