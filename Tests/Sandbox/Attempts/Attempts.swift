// SPDX-License-Identifier: MIT

import Foundation

/// Makes the attempts in the given tables, and prints the result of each.
///
///     SandboxAttempts [--seconds S] TABLE…           all, each in a process of its own
///     SandboxAttempts [--seconds S] --row ID TABLE   one, in this process
@main
struct Attempts {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let seconds = option("--seconds", &arguments).flatMap(Double.init)
        let row = option("--row", &arguments).flatMap(Int.init)
        let tables = arguments.map { URL(filePath: $0) }
        guard !tables.isEmpty else {
            print("usage: SandboxAttempts [--seconds S] [--row ID] TABLE…")
            exit(64)
        }
        if let row {
            guard let attempt = try Attempt.table(tables[0]).first(where: { $0.id == row }) else {
                print("no row \(row)")
                exit(66)
            }
            AttemptProcess.limitThisProcess(to: attempt, seconds: seconds)
            return show(Trial(attempt, seconds: seconds))
        }
        let program = URL(filePath: CommandLine.arguments[0])
        let process = AttemptProcess(program: program, seconds: seconds)
        var count = 0
        var failed = 0
        print(line("row", "class", "expected", "seen", "ms", "text"))
        for table in tables {
            for attempt in try Attempt.table(table) {
                let seen = try process.sight(attempt, of: table)
                let isFine = seen.isFine(for: attempt)
                count += 1
                failed += isFine ? 0 : 1
                print(
                    line(
                        "\(attempt.id)",
                        attempt.kind,
                        attempt.expected.rawValue,
                        isFine ? seen.ending : seen.ending + " !",
                        "\(seen.milliseconds)",
                        seen.harm.isEmpty ? seen.text : "\(seen.text) HARM \(seen.harm)"
                    )
                )
            }
        }
        print("\(count) attempts, \(count - failed) contained as expected")
        if failed > 0 { exit(1) }
    }

    /// Removes an option from the arguments, and returns the option's value.
    private static func option(_ name: String, _ arguments: inout [String]) -> String? {
        guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
            return nil
        }
        let value = arguments[index + 1]
        arguments.removeSubrange(index...index + 1)
        return value
    }

    private static func show(_ trial: Trial) {
        let parts = [trial.outcome.rawValue, trial.text, trial.harm ?? ""].map { part in
            String(part.prefix(300)).replacing("\t", with: " ").replacing("\n", with: " ")
        }
        print(parts.joined(separator: "\t"), terminator: "")
    }

    private static func line(_ columns: String...) -> String {
        let widths = [5, 8, 12, 14, 6]
        let padded = columns.enumerated().map { index, column in
            index < widths.count
                ? column.padding(
                    toLength: max(widths[index], column.count),
                    withPad: " ",
                    startingAt: 0
                ) : String(column.prefix(110))
        }
        return padded.joined(separator: " ")
    }
}
