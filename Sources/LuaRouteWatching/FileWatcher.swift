// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import SystemGaps

/// A watcher that waits until files change.
///
/// Events of the system only start a check, which compares contents. A file that was rewritten with
/// the same bytes has not changed, and a file with other bytes has changed, no matter how it was
/// replaced. A watcher watches the given files and the folders on their paths. Changes of other
/// files in these folders do not end a wait.
///
/// Changes that occur while no thread waits are reported by the next wait. The kernel reports
/// changes on Linux and on Apple's systems. If the kernel cannot watch the files, and on other
/// systems, the files are polled, and ``mode`` contains the reason.
///
/// ```swift
/// let watcher = FileWatcher(WatchedFiles(folders: [.init("scenarios", ending: ".scenario")]))
/// while let changed = watcher.changes() {
///     print("run again:", changed.sorted())
/// }
/// ```
///
/// Only one thread at a time may wait. Any thread may call ``wake()`` or ``watch(_:)``.
public final class FileWatcher: Sendable {
    /// The mechanism that reports changes to a watcher.
    public enum Mode: Sendable, Equatable {
        /// The system reports changes.
        case events
        /// Files are read at intervals.
        case polling(why: String)
    }

    /// The reason why a wait ended.
    public enum Wakening: Sendable, Equatable {
        /// Files may have changed.
        case hint
        /// The timeout has passed.
        case timedOut
        /// ``FileWatcher/wake()`` was called.
        case woken
    }

    struct State {
        var watched = WatchedFiles()
        /// The current working directory at the last call of ``FileWatcher/watch(_:)``.
        var base = "/"
        var mounts = ""
        var surroundings: Surroundings?
        /// The paths of the folder that each watch watches.
        ///
        /// Two paths may lead to the same folder.
        var watches: [Int32: [String]] = [:]
        var mode: Mode
        /// The versions of the files that were last returned to callers.
        var returned = FileVersions()
        /// The versions of the files at the last poll, and the time of the poll.
        var seen = FileVersions()
        var looked = ContinuousClock.now
        /// The events of files that may still be written to.
        var unfinished: Set<FolderEvent> = []
        /// Whether there is a hint that no wait has returned yet.
        var isPending = false
    }

    let settings: WatchSettings
    let events: (any FolderEvents)?
    let state: Lock<State>
    private let pipe = WakePipe()

    /// Creates a watcher.
    ///
    /// - Parameters:
    ///   - watched: The files to watch. Use ``watch(_:)`` to change them.
    ///   - settings: The settings of the watch.
    public convenience init(
        _ watched: WatchedFiles = WatchedFiles(),
        settings: WatchSettings = WatchSettings()
    ) {
        var why = "as requested"
        var events: (any FolderEvents)?
        if settings.usesEvents {
            #if canImport(Darwin) || os(Linux) && canImport(Glibc)
            do throws(WatchRefusal) {
                #if canImport(Darwin)
                events = try Kqueue()
                #else
                events = try Inotify()
                #endif
            } catch {
                why = if case .failed(let reason) = error { reason } else { "\(error)" }
            }
            #else
            why = "this system does not report changes to files"
            #endif
        }
        self.init(watched, settings: settings, events: events, why: why)
    }

    /// Creates a watcher with the given source of events.
    init(
        _ watched: WatchedFiles,
        settings: WatchSettings,
        events: (any FolderEvents)?,
        why: String = ""
    ) {
        self.settings = settings
        self.events = events
        state = Lock(State(mode: events == nil ? .polling(why: why) : .events))
        watch(watched)
    }

    deinit { events?.close() }

    /// The mechanism that currently reports changes.
    public var mode: Mode { state.withLock(\.mode) }

    /// Sets the files to watch.
    ///
    /// Pending changes of files that are still watched are kept. For new files, only changes after
    /// this call are reported, so read a file after the call.
    public func watch(_ watched: WatchedFiles) {
        state.withLock { state in
            var news = watched
            news.files.subtract(state.watched.files)
            news.folders.subtract(state.watched.folders)
            let isOther = state.watched != watched || state.surroundings == nil
            state.watched = watched
            if isOther {
                state.base = SourceFiles.resolved(".") ?? state.base
                state.mounts = Self.mounts
            }
            // Start watching before checking the files, so that changes in between are reported.
            if events != nil, isOther { arm(&state) }
            let versions = FileVersions(of: news, settings.isInterrupted)
            for path in [\State.returned, \State.seen] {
                state[keyPath: path].restrict(to: watched)
                state[keyPath: path].adopt(versions)
            }
        }
    }

