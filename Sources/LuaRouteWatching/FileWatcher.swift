// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import Synchronization

/// Waits until files change.
///
/// What the system tells is a hint, and the bytes decide: a file that was written anew with the
/// same bytes has not changed, and one that another took the place of has, by whatever way. A
/// watcher looks at the files that it was told and at what is on the way to them. What else
/// happens in the same folders, such as reports written there, wakes nobody.
///
/// Changes are kept while nobody waits. On Linux the kernel tells of them; elsewhere, and where
/// it cannot, files are polled: ``mode`` says why.
///
/// ```swift
/// let watcher = FileWatcher(WatchedFiles(folders: [.init("scenarios", ending: ".scenario")]))
/// while let changed = watcher.changes() {
///     print("run again:", changed.sorted())
/// }
/// ```
///
/// One thread waits at a time; any thread may ``wake()`` it, or tell it what to watch.
public final class FileWatcher: Sendable {
    /// How a watcher learns of changes.
    public enum Mode: Sendable, Equatable {
        /// The system tells of them.
        case events
        /// Files are read from time to time.
        case polling(why: String)
    }

    /// How a wait ended.
    public enum Wakening: Sendable, Equatable {
        /// Something may have changed.
        case hint
        /// The time was over.
        case timedOut
        /// Somebody called ``FileWatcher/wake()``.
        case woken
    }

    struct State {
        var watched = WatchedFiles()
        /// The folder in which we were when it was told what to watch.
        var base = "/"
        var mounts = ""
        var surroundings: Surroundings?
        /// The folders of each watch: one may be reached by two ways.
        var watches: [Int32: [String]] = [:]
        var mode: Mode
        /// What callers know of the files.
        var told = FileVersions()
        /// What a poll saw last, and when.
        var seen = FileVersions()
        var looked = ContinuousClock.now
        /// A hint that nobody has had yet.
        var isPending = false
    }

    let settings: WatchSettings
    let events: (any FolderEvents)?
    let state: Mutex<State>
    private let pipe = WakePipe()

    /// Creates a watcher.
    ///
    /// - Parameters:
    ///   - watched: The files to look after; ``watch(_:)`` changes them.
    ///   - settings: How to.
    public convenience init(
        _ watched: WatchedFiles = WatchedFiles(),
        settings: WatchSettings = WatchSettings()
    ) {
        var why = "it was asked for"
        var events: (any FolderEvents)?
        if settings.usesEvents {
            #if os(Linux) && canImport(Glibc)
            do throws(WatchRefusal) {
                events = try Inotify()
            } catch {
                why = if case .failed(let reason) = error { reason } else { "\(error)" }
            }
            #else
            why = "this system has no events for it"
            #endif
        }
        self.init(watched, settings: settings, events: events, why: why)
    }

    /// Creates a watcher that takes its events from somewhere.
    init(
        _ watched: WatchedFiles,
        settings: WatchSettings,
        events: (any FolderEvents)?,
        why: String = ""
    ) {
        self.settings = settings
        self.events = events
        state = Mutex(State(mode: events == nil ? .polling(why: why) : .events))
        watch(watched)
    }

    deinit { events?.close() }

    /// How it learns of changes now.
    public var mode: Mode { state.withLock(\.mode) }

    /// Sets the files to look after.
    ///
    /// What was watched before and still is keeps its changes. Of the others those are told that
    /// come after this call, so read a file after it.
    public func watch(_ watched: WatchedFiles) {
        state.withLock { state in
            let news = WatchedFiles(
                files: watched.files.subtracting(state.watched.files),
                folders: watched.folders.subtracting(state.watched.folders)
            )
            let isOther = state.watched != watched || state.surroundings == nil
            state.watched = watched
            if isOther {
                state.base = SourceFiles.resolved(".") ?? "/"
                state.mounts = Self.mounts
            }
            // First the watches, then the look: what happens in between is told.
            if events != nil, isOther { arm(&state) }
            let versions = FileVersions(of: news)
            for path in [\State.told, \State.seen] {
                state[keyPath: path].restrict(to: watched)
                state[keyPath: path].adopt(versions)
            }
        }
    }

    /// Ends the wait under way, or else the next one.
    ///
    /// It may be called by the handler of a signal.
    public func wake() { pipe.wake() }

    /// Waits until something may have changed.
    ///
    /// A hint is not a change: look, best after ``settle()``.
    ///
    /// - Parameter timeout: How long to wait at the most; nil for ever.
    /// - Returns: How the wait ended.
    public func wait(timeout: Duration? = nil) -> Wakening {
        wait(until: timeout.map { .now + $0 }, looking: settings.pollInterval)
    }

    /// Waits after a hint until it has been quiet for a while, or for the longest time that the
    /// settings allow.
    ///
    /// - Returns: Whether it has settled. If not, somebody called ``wake()``; the hint is kept,
    ///   and the next wait ends at once.
    public func settle() -> Bool {
        var settling = Settling(quiet: settings.quiet, longest: settings.longest)
        settling.note(at: .now)
        while let end = settling.end, !settling.isSettled(at: .now) {
            switch wait(until: end, looking: min(settings.pollInterval, settings.quiet / 4)) {
            case .timedOut: return true
            case .woken:
                keepHint()
                return false
            case .hint:
                settling.note(at: .now)
                // A storm of events is looked at now and then, and not one by one.
                pipe.wait(or: nil, for: min(settings.quiet / 10, end - .now))
            }
        }
        return true
    }

    /// Waits until files have changed and it has settled.
    ///
    /// - Parameter timeout: How long to wait for a hint at the most; nil for ever.
    /// - Returns: The paths of the files that have other bytes than when they were last told,
    ///   have come or are gone. Nil if the time was over, or somebody called ``wake()``.
    public func changes(timeout: Duration? = nil) -> Set<String>? {
        let end = timeout.map { ContinuousClock.now + $0 }
        while wait(until: end, looking: settings.pollInterval) == .hint, settle() {
            let changes = state.withLock { state in
                let versions = FileVersions(of: state.watched)
                defer { (state.told, state.seen) = (versions, versions) }
                return versions.changes(since: state.told)
            }
            if !changes.isEmpty { return changes }
        }
        return nil
    }

    /// Lets the next wait end at once.
    func keepHint() { state.withLock { $0.isPending = true } }

    // MARK: Waiting

    private func wait(
        until end: ContinuousClock.Instant?,
        looking interval: Duration
    ) -> Wakening {
        while true {
            if pipe.takeWake() { return .woken }
            let now = ContinuousClock.now
            // Nil where there was a hint.
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
        // What failed once may be possible now.
        if events != nil { arm(&state) }
        let versions = FileVersions(of: state.watched)
        defer {
            state.seen = versions
            state.looked = .now
        }
        return versions != state.seen
    }
}
