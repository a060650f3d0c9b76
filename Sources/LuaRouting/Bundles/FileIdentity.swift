// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Which file stands at a path, and in which version as far as the file system tells.
///
/// Two that are equal are the same file, not written to in between. A file system counts time
/// in steps, so a write right after another may leave the identity as it is: it tells that
/// something changes while it is read, and never that nothing has changed since.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let file: UInt64
    private let size: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    /// Takes the identity of what stands at a path, nil where nothing does; links are followed.
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
    /// How often something is read before it is called unstable.
    package static let tries = 3

    /// What one try gave.
    package struct Try<Content, Look: Equatable> {
        /// What was read.
        package let content: Content
        /// What was there when it was opened.
        package let before: Look
        /// What was there when it had been read.
        package let after: Look

        /// Creates what a try gave.
        package init(_ content: Content, before: Look, after: Look) {
            self.content = content
            self.before = before
            self.after = after
        }
    }

    /// Reads until it is the same before and after.
    ///
    /// - Parameter once: Reads once.
    /// - Returns: The try that it was so in, nil where it changed each time.
    /// - Throws: What a try throws; there is no other try then.
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
