// SPDX-License-Identifier: MIT

#if DEBUG
internal import SystemGaps
public import LuaRouting

extension ScriptBundle {
    /// Reads the scripts of an app under development: the scripts of a folder that can be edited
    /// while the app runs, for example in a simulator, or otherwise the embedded scripts.
    ///
    /// The folder is given by the environment variable `LUAROUTE_SCRIPTS`, or by `path` if the
    /// variable is not set. Release builds do not contain this function, so call it within `#if
    /// DEBUG`.
    ///
    /// ```swift
    /// let scripts = try ScriptBundle.development(path: "Scripts", embedded: embedded)
    /// let router = try Router(scripts: scripts, host: host)
    /// let watching = Task { await router.reloadWhenChanged() }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The folder or the script to use if the variable is not set. If nothing exists
    ///     there, as on a device, the embedded scripts are used.
    ///   - embedded: The scripts that are embedded in the app.
    /// - Returns: The scripts.
    /// - Throws: ``LuaRouting/BundleError`` if the scripts of the folder cannot be read, or if
    ///   nothing exists at the path in the variable.
    public static func development(
        path: String? = nil,
        embedded: @autoclosure () throws(BundleError) -> ScriptBundle
    ) throws(BundleError) -> ScriptBundle {
        let variable = getenv(developmentVariable).map { String(cString: $0) }
        return try development(variable: variable, path: path, embedded: embedded)
    }

    /// The name of the environment variable.
    static let developmentVariable = "LUAROUTE_SCRIPTS"

    /// Reads the scripts at the path in the variable, at the given path, or the embedded scripts,
    /// in this order.
    static func development(
        variable: String?,
        path: String?,
        embedded: () throws(BundleError) -> ScriptBundle
    ) throws(BundleError) -> ScriptBundle {
        if let variable, !variable.isEmpty {
            guard SourceFiles.kind(of: variable) != .missing else {
                throw .missingDevelopmentFolder(variable, variable: developmentVariable)
            }
            return try ScriptBundle(path: variable)
        }
        if let path, SourceFiles.kind(of: path) != .missing { return try ScriptBundle(path: path) }
        return try embedded()
    }
}

extension Router {
    /// Reloads the active scripts whenever their files change, until the Swift task is cancelled or
    /// the router is shut down.
    ///
    /// If scripts are rejected or cannot be read, an event reports the error, and the active
    /// scripts remain active. Bundles in memory never change. Release builds do not contain this
    /// function.
    ///
    /// - Parameter settings: The settings of the watch.
    nonisolated(nonsending)
        public func reloadWhenChanged(settings: WatchSettings = WatchSettings()) async
    {
        for await change in bundle.changes(settings: settings) {
            guard !isShutDown else { return }
            switch change {
            case .success(let newer): _ = try? await reload(newer)
            case .failure(let error): reject(unreadable: error)
            }
        }
    }
}
#endif
