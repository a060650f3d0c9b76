// SPDX-License-Identifier: MIT

public import LuaRouting

/// The files that a watcher watches.
public struct WatchedFiles: Sendable, Hashable {
    /// A folder in which files with certain names are watched.
    public struct Folder: Sendable, Hashable {
        /// The path of the folder.
        ///
        /// The folder does not have to exist yet.
        public let path: String
        /// The suffix of the names to watch, such as `.scenario`.
        public let ending: String

        /// Creates a folder to watch.
        ///
        /// Its subfolders are also watched, except symbolic links, folders whose names begin with a
        /// dot, and folders that are nested more than 64 levels deep.
        public init(_ path: String, ending: String) {
            self.path = path
            self.ending = ending
        }
    }

    /// The paths of the files, which do not have to exist yet.
    public var files: Set<String>

    /// The folders, which do not have to exist yet.
    public var folders: Set<Folder>

    /// The folder that must contain each of some files, by the path of the file.
    ///
    /// A symbolic link that leads out of the folder is not followed.
    package var roots: [String: String] = [:]

    /// Creates a set of files.
    public init(files: Set<String> = [], folders: Set<Folder> = []) {
        self.files = files
        self.folders = folders
    }

    /// Creates the set of all files that the scripts of a bundle tried to read.
    ///
    /// The set includes files that were missing. It is empty for a bundle in memory.
    public init(of bundle: ScriptBundle) {
        let root = bundle.root
        self.init(files: root == nil ? [] : Set(bundle.files.keys.map(bundle.displayPath)))
        for file in files { roots[file] = root }
    }

    /// Returns the union of both sets.
    public func union(_ other: WatchedFiles) -> WatchedFiles {
        var both = self
        both.files.formUnion(other.files)
        both.folders.formUnion(other.folders)
        both.roots.merge(other.roots) { own, _ in own }
        return both
    }
}
