// SPDX-License-Identifier: MIT

internal import SystemGaps

#if Bundles
internal import LuaRouting

/// The bytes of a bundle file, `.lrb`, divided into parts that are not verified.
///
/// | offset | bytes | content |
/// | --- | --- | --- |
/// | 0 | 8 | `89 4C 52 42 0D 0A 1A 0A` |
/// | 8 | 4 | the number of the format, 1 |
/// | 12 | 4 | the length of the manifest, *m* |
/// | 16 | 4 | the length of the signature, *s*: 0 or 96 |
/// | 20 | 4 | the length of all files, *f* |
/// | 24 | *m* | the manifest, JSON (see ``BundleManifest``) |
/// | 24 + *m* | *s* | the Ed25519 public key and the signature of the manifest |
/// | 24 + *m* + *s* | *f* | the files, in the order of the manifest |
///
/// Numbers are little-endian. The signature covers the manifest, which contains the digest of each file.
/// The same manifest and files give the same bytes.
///
/// ```swift
/// let archive = try BundleArchive(
///     BundleManifest(name: "podcast", version: 42),
///     files: ["main.lua": Array("router.start(…)".utf8)]
/// )
/// let signed = try archive.signed(by: key)
/// ```
public struct BundleArchive: Sendable {
    /// The maximum size of a bundle, in bytes.
    public static let sizeLimit = 64 << 20
    /// The maximum size of a manifest, in bytes.
    public static let manifestLimit = 1 << 20
    /// The maximum number of files.
    public static let fileLimit = 4_096

