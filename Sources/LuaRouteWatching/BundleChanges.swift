// SPDX-License-Identifier: MIT

public import LuaRouting

extension ScriptBundle {
    /// The newer versions of this bundle, as they come: a sequence for apps under development.
    ///
    /// ```swift
    /// for await change in bundle.changes() {
    ///     switch change {
    ///     case .success(let newer): load(newer)
    ///     case .failure(let error): print("rejected:", error)
    ///     }
    /// }
    /// ```
    ///
    /// The wait is on a thread of its own. Load a bundle before you ask for the next one: what it
    /// requires is watched then. A change meanwhile is not lost. The sequence ends when its task
    /// is cancelled, and not before.
    public func changes(settings: WatchSettings = WatchSettings()) -> BundleChanges {
        BundleChanges(bundle: self, settings: settings)
    }
}

/// The newer versions of a bundle; see ``LuaRouting/Bundle/changes(settings:)``.
public struct BundleChanges: AsyncSequence, Sendable {
    /// A newer version, or why there is none.
    public typealias Element = Result<ScriptBundle, BundleError>

    /// It never throws.
    public typealias Failure = Never

    let bundle: ScriptBundle
    let settings: WatchSettings

    /// Makes an iterator, which has a watcher of its own.
    public func makeAsyncIterator() -> Iterator {
        Iterator(watcher: BundleWatcher(bundle, settings: settings))
    }

    /// What waits for the next version.
    public struct Iterator: AsyncIteratorProtocol {
        let watcher: BundleWatcher

        /// Waits for the next version; nil when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> Result<ScriptBundle, BundleError>? {
            let watcher = watcher
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    Wait(watcher, continuation).start()
                }
            } onCancel: {
                watcher.wake()
            }
            if let result { return result }
            if Task.isCancelled { return nil }
            // There may be a thread later; who asks at once again would only keep this one busy.
            try? await Task.sleep(for: .seconds(1))
            return .failure(.unwatched(watcher.path, why: "no thread is left to wait on"))
        }

        /// Waits for the next version; nil when the task is cancelled.
        public mutating func next() async -> Result<ScriptBundle, BundleError>? {
            await next(isolation: nil)
        }
    }
}

/// One wait, on a thread that ends with it: it is idle all the time, and would keep one of those
/// on which tasks run.
private final class Wait: Sendable {
    private let watcher: BundleWatcher
    private let continuation: CheckedContinuation<Result<ScriptBundle, BundleError>?, Never>

    init(
        _ watcher: BundleWatcher,
        _ continuation: CheckedContinuation<Result<ScriptBundle, BundleError>?, Never>
    ) {
        self.watcher = watcher
        self.continuation = continuation
    }

    func start() {
        let thread = SystemThread(stackSize: nil, end: .detached) { self.run() }
        if thread == nil { continuation.resume(returning: nil) }
    }

    private func run() {
        do throws(BundleError) {
            continuation.resume(returning: try watcher.next().map { .success($0) })
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }
}
