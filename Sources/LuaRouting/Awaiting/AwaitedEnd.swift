// SPDX-License-Identifier: MIT

private import Synchronization

extension Router {
    /// Begins work with a completion, and waits for its end.
    ///
    /// Cancelling the Swift task cancels the work; work that cannot be cancelled any more continues
    /// to its end.
    ///
    /// - Parameters:
    ///   - begin: Begins the work. It receives whether the Swift task is already cancelled, and
    ///     the function to call at the end.
    ///   - cancel: Cancels the work, which then ends if it can be cancelled.
    /// - Returns: The value of the work.
    /// - Throws: The error of the work.
    nonisolated(nonsending)
        func awaitEnd<Work, Success: Sendable>(
            of begin: (
                _ isCancelled: Bool, _ end: @escaping (Result<Success, RouteError>) -> Void
            ) -> Work,
            cancel: (Work) -> Void
        ) async throws(RouteError) -> Success
    {
        let end = AwaitedEnd<Result<Success, RouteError>>()
        let work = begin(Task.isCancelled) { end.set($0) }
        if await end.isCancelledBeforeEnd() { cancel(work) }
        return try await end.outcome().get()
    }

    /// Begins a navigation, and waits for its end.
    nonisolated(nonsending)
        func arrive(
            by request: NavigationRequest,
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

/// The end of work that a Swift task waits for.
private final class AwaitedEnd<Outcome: Sendable>: Sendable {
    private struct State {
        var outcome: Outcome?
        var isCancelled = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func set(_ outcome: Outcome) {
        change { $0.outcome = outcome }
    }

    /// Waits for the end, or for the cancellation of the Swift task.
    ///
    /// - Returns: Whether the task was cancelled before the end.
    nonisolated(nonsending)
        func isCancelledBeforeEnd() async -> Bool
    {
        await withTaskCancellationHandler {
            await wait { $0.outcome != nil || $0.isCancelled }
        } onCancel: {
            change { $0.isCancelled = true }
        }
        return state.withLock { $0.outcome == nil }
    }

    /// Waits for the end.
    nonisolated(nonsending)
        func outcome() async -> Outcome
    {
        await wait { $0.outcome != nil }
        guard let outcome = state.withLock({ $0.outcome }) else {
            preconditionFailure("the work has ended")
        }
        return outcome
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
        private func wait(until isOver: @Sendable (borrowing State) -> Bool) async
    {
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                let isOver = isOver(state)
                if !isOver { state.waiter = waiter }
                return isOver
            }
            if isOver { waiter.resume() }
        }
    }
}
