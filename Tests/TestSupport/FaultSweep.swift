// SPDX-License-Identifier: MIT

/// A test that is repeated with one fault at a time, until no further fault is possible.
public struct FaultSweep {
    /// The number of injected faults.
    public private(set) var count = 0
    /// The number of faults that caused an error.
    public private(set) var failures = 0

    private let step: Int
    private let offset: Int

    /// Begins a sweep of the faults that belong to the share of this run.
    ///
    /// - Parameter step: The distance from one fault to the next in a run of all faults.
    public init(step: Int = 1) {
        let share = SweepShare.current
        (self.step, offset) = (step * (share?.stride ?? 1), step * (share?.first ?? 0))
    }

    /// Repeats a test with one fault at a time.
    ///
    /// - Parameters:
    ///   - name: The start of the printed line.
    ///   - first: The number of the first fault.
    ///   - last: The number of the last fault. If the number is not known, the body returns when to
    ///     stop.
    ///   - body: Runs the test with the fault of the given number. It returns whether the fault
    ///     occurred, or nil if there are fewer faults, and whether the fault caused a failure.
    /// - Throws: The error of the body.
    public mutating func run(
        _ name: String,
        from first: Int = 1,
        through last: Int = .max,
        _ body: (Int) throws -> (isMade: Bool, hasFailed: Bool)
    ) rethrows {
        var number = first + offset
        while number <= last {
            let outcome = try body(number)
            guard outcome.isMade else { break }
            count += 1
            if outcome.hasFailed { failures += 1 }
            number += step
        }
        let every = step == 1 ? "each" : "one in \(step)"
        print("sweep: \(name): \(every), \(count) in all; \(failures) ended something")
    }
}
