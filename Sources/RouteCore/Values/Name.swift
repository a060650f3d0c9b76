// SPDX-License-Identifier: MIT

/// The form of names of services, tasks, classes, fields, parameters, interceptors and gates.
///
/// A name starts with a letter and goes on with letters, digits, `_` and `-`; a `.` may
/// stand before a letter. Letters and digits are those of ASCII.
public enum Name {
    /// Whether a text is a name.
    public static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { $0.count > 0 && length(in: $0) == $0.count }
    }

    /// Removes a name from the start of some bytes; returns false, and removes none, where
    /// there is no name.
    public static func scan<Bytes: Collection<UInt8>>(_ bytes: inout Bytes) -> Bool
    where Bytes.SubSequence == Bytes {
        let length =
            bytes.withContiguousStorageIfAvailable(length)
            ?? Array(bytes).withUnsafeBufferPointer(length)
        bytes = bytes.dropFirst(length)
        return length > 0
    }

    /// The number of bytes of the name at the start of some bytes; 0 if there is none.
    private static func length(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let first = bytes.first, isLetter(first) else { return 0 }
        var end = 1
        while end < bytes.count {
            let byte = bytes[end]
            if isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "-")
            {
                end += 1
            } else if byte == UInt8(ascii: "."), end + 1 < bytes.count, isLetter(bytes[end + 1]) {
                end += 2
            } else {
                return end
            }
        }
        return end
    }

    /// Whether a byte is a letter of ASCII.
    public static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    /// Whether a byte is a digit of ASCII.
    public static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }
}
