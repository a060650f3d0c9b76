// SPDX-License-Identifier: MIT

/// A one-pass parser of trees, screens and values.
///
/// The text may be part of a larger text. A parser reads between two given offsets, leaves
/// ``position`` after the parsed text, and reports all ranges as offsets in the whole text. Parsing
/// starts exactly at the position; white space is allowed between tokens.
///
/// ```swift
/// var parser = NotationParser(Array("{ id = 7 } and more".utf8))
/// let value = try parser.parseValue()
/// print(value, parser.position)  // {id=7} 10
/// ```
///
/// - Complexity: O(*n*) in the length of the text; O(*n* log *n*) for tables with keys.
public struct NotationParser: Sendable {
    /// The purpose of a parsed tree.
    public enum Mode: Sendable {
        /// A tree to build: every class and every child is written out.
        case tree
        /// An expectation, which may contain `_` and `...`.
        case pattern
    }

    /// The maximum nesting depth of tables, containers and modals, which prevents a stack overflow.
    static let maximumDepth = 100

    /// The offset of the next byte.
    public var position: Int

    /// Whether a `#` begins a comment if it is at the start of the text or after white space.
    ///
    /// The comment extends to the end of the line and counts as white space.
    public var skipsComments = false

    /// The bare words that are placeholders for values known later, instead of strings.
    package var names: Set<String> = []

    /// Whether values may be matchers, as in expectations.
    package var allowsMatchers = false

    let bytes: [UInt8]
    let end: Int
    var depth = 0

    /// Creates a parser for the given bytes, or for the part between two offsets.
    public init(_ bytes: [UInt8], from start: Int = 0, to end: Int? = nil) {
        self.bytes = bytes
        self.end = end ?? bytes.count
        position = start
        precondition(
            start <= self.end && self.end <= bytes.count,
            "the range is outside of the bytes"
        )
    }

    // MARK: Trees

    /// Reads a tree: screens with `^` between them.
    ///
    /// - Throws: An error with its location. The parser is then at that location or after it.
    public mutating func parseTree(_ mode: Mode) throws(NotationError) -> TreeNotation {
        let start = position
        let outerDepth = depth
        defer { depth = outerDepth }
        var levels = [try parseScreen(mode)]
        var levelsEnd = position
        skipSpace()
        while peek() == UInt8(ascii: "^") {
            // A modal counts as nested in its presenter, like a child in its container.
            try enter()
            skipSpace()
            levels.append(try parseScreen(mode))
            levelsEnd = position
            skipSpace()
        }
        position = levelsEnd
        return TreeNotation(levels: levels, range: start..<levelsEnd)
    }

    /// Reads one screen: a name, optionally followed by a kind, fields and children.
    ///
    /// - Throws: An error with its location. The parser is then at that location or after it.
    public mutating func parseScreen(_ mode: Mode) throws(NotationError) -> ScreenNotation {
        let start = position
        let name = try parseClass(mode)
        let nameEnd = position
        var screenEnd = nameEnd

        var kind: Screen.Kind?
        var kindRange = nameEnd..<nameEnd
        skipSpace()
        if take(":") {
            skipSpace()
            (kind, kindRange) = try parseKind()
            screenEnd = position
        }
        var fields: [FieldNotation]?
        var fieldsRange = nameEnd..<nameEnd
        skipSpace()
        if peek() == UInt8(ascii: "(") {
            let open = position
            fields = try parseScreenFields()
            fieldsRange = open..<position
            screenEnd = position
        }
        var children: [ChildNotation]?
        var childrenRange = nameEnd..<nameEnd
        skipSpace()
        if peek() == UInt8(ascii: "[") {
            let open = position
            children = try parseChildren(mode)
            childrenRange = open..<position
            screenEnd = position
        }
        position = screenEnd
        return ScreenNotation(
            name: name,
            kind: kind,
            fields: fields,
            children: children,
            range: start..<screenEnd,
            nameRange: start..<nameEnd,
            kindRange: kindRange,
            fieldsRange: fieldsRange,
            childrenRange: childrenRange
        )
    }

    private mutating func parseClass(_ mode: Mode) throws(NotationError) -> String {
        let start = position
        if let name = takeName() { return name }
        let found = found()
        switch peek() {
        case UInt8(ascii: "_"):
            position += 1
            guard peek()?.isWord != true else {
                throw .expected(
                    "a class",
                    got: found,
                    help: "a name starts with a letter"
                )
            }
            guard mode == .pattern else { throw .onlyInExpectations("_", at: start..<position) }
            return "_"
        case UInt8(ascii: "."):
            throw .expected(
                "a class",
                got: found,
                help: "'...' is allowed only in a list of children"
            )
        case UInt8(ascii: "*"):
            throw .expected(
                "a class",
                got: found,
                help: "'*' is allowed only before a child of tabs"
            )
        default:
            throw .expected("a class", got: found)
        }
    }

    private mutating func parseKind() throws(NotationError) -> (Screen.Kind, Range<Int>) {
        let start = position
        guard let name = takeName() else { throw .expected("a kind", got: found()) }
        guard let kind = Screen.Kind(rawValue: name) else {
            throw .unknownKind(name, at: start..<position)
        }
        return (kind, start..<position)
    }

    private mutating func parseChildren(_ mode: Mode) throws(NotationError) -> [ChildNotation] {
        try enter()
        defer { depth -= 1 }
        skipSpace()
        if take("]") { return [] }
        var children: [ChildNotation] = []
        var hasRest = false
        var hasSelection = false
        repeat {
            skipSpace()
            let start = position
            if takeRest() {
                let range = start..<position
                guard mode == .pattern else { throw .onlyInExpectations("...", at: range) }
                guard !hasRest else { throw .secondRest(at: range) }
                hasRest = true
                children.append(.rest(range))
            } else {
                var star: Range<Int>?
                if take("*") {
                    guard !hasSelection else { throw .secondSelection(at: start..<position) }
                    hasSelection = true
                    star = start..<position
                    skipSpace()
                }
                children.append(.child(try parseTree(mode), star: star))
            }
            skipSpace()
        } while take(",")
        guard take("]") else { throw .expected("',' or ']'", got: found()) }
        return children
    }

    // MARK: End of the text

    /// Checks that nothing except white space follows.
    ///
    /// - Throws: An error at the first character that is not white space.
    public mutating func expectEnd() throws(NotationError) {
        skipSpace()
        guard position == end else { throw .expected("the end", got: found()) }
    }
}
