// SPDX-License-Identifier: MIT

/// A token of a script, with only as much detail as the checks need.
package struct ScriptToken {
    /// The kind of a token, with its text.
    package enum Kind: Equatable {
        /// A name or a keyword.
        case word(String)
        /// The content of a string, with escapes as written in the source.
        case text(ArraySlice<UInt8>)
        /// The concatenation operator, `..`.
        case join
        /// A number, as written in the source.
        case numeral(ArraySlice<UInt8>)
        /// A symbol that consists of the given byte; 0 for a symbol of several bytes.
        case symbol(UInt8)

        /// Whether the token is an operator.
        ///
        /// The token before an operator is only part of a value.
        package var isOperator: Bool {
            switch self {
            case .join, .word("and"), .word("or"): true
            case .symbol(let byte): !",;)}]({".utf8.contains(byte)
            case .word, .text, .numeral: false
            }
        }

        /// Whether the token may belong to an operand other than a quoted text.
        var isOperand: Bool {
            switch self {
            case .word, .numeral, .symbol: true
            case .text, .join: false
            }
        }
    }

    /// The kind.
    package let kind: Kind
    /// The line on which the token begins, counted from 1.
    package let line: Int
    /// The byte range in the source; for a quoted text, the range between the quotes.
    package let range: Range<Int>

    package init(_ kind: Kind, line: Int, range: Range<Int> = 0..<0) {
        (self.kind, self.line, self.range) = (kind, line, range)
    }
}
