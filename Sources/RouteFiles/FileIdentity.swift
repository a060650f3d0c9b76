// SPDX-License-Identifier: MIT

internal import SystemGaps

/// The identity of the file at a path, with its version if the file system provides one.
///
/// Equal identities belong to the same file. File systems store times with a limited resolution, so
/// a write immediately after another may not change the identity. A difference therefore proves
/// that the file changed while it was read, but equality does not prove that it did not change.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let file: UInt64
    private let size: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    /// Reads the identity of the file at a path; nil if there is no file.
    ///
    /// Symbolic links are followed.
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

/// Reads a file again if the file changes while it is read.
package enum StableReading {
    /// The maximum number of attempts to read a file before it counts as unstable.
    package static let tries = 3

    /// The result of one attempt to read a file.
    package struct Try<Content, Look: Equatable> {
        /// The content that was read.
        package let content: Content
        /// The identity of the file before reading.
        package let before: Look
        /// The identity of the file after reading.
        package let after: Look

        /// Creates the result of an attempt.
        package init(_ content: Content, before: Look, after: Look) {
            self.content = content
            self.before = before
            self.after = after
        }
    }

    /// Reads until the file's identity is the same before and after reading.
    ///
    /// - Parameter once: Reads the file once.
    /// - Returns: The first attempt with equal identities; nil if the file changed during every
    ///   attempt.
    /// - Throws: The error of the first attempt that fails. No other attempt follows.
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
