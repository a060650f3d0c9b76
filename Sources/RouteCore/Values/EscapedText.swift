// SPDX-License-Identifier: MIT

extension String {
    /// Appends a text, and calls the given closure for each quote, backslash and control character.
    ///
    /// The text between these characters is copied in one step, because most texts need no escapes.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - isText: Whether the bytes are valid UTF-8. If not, the closure is also called for bytes
    ///     that are not ASCII.
    ///   - escape: A closure that appends the escape of a byte that cannot be copied unchanged.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer.SubSequence,
        isText: Bool,
        escape: (UInt8, inout String) -> Void
    ) {
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex { !$0.isCopied(isText: isText) } ?? rest.endIndex
            self += String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[end...]
            if let byte = rest.popFirst() { escape(byte, &self) }
        }
    }
}

extension UInt8 {
    /// Whether the byte is written unchanged in tree notation and in JSON.
    fileprivate func isCopied(isText: Bool) -> Bool {
        switch Unicode.Scalar(self) {
        case "\"", "\\", "\u{0}"..<"\u{20}", "\u{7F}": false
        default: isText || self < 0x80
        }
    }
}
