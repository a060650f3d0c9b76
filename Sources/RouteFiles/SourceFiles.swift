// SPDX-License-Identifier: MIT

internal import SystemGaps

/// The system's `read`, which a method of the same name hides.
private let readBytes = read

/// Functions that read files and folders with system calls.
package enum SourceFiles {
    /// The kind of entry at a path.
    package enum Kind {
        /// Nothing exists at the path.
        case missing
        /// A file.
        case file
        /// A folder.
        case folder
    }

    /// Returns the kind of the entry at a path.
    ///
    /// Symbolic links are followed.
    package static func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .missing }
        return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
    }

    /// Returns whether a path is that of a regular file, and not of a folder, a pipe or a device.
    ///
    /// Symbolic links are followed.
    package static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns whether users other than the owner may read or change a file.
    ///
    /// Symbolic links are followed.
    package static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// Returns whether anything exists at a path, including a dangling symbolic link.
    package static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Returns whether a path is the path of a folder or is inside of the folder.
    ///
    /// Both paths must be absolute, with symbolic links resolved.
    ///
    /// The bytes are compared, because equal strings may be the names of two files.
    package static func isPath(_ path: String, in folder: String) -> Bool {
        folder == "/" || path.utf8.elementsEqual(folder.utf8)
            || path.utf8.starts(with: "\(folder)/".utf8)
    }

    /// Reads a consistent version of a file with at most the given number of bytes.
    ///
    /// Only regular files are opened, not pipes, sockets or devices.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The maximum size in bytes.
    ///   - folder: The folder that must contain the file once symbolic links are followed; nil to
    ///     allow any folder. The folder's own path must have symbolic links resolved.
    /// - Returns: The bytes.
    /// - Throws: ``BundleError``; `unstable` if the file was changed during each of 3 attempts.
    package static func read(
        _ path: String,
        limit: Int,
        in folder: String? = nil
    ) throws(BundleError) -> [UInt8] {
        do throws(BundleError) {
            return try readIdentified(path, limit: limit, in: folder, calling: path).bytes
        } catch {
            guard folder != nil, error.reason == .missing, isThere(path) else { throw error }
            throw .unreadable(path, why: "a broken symbolic link")
        }
    }

    /// Reads a file as ``read(_:limit:in:)`` does, and returns the identity of the file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The maximum size in bytes.
    ///   - folder: The folder that must contain the file once symbolic links are followed; nil to
    ///     allow any folder. The folder's own path must have symbolic links resolved.
    ///   - name: The name of the file in errors.
    /// - Returns: The bytes, and the identity of the file that contained them.
    /// - Throws: ``BundleError``, as ``read(_:limit:in:)`` does; `unreadable` if the file is
    ///   outside of the folder.
    package static func readIdentified(
        _ path: String,
        limit: Int,
        in folder: String?,
        calling name: String
    ) throws(BundleError) -> (bytes: [UInt8], identity: FileIdentity?) {
        let stable = try StableReading.read { () throws(BundleError) in
            try readOnce(path, limit: limit, in: folder, calling: name)
        }
        guard let stable else { throw .unstable(name) }
        return (stable.content, stable.after)
    }

    private static func readOnce(
        _ path: String,
        limit: Int,
        in folder: String?,
        calling name: String
    ) throws(BundleError) -> StableReading.Try<[UInt8], FileIdentity?> {
        func failure() -> BundleError {
            errno == ENOENT || errno == ENOTDIR
                ? .missing(name) : .unreadable(name, why: String(cString: strerror(errno)))
        }
        // Check the kind before opening: opening a pipe would unblock its writer, and opening a
        // device may change it.
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure() }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(name, why: "not a regular file")
        }
        // A pipe may have replaced the file in the meantime. Without O_NONBLOCK, opening it would
        // block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        if let folder {
            // Get the path of the open file, because the targets of links may change between a
            // check and the opening.
            guard let opened = self.path(of: descriptor) ?? resolved(path) else {
                throw .missing(name)
            }
            guard isPath(opened, in: folder) else {
                throw .unreadable(name, why: "a symbolic link leads out of the folder")
            }
        }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(name, why: "not a regular file")
        }
        guard status.st_size <= limit else { throw .tooLarge(name, limit: limit) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        var count = 0
        while true {
            let capacity = bytes.count - count
            let got = bytes.withUnsafeMutableBytes { buffer in
                readBytes(descriptor, buffer.baseAddress.map { $0 + count }, capacity)
            }
            if got < 0 {
                if errno == EINTR { continue }
                throw .unreadable(name, why: String(cString: strerror(errno)))
            }
            if got == 0 { break }
            count += got
            // The file grew while it was read. Continue up to the limit.
            if count == bytes.count {
                bytes.append(contentsOf: [UInt8](repeating: 0, count: count))
            }
            guard count <= limit else { throw .tooLarge(name, limit: limit) }
        }
        bytes.removeSubrange(count...)
        // Read the second identity by path, because another file may have replaced this one.
        return .init(bytes, before: FileIdentity(status), after: FileIdentity(path))
    }

    /// Returns the names in a folder, sorted by their bytes; empty if the folder cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = name(of: entry)
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { strcmp($0, $1) < 0 }
    }

    static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
    }

    /// Returns the path of an open file, with symbolic links resolved; nil if the system does not
    /// know the path.
    private static func path(of descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        #if canImport(Darwin)
        guard fcntl(descriptor, F_GETPATH, &bytes) == 0 else { return nil }
        let count = bytes.firstIndex(of: 0) ?? bytes.count
        #else
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map {
                readlink("/proc/self/fd/\(descriptor)", $0, buffer.count)
            } ?? -1
        }
        guard count > 0, count < bytes.count else { return nil }
        #endif
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Returns the path with symbolic links resolved; nil if there is no file.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
