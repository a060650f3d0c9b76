// SPDX-License-Identifier: MIT

internal import LuaRouting

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The folders in which something decides what stands at some paths, and the names there that do.
///
/// On the way to a file each component decides, those that are links as the others, and then
/// what they lead to. So a change of any name on the way is noticed, such as that of `..data` in
/// a mounted volume, and a change of any other is not.
struct Surroundings: Equatable {
    struct Folder: Equatable {
        /// The names that decide, in lower case: file systems may not tell cases apart.
        var names: Set<String> = []
        /// Whether all names do.
        var isWhole = false
        /// Whether it holds what is watched, and not just the way there.
        var isLast = false
    }

    /// The folders by their paths, which are absolute and without links.
    private(set) var folders: [String: Folder] = [:]

    /// As many links as the system itself would follow.
    private static let linkLimit = 40

    /// Folders in folders, as deep as people may nest them.
    private static let depthLimit = 64

    /// Looks at the file system as it is now.
    ///
    /// - Parameters:
    ///   - watched: What is watched.
    ///   - base: The folder from which relative paths lead; an absolute path.
    init(of watched: WatchedFiles, from base: String) {
        for file in watched.files { _ = walk(file, from: base) }
        var seen: Set<String> = []
        for folder in watched.folders {
            guard let path = walk(folder.path, from: base) else { continue }
            noteAll(in: path, depth: 0, &seen)
        }
    }

    private mutating func noteAll(in folder: String, depth: Int, _ seen: inout Set<String>) {
        guard depth < Self.depthLimit, seen.insert(folder).inserted else { return }
        folders[folder, default: Folder()].isWhole = true
        folders[folder, default: Folder()].isLast = true
        let prefix = folder == "/" ? "/" : "\(folder)/"
        for name in SourceFiles.names(in: folder) where !name.hasPrefix(".") {
            guard SourceFiles.kind(of: prefix + name) == .folder,
                let inner = walk(name, from: folder)
            else { continue }
            noteAll(in: inner, depth: depth + 1, &seen)
        }
    }

    /// Notes all that decides what stands at a path.
    ///
    /// - Returns: The folder that stands there, without links; nil if there is none.
    private mutating func walk(_ path: String, from base: String) -> String? {
        var folder = path.hasPrefix("/") ? "/" : base
        if !path.hasPrefix("/"), base != "/" {
            // The way to the base may change as well.
            guard let real = walk(base, from: "/") else { return nil }
            folder = real
        }
        var rest = Array(path.split(separator: "/").map(String.init).reversed())
        var links = 0
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                folder = Self.parent(of: folder)
                continue
            }
            let full = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            folders[folder, default: Folder()].names.insert(name.lowercased())
            if rest.isEmpty { folders[folder, default: Folder()].isLast = true }
            var status = stat()
            guard lstat(full, &status) == 0 else {
                folders[folder, default: Folder()].isLast = true
                return nil
            }
            switch status.st_mode & S_IFMT {
            case S_IFLNK:
                links += 1
                guard links <= Self.linkLimit, let target = Self.target(of: full) else {
                    return nil
                }
                if target.hasPrefix("/") { folder = "/" }
                rest += target.split(separator: "/").map(String.init).reversed()
            case S_IFDIR:
                folder = full
            default:
                // With a rest, this file stands where a folder should.
                folders[folder, default: Folder()].isLast = true
                return nil
            }
        }
        return folder
    }

    private static func parent(of folder: String) -> String {
        guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return "/" }
        return String(folder[..<slash])
    }

    private static func target(of link: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(link, start, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
