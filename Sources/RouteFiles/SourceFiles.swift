// SPDX-License-Identifier: MIT

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The system's `read`, which a method of the same name hides.
private let readBytes = read

/// Reads files and folders by plain system calls.
package enum SourceFiles {
    /// The kind of entry at a path.
    package enum Kind {
        /// Nothing.
        case missing
        /// A file.
        case file
        /// A folder.
        case folder
    }

    /// Returns the kind of the file at a path; links are followed.
    package static func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .missing }
        return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
    }

    /// Returns whether users other than the owner of a file may read or change it; links are
    /// followed.
    package static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// Returns whether anything exists at a path, including a dangling symbolic link.
    package static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Returns whether a path is a folder's path or is inside of the folder; both paths are
    /// absolute, with symbolic links resolved.
    ///
    /// Bytes are compared, because texts that are equal as strings may name two files.
    package static func isPath(_ path: String, in folder: String) -> Bool {
        folder == "/" || path.utf8.elementsEqual(folder.utf8)
            || path.utf8.starts(with: "\(folder)/".utf8)
    }

    /// Reads a consistent version of a file with at most the given number of bytes.
    ///
    /// Opens only regular files: no pipe, socket or device.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The maximum size in bytes.
    ///   - folder: The folder, with symbolic links resolved, in which the file must be after links
    ///     were followed; nil for any folder.
    /// - Returns: The bytes.
    /// - Throws: ``BundleError``; `unstable` if it was written to during each of 3 tries.
    package static func read(
        _ path: String,
        limit: Int,
        in folder: String? = nil
    ) throws(BundleError) -> [UInt8] {
        do throws(BundleError) {
            return try readIdentified(path, limit: limit, in: folder, calling: path).bytes
        } catch {
            guard folder != nil, error.reason == .missing, isThere(path) else { throw error }
            throw .unreadable(path, why: "a link leads to nothing")
        }
    }

    /// Reads a file as ``read(_:limit:)`` does, and says which file it was.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - limit: The maximum size in bytes.
    ///   - folder: The folder, without links, that it must be in once links have been followed; nil
    ///     for any.
    ///   - name: The name of the file in errors.
    /// - Returns: The bytes, and which file had them.
    /// - Throws: ``BundleError``, as ``read(_:limit:)`` does; `unreadable` if it is elsewhere.
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
        // Opening a pipe lets its writer go on, and opening a device may change it.
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(name, why: "not a file") }
        // Without O_NONBLOCK, a pipe that takes the place of the file now would be waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        if let folder {
            // Of the open file: what links lead to may change between a look and the opening.
            guard let opened = self.path(of: descriptor) ?? resolved(path) else {
                throw .missing(name)
            }
            guard isPath(opened, in: folder) else {
                throw .unreadable(name, why: "a link leads out of its folder")
            }
        }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(name, why: "not a file")
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
            // The file grew while it was read: go on, up to the limit.
            if count == bytes.count {
                bytes.append(contentsOf: [UInt8](repeating: 0, count: count))
            }
            guard count <= limit else { throw .tooLarge(name, limit: limit) }
        }
        bytes.removeSubrange(count...)
        // By its path: another file may have taken its place, and be the one that is meant.
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

    /// Returns the path without links; nil if there is no file.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
