// SPDX-License-Identifier: MIT

/// A digest of bytes that distinguishes versions of files.
///
/// The digest is FNV-1a with 128 bits. It is short and the same on every platform, but not safe
/// against attackers who search for two inputs with the same digest. It must only be used for
/// display: a ``ScriptBundle`` compares the bytes themselves.
package struct ContentDigest: Sendable, Hashable {
    // Two halves, because Swift's 128-bit integer requires iOS 18.
    private var high: UInt64 = 0x6c62_272e_07bb_0142
    private var low: UInt64 = 0x62b8_2175_6295_c58d

    /// Creates the digest of an empty sequence of bytes.
    package init() {}

    /// Adds the number of bytes and the bytes.
    ///
    /// Because of the number, `ab` followed by `c` and `a` followed by `bc` have different digests.
    package mutating func add(_ bytes: some Collection<UInt8>) {
        var count = UInt64(bytes.count)
        for _ in 0..<8 {
            add(UInt8(truncatingIfNeeded: count))
            count >>= 8
        }
        for byte in bytes { add(byte) }
    }

    private mutating func add(_ byte: UInt8) {
        low ^= UInt64(byte)
        // The prime is 2⁸⁸ + 0x13b.
        let product = low.multipliedFullWidth(by: 0x13b)
        high = high &* 0x13b &+ product.high &+ low << 24
        low = product.low
    }

    /// The digest as 32 hexadecimal digits.
    package var text: String {
        [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}
