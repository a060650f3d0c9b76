// SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The result of the rounds of a benchmark.
struct Measurement {
    let benchmark: Benchmark
    /// The time of one operation in each round, in nanoseconds.
    let ours: [Double]
    let baseline: [Double]

    /// The ratios of all rounds, sorted.
    var ratios: [Double] { zip(ours, baseline).map { $0 / $1 }.sorted() }

    var ratio: Double { ratios.median }

    /// For each bound, whether the median of the ratios does not exceed the bound.
    var reached: [Bool] { benchmark.bounds.map { ratio <= $0 } }

    /// Measures a benchmark whose results are known to be right.
    ///
    /// Both sides are measured in each round, and the first side alternates. So a disturbance that
    /// is longer than a sample affects both sides.
    static func measure(_ benchmark: Benchmark, rounds: Int) throws -> Measurement {
        let ours = try Sampler(benchmark.ours, of: benchmark.name)
        let baseline = try Sampler(benchmark.baseline, of: benchmark.name)
        var figures: [(ours: Double, baseline: Double)] = []
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                let first = try ours.sample()
                figures.append((first, try baseline.sample()))
            } else {
                let first = try baseline.sample()
                figures.append((try ours.sample(), first))
            }
        }
        return Measurement(
            benchmark: benchmark,
            ours: figures.map(\.ours),
            baseline: figures.map(\.baseline)
        )
    }
}

/// Takes samples of one side, each so long that the resolution of the clock does not matter.
struct Sampler {
    private static let duration = 15_000_000.0

    private let benchmark: String
    private let side: Side
    private let count: Int

    init(_ side: Side, of benchmark: String) throws {
        self.side = side
        self.benchmark = benchmark
        var count = 1
        var time = 0.0
        while true {
            time = try Self.time { try side.run(count) }.nanoseconds
            if time >= Self.duration / 4 { break }
            count *= 2
        }
        self.count = max(1, Int(Double(count) * Self.duration / time))
    }

    /// Returns the time of one operation, in nanoseconds.
    func sample() throws -> Double {
        let (nanoseconds, sum) = try Self.time { try side.run(count) }
        try side.check(sum, side.expected(count), benchmark, "a sample")
        let around = try side.frame.map { frame in
            try Self.time { try frame(count) }.nanoseconds
        }
        return (nanoseconds - (around ?? 0)) / Double(count * side.operations)
    }

    /// Returns the processor time of this thread for a closure, so that other processes do not
    /// matter.
    private static func time(
        _ body: () throws -> Int64
    ) rethrows -> (nanoseconds: Double, sum: Int64) {
        let start = now()
        let sum = try body()
        return (Double(now() - start), sum)
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension [Double] {
    /// The median of the sorted elements, of which there must be at least one.
    var median: Double {
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
