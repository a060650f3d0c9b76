// SPDX-License-Identifier: MIT

#if Bundles
/// The reason why a bundle is refused, with the offset of the refused bytes.
///
/// ```swift
/// do {
///     let bundle = try VerifiedBundle(bytes, keys: [key])
///     print(bundle.manifest.version)
/// } catch {
///     print(error.reason, error.offset ?? 0)  // truncated 20
///     print(error)  // the bundle is truncated (1204 bytes expected, got 20)
/// }
/// ```
public struct BundleRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of refusals.
    public enum Reason: String, Sendable, CaseIterable {
        /// The bytes do not begin with the 8 bytes that identify a bundle file.
        case notABundle
        /// The number of the format is not supported by this version of the library.
        case format
        /// The file ends too early.
        case truncated
        /// The file has additional bytes after the bundle.
        case excess
        /// The bundle, or a part of it, is larger than its limit.
        case tooLarge
        /// The bundle has no signature.
        case unsigned
        /// The bundle was not signed by an expected key.
        case unknownKey
        /// The signature does not match the manifest.
        case signature
        /// A field of the manifest is missing or invalid.
        case manifest
        /// The path of a file is invalid, occurs twice, or is out of order.
        case path
        /// A file does not match its digest in the manifest.
        case digest
        /// A file is not UTF-8.
        case notUTF8
        /// The scripts need an API level that the host does not support.
        case api
        /// The bundle is older than the bundle in use, or has the same version.
        case stale
        /// The version of the bundle exceeds the version in use by more than the app allows.
        case versionStep
        /// The bundle has expired.
        case expired
        /// The bundle requests a capability that was not granted.
        case capability
        /// The name of the bundle is not the name that the app expects.
        case name
        /// The bundle has failed on this device, and will not be loaded again.
        case quarantined
        /// The bundle cannot be stored.
        case storage
        /// The percentage of a rollout is not a number from 0 to 100.
        case percent

        /// The error code.
        ///
        /// `luaroute explain-error` prints the article about the code.
        public var code: String {
            switch self {
            case .notABundle, .format: "B0101"
            case .truncated, .excess: "B0102"
            case .tooLarge: "B0103"
            case .unsigned: "B0104"
            case .unknownKey: "B0105"
            case .signature: "B0106"
            case .manifest: "B0107"
            case .path: "B0108"
            case .digest, .notUTF8: "B0109"
            case .api: "B0110"
            case .stale: "B0111"
            case .expired: "B0112"
            case .capability: "B0113"
            case .name: "B0114"
            case .quarantined: "B0115"
            case .storage: "B0116"
            case .versionStep: "B0117"
            case .percent: "B0118"
            }
        }
    }

    /// The kind of the refusal.
    public let reason: Reason
    /// The offset of the first byte of the refused part; nil if the refusal does not concern
    /// certain bytes.
    public let offset: Int?
    /// The expected value.
    public let expected: String
    /// The actual value in the bundle.
    public let got: String
    /// The problem, without the expected and the actual value.
    private let problem: String

    package init(
        _ reason: Reason,
        _ problem: String,
        at offset: Int? = nil,
        expected: String,
        got: String
    ) {
        self.reason = reason
        self.problem = problem
        self.offset = offset
        self.expected = expected
        self.got = got
    }

    /// The message, which is one sentence.
    public var description: String { "\(problem) (\(expected) expected, got \(got))" }
}
#endif
