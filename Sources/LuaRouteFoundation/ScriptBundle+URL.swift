// SPDX-License-Identifier: MIT

public import Foundation
public import LuaRouting

extension ScriptBundle {
    /// Reads the bundle of a folder, whose entry is `main.lua`.
    ///
    /// ```swift
    /// let scripts = try ScriptBundle(directory: url)
    /// ```
    ///
    /// - Parameter url: A file URL.
    /// - Throws: ``BundleError`` if the entry is missing or cannot be read.
    public init(directory url: URL) throws(BundleError) {
        try self.init(file: url.appending(path: "main.lua"))
    }

    /// Reads the bundle whose entry is the given file.
    ///
    /// The root of the bundle is the folder of the file.
    ///
    /// - Parameter url: A file URL.
    /// - Throws: ``BundleError`` if the entry is missing or cannot be read.
    public init(file url: URL) throws(BundleError) {
        guard url.isFileURL else { throw .missing(url.absoluteString) }
        try self.init(path: url.path(percentEncoded: false))
    }
}
