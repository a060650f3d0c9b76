// SPDX-License-Identifier: MIT

public import LuaRouting

/// The files that a watcher looks after.
public struct WatchedFiles: Sendable, Hashable {
    /// A folder in which files count by their names.
    public struct Folder: Sendable, Hashable {
        /// The path of the folder.
        public let path: String
        /// How the names end that count, such as `.scenario`.
        public let ending: String

        /// Creates a folder; those in it count too, unless their names begin with a dot.
        public init(_ path: String, ending: String) {
            self.path = path
            self.ending = ending
        }
    }

    /// The paths of files, also of those that are missing and may come.
    public var files: Set<String>

    /// The folders, which may be missing too.
    public var folders: Set<Folder>

    /// Creates a set of files.
    public init(files: Set<String> = [], folders: Set<Folder> = []) {
        self.files = files
        self.folders = folders
    }

    /// Creates the set of all files that the scripts of a bundle have asked for so far.
    ///
    /// Those that were missing are among them. It is empty for a bundle of memory.
    public init(of bundle: ScriptBundle) {
        let root = bundle.root
        self.init(files: root == nil ? [] : Set(bundle.files.keys.map(bundle.displayPath)))
    }

    /// Returns a set with the files of both.
    public func union(_ other: WatchedFiles) -> WatchedFiles {
        WatchedFiles(files: files.union(other.files), folders: folders.union(other.folders))
    }
}
