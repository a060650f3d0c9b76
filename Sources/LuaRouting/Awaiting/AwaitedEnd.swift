// SPDX-License-Identifier: MIT

private import SystemGaps

extension Router {
    /// Begins work that reports its end to a closure, and waits until the work has ended.
    ///
    /// Cancelling the Swift task cancels the work. If the work can no longer be cancelled, it
    /// continues.
    ///
    /// - Parameters:
    ///   - begin: Begins the work. The closure receives whether the Swift task is already
    ///     cancelled, and the function to call when the work has ended.
    ///   - cancel: Cancels the work, if the work can still be cancelled.
    /// - Returns: The value that the work produced.
    /// - Throws: The error with which the work failed.
    nonisolated(nonsending)
        func awaitEnd<Work, Success: Sendable>(
            of begin: (
                _ isCancelled: Bool, _ end: @escaping (Result<Success, RouteError>) -> Void
            ) -> Work,
            cancel: (Work) -> Void
        ) async throws(RouteError) -> Success
    {
        let end = AwaitedEnd<Result<Success, RouteError>>()
        return try await awaitEnd(end, of: { begin($0) { end.set($0) } }, cancel: cancel)
    }

    /// Begins work, and waits until the given `end` has an outcome.
    nonisolated(nonsending)
        func awaitEnd<Work, Success: Sendable>(
            _ end: AwaitedEnd<Result<Success, RouteError>>,
            of begin: (_ isCancelled: Bool) -> Work,
            cancel: (Work) -> Void
        ) async throws(RouteError) -> Success
    {
        let work = begin(Task.isCancelled)
        while true {
            switch await end.next() {
            case .outcome(let outcome): return try outcome.get()
            case .cancellation: cancel(work)
            case .wake: finishTrial()
            }
        }
    }

    /// Begins a navigation, and waits until it has ended.
    nonisolated(nonsending)
        func arrive(
            by request: Act<ScreenID>,
            _ options: NavigationOptions
        ) async throws(RouteError) -> Arrival
    {
        try await awaitEnd { isCancelled, end in
            begin(request, options, isCancelled: isCancelled) { [unowned self] navigation in
                end(navigation.outcome(in: tree))
            }
        } cancel: {
            cancel($0)
        }
    }
}

/// The end of work that a Swift task waits for, and the events that the task must handle in the
/// meantime.
final class AwaitedEnd<Outcome: Sendable>: Sendable {
    /// An event that resumes the waiting task.
    enum News: Sendable {
        case outcome(Outcome)
        /// The Swift task was cancelled. This event is reported at most once.
        case cancellation
        /// The router has work to do on the task's actor.
        case wake
    }

    private struct State {
        var outcome: Outcome?
        var isCancelled = false
        var isCancellationReported = false
        var isWoken = false
        var waiter: CheckedContinuation<Void, Never>?

        /// Returns the most important pending event; nil if there is none.
        ///
        /// A cancellation or a wake-up is returned only once; an outcome is returned each time.
        mutating func takeNews() -> News? {
            if let outcome { return .outcome(outcome) }
            if isCancelled, !isCancellationReported {
                isCancellationReported = true
                return .cancellation
            }
            guard isWoken else { return nil }
            isWoken = false
            return .wake
        }

        /// Whether an event is pending.
        var hasNews: Bool {
            outcome != nil || isWoken || (isCancelled && !isCancellationReported)
        }
    }

    private let state = Lock(State())

    func set(_ outcome: Outcome) {
        change { $0.outcome = outcome }
    }

    func wake() {
        change { $0.isWoken = true }
    }

    /// Waits for an event.
    nonisolated(nonsending)
        func next() async -> News
    {
        while true {
            if let news = state.withLock({ $0.takeNews() }) { return news }
            await withTaskCancellationHandler {
                await wait()
            } onCancel: {
                change { $0.isCancelled = true }
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state in
            body(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    nonisolated(nonsending)
        private func wait() async
    {
        await withCheckedContinuation { waiter in
            let hasNews = state.withLock { state in
                if !state.hasNews { state.waiter = waiter }
                return state.hasNews
            }
            if hasNews { waiter.resume() }
        }
    }
}
