// SPDX-License-Identifier: MIT

public import LuaRouting

extension ScriptBundle {
    /// Returns newer versions of this bundle as they appear, as a sequence for apps under
    /// development.
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
    /// Each wait runs on a separate thread. Load a bundle before you request the next one, so that
    /// the files that its scripts require are watched. A change in the meantime is not lost. The
    /// sequence ends only when its Swift task is cancelled.
    public func changes(settings: WatchSettings = WatchSettings()) -> BundleChanges {
        BundleChanges(bundle: self, settings: settings)
    }
}

/// The newer versions of a bundle; see ``LuaRouting/Bundle/changes(settings:)``.
public struct BundleChanges: AsyncSequence, Sendable {
    /// A newer version, or the error that prevents one.
    public typealias Element = Result<ScriptBundle, BundleError>

    /// The error of the sequence, which never fails.
    public typealias Failure = Never

    let bundle: ScriptBundle
    let settings: WatchSettings

    /// Creates an iterator with its own watcher.
    public func makeAsyncIterator() -> Iterator {
        Iterator(watcher: BundleWatcher(bundle, settings: settings))
    }

    /// The iterator of the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        let watcher: BundleWatcher

        /// Waits for the next version; returns nil if the Swift task is cancelled.
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
            // A thread may be available later. The pause prevents a busy loop in the caller.
            try? await Task.sleep(for: .seconds(1))
            return .failure(
                .unwatched(watcher.path, why: "no thread is available to wait for changes")
            )
        }

        /// Waits for the next version; returns nil if the Swift task is cancelled.
        public mutating func next() async -> Result<ScriptBundle, BundleError>? {
            await next(isolation: nil)
        }
    }
}

/// A wait that runs on its own thread.
///
/// On a thread of Swift's cooperative pool, the wait would keep other tasks from running.
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
