// SPDX-License-Identifier: MIT

private import Synchronization

/// The sources of one generation of scripts: an entry and all that it requires.
///
/// A folder is a bundle whose entry is `main.lua`; a file is the entry of a bundle rooted in
/// its folder. A bundle is a snapshot: each file is read once, when it is needed first.
public struct Bundle: Sendable {
    /// The largest source that is read, in bytes.
    public static let sourceLimit = 256 * 1024

    /// The file that is run first, relative to the root.
    public let entry: String

    /// The folder on disk, nil for a bundle of memory.
    public let root: String?

    private let sources: Sources

    /// Reads a bundle from disk.
    ///
    /// - Throws: ``BundleError`` if the entry is missing or cannot be read.
    public init(path: String) throws(BundleError) {
        switch SourceFiles.kind(of: path) {
        case .missing:
            throw .missing(path)
        case .folder:
            root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
            entry = "main.lua"
        case .file:
            if let slash = path.lastIndex(of: "/") {
                root = slash == path.startIndex ? "/" : String(path[..<slash])
                entry = String(path[path.index(after: slash)...])
            } else {
                root = "."
                entry = path
            }
        }
        sources = Sources(root: root, files: [:])
        _ = try sources.source(of: entry)
    }

    /// Makes a bundle of memory.
    ///
    /// - Parameters:
    ///   - entry: The path of the file that is run first.
    ///   - files: The sources by path, such as `routes/show.lua`.
    public init(entry: String = "main.lua", files: [String: String]) {
        self.entry = entry
        root = nil
        sources = Sources(root: nil, files: files.mapValues { Array($0.utf8) })
    }

    /// The source of a file, without a byte order mark.
    ///
    /// - Throws: ``BundleError`` if it is missing, cannot be read, is too large, is not
    ///   UTF-8, or if a link leads out of the root.
    public func source(of file: String) throws(BundleError) -> [UInt8] {
        try sources.source(of: file)
    }

    /// The sources that were read so far, without those that could not be.
    var readSources: [[UInt8]] { sources.read }

    /// The path of a file as a person at the command line would write it.
    public func displayPath(of file: String) -> String {
        guard let root, root != "." else { return file }
        return root == "/" ? "/\(file)" : "\(root)/\(file)"
    }

    /// The files read so far, shared by all copies of one bundle.
    private final class Sources: Sendable {
        private let root: String?
        private let files: Mutex<[String: Result<[UInt8], BundleError>]>

        init(root: String?, files: [String: [UInt8]]) {
            self.root = root
            self.files = Mutex(files.mapValues { .success($0) })
        }

        func source(of file: String) throws(BundleError) -> [UInt8] {
            let result = files.withLock { files in
                if let known = files[file] { return known }
                let result = read(file)
                files[file] = result
                return result
            }
            return try result.get()
        }

        var read: [[UInt8]] { files.withLock { $0.values.compactMap { try? $0.get() } } }

        private func read(_ file: String) -> Result<[UInt8], BundleError> {
            guard let root else { return .failure(.missing(file)) }
            let path = "\(root)/\(file)"
            do throws(BundleError) {
                guard let resolved = SourceFiles.resolved(path),
                    let resolvedRoot = SourceFiles.resolved(root)
                else { throw .missing(path) }
                guard resolvedRoot == "/" || resolved.hasPrefix(resolvedRoot + "/") else {
                    throw .unreadable(path, why: "a link leads out of the bundle")
                }
                var bytes = try SourceFiles.read(path, limit: Bundle.sourceLimit)
                guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8(path) }
                if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
                return .success(bytes)
            } catch {
                return .failure(error)
            }
        }
    }
}

/// Why a file of a bundle cannot be used.
public struct BundleError: Error, Sendable, CustomStringConvertible {
    /// The kinds of trouble with a file.
    public enum Reason: String, Sendable {
        /// There is no such file.
        case missing
        /// It is there and cannot be read.
        case unreadable
        /// It is larger than ``Bundle/sourceLimit``.
        case tooLarge
        /// It holds bytes that are not UTF-8.
        case notUTF8
    }

    /// What the trouble is.
    public let reason: Reason
    /// The file.
    public let path: String
    /// What happened, in one sentence.
    public let message: String

    /// The message.
    public var description: String { message }

    static func missing(_ path: String) -> BundleError {
        BundleError(reason: .missing, path: path, message: "no such file '\(path)'")
    }

    static func unreadable(_ path: String, why: String) -> BundleError {
        BundleError(
            reason: .unreadable,
            path: path,
            message: "cannot read '\(path)' (\(why.lowercased()))"
        )
    }

    static func tooLarge(_ path: String, limit: Int) -> BundleError {
        BundleError(
            reason: .tooLarge,
            path: path,
            message: "'\(path)' is too large (at most \(limit / 1024) KiB expected)"
        )
    }

    static func notUTF8(_ path: String) -> BundleError {
        BundleError(reason: .notUTF8, path: path, message: "'\(path)' is not UTF-8")
    }
}
