// SPDX-License-Identifier: MIT

/// A tree of screens as text has it: the levels of a window, the lowest first.
///
/// ```
/// nav[Main, Show(showId=1), Player(trackId=7)]
/// tabs[*nav[Circle], Square] ^ nav[Login]
/// ```
///
/// The same form says which trees are expected; there `_` stands for any class and `...`
/// for any run of children. All ranges are offsets in the UTF-8 text that was parsed.
public struct TreeNotation: Sendable {
    /// The screens, each presented over the one before it; never empty.
    public let levels: [ScreenNotation]
    /// Where the tree stands in the text.
    public let range: Range<Int>
}

/// A screen as text has it.
public struct ScreenNotation: Sendable {
    /// The class; `_` in an expectation stands for any.
    public let name: String
    /// The kind, where it is written.
    public let kind: Screen.Kind?
    /// The fields, in the order in which they are written; nil where there are no parentheses.
    public let fields: [FieldNotation]?
    /// The children; nil where there are no brackets.
    public let children: [ChildNotation]?
    /// Where the screen stands in the text.
    public let range: Range<Int>

    /// Where its class stands in the text.
    package let nameRange: Range<Int>
    let kindRange: Range<Int>
    let fieldsRange: Range<Int>
    let childrenRange: Range<Int>

    /// Whether any class will do.
    public var isAnyClass: Bool { name == "_" }
}

/// A child of a container as text has it.
public enum ChildNotation: Sendable {
    /// Any run of children, also none: `...`.
    case rest(Range<Int>)
    /// A screen, with its contextual modals as further levels, and where its `*` stands if it
    /// is marked as the selected one.
    case child(TreeNotation, star: Range<Int>?)
}

/// A field as text has it: `showId=1`.
public struct FieldNotation: Sendable {
    /// The name.
    public let name: String
    /// The value; nil where the field is said to be absent.
    public let value: Value
    /// Where the field stands in the text.
    public let range: Range<Int>
}

extension TreeNotation {
    /// Parses a text that holds a tree and nothing else.
    ///
    /// - Throws: An error with the place of the first byte that does not fit.
    public init(_ text: String, _ mode: NotationParser.Mode = .tree) throws(NotationError) {
        var parser = NotationParser(Array(text.utf8))
        parser.skipSpace()
        self = try parser.parseTree(mode)
        try parser.expectEnd()
    }
}

extension InfoTable {
    /// Creates a table with the values of fields as text has them.
    public init(_ fields: [FieldNotation]) {
        self.init()
        for field in fields { self[field.name] = field.value }
    }
}
