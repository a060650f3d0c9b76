// SPDX-License-Identifier: MIT

/// An implementation of a piece of work that can be repeated many times.
struct Side {
    /// Does the work the given number of times, and returns the sum of the results.
    let run: (Int) throws -> Int64
    /// The expected sum for the given number of repetitions.
    let expected: (Int) -> Int64
    /// The overhead around the work, whose time is subtracted; nil if there is none.
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

/// A piece of work, and the implementation with which it is compared, usually in C.
struct Benchmark {
    let name: String
    let text: String
    let baselineText: String
    /// The ratios that must not be exceeded; empty for a benchmark that only explains another one.
    let bounds: [Double]
    let ours: Side
    let baseline: Side

    /// Does the work a few times with both implementations, and checks the results.
    ///
    /// - Throws: ``WrongResult``, or the error that stopped the work.
    func verify() throws {
        try ours.verify(name, "ours")
        try baseline.verify(name, "the baseline")
    }
}

extension Side {
    /// Does the work a few times, and checks the results.
    ///
    /// - Throws: ``WrongResult``, or the error that stopped the work.
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

/// A wrong result of a piece of work, whose measured time is therefore meaningless.
struct WrongResult: Error, CustomStringConvertible {
    var benchmark: String
    var side: String
    var expected: String
    var got: String

    var description: String { "\(benchmark): \(side) gave \(got), expected \(expected)" }
}
