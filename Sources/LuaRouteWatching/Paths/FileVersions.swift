// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A summary of the content at each watched path.
///
/// Modification times are ignored: two saves within the resolution of the file system's clock have
/// the same time, and a touched file has a new time and the same bytes.
struct FileVersions: Equatable {
    private enum Version: Hashable {
        case content(ContentDigest)
        /// A path that cannot be read as a file: the reason, and the file's identity in the file
        /// system.
        case none(BundleError.Reason, FileIdentity?)
    }

    private var versions: [ByteString: Version] = [:]
    /// The watched folders that do not exist.
    private var missing: Set<WatchedFiles.Folder> = []

    /// Larger files are compared by their identity in the file system.
    private static let sizeLimit = 4 << 20

    init() {}

    /// Reads the watched files as they are now.
    ///
    /// - Parameters:
    ///   - watched: The watched files.
    ///   - isInterrupted: Whether to leave out the rest.
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

    /// Adds the versions of the files that are unknown here.
    mutating func adopt(_ other: FileVersions) {
        versions.merge(other.versions) { mine, _ in mine }
        missing.formUnion(other.missing)
    }

    /// Removes the paths that are not watched.
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
            // A folder in place of a file changes with every file that is added to it, and what a link
            // out of the folder leads to is not watched.
            let isWatched = folder == nil || error.reason == .tooLarge
            let isFile = isWatched && SourceFiles.kind(of: file) == .file
            let identity = isFile ? FileIdentity(file) : nil
            versions[key] = .none(isWatched ? error.reason : .missing, identity)
        }
    }
}
