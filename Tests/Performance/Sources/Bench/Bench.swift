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

/// The command that runs the benchmarks.
///
/// The exit code does not depend on the measured times. It is 0 on success, 1 if a benchmark has a
/// wrong result, and 64 if the command line is invalid.
@main
struct Bench {
    /// The number of operations in a profile, which is so large that initialization does not
    /// matter.
    private static let profiled = 5_000
    /// The number of operations in the profile of a growth, whose operations may take longer.
    private static let profiledGrowth = 500

    static func main() {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            switch arguments.mode {
            case .measure: try measure(arguments)
            case .profile(let name, let isBaseline): try profile(name, isBaseline: isBaseline)
            }
        } catch let error as UsageError {
            end(64, "bench: \(error.message)\n\(Arguments.usage)")
        } catch {
            end(1, "bench: \(error)\n")
        }
    }

    private static func measure(_ arguments: Arguments) throws {
        var report = Report(rounds: arguments.rounds)
        // First, while the heap is as it was.
        if arguments.names.isEmpty || arguments.names.contains(Footprint.name) {
            report.footprint = try Footprint.measure()
        }
        let (benchmarks, growths, named) = try select(arguments.names)
        // All are right before the first is timed.
        for benchmark in benchmarks { try benchmark.verify() }
        if named(CommitTime.name) { report.commit = try CommitTime.measure() }
        if named(SearchMemory.name) { report.search = try SearchMemory.measure() }
        report.measurements = try benchmarks.map {
            try Measurement.measure($0, rounds: arguments.rounds)
        }
        report.growths = try growths.map { try $0.measure(rounds: arguments.rounds) }
        print(arguments.isJSON ? report.json : report.table, terminator: "")
    }

    private static func profile(_ name: String, isBaseline: Bool) throws {
        let parts = name.split(separator: ":").map(String.init)
        let selected = try select(Array(parts.prefix(1)))
        let side: Side
        if let benchmark = selected.benchmarks.first {
            side = isBaseline ? benchmark.baseline : benchmark.ours
        } else if let point = selected.growths.first?.points.first(where: {
            parts.dropFirst() == ["\($0.size)"]
        }) {
            side = try point.make()
        } else {
            throw UsageError("'\(name)' is no benchmark of two sides, and no growth with a size")
        }
        try side.check(side.run(1), side.expected(1), name, "the profile")
        let operations = selected.benchmarks.isEmpty ? profiledGrowth : profiled
        let count = max(1, operations / side.operations)
        let profile = Profile { try side.run(count) }
        let sum = try profile.collect()
        print("\(name): \(count * side.operations) operations, sum \(sum)")
    }

    private static func select(
        _ names: [String]
    ) throws -> (benchmarks: [Benchmark], growths: [Growth], named: (String) -> Bool) {
        let benchmarks =
            try Benchmark.border() + Benchmark.values() + Benchmark.sandbox()
            + Benchmark.checkpoints() + Benchmark.routerCheckpoints()
            + Benchmark.navigations() + Benchmark.scenarios() + Benchmark.exploring()
            + Benchmark.urls() + Benchmark.reloading() + Benchmark.hosts()
        let growths =
            Benchmark.growths + Benchmark.urlGrowths + Benchmark.lateGrowths
            + Benchmark.cornerGrowths
        let known =
            benchmarks.map(\.name) + growths.map(\.name) + [
                Footprint.name, CommitTime.name, SearchMemory.name,
            ]
        if let unknown = names.first(where: { !known.contains($0) }) {
            throw UsageError(
                "no benchmark '\(unknown)' (there are: \(known.joined(separator: " ")))"
            )
        }
        let isAsked = { (name: String) in names.isEmpty || names.contains(name) }
        return (
            benchmarks.filter { isAsked($0.name) }, growths.filter { isAsked($0.name) },
            isAsked
        )
    }

    private static func end(_ code: Int32, _ message: String) -> Never {
        var message = message
        message.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(code)
    }
}
