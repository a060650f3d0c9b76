// SPDX-License-Identifier: MIT

#if Bundles
#if canImport(CryptoKit)
internal import CryptoKit
#else
internal import Crypto
#endif

/// The public key of an Ed25519 key pair, which verifies the signatures of bundles.
///
/// ```swift
/// let text = "ed25519-public 8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c"
/// let key = BundlePublicKey(text)
/// ```
public struct BundlePublicKey: Sendable, Hashable, CustomStringConvertible {
    static let byteCount = 32
    private static let title = "ed25519-public"

    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a key from a text of one line, such as the content of a key file; nil for any other
    /// text.
    public init?(_ text: String) {
        guard let bytes = KeyText.bytes(text, title: Self.title) else { return nil }
        self.bytes = bytes
    }

    /// The text of the key: one line without a line break.
    public var description: String { "\(Self.title) \(Hexadecimal.text(bytes))" }

    /// The first 16 digits of the key, for messages.
    public var fingerprint: String { Hexadecimal.text(bytes[..<8]) }

    /// Returns whether a signature of a message was made with the private key of this pair.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else {
            return false
        }
        return key.isValidSignature(signature, for: message)
    }
}

/// The private key of an Ed25519 key pair, which signs bundles.
///
/// Keep the private key where the bundles are made. An app needs only the ``publicKey``.
///
/// ```swift
/// let key = BundlePrivateKey()
/// let signed = try archive.signed(by: key)
/// print(key.publicKey)  // ed25519-public 8a88e3dd…
/// ```
public struct BundlePrivateKey: Sendable {
    private static let title = "ed25519-private"

    private let bytes: [UInt8]
    /// The public key that verifies the signatures of this key.
    public let publicKey: BundlePublicKey

    /// Creates a new key pair with the system's random number generator.
    public init() { self.init(Curve25519.Signing.PrivateKey()) }

    /// Reads a key from a text of one line, such as the content of a key file; nil for any other
    /// text.
    public init?(_ text: String) {
        guard let bytes = KeyText.bytes(text, title: Self.title),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        else { return nil }
        self.init(key)
    }

    private init(_ key: Curve25519.Signing.PrivateKey) {
        bytes = Array(key.rawRepresentation)
        publicKey = BundlePublicKey(bytes: Array(key.publicKey.rawRepresentation))
    }

    /// The secret text of the key: one line without a line break.
    public var secretText: String { "\(Self.title) \(Hexadecimal.text(bytes))" }

    /// Returns the signature of a message; nil if the system cannot sign.
    func signature(of message: [UInt8]) -> [UInt8]? {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes),
            let signature = try? key.signature(for: message)
        else { return nil }
        return Array(signature)
    }
}

/// Computes the SHA-256 digest of bytes.
enum BundleDigest {
    static func bytes(of bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    static func text(of bytes: some Collection<UInt8>) -> String {
        Hexadecimal.text(self.bytes(of: Array(bytes)))
    }
}

/// The text format of keys: a title, a space, and 64 hexadecimal digits.
private enum KeyText {
    static func bytes(_ text: String, title: String) -> [UInt8]? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == title else { return nil }
        let bytes = Hexadecimal.bytes(String(words[1]))
        return bytes?.count == BundlePublicKey.byteCount ? bytes : nil
    }
}

/// Converts bytes to lowercase hexadecimal digits and back.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(_ bytes: some Collection<UInt8>) -> String {
        String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }

    /// Returns the bytes; nil if the text has an odd number of digits, or characters that are not
    /// hexadecimal digits.
    static func bytes(_ text: String) -> [UInt8]? {
        let values = text.utf8.compactMap { digits.firstIndex(of: $0) }
        guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map {
            UInt8(values[$0] << 4 | values[$0 + 1])
        }
    }
}
#endif
