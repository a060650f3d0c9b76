// SPDX-License-Identifier: MIT

public import LuaRouting
internal import SystemGaps

/// Waits until the files of a bundle change, and reads them again.
///
/// It watches all files that the scripts of the last bundle asked for, even if they did not load or
/// were missing. A missing bundle is waited for.
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
/// of ``next(timeout:)`` looks at the files before it waits. Each bundle that it returns differs
/// from the last one, so a rejected bundle is returned again only after it has changed. To find out
/// whether it is the same as the active one, use `isSame(as:)`.
///
/// One thread waits at a time; any thread may call ``wake()``. Apps that have no thread for it use
/// ``LuaRouting/Bundle/changes(settings:)``.
public final class BundleWatcher: Sendable {
    /// The last attempt, from which the next one must differ.
    private enum Last {
        case nothing
        /// There was no bundle.
        case failure(BundleError)
        /// The bundle, whose entry may be unusable.
        case bundle(ScriptBundle)
    }

    let path: String
    private let files: FileWatcher
    private let last: Lock<Last>

    /// Creates a watcher of a path where a bundle exists or will exist.
    ///
    /// The first call of ``next(timeout:)`` returns the bundle at once, or throws.
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
    /// If it polls, show the reason to the user.
    public var mode: FileWatcher.Mode { files.mode }

    /// Ends the current wait, or the next one if there is none.
    ///
    /// A signal handler may call it.
    public func wake() { files.wake() }

    /// Waits until the bundle has changed since the last call and its files have settled.
    ///
    /// - Parameter timeout: The longest wait for a change; nil waits without a limit.
    /// - Returns: A newer snapshot. Nil if the timeout has passed, or if ``wake()`` was called.
    /// - Throws: ``LuaRouting/BundleError`` if there is a change but no usable bundle: the entry is
    ///   missing or cannot be used, or the files change all the time. The next call waits for
    ///   another change.
    public func next(timeout: Duration? = nil) throws(BundleError) -> ScriptBundle? {
        let end = timeout.map { ContinuousClock.now + $0 }
        var isSettled = false
        while true {
            let last = last.withLock { $0 }
            // First the watches, then the look: changes in between are reported.
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
            let entry = path.hasByteSuffix("/") ? "\(path)main.lua" : "\(path)/main.lua"
            return WatchedFiles(files: [path, entry])
        }
        guard bundle.root != nil else { return WatchedFiles() }
        return WatchedFiles(of: bundle)
            .union(WatchedFiles(files: [bundle.displayPath(of: bundle.entry)]))
    }

    /// Reads the bundle as it is now; returns nil if it is the same as in the last attempt.
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
            // The snapshot contains the entry already, or the error of reading it.
            if case .failure(let error) = bundle.files[bundle.entry] { throw error }
            return bundle
        case .failure(let error):
            last.withLock { last in
                // While a bundle changes all the time, the last good snapshot remains the one to
                // compare with.
                if case .bundle = last { return }
                last = .failure(error)
            }
            throw error
        }
    }
}
