// SPDX-License-Identifier: MIT

public import LuaRouting

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Bundle {
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
    public typealias Element = Result<Bundle, BundleError>

    /// It never throws.
    public typealias Failure = Never

    let bundle: Bundle
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
        ) async -> Result<Bundle, BundleError>? {
            let watcher = watcher
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    Wait(watcher, continuation).start()
                }
            } onCancel: {
                watcher.wake()
            }
        }

        /// Waits for the next version; nil when the task is cancelled.
        public mutating func next() async -> Result<Bundle, BundleError>? {
            await next(isolation: nil)
        }
    }
}

/// One wait, on a thread that ends with it: it is idle all the time, and would keep one of those
/// on which tasks run.
private final class Wait: Sendable {
    private let watcher: BundleWatcher
    private let continuation: CheckedContinuation<Result<Bundle, BundleError>?, Never>

    init(
        _ watcher: BundleWatcher,
        _ continuation: CheckedContinuation<Result<Bundle, BundleError>?, Never>
    ) {
        self.watcher = watcher
        self.continuation = continuation
    }

    func start() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let owned = Unmanaged.passRetained(self)
        let error = pthread_create(
            &thread,
            &attributes,
            { argument in
                #if canImport(Darwin)
                    let pointer: UnsafeMutableRawPointer = argument
                #else
                    guard let pointer = argument else { return nil }
                #endif
                Unmanaged<Wait>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            },
            owned.toOpaque()
        )
        precondition(error == 0, "no thread to wait for changes of files")
    }

    private func run() {
        do throws(BundleError) {
            continuation.resume(returning: try watcher.next().map { .success($0) })
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }
}
