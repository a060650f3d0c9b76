// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A summary of the content at each watched path.
///
/// Modification times are ignored: two saves within the resolution of the file system's clock have
/// the same time, and touching a file changes the time but not the bytes.
struct FileVersions: Equatable {
    private enum Version: Hashable {
        case content(ContentDigest)
        /// A path that cannot be read as a file, with the reason and the identity of the file in
        /// the file system.
        case none(BundleError.Reason, FileIdentity?)
    }

    private var versions: [ByteString: Version] = [:]
    /// The watched folders that do not exist.
    private var missing: Set<WatchedFiles.Folder> = []

    /// The maximum size of files whose contents are compared.
    ///
    /// Larger files are compared by their identity in the file system.
    private static let sizeLimit = 4 << 20

    init() {}

    /// Reads the current versions of the watched files.
    ///
    /// - Parameters:
    ///   - watched: The watched files.
    ///   - isInterrupted: Returns whether to stop reading files.
    init(of watched: WatchedFiles, _ isInterrupted: @escaping () -> Bool = { false }) {
        for file in watched.files where !isInterrupted() {
            read(file, in: watched.roots[file].flatMap(SourceFiles.resolved))
        }
        for folder in watched.folders {
            let root = SourceFiles.resolved(folder.path)
            if root == nil { missing.insert(folder) }
            let ending = folder.ending
            for entry in FolderWalk(folder.path, ending: ending, isInterrupted: isInterrupted) {
                switch entry.kind {
                case .file, .other: read(entry.path, in: root)
                case .link where entry.relative.hasByteSuffix(ending): read(entry.path, in: root)
                case .folder, .link, .misnamed, .unreadable: break
                }
            }
        }
    }

    /// Returns the paths whose versions differ.
    func changes(since older: FileVersions) -> Set<String> {
        let paths = Set(versions.keys).union(older.versions.keys)
        return Set(paths.lazy.filter { versions[$0] != older.versions[$0] }.map(\.displayText))
    }

    /// Adds the versions that another value contains for files without a version in this value.
    mutating func adopt(_ other: FileVersions) {
        versions.merge(other.versions) { mine, _ in mine }
        missing.formUnion(other.missing)
    }

    /// Removes the paths that are no longer watched.
    mutating func restrict(to watched: WatchedFiles) {
        missing.formIntersection(watched.folders)
        versions = versions.filter { key, _ in
            let path = key.displayText
            return watched.files.contains(path)
                || watched.folders.contains {
                    path.hasBytePrefix(Self.prefix(of: $0.path)) && path.hasByteSuffix($0.ending)
                }
        }
    }

    private static func prefix(of folder: String) -> String {
        folder.hasByteSuffix("/") ? folder : "\(folder)/"
    }

    private mutating func read(_ file: String, in folder: String? = nil) {
        let key = ByteString(file)
        if versions[key] != nil { return }
        do throws(BundleError) {
            var digest = ContentDigest()
            digest.add(try SourceFiles.read(file, limit: Self.sizeLimit, in: folder))
            versions[key] = .content(digest)
        } catch {
            // The identity of a folder at the path of a file changes with every file that is added
            // to the folder. A file that a symbolic link places outside of the root is not watched
            // either.
            let isWatched = folder == nil || error.reason == .tooLarge
            let isFile = isWatched && SourceFiles.kind(of: file) == .file
            let identity = isFile ? FileIdentity(file) : nil
            versions[key] = .none(isWatched ? error.reason : .missing, identity)
        }
    }
}
