// SPDX-License-Identifier: MIT

/// The form of names of services, tasks, classes, fields, parameters, interceptors and gates.
///
/// A name starts with a letter and goes on with letters, digits, `_` and `-`; a `.` may
/// stand before a letter. Letters and digits are those of ASCII.
public enum Name {
    /// Whether a text is a name.
    public static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = bytes[...]
            return scan(&rest) && rest.isEmpty
        }
    }

    /// Removes a name from the start of some bytes; returns false, and removes none, where
    /// there is no name.
    public static func scan<Bytes: Collection<UInt8>>(_ bytes: inout Bytes) -> Bool
    where Bytes.SubSequence == Bytes {
        guard let first = bytes.first, isLetter(first) else { return false }
        bytes = bytes.dropFirst()
        while let next = bytes.first {
            if isLetter(next) || isDigit(next) || next == UInt8(ascii: "_")
                || next == UInt8(ascii: "-")
            {
                bytes = bytes.dropFirst()
            } else if next == UInt8(ascii: "."), let after = bytes.dropFirst().first,
                isLetter(after)
            {
                bytes = bytes.dropFirst()
            } else {
                break
            }
        }
        return true
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