    /// Ends the current wait, or the next wait if there is none.
    ///
    /// A signal handler may call this function.
    public func wake() { pipe.wake() }

    /// Waits until files may have changed.
    ///
    /// A hint does not prove a change: compare the files, preferably after ``settle()``.
    ///
    /// - Parameter timeout: The maximum time to wait; nil to wait without a limit.
    /// - Returns: The reason why the wait ended.
    public func wait(timeout: Duration? = nil) -> Wakening {
        wait(until: timeout.map { .now + $0 }, looking: settings.pollInterval)
    }

    /// Waits after a hint until no other hint has arrived for a while, or until the maximum time of
    /// the settings has passed.
    ///
    /// If the system reports that all files are closed, the wait is shorter.
    ///
    /// - Returns: Whether the files have settled. If not, ``wake()`` was called; the hint is kept,
    ///   and the next wait ends immediately.
    public func settle() -> Bool {
        var settling = Settling(quiet: quiet, longest: settings.longest)
        settling.note(at: .now)
        settling: while let end = settling.end, !settling.isSettled(at: .now) {
            switch wait(until: end, looking: min(settings.pollInterval, settings.quiet / 4)) {
            case .timedOut: break settling
            case .woken:
                keepHint()
                return false
            case .hint:
                settling.quiet = quiet
                settling.note(at: .now)
                // Take many events at intervals, instead of one at a time.
                pipe.wait(or: nil, for: min(settings.quiet / 10, end - .now))
            }
        }
        state.withLock { $0.unfinished = [] }
        return true
    }

    /// The time without a hint after which the files count as settled, given the events so far.
    private var quiet: Duration {
        let isFinished = state.withLock { $0.mode == .events && $0.unfinished.isEmpty }
        return isFinished ? min(settings.quietOnceClosed, settings.quiet) : settings.quiet
    }

    /// Waits until files have changed and settled.
    ///
    /// - Parameter timeout: The maximum time to wait for a hint; nil to wait without a limit.
    /// - Returns: The paths of the files that were changed, added or removed since the last report;
    ///   nil if the timeout has passed, or if ``wake()`` was called.
    public func changes(timeout: Duration? = nil) -> Set<String>? {
        let end = timeout.map { ContinuousClock.now + $0 }
        while wait(until: end, looking: settings.pollInterval) == .hint, settle() {
            let changes = state.withLock { state in
                let versions = FileVersions(of: state.watched, settings.isInterrupted)
                defer { (state.returned, state.seen) = (versions, versions) }
                return versions.changes(since: state.returned)
            }
            if !changes.isEmpty { return changes }
        }
        return nil
    }

    /// Makes the next wait end immediately with a hint.
    func keepHint() { state.withLock { $0.isPending = true } }

    // MARK: Waiting

    private func wait(
        until end: ContinuousClock.Instant?,
        looking interval: Duration
    ) -> Wakening {
        while true {
            if pipe.takeWake() { return .woken }
            let now = ContinuousClock.now
            // The time of the next poll, if files are polled. The outer optional is nil if there
            // was a hint.
            let look: ContinuousClock.Instant?? = state.withLock { state in
                if takeHint(&state) { return nil }
                guard state.mode != .events else { return .some(nil) }
                if state.looked + interval <= now, poll(&state) { return nil }
                return state.looked + interval
            }
            guard let look else { return .hint }
            if let end, end <= now { return .timedOut }
            let next = [look, end].compactMap(\.self).min()
            pipe.wait(or: events?.descriptor, for: next.map { $0 - .now })
        }
    }

    private func poll(_ state: inout State) -> Bool {
        // A watch that failed earlier may succeed now.
        if events != nil { arm(&state) }
        let versions = FileVersions(of: state.watched, settings.isInterrupted)
        defer {
            state.seen = versions
            state.looked = .now
        }
        return versions != state.seen
    }
}
