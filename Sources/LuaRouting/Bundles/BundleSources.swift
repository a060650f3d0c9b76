// SPDX-License-Identifier: MIT

internal import Synchronization

/// The files of a bundle that have been read so far, shared by all copies of it.
final class BundleSources: Sendable {
    typealias Outcome = Result<[UInt8], BundleError>

    private struct State {
        var known: [String: Outcome]
        /// What scripts asked for: what a load depends on is this, and no more.
        var asked: Set<String> = []
    }

    private let root: String?
    /// The root without links, nil if it did not stand there: where a link to a folder is made to
    /// lead to another one, a snapshot has the files of one of both.
    private let folder: String?
    private let state: Mutex<State>

    init(root: String?, files: [String: [UInt8]]) {
        self.root = root
        folder = root.flatMap(SourceFiles.resolved)
        state = Mutex(State(known: files.mapValues { .success($0) }))
    }

    /// Reads a file for a script.
    func source(of file: String) throws(BundleError) -> [UInt8] {
        let result = state.withLock { state in
            state.asked.insert(file)
            return outcome(of: file, &state)
        }
        return try result.get()
    }

    /// What came of reading a file, without a script that asked for it.
    func outcome(of file: String) -> Outcome {
        state.withLock { outcome(of: file, &$0) }
    }

    /// What the bundle depends on.
    var files: [String: Outcome] {
        state.withLock { state in
            if root == nil || state.asked.isEmpty { return state.known }
            return state.known.filter { state.asked.contains($0.key) }
        }
    }

    /// Reads all files anew, at one time: none of them changed while the others were read.
    func reread() throws(BundleError) -> BundleSources {
        guard let root else { return self }
        let newer = BundleSources(root: root, files: [:])
        let paths = files.keys.sorted()
        let stable = try StableReading.read { () throws(BundleError) in
            var known: [String: Outcome] = [:]
            var before: [FileIdentity?] = []
            for path in paths {
                let (outcome, identity) = newer.read(path)
                if case .failure(let error) = outcome, error.reason == .unstable { throw error }
                known[path] = outcome
                before.append(identity)
            }
            return StableReading.Try(
                known,
                before: before,
                after: paths.map { FileIdentity("\(newer.folder ?? root)/\($0)") }
            )
        }
        guard let stable else { throw .unstable(root) }
        newer.state.withLock { $0.known = stable.content }
        return newer
    }

    // MARK: Reading

    private func outcome(of file: String, _ state: inout State) -> Outcome {
        if let known = state.known[file] { return known }
        let outcome = read(file).outcome
        state.known[file] = outcome
        return outcome
    }

    /// Reads a file.
    ///
    /// - Returns: What came of it, and which file it was, nil if there is none.
    private func read(_ file: String) -> (outcome: Outcome, identity: FileIdentity?) {
        guard let root else { return (.failure(.missing(file)), nil) }
        let path = "\(root)/\(file)"
        let place = "\(folder ?? root)/\(file)"
        let identity = FileIdentity(place)
        do throws(BundleError) {
            guard let resolved = SourceFiles.resolved(place),
                let resolvedRoot = folder ?? SourceFiles.resolved(root)
            else { throw .missing(path) }
            guard resolvedRoot == "/" || resolved.hasPrefix(resolvedRoot + "/") else {
                throw .unreadable(path, why: "a link leads out of the bundle")
            }
            var (bytes, identity) = try SourceFiles.readIdentified(
                place,
                limit: Bundle.sourceLimit,
                calling: path
            )
            guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8(path) }
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
            return (.success(bytes), identity)
        } catch {
            return (.failure(error), identity)
        }
    }
}
