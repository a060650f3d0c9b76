// SPDX-License-Identifier: MIT

private import Synchronization

/// The verbs of the host that wait for an end.
extension Router {
    /// Goes to the screen of a target, and waits for the end.
    ///
    /// It is ``navigate(_:info:options:completion:)``, with the same one end. Where the Swift task
    /// is cancelled, so is the navigation; one that the host applies already goes on to its end.
    ///
    /// - Parameters:
    ///   - target: Where to go.
    ///   - info: The parameters.
    ///   - options: The options.
    /// - Returns: The navigation, which has ended.
    @discardableResult
    nonisolated(nonsending)
        public func navigate(
            _ target: Target,
            info: InfoTable = InfoTable(),
            options: NavigationOptions = NavigationOptions()
        ) async -> Navigation
    {
        await go(.route(target, info: info), options)
    }

    /// Opens a URL, and waits for the end.
    ///
    /// It is ``open(_:options:completion:)``, with the same one end. Where the Swift task is
    /// cancelled, so is the navigation; one that the host applies already goes on to its end.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - options: The options.
    /// - Returns: The navigation, which has ended.
    @discardableResult
    nonisolated(nonsending)
        public func open(
            _ url: String,
            options: NavigationOptions = NavigationOptions()
        ) async -> Navigation
    {
        await go(.url(ByteString(url)), options)
    }

    nonisolated(nonsending)
        private func go(
            _ request: NavigationRequest,
            _ options: NavigationOptions
        ) async -> Navigation
    {
        let end = End()
        let navigation = begin(request, options, isCancelled: Task.isCancelled) { _ in
            end.tell(.ended)
        }
        if await end.first() == .cancelled { cancel(navigation) }
        await end.last()
        return navigation
    }

    /// Does a piece of work without a screen, and waits for its end.
    ///
    /// It is ``doTask(_:info:completion:)``, with the same one end. Where the Swift task is
    /// cancelled, so is the work.
    ///
    /// - Parameters:
    ///   - target: The task to do.
    ///   - info: The parameters.
    /// - Returns: The task, which has ended.
    @discardableResult
    nonisolated(nonsending)
        public func doTask(_ target: Target, info: InfoTable = InfoTable()) async -> RouteTask
    {
        let end = End()
        let task = doTask(target, info: info, at: nil, isCancelled: Task.isCancelled) { _ in
            end.tell(.ended)
        }
        if await end.first() == .cancelled { cancel(task) }
        await end.last()
        return task
    }

    /// Calls an exported function that may wait, and waits for its result.
    ///
    /// It is ``call(_:_:completion:)``. If the Swift task is cancelled, so is the call.
    ///
    /// - Parameters:
    ///   - name: The name under which the function is exported.
    ///   - argument: The table that it receives.
    /// - Returns: The first result of the function.
    /// - Throws: `notFound`, with the nearest name; `timeout`, `cancelled` or `superseded`; or the
    ///   error that the function raises.
    @discardableResult
    nonisolated(nonsending)
        public func call(
            _ name: String,
            _ argument: InfoTable = InfoTable()
        ) async throws(RouteError) -> Value
    {
        let end = End()
        let call = begin(name, argument, isCancelled: Task.isCancelled) { _ in
            end.tell(.ended)
        }
        if await end.first() == .cancelled { cancel(call) }
        await end.last()
        guard let result = call.result else {
            preconditionFailure("a call that ended has a result")
        }
        return try result.get()
    }
}

/// Waits for the end of a navigation, a task or a call, or for the end of interest in it.
private final class End: Sendable {
    enum News { case ended, cancelled }

    private struct State {
        var hasEnded = false
        var isCancelled = false
        var waiter: CheckedContinuation<News, Never>?
    }

    private let state = Mutex(State())

    func tell(_ news: News) {
        let waiter = state.withLock { state in
            switch news {
            case .ended: state.hasEnded = true
            case .cancelled: state.isCancelled = true
            }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: news)
    }

    /// Waits for the end, or for the Swift task to be cancelled.
    nonisolated(nonsending)
        func first() async -> News
    {
        await withTaskCancellationHandler {
            await wait { $0.hasEnded ? .ended : $0.isCancelled ? .cancelled : nil }
        } onCancel: {
            tell(.cancelled)
        }
    }

    /// Waits for the end.
    nonisolated(nonsending)
        func last() async
    {
        _ = await wait { $0.hasEnded ? .ended : nil }
    }

    nonisolated(nonsending)
        private func wait(for news: @Sendable (borrowing State) -> News?) async -> News
    {
        await withCheckedContinuation { waiter in
            let news = state.withLock { state in
                let news = news(state)
                if news == nil { state.waiter = waiter }
                return news
            }
            if let news { waiter.resume(returning: news) }
        }
    }
}
