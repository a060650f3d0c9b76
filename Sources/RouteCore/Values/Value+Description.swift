// SPDX-License-Identifier: MIT

extension Value: CustomStringConvertible {
    /// The value as tree notation writes it; the kind of what it cannot write.
    public var description: String { NotationPrinter().value(self) }
}

extension ByteString: CustomStringConvertible {
    /// The text, with U+FFFD in place of what is not valid UTF-8.
    public var description: String { displayText }
}

extension InfoTable: CustomStringConvertible {
    /// The table as tree notation writes it.
    public var description: String { Value.table(self).description }
}
