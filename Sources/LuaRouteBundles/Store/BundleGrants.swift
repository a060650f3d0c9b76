// SPDX-License-Identifier: MIT

#if Bundles
public import LuaRouting

/// The capabilities that an app grants to each kind of bundle.
///
/// A bundle has the capabilities that are both granted to its kind and requested by its manifest.
///
/// ```swift
/// var grants = BundleGrants()
/// grants.signed.tree.remove(.replaceRoot)
/// let rights = grants.capabilities(of: .signed, asking: bundle.manifest.capabilities)
/// ```
public struct BundleGrants: Sendable, Equatable {
    /// The kind of a bundle.
    public enum Kind: Sendable, CaseIterable {
        /// The scripts that ship with the app.
        case embedded
        /// A bundle whose signature was verified.
        case signed
        /// Scripts of any other origin, such as a folder during development.
        case any
    }

    /// The capabilities of the scripts that ship with the app; all by default.
    public var embedded = Capabilities()
    /// The capabilities of signed bundles; all by default.
    ///
    /// A bundle has only the capabilities that its manifest requests.
    public var signed = Capabilities()
    /// The capabilities of other scripts; by default, the capabilities of a manifest that requests
    /// none.
    public var any = BundleCapabilities().rights

    /// Creates the default grants.
    public init() {}

    /// Returns the intersection of the granted and the requested capabilities.
    ///
    /// - Parameters:
    ///   - kind: The kind of the bundle.
    ///   - asked: The capabilities that the manifest requests; nil for scripts without a manifest.
    /// - Returns: The capabilities of the bundle.
    public func capabilities(
        of kind: Kind,
        asking asked: BundleCapabilities? = nil
    ) -> Capabilities {
        let granted =
            switch kind {
            case .embedded: embedded
            case .signed: signed
            case .any: any
            }
        return asked.map { granted.intersection($0.rights) } ?? granted
    }
}
#endif
