// SPDX-License-Identifier: MIT

internal import SystemGaps

/// The files of a bundle that have been read so far.
///
/// All copies of the bundle share this object.
final class BundleSources: Sendable {
    typealias Outcome = Result<[UInt8], BundleError>

    /// The content of a file at the time when it was read.
    private struct Known {
        let outcome: Outcome
        /// The identity of the file; nil if the file is missing or the bundle is in memory.
        let identity: FileIdentity?
    }

    private struct State {
        var known: [String: Known]
        /// The number of files in ``asked`` that could not be read.
        var failures = 0
        /// The files that scripts requested.
        ///
        /// The result of loading depends only on these files.
        var asked: Set<String> = []
        /// Whether a file was read since the last check for consistency.
        var isMixed = false
    }

    private let root: String?
    /// The root with its symbolic links resolved; nil if it did not exist.
    ///
    /// The path is resolved once, so that a snapshot contains files of only one folder even if a
    /// symbolic link to the folder changes.
    private let folder: String?
    private let state: Lock<State>
    /// The source of the files.
    private let disk: Files

    init(root: String?, files: [String: [UInt8]], disk: Files = .disk) {
        self.root = root
        self.disk = disk
        folder = root.flatMap(SourceFiles.resolved)
        let known = files.mapValues { Known(outcome: .success($0), identity: nil) }
        state = Lock(State(known: known))
    }

    /// The maximum number of unreadable files that are remembered.
    ///
    /// A script may request any number of such files. Files beyond the maximum are read again at
    /// each request, and are not part of the bundle's state.
    static let failureLimit = 1_000

    /// Returns the content of a file that a script requests.
    func source(of file: String) throws(BundleError) -> [UInt8] {
        let result: Outcome = state.withLock { state in
            if let other = state.known.otherForm(of: file) {
                return .failure(.otherForm(file, of: other))
            }
            if !state.asked.contains(file), state.failures >= Self.failureLimit {
                let known = state.known[file] ?? read(file)
                guard case .success = known.outcome else { return known.outcome }
            }
            let outcome = outcome(of: file, &state)
            if state.asked.insert(file).inserted, case .failure = outcome { state.failures += 1 }
            return outcome
        }
        return try result.get()
    }

    /// Returns the content of a file, even if no script has requested it.
    func outcome(of file: String) -> Outcome {
        state.withLock { outcome(of: file, &$0) }
    }

    /// The files that the bundle depends on, each with the outcome of reading it.
    ///
    /// The property contains the files that scripts requested. For a bundle in memory, or before
    /// the first request, it contains all known files.
    var files: [String: Outcome] {
        state.withLock { state in
            let known = state.known.mapValues(\.outcome)
            if root == nil || state.asked.isEmpty { return known }
            return known.filter { state.asked.contains($0.key) }
        }
    }

    /// Checks that the files that scripts requested are consistent.
    ///
    /// The files were read one after the other. They are consistent if no file has changed since it
    /// was read.
    ///
    /// If no file was read since the last check, nothing is checked.
    ///
    /// - Throws: ``BundleError`` with the reason `unstable`.
    func checkStability() throws(BundleError) {
        guard let root else { return }
        let asked: [(file: String, identity: FileIdentity?)] = state.withLock { state in
            guard state.isMixed else { return [] }
            return state.asked.sorted().map { ($0, state.known[$0]?.identity) }
        }
        guard !asked.isEmpty else { return }
        for (file, identity) in asked where FileIdentity(location(of: file, in: root)) != identity {
            throw .changed("\(root)/\(file)")
        }
        state.withLock { state in
            // Another thread may have requested more files in the meantime.
            if state.asked.count == asked.count { state.isMixed = false }
        }
    }

    /// Reads all files again as one consistent version, in which no file changed while the others
    /// were read.
    ///
    /// - Parameter disk: The source of the files; nil for the current source.
    /// - Returns: The newer files.
    /// - Throws: ``BundleError`` with the reason `unstable`.
    func reread(_ disk: Files? = nil) throws(BundleError) -> BundleSources {
        guard let root else { return self }
        let newer = BundleSources(root: root, files: [:], disk: disk ?? self.disk)
        let paths = files.keys.sorted()
        let stable = try StableReading.read { () throws(BundleError) in
            var known: [String: Known] = [:]
            var before: [FileIdentity?] = []
            for path in paths {
                let file = newer.read(path)
                if case .failure(let error) = file.outcome, error.reason == .unstable {
                    throw error
                }
                known[path] = file
                before.append(file.identity)
            }
            return StableReading.Try(
                known,
                before: before,
                after: paths.map { FileIdentity(newer.location(of: $0, in: root)) }
            )
        }
        guard let stable else { throw .unstable(root) }
        newer.state.withLock { $0.known = stable.content }
        return newer
    }

    // MARK: Reading

    private func outcome(of file: String, _ state: inout State) -> Outcome {
        if let other = state.known.otherForm(of: file) {
            return .failure(.otherForm(file, of: other))
        }
        if let known = state.known[file] { return known.outcome }
        let read = read(file)
        state.known[file] = read
        state.isMixed = true
        return read.outcome
    }

    /// Returns the path of a file, in which the symbolic links of the root are resolved.
    private func location(of file: String, in root: String) -> String {
        "\(folder ?? root)/\(file)"
    }

    private func read(_ file: String) -> Known {
        guard let root else { return Known(outcome: .failure(.missing(file)), identity: nil) }
        let path = "\(root)/\(file)"
        let location = location(of: file, in: root)
        let identity = FileIdentity(location)
        do throws(BundleError) {
            guard let folder = folder ?? SourceFiles.resolved(root) else { throw .missing(path) }
            var (bytes, identity) = try disk.readIdentified(
                location,
                limit: ScriptBundle.sourceLimit,
                in: folder,
                calling: path
            )
            guard String(valid: bytes) != nil else {
                throw .notUTF8(path, bytes)
            }
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
            return Known(outcome: .success(bytes), identity: identity)
        } catch {
            return Known(outcome: .failure(error), identity: identity)
        }
    }
}
