// SPDX-License-Identifier: MIT

/// One way to do a piece of work many times.
struct Side {
    /// Does the work so many times and answers the sum of the results.
    let run: (Int) throws -> Int64
    /// What the sum must be.
    let expected: (Int) -> Int64
    /// What surrounds the work and is no part of it: its time is taken off.
    let frame: ((Int) throws -> Int64)?

    init(
        expected: @escaping (Int) -> Int64,
        frame: ((Int) throws -> Int64)? = nil,
        run: @escaping (Int) throws -> Int64
    ) {
        self.run = run
        self.expected = expected
        self.frame = frame
    }
}

/// A piece of work, and the same in C.
struct Benchmark {
    let name: String
    let text: String
    let baselineText: String
    /// The ratios to stay at or below; none for a figure that only explains another.
    let bounds: [Double]
    /// How many operations one repetition of the work is.
    var operations = 1
    let ours: Side
    let baseline: Side

    /// Does the work a few times.
    ///
    /// - Throws: ``WrongResult``, or what stopped the work.
    func verify() throws {
        for (side, who) in [(ours, "ours"), (baseline, "the baseline")] {
            for count in [1, 2, 100] {
                let sum = try side.run(count)
                guard sum == side.expected(count) else {
                    throw WrongResult(
                        benchmark: name,
                        side: who,
                        expected: "\(side.expected(count))",
                        got: "\(sum)"
                    )
                }
            }
            if let frame = side.frame {
                let sum = try frame(1)
                guard sum == 0 else {
                    throw WrongResult(benchmark: name, side: who, expected: "0", got: "\(sum)")
                }
            }
        }
    }
}

/// Work that does not give what it should, so that its time means nothing.
struct WrongResult: Error, CustomStringConvertible {
    var benchmark: String
    var side: String
    var expected: String
    var got: String

    var description: String { "\(benchmark): \(side) gave \(got), expected \(expected)" }
}
