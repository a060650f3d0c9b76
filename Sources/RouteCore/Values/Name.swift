// SPDX-License-Identifier: MIT

/// The syntax of names of services, tasks, classes, fields, parameters, interceptors and gates.
///
/// A name starts with a letter, followed by letters, digits, `_` and `-`. A `.` is allowed before a
/// letter. Only ASCII letters and digits are allowed.
package enum Name {
    /// Whether a text is a name.
    package static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { $0.count > 0 && length(in: $0) == $0.count }
    }

    /// Whether the given bytes are a name.
    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.withMemoryRebound(to: UInt8.self) { $0.count > 0 && length(in: $0) == $0.count }
    }

    /// Removes a name from the start of the bytes.
    ///
    /// If the bytes do not start with a name, removes nothing and returns false.
    package static func scan<Bytes: Collection<UInt8>>(_ bytes: inout Bytes) -> Bool
    where Bytes.SubSequence == Bytes {
        let length =
            bytes.withContiguousStorageIfAvailable(length)
            ?? Array(bytes).withUnsafeBufferPointer(length)
        bytes = bytes.dropFirst(length)
        return length > 0
    }

    /// Returns the end of the name that starts at the given offset; nil if no name starts there.
    package static func end(in bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        precondition(0 <= start && end <= bytes.count, "the range is outside of the bytes")
        guard start < end else { return nil }
        let count = bytes.withUnsafeBufferPointer { bytes in
            length(in: UnsafeBufferPointer(rebasing: bytes[start..<end]))
        }
        return count > 0 ? start + count : nil
    }

    /// Returns the length of the name at the start of the bytes; 0 if the bytes do not start with a
    /// name.
    private static func length(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let first = bytes.first, first.isLetter else { return 0 }
        var end = 1
        while end < bytes.count {
            let byte = bytes[end]
            if byte.isWordOrHyphen {
                end += 1
            } else if byte == UInt8(ascii: "."), end + 1 < bytes.count, bytes[end + 1].isLetter {
                end += 2
            } else {
                return end
            }
        }
        return end
    }
}
