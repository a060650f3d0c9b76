// SPDX-License-Identifier: MIT

/// A test that is repeated with one fault after the other, until there is none left to make.
public struct FaultSweep {
    /// The number of injected faults.
    public private(set) var count = 0
    /// The number of faults that caused an error.
    public private(set) var failures = 0

    private let step: Int
    private let offset: Int

    /// Begins a sweep of the faults that the share of this run has.
    ///
    /// - Parameter step: The distance from one fault to the next in a run of all of them.
    public init(step: Int = 1) {
        let share = SweepShare.current
        (self.step, offset) = (step * (share?.stride ?? 1), step * (share?.first ?? 0))
    }

    /// Makes one fault after the other.
    ///
    /// - Parameters:
    ///   - name: What the line that is printed begins with.
    ///   - first: The number of the first fault.
    ///   - last: The number of the last one, if it is known; else the body says when it is over.
    ///   - body: Runs with the fault of a number. It answers whether the fault was made, nil where
    ///     there are not so many, and whether it ended something.
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
