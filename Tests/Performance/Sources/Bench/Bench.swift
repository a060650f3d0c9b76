// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The command: measures, and judges no one by time.
///
/// It ends with 0 whatever the figures, with 1 where a result is wrong, with 64 where the
/// command line is.
@main
struct Bench {
    /// How many operations a profile holds.
    private static let profiled = 20_000

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
        let benchmarks = try select(arguments.names)
        // All are right before the first is timed.
        for benchmark in benchmarks { try benchmark.verify() }
        let measurements = try benchmarks.map {
            try Measurement.measure($0, rounds: arguments.rounds)
        }
        let report = Report(measurements: measurements, rounds: arguments.rounds)
        print(arguments.isJSON ? report.json : report.table, terminator: "")
    }

    private static func profile(_ name: String, isBaseline: Bool) throws {
        let benchmark = try select([name])[0]
        try benchmark.verify()
        let side = isBaseline ? benchmark.baseline : benchmark.ours
        let count = profiled / benchmark.operations
        let profile = Profile { try side.run(count) }
        let sum = try profile.collect()
        print("\(name): \(count * benchmark.operations) operations, sum \(sum)")
    }

    private static func select(_ names: [String]) throws -> [Benchmark] {
        let all = try Benchmark.border() + Benchmark.navigations() + Benchmark.scenarios()
        if names.isEmpty { return all }
        return try names.map { name throws(UsageError) in
            guard let benchmark = all.first(where: { $0.name == name }) else {
                let known = all.map(\.name).joined(separator: " ")
                throw UsageError("no benchmark '\(name)' (there are: \(known))")
            }
            return benchmark
        }
    }

    private static func end(_ code: Int32, _ message: String) -> Never {
        var message = message
        message.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(code)
    }
}
