// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import SystemGaps

/// The folders that determine which files exist at the watched paths, and the names that matter in
/// each folder.
///
/// Each component of a path matters, including symbolic links, and so do the components of the
/// targets of these links. A change of any of these names, such as `..data` in a mounted volume, is
/// detected. Changes of other names are ignored.
struct Surroundings: Equatable {
    struct Folder: Equatable {
        /// The names that matter, in lower case because file systems may ignore case.
        var names: Set<String> = []
        /// Whether every name in the folder matters.
        var isWhole = false
        /// Whether the folder contains watched files, rather than only being on the path to them.
        var isLast = false
    }

    /// The folders by their absolute paths, with symbolic links resolved.
    private(set) var folders: [ByteString: Folder] = [:]

    /// The maximum number of symbolic links to follow, which is also the maximum of the system.
    private static let linkLimit = 40

    /// Reads the current surroundings of the watched files from the file system.
    ///
    /// - Parameters:
    ///   - watched: The watched files.
    ///   - base: The absolute path of the folder against which relative paths are resolved.
    ///   - isInterrupted: Returns whether to stop reading.
    init(
        of watched: WatchedFiles,
        from base: String,
        _ isInterrupted: @escaping () -> Bool = { false }
    ) {
        for file in watched.files where !isInterrupted() {
            let root = watched.roots[file].flatMap(SourceFiles.resolved)
            _ = walk(file, from: base, in: root)
        }
        for folder in watched.folders {
            guard let path = walk(folder.path, from: base) else { continue }
            folders[ByteString(path)] = Folder(isWhole: true, isLast: true)
            for entry in FolderWalk(path, ending: nil, isInterrupted: isInterrupted)
            where entry.kind == .folder {
                folders[ByteString(entry.path)] = Folder(isWhole: true, isLast: true)
            }
        }
    }

    /// Adds all folders and names that determine which file exists at a path.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - base: The folder to which the path is relative.
    ///   - root: The folder that must contain the file, with symbolic links resolved. Links that
    ///     lead out of this folder are not followed.
    /// - Returns: The folder at the path, with symbolic links resolved; nil if there is none.
    private mutating func walk(
        _ path: String,
        from base: String,
        in root: String? = nil
    ) -> String? {
        var folder = path.isAbsolutePath ? "/" : base
        if !path.isAbsolutePath, base != "/" {
            // The path to the base folder may change as well.
            guard let real = walk(base, from: "/") else { return nil }
            folder = real
        }
        var rest = Array(path.pathNames.reversed())
        var links = 0
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                folder = Self.parent(of: folder)
                continue
            }
            let full = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            folders[ByteString(folder), default: Folder()].names.insert(name.lowercased())
            if rest.isEmpty { folders[ByteString(folder), default: Folder()].isLast = true }
            var status = stat()
            guard lstat(full, &status) == 0 else {
                folders[ByteString(folder), default: Folder()].isLast = true
                return nil
            }
            switch status.st_mode & S_IFMT {
            case S_IFLNK:
                links += 1
                guard links <= Self.linkLimit, let target = Self.target(of: full) else {
                    return nil
                }
                if let root, SourceFiles.isPath(full, in: root),
                    !SourceFiles.isPath(Self.destination(of: full, target, folder), in: root)
                {
                    return nil
                }
                if target.isAbsolutePath { folder = "/" }
                rest += target.pathNames.reversed()
            case S_IFDIR:
                folder = full
            default:
                // If components remain, the path has a file where a folder is needed.
                folders[ByteString(folder), default: Folder()].isLast = true
                return nil
            }
        }
        return folder
    }

    /// Returns the path to which a symbolic link leads.
    ///
    /// If a file exists there, all further links are resolved.
    private static func destination(of link: String, _ target: String, _ folder: String) -> String {
        if let resolved = SourceFiles.resolved(link) { return resolved }
        var names = target.isAbsolutePath ? [] : folder.pathNames
        for name in target.pathNames where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return "/" + names.joined(separator: "/")
    }

    private static func parent(of folder: String) -> String {
        guard let slash = folder.lastSlash, slash != folder.startIndex else { return "/" }
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
