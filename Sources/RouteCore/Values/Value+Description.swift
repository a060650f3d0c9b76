// SPDX-License-Identifier: MIT

extension Value: CustomStringConvertible {
    /// The value in tree notation; for a value without a notation, its kind.
    public var description: String { NotationPrinter().value(self) }
}

extension ByteString: CustomStringConvertible {
    /// The text, with U+FFFD in place of invalid UTF-8.
    public var description: String { displayText }
}

extension InfoTable: CustomStringConvertible {
    /// The table in tree notation.
    public var description: String { Value.table(self).description }
}
