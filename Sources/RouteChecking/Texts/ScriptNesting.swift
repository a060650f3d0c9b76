// SPDX-License-Identifier: MIT

package import RouteCore

/// A type that tracks the open calls, tables and blocks of a script, token by token.
///
/// The script may be incomplete while a user types. A closing bracket matches the nearest opening
/// bracket of its kind, and is ignored if there is none.
package struct ScriptNesting {
    /// An open bracket or block.
    package struct Level {
        /// The token that closes the bracket or block.
        let end: ScriptToken.Kind
        /// The name of the function that is called with arguments in parentheses, or with a table
        /// as its only argument.
        ///
        /// Nil if the level is not a call, but a table, an expression in parentheses, an index or a
        /// block.
        let function: String?
        /// The `.` or `:` before the name of the function; nil if there is none.
        let separator: ScriptToken.Kind?
        /// The name before the separator; nil if there is no separator, or if another expression
        /// precedes it.
        let object: String?
        let location: RouteError.Location
        /// The number of arguments or entries before the current argument or entry.
        var index = 0
        /// The key of the current entry of a table; nil if the entry has no key.
        var key: String?
        /// The first argument, if it is a quoted text.
        var firstText: ArraySlice<UInt8>?

        var isTable: Bool { end == .symbol(UInt8(ascii: "}")) }
    }

    /// The position of a value in the arguments of a call.
    package struct Argument {
        /// A key of a table, or the index of an element, counted from 0.
        package enum Step: Equatable {
            case key(String)
            case index(Int)
        }

        /// The name of the function.
        package let function: String
        /// The `.` or `:` before the name of the function; nil if there is none.
        let separator: ScriptToken.Kind?
        /// The name before the separator; nil if there is no separator, or if another expression
        /// precedes it.
        package let object: String?
        /// Whether the function is a member: its name follows a `.` or `:`.
        package var isMember: Bool { separator != nil }
        /// Whether the function is called as a method: its name follows a `:`.
        package var isMethod: Bool { separator == .symbol(UInt8(ascii: ":")) }
        /// The index of the argument, counted from 0.
        package let index: Int
        /// The path to the value within a table argument, the outermost step first; empty if the
        /// value is the argument itself.
        package let path: [Step]
        /// The first argument of the call, if it is a quoted text and precedes this argument.
        package let firstText: ArraySlice<UInt8>?
    }

    /// The open brackets and blocks, outermost first.
    package private(set) var levels: [Level] = []
    /// The last tokens that were read, at most five, in order.
    private(set) var recent: [ScriptToken.Kind] = []

    /// The keywords after which a bracket or a quoted text begins an expression, not a call.
    private static let keywords: Set<String> = [
        "and", "do", "else", "elseif", "end", "function", "if", "in", "local", "not", "or",
        "repeat", "return", "then", "until", "while",
    ]

    package init() {}

    /// The name of the function that is called if the next token is a bracket or a quoted text; nil
    /// if there is none.
    private var callee: String? {
        guard case .word(let word)? = recent.last, !Self.keywords.contains(word),
            recent.dropLast().last != .word("function")
        else { return nil }
        return word
    }

    /// The `.` or `:` before the callee; nil if there is none.
    private var separator: ScriptToken.Kind? {
        let before = recent.dropLast().last
        return [".", ":"].contains { before == .symbol(UInt8(ascii: $0)) } ? before : nil
    }

    /// The name before the separator.
    private var object: String? {
        guard separator != nil, case .word(let word)? = recent.dropLast(2).last else { return nil }
        return word
    }

    /// Returns the position of the next token.
    ///
    /// - Parameter isText: Whether the token is a quoted text. Lua allows a quoted text as the only
    ///   argument without parentheses, as in `require "name"`.
    /// - Returns: The position; nil if the token is not in the arguments of a call, or if it is in
    ///   a block within the arguments.
    package func argument(isText: Bool = false) -> Argument? {
        if isText, let callee {
            return Argument(
                function: callee,
                separator: separator,
                object: object,
                index: 0,
                path: [],
                firstText: nil
            )
        }
        var path: [Argument.Step] = []
        for level in levels.reversed() {
            if level.isTable {
                path.append(level.key.map(Argument.Step.key) ?? .index(level.index))
            }
            if let function = level.function {
                return Argument(
                    function: function,
                    separator: level.separator,
                    object: level.object,
                    index: level.isTable ? 0 : level.index,
                    path: path.reversed(),
                    firstText: level.firstText
                )
            }
            guard level.isTable else { return nil }
        }
        return nil
    }

    package mutating func read(_ token: ScriptToken.Kind, at location: RouteError.Location) {
        switch token {
        case .symbol(UInt8(ascii: "(")): open(")", function: callee, at: location)
        case .symbol(UInt8(ascii: "{")): open("}", function: callee, at: location)
        case .symbol(UInt8(ascii: "[")): open("]", function: nil, at: location)
        case .word("function"), .word("do"), .word("if"):
            levels.append(Level(block: .word("end"), at: location))
        case .word("repeat"):
            levels.append(Level(block: .word("until"), at: location))
        case .symbol(UInt8(ascii: ")")), .symbol(UInt8(ascii: "}")), .symbol(UInt8(ascii: "]")),
            .word("end"), .word("until"):
            if let index = levels.lastIndex(where: { $0.end == token }) {
                levels.removeSubrange(index...)
            }
        case .symbol(UInt8(ascii: ",")), .symbol(UInt8(ascii: ";")):
            guard let last = levels.indices.last else { break }
            levels[last].index += 1
            levels[last].key = nil
        case .symbol(UInt8(ascii: "=")): readKey()
        case .text(let bytes):
            guard let last = levels.indices.last, levels[last].index == 0,
                recent.last == .symbol(UInt8(ascii: "("))
            else { break }
            levels[last].firstText = bytes
        default:
            // If an operator follows, the text is only part of the argument.
            guard token.isOperator, case .text? = recent.last, let last = levels.indices.last,
                levels[last].index == 0
            else { break }
            levels[last].firstText = nil
        }
        if recent.count == 5 { recent.removeFirst() }
        recent.append(token)
    }

    private mutating func open(
        _ end: Unicode.Scalar,
        function: String?,
        at location: RouteError.Location
    ) {
        levels.append(
            Level(
                end: .symbol(UInt8(ascii: end)),
                function: function,
                separator: separator,
                object: object,
                location: location
            )
        )
    }

    /// Sets the key of the current table entry to the name before `=`.
    private mutating func readKey() {
        guard let last = levels.indices.last, levels[last].isTable,
            case .word(let name)? = recent.last, let before = recent.dropLast().last
        else { return }
        let begins = ["{", ",", ";"].map { ScriptToken.Kind.symbol(UInt8(ascii: $0)) }
        if begins.contains(before) { levels[last].key = name }
    }
}

extension ScriptNesting.Level {
    /// Creates the level of a block.
    fileprivate init(block end: ScriptToken.Kind, at location: RouteError.Location) {
        self.init(end: end, function: nil, separator: nil, object: nil, location: location)
    }
}
