// SPDX-License-Identifier: MIT

/// Changes that the host shows.
///
/// The host must complete each change once and in time; otherwise the host is asked to show the
/// tree again.
extension Router {
    /// Asks the host to show the tree.
    ///
    /// Only the host's first call to `done` counts, and only before the deadline.
    ///
    /// - Parameters:
    ///   - operations: The operations that lead from the tree shown now to the current tree.
    ///   - isAnimated: Whether the host should animate.
    ///   - navigation: The number of the navigation that caused the change; nil if there is none.
    ///   - isRewind: Whether the router went back to a checkpoint.
    ///   - completion: Called with the result of the host.
    func show(
        _ operations: [TreeOperation],
        isAnimated: Bool,
        navigation: Int?,
        isRewind: Bool = false,
        completion: @escaping (Router, Result<Void, any Error>) -> Void
    ) {
        let isOutOfSync = queue.isOutOfSync
        (world.guards, queue.eventBeforeChange) = (visibleGuards, world.lastEvent)
        let change = Change(
            operations: isOutOfSync ? rootOperations : operations,
            isAnimated: isAnimated && !isOutOfSync,
            revision: world.revision,
            navigation: navigation,
            isResynchronization: isOutOfSync,
            isRewind: isRewind,
            guards: world.guards
        )
        askedChanges += 1
        let number = askedChanges
        queue.awaited = number
        var isLate = false
        // Navigations that the host begins here continue the chain, so that a host that navigates
        // in each `show` reaches the limit of the chain.
        let chain = max(chain, queue.applying?.chain ?? 0)
        lending.calling(for: lending.navigation, chain: chain) {
            host.show(tree, change) { [weak self] result in
                self?.hear(
                    result,
                    of: change,
                    number: number,
                    isLate: isLate,
                    completion: completion
                )
            }
        }
        isLate = true
        guard queue.awaited == number, let timeout = configuration.applyTimeout else {
            return
        }
        queue.answerTimer = timers.add(at: time(in: timeout), .deadline) { [unowned self] in
            queue.answerTimer = nil
            hear(
                .failure(NoAnswer(seconds: timeout)),
                of: change,
                number: number,
                isLate: true,
                completion: completion
            )
        }
    }

    /// The error if the host did not complete a change in time.
    private struct NoAnswer: Error, CustomStringConvertible {
        let seconds: Double
        var description: String {
            "'done' was not called within \(Int64(exactly: seconds).map(String.init) ?? "\(seconds)") s"
        }
    }

    private func hear(
        _ result: Result<Void, any Error>,
        of change: Change,
        number: Int,
        isLate: Bool,
        completion: (Router, Result<Void, any Error>) -> Void
    ) {
        generation.runtime.lua.checkThread()
        guard queue.awaited == number else {
            enter()
            log(
                "warn",
                "the host called 'done' for change \(change.revision), which had already ended; the call is ignored"
            )
            return
        }
        // The wait is stopped before the clock is set, so that a change is not late if the app was
        // suspended in the meantime.
        stopAwaitingAnswer()
        enter()
        emit(answer: result, to: change, isLate: isLate)
        if case .success = result {
            if queue.isOutOfSync { (queue.isOutOfSync, queue.doubtfulWindows) = (false, []) }
        } else {
            queue.isOutOfSync = true
            for case .openWindow(let name, _) in change.operations {
                queue.doubtfulWindows.insert(name)
            }
        }
        completion(self, result)
    }

    /// Sends an event if the host completed a change late or with an error.
    private func emit(answer: Result<Void, any Error>, to change: Change, isLate: Bool) {
        var message: String?
        if case .failure(let error) = answer {
            message = RouteError.hostFailed(error).message
        } else if !isLate || change.operations.isEmpty {
            return
        }
        emitCall(.answer(revision: change.revision, isLate: isLate, message: message))
    }

    /// Calls the host's closure after the given number of seconds on the router's clock.
    package func call(in seconds: Double, _ body: @escaping () -> Void) {
        _ = timers.add(at: time(in: seconds), .deadline) { body() }
    }

    /// Stops waiting for the host to complete the change that it is showing.
    func stopAwaitingAnswer() {
        queue.awaited = nil
        guard let timer = queue.answerTimer else { return }
        timers.remove(timer)
        queue.answerTimer = nil
    }

    /// Asks the host to show the committed tree again after the host failed or did not complete a
    /// change.
    ///
    /// If the host fails again, an error is logged, and the next change is a resynchronization.
    func resynchronize() {
        // Another change may have resynchronized the host already.
        guard queue.isOutOfSync, !tree.windows.isEmpty else { return }
        world.revision += 1
        showAnew()
    }

    /// Asks the host to show the tree of a checkpoint.
    ///
    /// - Parameter windows: The names of the windows that the host currently shows.
    func showRewound(instead windows: [String]) {
        queue.isOutOfSync = true
        queue.doubtfulWindows.formUnion(windows)
        if rootOperations.isEmpty { queue.isOutOfSync = false } else { showAnew(isRewind: true) }
    }

    private func showAnew(isRewind: Bool = false) {
        queue.isApplying = true
        show([], isAnimated: false, navigation: nil, isRewind: isRewind) { router, result in
            router.queue.isApplying = false
            if case .failure(let error) = result {
                router.log("error", RouteError.isOutOfSync(error).message)
            }
            router.pump()
        }
    }

    /// The operations that make the host show the tree, regardless of what the host shows now.
    private var rootOperations: [TreeOperation] {
        let doubtful = queue.doubtfulWindows.filter { tree.window($0) == nil }.sorted()
        return doubtful.map { .closeWindow(name: $0) }
            + tree.windows.map { .root(window: $0.name, screen: $0.root) }
    }
}
