// SPDX-License-Identifier: MIT

extension Name {
    /// The end of the name that starts at a place of some bytes, nil where none starts there.
    ///
    /// Scanners of whole files find most of their words with it: it looks at bytes in place.
    package static func end(in bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        precondition(0 <= start && end <= bytes.count, "a part of the bytes expected")
        return bytes.withUnsafeBufferPointer { bytes in
            guard start < end, isLetter(bytes[start]) else { return nil }
            var index = start + 1
            while index < end {
                let byte = bytes[index]
                guard
                    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
                        || byte == UInt8(ascii: "-")
                        || byte == UInt8(ascii: ".") && index + 1 < end
                            && isLetter(bytes[index + 1])
                else { break }
                index += 1
            }
            return index
        }
    }
}
