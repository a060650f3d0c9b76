// SPDX-License-Identifier: MIT

private import SystemGaps

/// A run of the canary for a reload.
///
/// The canary does not run on the router's thread, so the router is not blocked.
struct CanaryTrial {
    /// The reload that is completed when the canary has ended.
    let reload: Reload
    /// The time at which the reload began, by the router's clock; nil if the clock has no driver.
    let start: Double?
    private let end: CanaryEnd
    private let task: Task<Void, Never>

    /// Begins to run a canary.
    init(_ canary: @escaping Router.Configuration.Canary, of reload: Reload, start: Double?) {
        (self.reload, self.start) = (reload, start)
        let end = CanaryEnd()
        self.end = end
        if let wake = reload.wake { end.add(wake) }
        task = Task { [bundle = reload.bundle] in
            do {
                try await canary(bundle)
                end.set(.success(()))
            } catch {
                end.set(.failure(error))
            }
        }
    }

    /// The result of the canary; nil while it runs.
    var outcome: Result<Void, any Error>? { end.outcome }

    /// Registers a function to call, on any thread, when the canary has ended.
    func onEnd(_ wake: @escaping @Sendable () -> Void) { end.add(wake) }

    /// Cancels the Swift task of the canary.
    ///
    /// The result of the canary is ignored.
    func cancel() { task.cancel() }
}

/// The result of a canary, and the functions to call when the result is known.
private final class CanaryEnd: Sendable {
    private struct State {
        var outcome: Result<Void, any Error>?
        var wakes: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    var outcome: Result<Void, any Error>? { state.withLock { $0.outcome } }

    func set(_ outcome: Result<Void, any Error>) {
        let wakes = state.withLock { state in
            state.outcome = outcome
            defer { state.wakes = [] }
            return state.wakes
        }
        for wake in wakes { wake() }
    }

    func add(_ wake: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if state.outcome == nil { state.wakes.append(wake) }
            return state.outcome != nil
        }
        if hasEnded { wake() }
    }
}

/// Reloads whose canary is running.
extension Router {
    /// Begins the canary of a reload.
    ///
    /// The scripts of the reload have already been loaded once for a check, and discarded.
    func beginTrial(
        of reload: Reload,
        _ canary: @escaping Configuration.Canary,
        start: Double?
    ) {
        let trial = CanaryTrial(canary, of: reload, start: start)
        if let pacemaker { trial.onEnd(pacemaker.wake) }
        queue.trial = trial
    }

    /// Removes and returns the reload whose canary is running, and cancels the canary.
    func takeTrial() -> Reload? {
        guard let trial = queue.trial.take() else { return nil }
        trial.cancel()
        return trial.reload
    }

    /// Whether there is a reload whose canary has ended.
    var hasEndedTrial: Bool { queue.trial.map { $0.outcome != nil } ?? false }

    /// Completes the reload whose canary has ended, if there is such a reload and no turn is
    /// running.
    package func finishTrial() {
        enter()
        pump()
    }
}

extension RouteError {
    /// Returns the error for a canary that threw an error.
    static func canaryFailed(_ error: any Error) -> RouteError {
        error as? RouteError ?? RouteError(.script, "the canary failed: \(error)", cause: error)
    }
}
