// SPDX-License-Identifier: MIT

internal import LuaRouting

/// An app that returns to a state by restoring an image of the state, if the app still keeps the
/// image.
///
/// Otherwise the app restores the image of the nearest earlier state, and replays the steps from
/// there.
final class RewoundApp: ExploredApp {
    /// The limits of the images that an app keeps, not counting the image of the start.
    struct Memory: Sendable {
        /// The maximum number of images.
        var count = 20_000
        /// The maximum number of bytes of scripts in images.
        ///
        /// Beyond this limit, no more images are kept.
        var bytes = 192 * 1024 * 1024
    }

    private struct Image {
        /// The path to the state; nil if the search no longer retains the path.
        weak var path: ReplayedPath?
        let number: Int
        let restore: () -> Void
    }

    private let app: ReplayedApp
    private let memory: Memory
    /// The image of the start; `nil` if there was not enough memory for it.
    private var start: (() -> Void)?
    /// The images, by the identities of their paths.
    ///
    /// Marks do not contain images, so that any thread can release a mark.
    private var images: [ObjectIdentifier: Image] = [:]
    private var lastNumber = 0
    /// The number of images above which the images without a mark are removed.
    private var checkedCount = 256

    /// Starts the app, and runs the steps before the search.
    init(_ start: ReplayedApp.Start, _ memory: Memory) throws(LoadedScripts.Failure) {
        app = try ReplayedApp(start)
        self.memory = memory
        self.start = try? app.session.restoration()
    }

    deinit {
        // An image must not outlive its session.
        images = [:]
        start = nil
    }

    var session: Session { app.session }

    func take(_ step: ExploredStep) -> StepEffects? { app.take(step) }

    func mark(isNew: Bool) -> ReplayedPath? {
        if isNew { keep() }
        return app.path
    }

    func keeps(_ mark: ReplayedPath?) -> Bool {
        guard let mark else { return start != nil }
        // An earlier path may have had the same address.
        return images[ObjectIdentifier(mark)]?.path === mark
    }

    func go(to mark: ReplayedPath?) throws(LoadedScripts.Failure) {
        guard mark !== app.path else { return }
        var missing: [ReplayedPath] = []
        var nearest = mark
        while let path = nearest, !keeps(path) {
            missing.append(path)
            nearest = path.before
        }
        let image = nearest.map { images[ObjectIdentifier($0)]?.restore } ?? start
        guard let image else {
            // Images belong to the old session.
            images = [:]
            return try app.go(to: mark)
        }
        image()
        for path in missing.reversed() { app.take(again: path.step) }
        app.path = mark
        // Without this comparison, garbage that the image retained would affect the states that
        // follow.
        if !missing.isEmpty { _ = SessionState(session) }
        keep()
    }

    func detachFromThread() {
        // Only the current scripts of the router are detached. All images have the same scripts,
        // because no image is kept after a step that loads scripts.
        if let start {
            start()
            app.path = nil
        } else {
            images = [:]
        }
        app.detachFromThread()
    }

    /// Keeps an image of the current state, if there is enough memory for it.
    private func keep() {
        guard memory.count > 0, let path = app.path, !path.loadsScripts, !keeps(path) else {
            return
        }
        let isTooLarge = session.app.router.checkpointBytes >= memory.bytes
        if isTooLarge || images.count >= min(checkedCount, memory.count) {
            removeImages(isTooLarge)
        }
        session.app.router.prepareSharedCheckpoint()
        guard let restore = try? session.restoration() else {
            removeImages(true)
            return
        }
        lastNumber += 1
        images[ObjectIdentifier(path)] = Image(path: path, number: lastNumber, restore: restore)
    }

    /// Removes the images without a mark and, if there are still too many, the older half.
    private func removeImages(_ isTooLarge: Bool) {
        images = images.filter { $0.value.path != nil }
        if isTooLarge || images.count >= memory.count {
            let numbers = images.values.map(\.number).sorted()
            let first = numbers.isEmpty ? 0 : numbers[numbers.count / 2]
            images = images.filter { $0.value.number > first }
        }
        checkedCount = images.count * 2 + 256
    }
}

/// A pool of the apps that the threads of a search use.
///
/// An app keeps its images between the parts of the search. A thread has exclusive use of an app
/// until it returns the app to the pool.
final class ExploredApps<App: ExploredApp>: Sendable {
    /// An app that no thread uses.
    ///
    /// The app is safe to send, because the lock passes it from one thread to the next.
    private struct Free: @unchecked Sendable { let app: App }

    private let free = Monitor<[Free]>([])
    // This closure returns a `Result`, because older Apple systems have no metadata for functions
    // that throw typed errors.
    private let makeApp: @Sendable () -> Swift.Result<App, LoadedScripts.Failure>

    init(_ makeApp: @escaping @Sendable () throws(LoadedScripts.Failure) -> App) {
        self.makeApp = { Swift.Result { () throws(LoadedScripts.Failure) in try makeApp() } }
    }

    /// Creates an app that belongs to the caller.
    func make() throws(LoadedScripts.Failure) -> App { try makeApp().get() }

    /// Calls a closure with an app, preferably an app that keeps an image of the given state.
    func use<Result>(
        for mark: App.Mark,
        _ body: (Swift.Result<App, LoadedScripts.Failure>) -> Result
    ) -> Result {
        let known = free.withLock { free in
            free.popLast(where: { $0.app.keeps(mark) })
        }
        let app =
            known.map { .success($0.app) }
            ?? makeApp()
        defer {
            if case .success(let app) = app {
                app.detachFromThread()
                let own = Free(app: app)
                free.withLock { $0.append(own) }
            }
        }
        return body(app)
    }
}

extension Array {
    /// Removes and returns the last element that meets a condition, or the last element if none
    /// does.
    fileprivate mutating func popLast(where fits: (Element) -> Bool) -> Element? {
        isEmpty ? nil : remove(at: lastIndex(where: fits) ?? count - 1)
    }
}