    static let headerSize = 24
    static let signatureSize = BundlePublicKey.byteCount + 64
    private static let magic: [UInt8] = [0x89, 0x4C, 0x52, 0x42, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The bytes of the bundle file.
    public let bytes: [UInt8]
    /// The ranges of the manifest, the signature and the files.
    private let manifest: Range<Int>
    private let signature: Range<Int>
    private let files: Range<Int>

    /// Divides the bytes of a bundle file into its parts.
    ///
    /// This initializer checks only the lengths, before it copies anything. It never traps,
    /// whatever the bytes are.
    ///
    /// - Parameters:
    ///   - bytes: Any bytes.
    ///   - limit: The maximum number of bytes to accept.
    /// - Throws: ``BundleRefusal`` with a reason about the format or the lengths.
    public init(_ bytes: [UInt8], limit: Int = BundleArchive.sizeLimit) throws(BundleRefusal) {
        guard bytes.count <= limit else {
            throw .tooLarge("the bundle", limit: limit, got: bytes.count, at: 0)
        }
        guard bytes.starts(with: Self.magic.prefix(bytes.count)) else {
            throw BundleRefusal(
                .notABundle,
                "the file is not a bundle",
                at: 0,
                expected: "a file that begins with \(Self.words(Self.magic))",
                got: Self.words(bytes.prefix(8))
            )
        }
        guard bytes.count >= Self.headerSize else {
            throw .truncated(expected: Self.headerSize, got: bytes.count)
        }
        func number(at offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        guard number(at: 8) == 1 else {
            throw BundleRefusal(
                .format,
                "the format of the bundle is unknown",
                at: 8,
                expected: "format 1",
                got: "format \(number(at: 8))"
            )
        }
        let (manifestSize, signatureSize) = (number(at: 12), number(at: 16))
        guard manifestSize <= Self.manifestLimit else {
            throw .tooLarge("the manifest", limit: Self.manifestLimit, got: manifestSize, at: 12)
        }
        guard signatureSize == 0 || signatureSize == Self.signatureSize else {
            throw BundleRefusal(
                .signature,
                "the length of the signature is invalid",
                at: 16,
                expected: "0 or \(Self.signatureSize) bytes",
                got: "\(signatureSize)"
            )
        }
        manifest = Self.headerSize..<(Self.headerSize + manifestSize)
        signature = manifest.upperBound..<(manifest.upperBound + signatureSize)
        files = signature.upperBound..<(signature.upperBound + number(at: 20))
        guard bytes.count >= files.upperBound else {
            throw .truncated(expected: files.upperBound, got: bytes.count)
        }
        guard bytes.count == files.upperBound else {
            throw BundleRefusal(
                .excess,
                "the file has more bytes than the bundle",
                at: files.upperBound,
                expected: "\(files.upperBound) bytes",
                got: "\(bytes.count)"
            )
        }
        self.bytes = bytes
    }

    /// Creates an unsigned bundle.
    ///
    /// - Parameters:
    ///   - manifest: The manifest. Its list of files is replaced.
    ///   - files: The contents by path.
    /// - Throws: ``BundleRefusal`` for content that no reader would accept.
    public init(_ manifest: BundleManifest, files: [String: [UInt8]]) throws(BundleRefusal) {
        let sorted = files.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let manifest = try manifest.with(
            sorted.map { path, content in
                .init(path: path, size: content.count, digest: BundleDigest.text(of: content))
            }
        )
        let size = Self.headerSize + Self.signatureSize + manifest.filesSize
        guard size + manifest.json.utf8.count <= Self.sizeLimit else {
            throw .tooLarge("the bundle", limit: Self.sizeLimit, got: size, at: 0)
        }
        try self.init(
            Self.bytes(Array(manifest.json.utf8), signature: [], files: sorted.flatMap(\.value))
        )
        _ = try contents(of: manifest)
    }

    private static func bytes(
        _ manifest: some Collection<UInt8>,
        signature: some Collection<UInt8>,
        files: some Collection<UInt8>
    ) -> [UInt8] {
        var bytes = magic
        for number in [1, manifest.count, signature.count, files.count] {
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return bytes + manifest + signature + files
    }

    private static func words(_ bytes: some Collection<UInt8>) -> String {
        bytes.isEmpty ? "nothing" : "'\(Hexadecimal.text(bytes))'"
    }

    /// The public key of the signature; nil for an unsigned bundle.
    ///
    /// The key proves nothing until ``VerifiedBundle`` has verified the signature.
    public var signer: BundlePublicKey? {
        signature.isEmpty
            ? nil
            : BundlePublicKey(bytes: Array(bytes[signature].prefix(BundlePublicKey.byteCount)))
    }

    /// Returns the bundle with a signature by the given key, which replaces any existing signature.
    ///
    /// - Throws: ``BundleRefusal`` if the manifest or a file is invalid.
    public func signed(by key: BundlePrivateKey) throws(BundleRefusal) -> BundleArchive {
        _ = try unverified()
        let manifest = Array(bytes[manifest])
        guard let signature = key.signature(of: manifest) else {
            throw BundleRefusal(
                .signature,
                "the bundle cannot be signed",
                expected: "an Ed25519 signature",
                got: "nothing"
            )
        }
        return try BundleArchive(
            Self.bytes(manifest, signature: key.publicKey.bytes + signature, files: bytes[files])
        )
    }

    /// Checks the signature.
    ///
    /// - Parameter keys: The public keys, one of which must have signed the bundle.
    /// - Returns: The key that signed the bundle.
    /// - Throws: ``BundleRefusal`` with the reason `unsigned`, `unknownKey` or `signature`.
    func signer(among keys: [BundlePublicKey]) throws(BundleRefusal) -> BundlePublicKey {
        // If two keys begin with the same digits, keys are printed in full.
        let isFull = keys.contains { $0 != signer && $0.fingerprint == signer?.fingerprint }
        func text(_ key: BundlePublicKey) -> String { isFull ? "\(key)" : key.fingerprint }
        let expected = keys.map(text).joined(separator: " or ")
        guard let signer else {
            throw BundleRefusal(
                .unsigned,
                "the bundle has no signature",
                at: 16,
                expected: "a signature by the key \(expected)",
                got: "none"
            )
        }
        guard keys.contains(signer) else {
            throw BundleRefusal(
                .unknownKey,
                "the bundle is signed with an unknown key",
                at: signature.lowerBound,
                expected: expected.isEmpty ? "no key" : expected,
                got: text(signer)
            )
        }
        let start = signature.lowerBound + BundlePublicKey.byteCount
        guard
            signer.verifies(Array(bytes[start..<signature.upperBound]), of: Array(bytes[manifest]))
        else {
            throw BundleRefusal(
                .signature,
                "the signature does not match the manifest",
                at: start,
                expected: "a signature by the key \(signer.fingerprint)",
                got: "a signature by another key, or for other contents"
            )
        }
        return signer
    }

    /// Reads the manifest and the files without checking the signature.
    ///
    /// The access level is `package` on purpose, because apps must use ``VerifiedBundle``.
    ///
    /// - Returns: The manifest, and the files in the order of the manifest.
    package func unverified() throws(BundleRefusal) -> (BundleManifest, [[UInt8]]) {
        let manifest = try BundleManifest(json: Array(bytes[manifest]))
        return (manifest, try contents(of: manifest))
    }

    /// The SHA-256 digest of the manifest, which identifies the bundle without its signature.
    package var digest: String { BundleDigest.text(of: bytes[manifest]) }

    private func contents(of manifest: BundleManifest) throws(BundleRefusal) -> [[UInt8]] {
        guard manifest.filesSize == files.count else {
            throw BundleRefusal(
                .digest,
                "the length of the files differs from the manifest",
                at: 20,
                expected: "\(manifest.filesSize) bytes",
                got: "\(files.count)"
            )
        }
        var contents: [[UInt8]] = []
        var start = files.lowerBound
        for file in manifest.files {
            let content = Array(bytes[start..<(start + file.size)])
            let digest = BundleDigest.text(of: content)
            guard digest == file.digest else {
                throw BundleRefusal(
                    .digest,
                    "the file '\(file.path)' does not match its digest in the manifest",
                    at: start,
                    expected: file.digest,
                    got: digest
                )
            }
            guard String(valid: content) != nil else {
                throw BundleRefusal(
                    .notUTF8,
                    "the file '\(file.path)' is not text",
                    at: start,
                    expected: "UTF-8",
                    got: "other bytes"
                )
            }
            contents.append(content)
            start += file.size
        }
        return contents
    }
}

extension BundleRefusal {
    fileprivate static func tooLarge(
        _ part: String,
        limit: Int,
        got: Int,
        at offset: Int
    ) -> BundleRefusal {
        BundleRefusal(
            .tooLarge,
            "\(part) is too large",
            at: offset,
            expected: "at most \(limit) bytes",
            got: "\(got)"
        )
    }

    fileprivate static func truncated(expected: Int, got: Int) -> BundleRefusal {
        BundleRefusal(
            .truncated,
            "the bundle is truncated",
            at: got,
            expected: "\(expected) bytes",
            got: "\(got)"
        )
    }
}
#endif
