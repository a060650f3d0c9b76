// SPDX-License-Identifier: MIT

/// One way to do a piece of work many times.
struct Side {
    /// Does the work so many times and answers the sum of the results.
    let run: (Int) throws -> Int64
    /// The expected sum.
    let expected: (Int) -> Int64
    /// The overhead around the work, whose time is subtracted.
    let frame: ((Int) throws -> Int64)?
    /// The number of operations in one repetition of the work.
    let operations: Int

    init(
        operations: Int = 1,
        expected: @escaping (Int) -> Int64,
        frame: ((Int) throws -> Int64)? = nil,
        run: @escaping (Int) throws -> Int64
    ) {
        self.operations = operations
        self.run = run
        self.expected = expected
        self.frame = frame
    }
}

/// A piece of work, and what it is set beside: mostly the same in C.
struct Benchmark {
    let name: String
    let text: String
    let baselineText: String
    /// The ratios to stay at or below; none for a figure that only explains another.
    let bounds: [Double]
    let ours: Side
    let baseline: Side

    /// Does the work a few times.
    ///
    /// - Throws: ``WrongResult``, or what stopped the work.
    func verify() throws {
        try ours.verify(name, "ours")
        try baseline.verify(name, "the baseline")
    }
}

extension Side {
    /// Does the work a few times.
    ///
    /// - Throws: ``WrongResult``, or what stopped the work.
    func verify(_ benchmark: String, _ who: String) throws {
        for count in [1, 2, 100] { try check(run(count), expected(count), benchmark, who) }
        if let frame { try check(frame(1), 0, benchmark, who) }
    }

    /// Checks the sum of a number of repetitions.
    ///
    /// - Throws: ``WrongResult``.
    func check(_ sum: Int64, _ expected: Int64, _ benchmark: String, _ who: String) throws {
        guard sum == expected else {
            throw WrongResult(
                benchmark: benchmark,
                side: who,
                expected: "\(expected)",
                got: "\(sum)"
            )
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
