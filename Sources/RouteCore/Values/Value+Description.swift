// SPDX-License-Identifier: MIT

extension Value: CustomStringConvertible {
    /// The value in tree notation; the name of its kind if it has no notation.
    public var description: String { NotationPrinter().value(self) }
}

extension ByteString: CustomStringConvertible {
    /// The text, in which invalid UTF-8 is replaced by U+FFFD.
    public var description: String { displayText }
}

extension InfoTable: CustomStringConvertible {
    /// The table in tree notation.
    public var description: String { Value.table(self).description }
}
