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

/// The identity of the file at a path, and its version, as far as the file system provides one.
///
/// Two equal identities belong to the same file. File systems count time in steps, so a write
/// directly after another one may not change the identity. A difference therefore proves that the
/// file changed while it was read; equality does not prove that it did not change.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let file: UInt64
    private let size: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    /// Reads the identity of the file at a path, or returns nil if there is none.
    ///
    /// Follows symbolic links.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        file = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
        let modified = status.st_mtimespec
        #else
        let modified = status.st_mtim
        #endif
        seconds = Int64(modified.tv_sec)
        nanoseconds = Int64(modified.tv_nsec)
    }
}

/// Reads again what changes while it is read.
package enum StableReading {
    /// The maximum number of tries to read a file before it counts as unstable.
    package static let tries = 3

    /// The result of one try.
    package struct Try<Content, Look: Equatable> {
        /// The content that was read.
        package let content: Content
        /// The identity before reading.
        package let before: Look
        /// The identity after reading.
        package let after: Look

        /// Creates the result of a try.
        package init(_ content: Content, before: Look, after: Look) {
            self.content = content
            self.before = before
            self.after = after
        }
    }

    /// Reads until the file's identity is the same before and after.
    ///
    /// - Parameter once: Reads once.
    /// - Returns: The first try with equal identities before and after; nil if every try had a
    ///   change.
    /// - Throws: The error of the first try that throws; no other try follows.
    package static func read<Content, Look>(
        once: () throws(BundleError) -> Try<Content, Look>
    ) throws(BundleError) -> Try<Content, Look>? {
        for _ in 0..<tries {
            let result = try once()
            if result.before == result.after { return result }
        }
        return nil
    }
}
