// SPDX-License-Identifier: MIT

#if Bundles
/// A bundle in a store, with the record of its runs.
///
/// ```swift
/// if let bundle = store.current {
///     print(bundle.name, bundle.version, bundle.isConfirmed)
/// }
/// ```
public struct StoredBundle: Sendable, Equatable {
    /// The name in the manifest.
    public let name: String
    /// The version in the manifest.
    public let version: Int
    /// The SHA-256 digest of the manifest.
    public let digest: String
    /// The first 16 digits of the public key that signed the bundle.
    public let signer: String
    /// The number of consecutive starts that were not confirmed, including starts that skipped the
    /// bundle.
    public internal(set) var unconfirmedStarts = 0
    /// Whether a start with this bundle has been confirmed.
    public internal(set) var isConfirmed = false
    /// Whether the probation of the bundle has ended, but the bundle is held back; see
    /// ``Probation``.
    public internal(set) var isHeld = false
    /// The counts of the navigations that ended and that failed.
    package internal(set) var counts = Probation.Counts()

    /// The name of the bundle's file.
    var fileName: String { "\(digest)\(Self.suffix)" }
    static let suffix = ".lrb"
}

/// A change of a store.
///
/// ```swift
/// for change in store.changes {
///     print(change.time, change.kind, change.version ?? 0, change.reason ?? "")
/// }
/// ```
public struct StoreChange: Sendable, Equatable {
    /// The kinds of changes.
    public enum Kind: String, Sendable, CaseIterable {
        /// A bundle was staged: it becomes current at the next start or when it is activated.
        case staged
        /// A bundle became current.
        case activated
        /// The current bundle became the last good one.
        case passed
        /// The probation of the current bundle ended, but the bundle is held back; see
        /// ``Probation``.
        case held
        /// A bundle was quarantined, and will never be loaded again.
        case quarantined
        /// A bundle was removed; it may be staged again.
        case removed
        /// A start skipped a bundle because its scripts do not load, or because its probation has
        /// ended and its last starts were not confirmed. Or the router rejected a staged bundle.
        case skipped
        /// A start loaded a bundle that had been skipped before.
        case resumed
        /// The record of the store could not be read, and was replaced by an empty one.
        case reset
    }

    /// The time, in seconds since 1970.
    public let time: Int
    /// The kind of the change.
    public let kind: Kind
    /// The version of the bundle that has changed; nil if the change concerns no bundle.
    public let version: Int?
    /// The SHA-256 digest of the manifest of the bundle that has changed; nil if the change
    /// concerns no bundle.
    public let digest: String?
    /// The first 16 digits of the public key that signed the bundle; nil if the change concerns no
    /// bundle.
    public let signer: String?
    /// The reason; nil if the change needs none.
    public let reason: String?
}
#endif
