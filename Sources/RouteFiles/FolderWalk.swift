// SPDX-License-Identifier: MIT

internal import RouteCore
internal import SystemGaps

/// The entries of a folder and of its subfolders, sorted by the bytes of their names.
///
/// Each folder comes before its entries.
///
/// Hidden files and folders are omitted, and symbolic links are not followed. The kind of an entry
/// is read from the folder, or with `lstat` if the file system does not store the kind in the
/// folder.
package struct FolderWalk: Sequence, IteratorProtocol {
    /// The kind of an entry.
    package enum Kind: Equatable {
        /// A regular file.
        case file
        /// A subfolder.
        ///
        /// Its entries follow.
        case folder
        /// A symbolic link, which may be broken.
        case link
        /// A pipe, a socket or a device.
        case other
        /// A file whose name is not UTF-8, so that no path can contain the name.
        case misnamed
        /// A folder whose entries are omitted, with the reason.
        case unreadable(String)
    }

    /// An entry of a folder.
    package struct Entry {
        fileprivate let prefix: String
        /// The path relative to the walked folder; empty for the walked folder itself.
        package let relative: String
        /// The kind of the entry.
        package let kind: Kind
        fileprivate let depth: Int

        /// The path of the entry, including the path of the walked folder.
        package var path: String {
            relative.isEmpty && prefix != "/" ? String(prefix.dropLast()) : prefix + relative
        }
    }

    /// The maximum depth of nested folders.
    package static let depthLimit = 64

    private let ending: String?
    private let isInterrupted: () -> Bool
    private var pending: [Entry]

    /// Creates a walk that reads each folder when it reaches the folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which may be a symbolic link.
    ///   - ending: The suffix of the names of files to include; nil for no files.
    ///   - isInterrupted: Returns whether the walk must end early. It is called for each entry.
    package init(
        _ folder: String,
        ending: String?,
        isInterrupted: @escaping () -> Bool = { false }
    ) {
        (self.ending, self.isInterrupted) = (ending, isInterrupted)
        let prefix = folder.hasByteSuffix("/") ? folder : "\(folder)/"
        pending = []
        enter(Entry(prefix: prefix, relative: "", kind: .folder, depth: 0))
    }

    package mutating func next() -> Entry? {
        guard !isInterrupted(), let entry = pending.popLast() else { return nil }
        if entry.kind == .folder { enter(entry) }
        return entry
    }

    /// Adds the entries of a folder, or the reason why they are omitted.
    private mutating func enter(_ folder: Entry) {
        func leaveOut(_ why: String) {
            pending.append(
                Entry(
                    prefix: folder.prefix,
                    relative: folder.relative,
                    kind: .unreadable(why),
                    depth: folder.depth
                )
            )
        }
        guard folder.depth <= Self.depthLimit else {
            return leaveOut("folders are nested more than \(Self.depthLimit) levels deep")
        }
        // A symbolic link that has replaced a subfolder in the meantime is not followed.
        let follows = folder.depth == 0 ? 0 : O_NOFOLLOW
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC | O_DIRECTORY | follows)
        guard descriptor >= 0 else { return leaveOut(String(cString: strerror(errno))) }
        guard let stream = fdopendir(descriptor) else {
            defer { close(descriptor) }
            return leaveOut(String(cString: strerror(errno)))
        }
        defer { closedir(stream) }
        let prefix = folder.relative.isEmpty ? "" : "\(folder.relative)/"
        var entries: [Entry] = []
        while !isInterrupted(), let entry = readdir(stream) {
            let name = SourceFiles.name(of: entry)
            let hint = mode_t(entry.pointee.d_type) << 12
            if name.hasBytePrefix(".") { continue }
            let path = prefix + name
            var kind = Self.kind(hint) ?? Self.kind(ofUnknown: folder.prefix + path)
            let isFile = kind != .folder && kind != .link
            if isFile, !(ending.map(name.hasByteSuffix) ?? false) { continue }
            // This character replaces the bytes in a name that are not UTF-8.
            if name.unicodeScalars.contains("\u{FFFD}"), !SourceFiles.isThere(folder.prefix + path)
            {
                kind = kind == .folder ? .unreadable("its name is not UTF-8") : .misnamed
            }
            entries.append(
                Entry(prefix: folder.prefix, relative: path, kind: kind, depth: folder.depth + 1)
            )
        }
        struct Interruption: Error {}
        // The entries are in reverse order, because the last pending entry comes next.
        pending +=
            (try? entries.sorted {
                if isInterrupted() { throw Interruption() }
                return strcmp($0.relative, $1.relative) > 0
            }) ?? []
    }

    private static func kind(ofUnknown path: String) -> Kind {
        var status = stat()
        return lstat(path, &status) == 0 ? kind(status.st_mode & S_IFMT) ?? .other : .other
    }

    /// Returns the kind for the file type bits of a mode; nil for any other bits.
    private static func kind(_ format: mode_t) -> Kind? {
        switch format {
        case 0: nil
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        default: .other
        }
    }
}
