// SPDX-License-Identifier: MIT

/// The options of a dispatched deep link.
///
/// ```swift
/// let options = DispatchOptions(timeout: 60, key: "order", persist: true, origin: .external)
/// router.dispatch("app://orders/7", options: options)
/// router.dispatch("app://orders/8", options: options)
/// print(router.queuedLinks.map(\.url))  // ["app://orders/8"]
/// ```
public struct DispatchOptions: Sendable {
    /// The maximum time that the deep link waits for an action, in seconds; nil, zero or less for
    /// no limit.
    ///
    /// If the number is not finite or not below 10¹¹, the link fails with `badInfo`.
    public var timeout: Double?
    /// The key of the deep link; nil for none.
    ///
    /// A deep link replaces a queued deep link with the same key.
    public var key: String?
    /// Whether snapshots of the router contain the deep link while it waits.
    public var isPersistent: Bool
    /// The origin of the deep link.
    ///
    /// Use `external` for a deep link from outside of the app.
    public var origin: Origin

    /// Creates options.
    public init(
        timeout: Double? = nil,
        key: String? = nil,
        persist isPersistent: Bool = false,
        origin: Origin = .url
    ) {
        self.timeout = timeout
        self.key = key
        self.isPersistent = isPersistent
        self.origin = origin
    }
}
