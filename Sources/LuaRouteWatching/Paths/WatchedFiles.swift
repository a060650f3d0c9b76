// SPDX-License-Identifier: MIT

public import LuaRouting

/// The files that a watcher watches.
public struct WatchedFiles: Sendable, Hashable {
    /// A folder in which files with certain names are watched.
    public struct Folder: Sendable, Hashable {
        /// The path of the folder.
        public let path: String
        /// The ending of the names to watch, such as `.scenario`.
        public let ending: String

        /// Creates a folder; its subfolders are watched too, unless their names begin with a dot,
        /// they are links, or more than 64 of them are nested.
        public init(_ path: String, ending: String) {
            self.path = path
            self.ending = ending
        }
    }

    /// The paths of files; they need not exist yet.
    public var files: Set<String>

    /// The folders; they need not exist yet.
    public var folders: Set<Folder>

    /// The folder that each of some files must stay in: a link that leads out of the folder is not
    /// followed.
    package var roots: [String: String] = [:]

    /// Creates a set of files.
    public init(files: Set<String> = [], folders: Set<Folder> = []) {
        self.files = files
        self.folders = folders
    }

    /// Creates the set of all files that the scripts of a bundle have asked for.
    ///
    /// It includes the missing ones. It is empty for a bundle in memory.
    public init(of bundle: ScriptBundle) {
        let root = bundle.root
        self.init(files: root == nil ? [] : Set(bundle.files.keys.map(bundle.displayPath)))
        for file in files { roots[file] = root }
    }

    /// Returns a set with the files of both.
    public func union(_ other: WatchedFiles) -> WatchedFiles {
        var both = self
        both.files.formUnion(other.files)
        both.folders.formUnion(other.folders)
        both.roots.merge(other.roots) { own, _ in own }
        return both
    }
}
