// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Reads files and folders by plain system calls.
package enum SourceFiles {
    /// What stands at a path.
    package enum Kind {
        /// Nothing.
        case missing
        /// A file.
        case file
        /// A folder.
        case folder
    }

    /// Returns what stands at a path; links are followed.
    package static func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .missing }
        return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
    }

    /// Reads a file of at most a number of bytes.
    package static func read(_ path: String, limit: Int) throws(BundleError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR
                ? .missing(path) : .unreadable(path, why: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path, why: "not a file")
        }
        guard status.st_size <= limit else { throw .tooLarge(path, limit: limit) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        var count = 0
        while true {
            let capacity = bytes.count - count
            let got = bytes.withUnsafeMutableBytes { buffer in
                #if canImport(Glibc)
                    Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, capacity)
                #else
                    Darwin.read(descriptor, buffer.baseAddress.map { $0 + count }, capacity)
                #endif
            }
            if got < 0 {
                if errno == EINTR { continue }
                throw .unreadable(path, why: String(cString: strerror(errno)))
            }
            if got == 0 { break }
            count += got
            // The file grew while it was read: go on, up to the limit.
            if count == bytes.count {
                bytes.append(contentsOf: [UInt8](repeating: 0, count: count))
            }
            guard count <= limit else { throw .tooLarge(path, limit: limit) }
        }
        bytes.removeSubrange(count...)
        return bytes
    }

    /// Returns the names in a folder, sorted by their bytes; none where it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { Array($0.utf8).lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the path without links, nil where nothing stands there.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
