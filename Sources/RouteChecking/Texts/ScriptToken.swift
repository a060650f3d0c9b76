// SPDX-License-Identifier: MIT

/// A token of a script, in the granularity that checks need.
package struct ScriptToken {
    /// The kind of a token, with its text.
    package enum Kind: Equatable {
        /// A name or a keyword.
        case word(String)
        /// The content of a string, with its escapes as they are written.
        case text(ArraySlice<UInt8>)
        /// Two dots: the concatenation operator.
        case join
        /// A symbol of one byte; 0 for any other token.
        case symbol(UInt8)

        /// Whether it may be part of an operand that is not a quoted text.
        var isOperand: Bool {
            switch self {
            case .word, .symbol: true
            case .text, .join: false
            }
        }
    }

    /// The kind.
    package let kind: Kind
    /// The number of the line where it begins.
    package let line: Int

    package init(_ kind: Kind, line: Int) { (self.kind, self.line) = (kind, line) }
}
