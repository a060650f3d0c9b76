// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import SystemGaps

/// Runs a closure on a new thread, and blocks the current thread until the closure has returned.
///
/// - Parameters:
///   - stackSize: The size of the thread's stack, in bytes. The main thread of a phone has 1 MiB.
///   - body: The closure to run.
/// - Returns: The value that the closure returns.
/// - Throws: The error that the closure throws.
public func onThread<Success: Sendable>(
    stackSize: Int = 1 << 20,
    _ body: @escaping @Sendable () throws -> Success
) throws -> Success {
    let outcome = Outcome<Success>()
    let done = DispatchSemaphore(value: 0)
    // A thread does not inherit the values of a task.
    let reports = FailureReports.current
    let thread = Thread {
        FailureReports.$current.withValue(reports) {
            outcome.result.withLock { $0 = Result { try body() } }
        }
        done.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    done.wait()
    guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
}

private final class Outcome<Success: Sendable>: Sendable {
    let result = Lock<Result<Success, any Error>?>(nil)
}
