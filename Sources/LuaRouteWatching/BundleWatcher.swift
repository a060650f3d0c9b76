// SPDX-License-Identifier: MIT

public import LuaRouting
internal import SystemGaps

/// A watcher that waits until the files of a bundle change, and reads them again.
///
/// The watcher watches all files that the scripts of the last bundle tried to read, even if the
/// files were missing or the scripts did not load. If the bundle is missing, the watcher waits for
/// it.
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
/// A change while the caller loads a bundle is not lost, because each call of ``next(timeout:)``
/// checks the files before it waits. Each returned bundle differs from the previous one, so a
/// rejected bundle is returned again only after it has changed. To find out whether a bundle is the
/// same as the active one, use `isSame(as:)`.
///
/// Only one thread at a time may wait. Any thread may call ``wake()``. An app without a spare
/// thread can use
/// ``LuaRouting/Bundle/changes(settings:)``.
public final class BundleWatcher: Sendable {
    /// The result of the last attempt, from which the next result must differ.
    private enum Last {
        case nothing
        /// There was no usable bundle.
        case failure(BundleError)
        /// The bundle.
        ///
        /// Its entry may be unusable.
        case bundle(ScriptBundle)
    }

    let path: String
    private let files: FileWatcher
    private let last: Lock<Last>

    /// Creates a watcher of a path at which a bundle exists or will exist.
    ///
    /// The first call of ``next(timeout:)`` returns the bundle immediately, or throws an error.
    public init(path: String, settings: WatchSettings = WatchSettings()) {
        self.path = path
        files = FileWatcher(settings: settings)
        last = Lock(.nothing)
    }

    /// Creates a watcher of an existing bundle, such as the active one.
    ///
    /// A bundle in memory never changes.
    public init(_ bundle: ScriptBundle, settings: WatchSettings = WatchSettings()) {
        path = bundle.root ?? ""
        files = FileWatcher(settings: settings)
        last = Lock(.bundle(bundle))
    }

    /// The mechanism that reports changes.
    ///
    /// If the files are polled, show the reason to the user.
    public var mode: FileWatcher.Mode { files.mode }

    /// Ends the current wait, or the next wait if there is none.
    ///
    /// A signal handler may call this function.
    public func wake() { files.wake() }

    /// Waits until the bundle has changed since the last call and its files have settled.
    ///
    /// - Parameter timeout: The maximum time to wait for a change; nil to wait without a limit.
    /// - Returns: The new version of the bundle; nil if the timeout has passed, or if ``wake()``
    ///   was called.
    /// - Throws: ``LuaRouting/BundleError`` if there is a change but no usable bundle: the entry is
    ///   missing or cannot be used, or the files do not stop changing. The next call waits for
    ///   another change.
    public func next(timeout: Duration? = nil) throws(BundleError) -> ScriptBundle? {
        let end = timeout.map { ContinuousClock.now + $0 }
        var isSettled = false
        while true {
            let last = last.withLock { $0 }
            // Start watching before checking the files, so that changes in between are reported.
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
            // The path may be a file, or a folder with an entry.
            let entry = path.hasByteSuffix("/") ? "\(path)main.lua" : "\(path)/main.lua"
            return WatchedFiles(files: [path, entry])
        }
        guard bundle.root != nil else { return WatchedFiles() }
        return WatchedFiles(of: bundle)
            .union(WatchedFiles(files: [bundle.displayPath(of: bundle.entry)]))
    }

    /// Reads the current bundle; returns nil if it is the same as in the last attempt.
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
            // The snapshot already contains the entry, or the error of reading the entry.
            if case .failure(let error) = bundle.files[bundle.entry] { throw error }
            return bundle
        case .failure(let error):
            last.withLock { last in
                // If a bundle does not stop changing, later bundles are still compared with the
                // last good snapshot.
                if case .bundle = last { return }
                last = .failure(error)
            }
            throw error
        }
    }
}
