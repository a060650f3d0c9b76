// SPDX-License-Identifier: MIT

/// A part of a URL, stored as byte offsets.
struct URLSpan: Equatable {
    var start: UInt16
    var count: UInt16

    static let none = URLSpan(start: 0, count: 0)

    init(start: UInt16, count: UInt16) {
        (self.start, self.count) = (start, count)
    }

    init(_ range: Range<Int>) {
        // 16 bits are enough because a URL is at most 8 KiB long.
        start = UInt16(truncatingIfNeeded: range.lowerBound)
        count = UInt16(truncatingIfNeeded: range.count)
    }

    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }

    func bytes(in url: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: url + Int(start), count: Int(count))
    }
}

/// A segment with its hash, used for lookups in the table.
struct URLHashedSegment {
    /// The range of the decoded bytes of the segment.
    ///
    /// If nothing in the URL had to be decoded, this is a range of the URL itself.
    var span: URLSpan
    var hash: UInt64
}

/// The hash of a segment.
///
/// The hash is computed eight bytes at a time.
///
/// For texts of up to eight bytes the hash is injective, except for trailing zero bytes. If the
/// hashes and lengths of two such texts are equal, the texts are equal.
enum URLHash {
    static let seed: UInt64 = 0x2D35_8DCC_AA6C_78A5

    @inline(__always)
    static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        // Multiplication by an odd factor loses no bits.
        ((hash << 5 | hash >> 59) ^ word) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Loads eight bytes from an offset in little-endian order.
    ///
    /// Bytes past the end are zero.
    @inline(__always)
    static func word(_ bytes: UnsafeRawPointer, at offset: Int, end: Int) -> UInt64 {
        if offset &+ 8 <= end {
            return UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            )
        }
        let missing = offset &+ 8 &- end
        if end >= 8 {
            let last = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: end &- 8, as: UInt64.self)
            )
            return missing >= 8 ? 0 : last &>> UInt64(truncatingIfNeeded: missing &* 8)
        }
        var word: UInt64 = 0
        var index = end
        while index > offset {
            index &-= 1
            word = word &<< 8 | UInt64(bytes.load(fromByteOffset: index, as: UInt8.self))
        }
        return word
    }

    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        guard let start = bytes.baseAddress else { return seed }
        var hash = seed
        var offset = 0
        while offset < bytes.count {
            hash = mix(hash, word(start, at: offset, end: bytes.count))
            offset += 8
        }
        return hash
    }
}
