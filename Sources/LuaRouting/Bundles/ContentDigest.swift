// SPDX-License-Identifier: MIT

/// A digest of bytes that distinguishes versions of files.
///
/// It is FNV-1a of 128 bits: short, the same everywhere, and not safe against somebody who
/// looks for two texts with one digest. Nothing may follow from it that matters then: a
/// ``ScriptBundle`` compares the bytes themselves, and shows the digest to people.
package struct ContentDigest: Sendable, Hashable {
    private var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    /// Creates the digest of nothing.
    package init() {}

    /// Adds bytes, after their number: `ab` and `c` are not `a` and `bc`.
    package mutating func add(_ bytes: some Collection<UInt8>) {
        var count = UInt64(bytes.count)
        for _ in 0..<8 {
            add(UInt8(truncatingIfNeeded: count))
            count >>= 8
        }
        for byte in bytes { add(byte) }
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }

    /// The digest as 32 hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 32 - digits.utf8.count) + digits
    }
}
