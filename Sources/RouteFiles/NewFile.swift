// SPDX-License-Identifier: MIT

internal import RouteCore
internal import SystemGaps

/// The system's `write`, which a function of the same name hides.
private let writeBytes = write

extension SourceFiles {
    /// Creates a file with the given bytes.
    ///
    /// Anything that already exists at the path is removed, and never opened: a draft of an earlier
    /// process, a symbolic link, or a pipe.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - bytes: The content.
    ///   - mode: The permissions. The umask of the process may remove some of them.
    ///   - isExact: Whether the file gets exactly these permissions.
    ///   - isFlushed: Whether to return only when the bytes are on disk.
    /// - Returns: The system's reason if the file cannot be created, in which case there is no
    ///   file; otherwise nil.
    package static func create(
        _ path: String,
        _ bytes: some Collection<UInt8>,
        mode: UInt32 = 0o644,
        isExact: Bool = false,
        isFlushed: Bool = false
    ) -> String? {
        func make() -> Int32 {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            return open(path, flags, mode_t(mode) & (isExact ? 0o600 : 0o777))
        }
        var descriptor = make()
        if descriptor < 0, errno == EEXIST, unlink(path) == 0 { descriptor = make() }
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        var error = write(bytes, to: descriptor)
        if error == 0, isExact, fchmod(descriptor, mode_t(mode)) != 0 { error = errno }
        if error == 0, isFlushed, !flush(descriptor) { error = errno }
        if close(descriptor) != 0, error == 0 { error = errno }
        guard error != 0 else { return nil }
        unlink(path)
        return String(cString: strerror(error))
    }

    /// Writes a file completely or not at all, replacing any file at its path.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - bytes: The content.
    ///   - mode: The exact permissions; nil for the default permissions of a new file.
    /// - Returns: The system's reason if the file cannot be written, in which case the path is
    ///   unchanged; otherwise nil.
    package static func replace(
        _ path: String,
        with bytes: some Collection<UInt8>,
        mode: UInt32? = nil
    ) -> String? {
        let start = path.lastSlash.map { path.utf8.index(after: $0) } ?? path.startIndex
        // The name of a file can be at most 255 bytes long.
        let name = String(decoding: path[start...].utf8.prefix(200), as: UTF8.self)
        let draft = "\(path[..<start])\(name).\(getpid()).tmp"
        if let reason = create(draft, bytes, mode: mode ?? 0o644, isExact: mode != nil) {
            return reason
        }
        guard rename(draft, path) != 0 else { return nil }
        defer { unlink(draft) }
        return String(cString: strerror(errno))
    }

    /// Calls a function while no other process calls a function for the same folder in this way.
    ///
    /// If the folder cannot be locked, or a signal arrives, the function is called without a lock.
    package static func withLock<Result>(on folder: String, _ body: () -> Result) -> Result {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return body() }
        defer {
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
        flock(descriptor, LOCK_EX)
        return body()
    }

    /// Writes all bytes.
    ///
    /// Returns 0, or the system's error number.
    ///
    /// The bytes of a text or an array are not copied.
    package static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Int32 {
        let error = bytes.withContiguousStorageIfAvailable { buffer in
            var start = 0
            while start < buffer.count {
                let rest = UnsafeRawBufferPointer(
                    rebasing: UnsafeRawBufferPointer(buffer)[start...]
                )
                let count = writeBytes(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno != EINTR { return errno }
                start += max(0, count)
            }
            return 0
        }
        return error ?? write(Array(bytes), to: descriptor)
    }

    /// Flushes a file or a folder.
    ///
    /// Returns whether everything written to it is on disk.
    package static func flush(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        // On this system, `fsync` may leave the bytes in the cache of the disk.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(descriptor) == 0
    }
}
