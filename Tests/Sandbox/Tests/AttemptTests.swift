// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SandboxAttempts

/// Tests of attempts by hostile scripts, which must have no effect after their entry.
struct AttemptTests {
    /// A row of a table in `Tests/Sandbox`.
    struct Row: Sendable, CustomTestStringConvertible {
        let table: URL
        let attempt: Attempt

        var testDescription: String { "\(table.lastPathComponent) \(attempt.id)" }

        static let all: [Row] = ["sandbox", "attempts"].flatMap { name in
            let table = packageFolder.appending(path: "Tests/Sandbox/\(name).tsv")
            return (try? Attempt.table(table))?.map { Row(table: table, attempt: $0) } ?? []
        }
    }

    // More processor time than an entry of a router has: the debug build is slow.
    private static let process = AttemptProcess(
        program: builtProduct("SandboxAttempts"),
        seconds: 0.6
    )

    @Test("the tables of attempts contain at least 200 rows")
    func tables() {
        #expect(Row.all.count >= 200)
    }

    @Test(
        "an attempt to break the sandbox has the expected outcome, and the next call into Lua works",
        .tags(.sweep),
        .unlessQuick,
        arguments: Row.all.sweepShare
    )
    func attempt(_ row: Row) throws {
        let seen = try Self.process.sight(row.attempt, of: row.table)
        #expect(seen.ending == row.attempt.expected.rawValue, "\(seen.text)")
        #expect(seen.harm == "")
    }
}
