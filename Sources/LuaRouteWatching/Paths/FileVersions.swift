// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A summary of the content at each watched path.
///
/// Modification times are ignored: two saves within the resolution of the file system's clock have
/// the same time, and a touched file has a new time and the same bytes.
struct FileVersions: Equatable {
    private enum Version: Hashable {
        case content(ContentDigest)
        /// A path that cannot be read as a file: the reason, and the file system's identity of it.
        case none(BundleError.Reason, FileIdentity?)
    }

    private var versions: [String: Version] = [:]

    /// Larger files are compared by their identity in the file system.
    private static let sizeLimit = 4 << 20

    private static let depthLimit = 64

    init() {}

    /// Reads the watched files as they are now.
    init(of watched: WatchedFiles) {
        for file in watched.files { read(file) }
        for folder in watched.folders {
            var seen: Set<String> = []
            readAll(in: folder.path, ending: folder.ending, depth: 0, &seen)
        }
    }

    /// Returns the paths whose versions differ.
    func changes(since older: FileVersions) -> Set<String> {
        Set(versions.keys).union(older.versions.keys)
            .filter { versions[$0] != older.versions[$0] }
    }

    /// Adds the versions of the files that are unknown here.
    mutating func adopt(_ other: FileVersions) {
        versions.merge(other.versions) { mine, _ in mine }
    }

    /// Removes the paths that are not watched.
    mutating func restrict(to watched: WatchedFiles) {
        versions = versions.filter { path, _ in
            watched.files.contains(path)
                || watched.folders.contains {
                    path.hasPrefix(Self.prefix(of: $0.path)) && path.hasSuffix($0.ending)
                }
        }
    }

    private static func prefix(of folder: String) -> String {
        folder.hasSuffix("/") ? folder : "\(folder)/"
    }

    private mutating func read(_ file: String) {
        if versions[file] != nil { return }
        do throws(BundleError) {
            var digest = ContentDigest()
            digest.add(try SourceFiles.read(file, limit: Self.sizeLimit))
            versions[file] = .content(digest)
        } catch {
            // A folder in place of a file changes with every file that is added to it.
            let identity = SourceFiles.kind(of: file) == .file ? FileIdentity(file) : nil
            versions[file] = .none(error.reason, identity)
        }
    }

    private mutating func readAll(
        in folder: String,
        ending: String,
        depth: Int,
        _ seen: inout Set<String>
    ) {
        guard depth < Self.depthLimit, let real = SourceFiles.resolved(folder),
            seen.insert(real).inserted
        else { return }
        for name in SourceFiles.names(in: folder) where !name.hasPrefix(".") {
            let path = Self.prefix(of: folder) + name
            switch SourceFiles.kind(of: path) {
            case .folder: readAll(in: path, ending: ending, depth: depth + 1, &seen)
            case .file where name.hasSuffix(ending): read(path)
            case .file, .missing: break
            }
        }
    }
}
