// SPDX-License-Identifier: MIT

#if Bundles
internal import LuaRouting
internal import SystemGaps

/// The system's `rename`, which a method of the same name hides.
private let renameFile = rename

/// A failed operation on a file.
package struct StoreFault: Error {
    /// The operation and the name of its file, such as `write 'state.json.new'`.
    package let operation: String
    /// The system's error message.
    package let reason: String
    /// The condition under which the operation succeeds.
    let expected: String
    /// Whether another store has locked the folder.
    let isOfOtherStore: Bool

    /// Creates a fault.
    package init(
        _ operation: String,
        _ reason: String,
        expected: String = "a folder with free space that the app can write to",
        isOfOtherStore: Bool = false
    ) {
        (self.operation, self.reason, self.expected) = (operation, reason, expected)
        self.isOfOtherStore = isOfOtherStore
    }
}

/// The file operations of a store in one folder.
///
/// Tests use an implementation that can stop at any operation.
package protocol StoreFolder: Sendable {
    /// Reads a file.
    ///
    /// Returns nil if the file does not exist, and an empty array if it exceeds the limit or is not
    /// a regular file, because such a file is damaged.
    func read(_ name: String, limit: Int) throws(StoreFault) -> [UInt8]?
    /// Writes a file, and returns when all bytes are on disk.
    func write(_ bytes: [UInt8], to name: String) throws(StoreFault)
    /// Renames a file, replacing any file that already has the new name.
    func rename(_ old: String, to new: String) throws(StoreFault)
    /// Removes a file.
    func remove(_ name: String) throws(StoreFault)
    /// Returns the names of all files.
    func names() -> [String]
    /// Writes the names of all files to disk, and waits until they are written.
    func flush() throws(StoreFault)
}

extension StoreFolder {
    /// The extension of a file that is being written.
    static var draftSuffix: String { ".new" }

    /// Writes a file completely or not at all.
    func replace(_ name: String, by bytes: [UInt8]) throws(StoreFault) {
        try write(bytes, to: name + Self.draftSuffix)
        try rename(name + Self.draftSuffix, to: name)
        try flush()
    }
}

/// A folder of the file system that only one store at a time can change.
final class SystemFolder: StoreFolder {
    let path: String
    /// The descriptor of the locked file, which excludes other stores in this process and in
    /// others; -1 if the folder is not locked.
    private let lock = Lock<Int32>(-1)
    private static let lockName = "lock"

    /// Opens a folder.
    ///
    /// The folder is created if it does not exist, but its parent must exist.
    ///
    /// The initializer throws an error if another store has locked the folder. If locking fails for
    /// another reason, such as a full disk, the store tries again before each change.
    init(_ path: String) throws(StoreFault) {
        self.path = path
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.fault("create", path) }
        guard SourceFiles.kind(of: path) == .folder else {
            throw StoreFault("open '\(path)'", "not a folder")
        }
        do throws(StoreFault) {
            try takeLock()
        } catch {
            if error.isOfOtherStore { throw error }
        }
    }

    deinit {
        let file = lock.withLock(\.self)
        guard file >= 0 else { return }
        // A process that is being spawned has a copy of the descriptor, with which the file would
        // stay locked until the process executes its program.
        flock(file, LOCK_UN)
        close(file)
    }

    /// Locks the folder until this object is released or the process ends.
    private func takeLock() throws(StoreFault) {
        try lock.withLock { (lock) throws(StoreFault) in
            guard lock < 0 else { return }
            let path = "\(path)/\(Self.lockName)"
            try makeRoom(for: Self.lockName)
            // A symbolic link or a pipe is never opened.
            var status = stat()
            if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { unlink(path) }
            let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Self.fault("open", Self.lockName) }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                let isTaken = errno == EWOULDBLOCK
                let fault =
                    isTaken
                    ? StoreFault(
                        "open '\(self.path)'",
                        "another store, in this or another process, has locked '\(path)'",
                        expected: "only one open store for a folder",
                        isOfOtherStore: true
                    ) : Self.fault("lock", Self.lockName)
                close(file)
                throw fault
            }
            lock = file
        }
    }

    /// Removes an empty folder whose path is needed for a file.
    private func makeRoom(for name: String) throws(StoreFault) {
        var status = stat()
        guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
            rmdir("\(path)/\(name)") != 0, errno != ENOENT
        else { return }
        throw StoreFault(
            "write '\(name)'",
            "a folder that cannot be removed: \(String(cString: strerror(errno)))",
            expected: "a file or nothing at '\(path)/\(name)'"
        )
    }

    private static func fault(_ operation: String, _ name: String) -> StoreFault {
        StoreFault("\(operation) '\(name)'", String(cString: strerror(errno)))
    }

    func read(_ name: String, limit: Int) throws(StoreFault) -> [UInt8]? {
        let path = "\(path)/\(name)"
        // A store creates only regular files. Anything else at the path is damage, and is replaced.
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
        try takeLock()
        try makeRoom(for: name)
        let reason = SourceFiles.create("\(path)/\(name)", bytes, mode: 0o600, isFlushed: true)
        if let reason { throw StoreFault("write '\(name)'", reason) }
    }

    func rename(_ old: String, to new: String) throws(StoreFault) {
        try makeRoom(for: new)
        guard renameFile("\(path)/\(old)", "\(path)/\(new)") == 0 else {
            throw Self.fault("rename", old)
        }
    }

    func remove(_ name: String) throws(StoreFault) {
        try takeLock()
        guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else {
            throw Self.fault("remove", name)
        }
    }

    func names() -> [String] { SourceFiles.names(in: path) }

    func flush() throws(StoreFault) {
        let folder = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard folder >= 0 else { throw Self.fault("open", path) }
        defer { close(folder) }
        // Some file systems cannot flush a folder, which they report with EINVAL.
        guard SourceFiles.flush(folder) || errno == EINVAL else { throw Self.fault("flush", path) }
    }
}
#endif
