// SPDX-License-Identifier: MIT

internal import RouteCore
internal import SystemGaps

/// The reason why a file of a bundle cannot be used.
///
/// ```swift
/// do {
///     _ = try ScriptBundle(path: "no/such/folder")
/// } catch {
///     print(error.reason)  // missing
///     print(error)  // no such file 'no/such/folder'
/// }
/// ```
public struct BundleError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of errors.
    public enum Reason: String, Sendable {
        /// The file does not exist.
        case missing
        /// The file exists but cannot be read.
        case unreadable
        /// The file changed during each attempt to read it, or while the other files of its bundle
        /// were read.
        case unstable
        /// The file is larger than ``ScriptBundle/sourceLimit``.
        case tooLarge
        /// The file contains bytes that are not UTF-8.
        case notUTF8
    }

    /// The kind of the error.
    public let reason: Reason
    /// The path of the file.
    public let path: String
    /// The message, which is one sentence.
    public let message: String

    /// The message.
    public var description: String { message }

    package static func missing(_ path: String) -> BundleError {
        BundleError(reason: .missing, path: path, message: "no such file '\(path)'")
    }

    /// The error for an environment variable that contains a path at which nothing exists.
    package static func missingDevelopmentFolder(
        _ path: String,
        variable: String
    ) -> BundleError {
        BundleError(
            reason: .missing,
            path: path,
            message: "no such file or folder '\(path)' (the path is from the environment variable "
                + "'\(variable)': unset the variable to use the embedded scripts)"
        )
    }

    package static func unreadable(_ path: String, why: String) -> BundleError {
        BundleError(
            reason: .unreadable,
            path: path,
            message: "cannot read '\(path)' (\(why.lowercased()))"
        )
    }

    /// The error for a file whose name differs from the name of another file only in Unicode
    /// normalization.
    package static func otherForm(_ path: String, of other: String) -> BundleError {
        BundleError(
            reason: .unreadable,
            path: path,
            message: "two files are named '\(other)' (\(UnicodeForm.remark)): rename one of them"
        )
    }

    package static func unstable(_ path: String) -> BundleError {
        BundleError(
            reason: .unstable,
            path: path,
            message: "'\(path)' is being written to (the file changed during each of "
                + "\(StableReading.tries) attempts to read it)"
        )
    }

    /// The error for files whose changes cannot be detected.
    package static func unwatched(_ path: String, why: String) -> BundleError {
        BundleError(
            reason: .unreadable,
            path: path,
            message: "cannot watch '\(path)' (\(why))"
        )
    }

    package static func changed(_ path: String) -> BundleError {
        BundleError(
            reason: .unstable,
            path: path,
            message:
                "'\(path)' changed while its bundle was being read (load the bundle again)"
        )
    }

    package static func tooLarge(_ path: String, limit: Int) -> BundleError {
        BundleError(
            reason: .tooLarge,
            path: path,
            message: "'\(path)' is too large (at most \(limit / 1024) KiB expected)"
        )
    }

    /// The error for a file whose bytes are not UTF-8.
    package static func notUTF8(_ path: String, _ bytes: [UInt8]) -> BundleError {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(valid: $0) == nil } ?? 0
        let message = "'\(path)' is not UTF-8 (line \(line + 1))"
        return BundleError(reason: .notUTF8, path: path, message: message)
    }
}
