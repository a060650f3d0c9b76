// SPDX-License-Identifier: MIT

#if Bundles
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif
internal import LuaRouting

/// `rename` of the system.
private let renameFile = rename

/// A failed operation on a file.
package struct StoreFault: Error {
    /// The operation and its file, such as `write 'state.json.new'`.
    package let operation: String
    /// The reason, in the words of the system.
    package let reason: String

    /// Creates a fault.
    package init(_ operation: String, _ reason: String) {
        (self.operation, self.reason) = (operation, reason)
    }
}

/// The file operations of a store, on the files of one folder.
///
/// Tests have one that stops at any operation.
package protocol StoreFolder: Sendable {
    /// Reads a file. Returns nil if there is none, and an empty content if the file is larger than
    /// the limit, which means that it is damaged.
    func read(_ name: String, limit: Int) throws(StoreFault) -> [UInt8]?
    /// Writes a file, and returns when its bytes are on the disk.
    func write(_ bytes: [UInt8], to name: String) throws(StoreFault)
    /// Renames a file, replacing any file that already has the new name.
    func rename(_ old: String, to new: String) throws(StoreFault)
    /// Removes a file.
    func remove(_ name: String) throws(StoreFault)
    /// The names of all files.
    func names() -> [String]
    /// Returns when all names are on the disk.
    func flush() throws(StoreFault)
}

extension StoreFolder {
    /// The ending of a file that is being written.
    static var draftSuffix: String { ".new" }

    /// Writes a file completely or not at all.
    func replace(_ name: String, by bytes: [UInt8]) throws(StoreFault) {
        try write(bytes, to: name + Self.draftSuffix)
        try rename(name + Self.draftSuffix, to: name)
        try flush()
    }
}

/// A folder of the file system.
struct SystemFolder: StoreFolder {
    let path: String

    /// Opens a folder, which is created if it does not exist; its parent must exist.
    init(_ path: String) throws(StoreFault) {
        self.path = path
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.fault("make", path) }
        guard SourceFiles.kind(of: path) == .folder else {
            throw StoreFault("open '\(path)'", "not a folder")
        }
    }

    private static func fault(_ operation: String, _ name: String) -> StoreFault {
        StoreFault("\(operation) '\(name)'", String(cString: strerror(errno)))
    }

    func read(_ name: String, limit: Int) throws(StoreFault) -> [UInt8]? {
        let path = "\(path)/\(name)"
        // A store makes files alone: whatever else has the name is damage, which is replaced.
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return [] }
        do throws(BundleError) {
            return try SourceFiles.read(path, limit: limit)
        } catch {
            if error.reason == .missing { return nil }
            if error.reason == .tooLarge { return [] }
            throw StoreFault("read '\(name)'", error.message)
        }
    }

    func write(_ bytes: [UInt8], to name: String) throws(StoreFault) {
        let reason = SourceFiles.create("\(path)/\(name)", bytes, mode: 0o600, isFlushed: true)
        if let reason { throw StoreFault("write '\(name)'", reason) }
    }

    func rename(_ old: String, to new: String) throws(StoreFault) {
        guard renameFile("\(path)/\(old)", "\(path)/\(new)") == 0 else {
            throw Self.fault("rename", old)
        }
    }

    func remove(_ name: String) throws(StoreFault) {
        guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else {
            throw Self.fault("remove", name)
        }
    }

    func names() -> [String] { SourceFiles.names(in: path) }

    func flush() throws(StoreFault) {
        let folder = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard folder >= 0 else { throw Self.fault("open", path) }
        defer { close(folder) }
        // Some file systems flush no folder, and say so.
        guard SourceFiles.flush(folder) || errno == EINVAL else { throw Self.fault("flush", path) }
    }
}
#endif
