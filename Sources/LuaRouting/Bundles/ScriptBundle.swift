// SPDX-License-Identifier: MIT

/// The sources of one generation of scripts: an entry file and all files that it requires.
///
/// A bundle on disk is created from a path. If the path leads to a folder, this folder is the root,
/// and the entry is `main.lua`. If the path leads to a file, the file is the entry, and its folder
/// is the root. A bundle is a snapshot: each file is read once, while the scripts load, and scripts
/// with inconsistent files do not load. Files that a function may require later are also read at
/// that time, if a string literal names them. ``reread()`` returns a newer snapshot of the same
/// files.
///
/// ```swift
/// let bundle = ScriptBundle(files: [
///     "main.lua": "require 'settings'",
///     "settings.lua": "router.registerTask('Settings', 'load', function() return true end)",
/// ])
/// let router = try Router(scripts: bundle, host: HeadlessHost())
/// print(router.services[0].name, bundle.files.keys.sorted())
/// // Settings ["main.lua", "settings.lua"]
/// ```
public struct ScriptBundle: Sendable {
    /// The maximum size of a source file, in bytes.
    public static let sourceLimit = 256 * 1024

    /// The file that is run first, relative to the root.
    public let entry: String

    /// The folder on disk; nil for a bundle in memory.
    public let root: String?

    private let sources: BundleSources

    /// Reads a bundle from disk.
    ///
    /// - Throws: ``BundleError`` if the entry is missing or cannot be read.
    public init(path: String) throws(BundleError) { try self.init(path: path, files: .disk) }

    /// Reads a bundle from a source of files, which may include unsaved changes.
    package init(path: String, files: Files) throws(BundleError) {
        switch SourceFiles.kind(of: path) {
        case .missing:
            throw .missing(path)
        case .folder:
            root = path.utf8.count > 1 && path.hasByteSuffix("/") ? String(path.dropLast()) : path
            entry = "main.lua"
        case .file:
            if let slash = path.lastSlash {
                root = slash == path.startIndex ? "/" : String(path[..<slash])
                entry = String(path[path.utf8.index(after: slash)...])
            } else {
                root = "."
                entry = path
            }
        }
        sources = BundleSources(root: root, files: [:], disk: files)
        _ = try sources.outcome(of: entry).get()
    }

    private init(entry: String, root: String?, sources: BundleSources) {
        self.entry = entry
        self.root = root
        self.sources = sources
    }

    /// Creates a bundle in memory.
    ///
    /// - Parameters:
    ///   - entry: The path of the file that is run first.
    ///   - files: The sources by path, such as `routes/show.lua`.
    public init(entry: String = "main.lua", files: [String: String]) {
        self.entry = entry
        root = nil
        sources = BundleSources(root: nil, files: files.mapValues { Array($0.utf8) })
    }

    /// Returns the source of a file, without a byte order mark.
    ///
    /// - Throws: ``BundleError`` if the file is missing, cannot be read, is too large or is not
    ///   UTF-8, or if a symbolic link leads to a file outside of the root.
    public func source(of file: String) throws(BundleError) -> [UInt8] {
        try sources.source(of: file)
    }

    /// The files that the scripts have requested so far, by their paths in the bundle, with the
    /// outcome of each, including missing files.
    ///
    /// Before the first request, the property contains all files that have been read. For a bundle
    /// in memory, it always contains all files.
    public var files: [String: Result<[UInt8], BundleError>] { sources.files }

    /// Checks that the files that scripts requested are consistent.
    ///
    /// - Throws: ``BundleError`` with the reason `unstable` if a file has changed since it was
    ///   read.
    func checkStability() throws(BundleError) {
        try sources.checkStability()
    }

    /// A digest of the ``files``, as 32 hexadecimal digits, for display and logs.
    ///
    /// The digest covers all files only after the scripts have been loaded. To compare bundles, use
    /// ``isSame(as:)``, which compares the bytes.
    public var digest: String {
        var digest = ContentDigest()
        let files = files.map { (path: Array($0.utf8), outcome: $1) }
            .sorted { $0.path.lexicographicallyPrecedes($1.path) }
        for file in files {
            digest.add(file.path)
            switch file.outcome {
            case .success(let bytes): digest.add(bytes)
            // This byte is not valid UTF-8, so no source begins with it.
            case .failure(let error): digest.add([0xFF] + error.reason.rawValue.utf8)
            }
        }
        return digest.text
    }

    /// Returns a newer snapshot: a bundle with the same root and entry, and with the current
    /// contents of all its ``files``, read at one point in time.
    ///
    /// The original bundle does not change. A file that was removed causes an error only when a
    /// script requests it. For a bundle in memory, returns the bundle itself.
    ///
    /// - Throws: ``BundleError`` if the entry is missing or cannot be used, and with the reason
    ///   `unstable` if a file changed in each of 3 attempts.
    public func reread() throws(BundleError) -> ScriptBundle {
        let newer = try snapshot()
        _ = try newer.sources.outcome(of: entry).get()
        return newer
    }

    /// Returns a newer snapshot, like ``reread()``, even if the entry cannot be used.
    ///
    /// - Parameter files: The source of the files; nil for the same source as before.
    /// - Returns: The snapshot.
    /// - Throws: ``BundleError`` with the reason `unstable`.
    package func snapshot(_ files: Files? = nil) throws(BundleError) -> ScriptBundle {
        guard root != nil else { return self }
        return ScriptBundle(entry: entry, root: root, sources: try sources.reread(files))
    }

    /// Returns whether scripts loaded from this bundle would be the same as scripts loaded from
    /// another bundle.
    ///
    /// This is true if the entry has the same name, and each of the other bundle's ``files`` has
    /// the same bytes in both bundles or is missing in both. Files that this bundle has not read
    /// yet are read.
    public func isSame(as other: ScriptBundle) -> Bool {
        entry == other.entry
            && other.files.allSatisfy { path, outcome in
                switch (sources.outcome(of: path), outcome) {
                case (.success(let bytes), .success(let others)): bytes == others
                case (.failure(let error), .failure(let others)): error.reason == others.reason
                default: false
                }
            }
    }

    /// Returns the path of a file as a user would write it on the command line.
    public func displayPath(of file: String) -> String {
        guard let root, root != "." else { return file }
        return root == "/" ? "/\(file)" : "\(root)/\(file)"
    }
}
