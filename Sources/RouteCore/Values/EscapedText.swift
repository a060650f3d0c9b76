// SPDX-License-Identifier: MIT

extension String {
    /// Appends a text; a closure writes its quotes, backslashes and control characters.
    ///
    /// The text between them is copied in one step: most texts need no escape.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - isText: Whether the bytes are UTF-8; otherwise the closure also writes bytes above
    ///     ASCII.
    ///   - escape: Appends a byte that cannot be copied.
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
    /// Whether the byte is written unchanged, in tree notation and in JSON.
    fileprivate func isCopied(isText: Bool) -> Bool {
        switch Unicode.Scalar(self) {
        case "\"", "\\", "\u{0}"..<"\u{20}", "\u{7F}": false
        default: isText || self < 0x80
        }
    }
}
