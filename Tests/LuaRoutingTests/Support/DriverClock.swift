// SPDX-License-Identifier: MIT

import SystemGaps

/// A clock that only advances when a test says so.
final class DriverClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        func duration(to other: Instant) -> Duration { other.offset - offset }

        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        // A clock has no beginning that means anything.
        var now = Instant(offset: .seconds(12_345))
        var last = 0
        var sleepers: [Int: (until: Instant, waiter: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Lock(State())
    private let start = State().now

    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .zero }

    /// The times at which sleeps end, in seconds since the clock's first instant.
    var sleeps: [Double] {
        state.withLock { state in
            state.sleepers.values.map { start.duration(to: $0.until) / .seconds(1) }.sorted()
        }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(number) != nil {
                        return .failure(CancellationError())
                    }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[number] = (deadline, waiter)
                    return nil
                }
                if let result { waiter.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                if let sleeper = state.sleepers.removeValue(forKey: number) {
                    return Optional(sleeper.waiter)
                }
                state.cancelled.insert(number)
                return nil
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Advances the clock, and ends the sleeps whose time has come.
    func advance(by seconds: Double) {
        let waiters = state.withLock { state in
            state.now = state.now.advanced(by: .seconds(seconds))
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.waiter)
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// Lets other tasks run until a condition is true, or the test is cancelled by its time limit.
nonisolated(nonsending)
    func until(_ condition: () -> Bool) async
{
    while !condition(), !Task.isCancelled { await Task.yield() }
}
