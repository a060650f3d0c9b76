// SPDX-License-Identifier: MIT

#if Bundles
public import LuaRouting

/// The scripts that a store chose for a start.
///
/// ```swift
/// let router = try store.start { chosen in
///     var configuration = Router.Configuration()
///     configuration.capabilities = chosen.capabilities
///     return try Router(scripts: chosen.scripts, host: host, configuration: configuration)
/// }
/// ```
public struct ChosenBundle: Sendable {
    /// The scripts.
    public let scripts: ScriptBundle
    /// The verified bundle; nil for the scripts that are embedded in the app.
    public let bundle: VerifiedBundle?
    /// The capabilities that the app grants and the bundle requests.
    public let capabilities: Capabilities
}
#endif
