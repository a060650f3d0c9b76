// SPDX-License-Identifier: MIT

/// The arguments of the command line.
struct Arguments {
    /// The operation to perform with the benchmarks.
    enum Mode {
        case measure
        /// Run one benchmark a fixed number of times, for a profiler.
        case profile(name: String, isBaseline: Bool)
    }

    static let usage = """
        usage: bench [names...] [--rounds N] [--json]
               bench --callgrind NAME[:SIZE] [--baseline]

        """

    static let fewestRounds = 5

    var names: [String] = []
    var rounds = 21
    var isJSON = false
    var mode = Mode.measure

    /// Reads the arguments after the command's name.
    ///
    /// - Throws: ``UsageError``.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = Array(arguments)[...]
        var profiled: String?
        var isBaseline = false
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": isJSON = true
            case "--baseline": isBaseline = true
            case "--rounds":
                guard let text = rest.popFirst(), let count = Int(text), count >= Self.fewestRounds
                else {
                    throw UsageError("'--rounds' takes a number of \(Self.fewestRounds) or more")
                }
                rounds = count
            case "--callgrind":
                guard let name = rest.popFirst() else {
                    throw UsageError("'--callgrind' takes the name of a benchmark")
                }
                profiled = name
            case let name where !name.hasPrefix("-"): names.append(name)
            default: throw UsageError("unknown option '\(argument)'")
            }
        }
        if let profiled {
            guard names.isEmpty else { throw UsageError("'--callgrind' takes one benchmark") }
            mode = .profile(name: profiled, isBaseline: isBaseline)
        } else if isBaseline {
            throw UsageError("'--baseline' goes with '--callgrind'")
        }
    }
}

/// An error in the command line.
struct UsageError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
