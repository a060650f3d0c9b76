// SPDX-License-Identifier: MIT

/// Waits until an app's host has finished all changes and all tasks.
@MainActor
final class AppHostRest {
    enum End { case rest, late, cancelled }

    private var continuation: CheckedContinuation<End, Never>?
    private var timer: Task<Void, Never>?

    /// Waits until the app's host in a session is idle, or until the time limit is reached.
    static func reached(by session: Session, _ limit: Duration) async -> End {
        let wait = AppHostRest()
        defer { session.app.relay?.onRest = nil }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait.continuation = continuation
                wait.timer = Task {
                    guard (try? await Task.sleep(for: limit)) != nil else { return }
                    wait.end(.late)
                }
                session.app.relay?.onRest = { wait.end(.rest) }
                if Task.isCancelled { wait.end(.cancelled) }
            }
        } onCancel: {
            Task { @MainActor in wait.end(.cancelled) }
        }
    }

    private func end(_ end: End) {
        timer?.cancel()
        continuation.take()?.resume(returning: end)
    }
}
