// SPDX-License-Identifier: MIT

/// Finds the number of a word of a closed vocabulary by its bytes, without making a string.
///
/// The words have 16 letters at most; so each is two integers, and comparing is cheap.
struct WordTable: Sendable {
    private struct Key: Equatable {
        var low: UInt64 = 0
        var high: UInt64 = 0

        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            guard bytes.count <= 16 else { return nil }
            for (index, byte) in bytes.enumerated() {
                if index < 8 {
                    low |= UInt64(byte) << UInt64(index * 8)
                } else {
                    high |= UInt64(byte) << UInt64((index - 8) * 8)
                }
            }
        }

        var bucket: Int {
            Int(truncatingIfNeeded: ((low ^ high) &* 0x9E37_79B9_7F4A_7C15) >> 58)
        }
    }

    private var buckets: [[(key: Key, index: Int)]] = Array(repeating: [], count: 64)

    init(_ words: some Sequence<String>) {
        for (index, word) in words.enumerated() {
            let bytes = Array(word.utf8)
            guard let key = bytes.withUnsafeBufferPointer({ Key($0) }) else {
                preconditionFailure("a word of at most 16 letters expected, got '\(word)'")
            }
            buckets[key.bucket].append((key, index))
        }
    }

    func index(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let key = Key(bytes) else { return nil }
        for entry in buckets[key.bucket] where entry.key == key { return entry.index }
        return nil
    }

    func index(of range: Range<Int>, in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { index(of: UnsafeBufferPointer(rebasing: $0[range])) }
    }
}
