// SPDX-License-Identifier: MIT

public import LuaRouting
internal import Synchronization

/// Waits until the files of a bundle change, and reads them anew.
///
/// It looks after all files that the scripts of the last bundle have asked for, also when they
/// did not load, and after those that were missing. What is not there yet is waited for.
///
/// ```swift
/// let watcher = BundleWatcher(path: "scripts")
/// while true {
///     do throws(BundleError) {
///         guard let bundle = try watcher.next() else { break }
///         load(bundle)
///     } catch {
///         print("rejected:", error)
///     }
/// }
/// ```
///
/// One attempt is made at a time. A change while the caller loads a bundle is not lost: each call
/// of ``next(timeout:)`` looks at the files before it waits. What it hands out differs from
/// what it handed out before, so a bundle that was rejected comes again when it has changed,
/// and not before. Whether it is the one that serves already, `isSame(as:)` tells.
///
/// One thread waits at a time; any thread may ``wake()`` it. Apps that do not have a thread for it
/// use ``LuaRouting/Bundle/changes(settings:)``.
public final class BundleWatcher: Sendable {
    /// The last attempt: the next one differs from it.
    private enum Last {
        case nothing
        /// There was no bundle at all.
        case failure(BundleError)
        /// The entry may be one that cannot be used.
        case bundle(ScriptBundle)
    }

    let path: String
    private let files: FileWatcher
    private let last: Mutex<Last>

    /// Creates a watcher of a path at which a bundle stands or will stand.
    ///
    /// The first ``next(timeout:)`` returns the bundle at once, or throws.
    public init(path: String, settings: WatchSettings = WatchSettings()) {
        self.path = path
        files = FileWatcher(settings: settings)
        last = Mutex(.nothing)
    }

    /// Creates a watcher of a bundle that is at hand, such as the one that serves.
    ///
    /// A bundle of memory never changes.
    public init(_ bundle: ScriptBundle, settings: WatchSettings = WatchSettings()) {
        path = bundle.root ?? ""
        files = FileWatcher(settings: settings)
        last = Mutex(.bundle(bundle))
    }

    /// How it learns of changes; tell people when it polls, and why.
    public var mode: FileWatcher.Mode { files.mode }

    /// Ends the wait under way, or else the next one.
    ///
    /// It may be called by the handler of a signal.
    public func wake() { files.wake() }

    /// Waits until the bundle has changed since the last call and nothing changes any more.
    ///
    /// - Parameter timeout: How long to wait for a change at the most; nil for ever.
    /// - Returns: A newer snapshot. Nil if the time was over, or somebody called ``wake()``.
    /// - Throws: ``LuaRouting/BundleError`` if there is a change and no bundle can be had:
    ///   the entry is missing or cannot be used, or files change all the time. The next
    ///   call waits for another change.
    public func next(timeout: Duration? = nil) throws(BundleError) -> ScriptBundle? {
        let end = timeout.map { ContinuousClock.now + $0 }
        var isSettled = false
        while true {
            let last = last.withLock { $0 }
            // First the watches, then the look: what happens in between is told.
            files.watch(watched(after: last))
            if let attempt = attempt(after: last) {
                if case .nothing = last { isSettled = true }
                if isSettled { return try take(attempt) }
            } else {
                let rest = end.map { max(.zero, $0 - .now) }
                guard files.wait(timeout: rest) == .hint else { return nil }
            }
            guard files.settle() else { return nil }
            isSettled = true
        }
    }

    private func watched(after last: Last) -> WatchedFiles {
        guard case .bundle(let bundle) = last else {
            // A file, or a folder with its entry.
            let entry = path.hasSuffix("/") ? "\(path)main.lua" : "\(path)/main.lua"
            return WatchedFiles(files: [path, entry])
        }
        guard bundle.root != nil else { return WatchedFiles() }
        return WatchedFiles(of: bundle)
            .union(WatchedFiles(files: [bundle.displayPath(of: bundle.entry)]))
    }

    /// Reads the bundle as it is now; nil if it is as in the last attempt.
    private func attempt(after last: Last) -> Result<ScriptBundle, BundleError>? {
        do throws(BundleError) {
            if case .bundle(let bundle) = last {
                let newer = try bundle.snapshot()
                return newer.isSame(as: bundle) ? nil : .success(newer)
            }
            return .success(try ScriptBundle(path: path))
        } catch {
            if case .failure(error) = last { return nil }
            return .failure(error)
        }
    }

    private func take(_ attempt: Result<ScriptBundle, BundleError>) throws(BundleError)
        -> ScriptBundle
    {
        switch attempt {
        case .success(let bundle):
            last.withLock { $0 = .bundle(bundle) }
            // The snapshot has it already, and what came of it.
            if case .failure(let error) = bundle.files[bundle.entry] { throw error }
            return bundle
        case .failure(let error):
            last.withLock { last in
                // A bundle that changes all the time stays the one to compare with.
                if case .bundle = last { return }
                last = .failure(error)
            }
            throw error
        }
    }
}
