// SPDX-License-Identifier: MIT

import Foundation

/// An attempt to escape, to use up what the host has, or to harm the next entry: a row of a table.
struct Attempt: Sendable {
    /// How an attempt ends: contained in each case.
    enum Outcome: String {
        case ok, err, terminated = "TERMINATED"
    }

    /// When the chunk runs.
    enum Moment: String, CaseIterable {
        /// While the bundle loads.
        case load
        /// In a task, when all is loaded.
        case run
    }

    let id: Int
    let kind: String
    let snippet: String
    let expected: Outcome
    let moments: [Moment]

    /// Reads a row: `id class snippet note expected [moment]`, with a tab between.
    init(row: Substring) throws {
        let columns = row.split(separator: "\t", omittingEmptySubsequences: false)
        guard columns.count == 5 || columns.count == 6, let id = Int(columns[0]),
            let word = columns[4].split(separator: ":").first,
            let expected = Outcome(rawValue: String(word))
        else { throw Malformed(row: String(row)) }
        self.id = id
        kind = String(columns[1])
        snippet = String(columns[2])
        self.expected = expected
        guard columns.count == 6 else {
            moments = Moment.allCases
            return
        }
        guard let moment = Moment(rawValue: String(columns[5])) else {
            throw Malformed(row: String(row))
        }
        moments = [moment]
    }

    /// Reads a table, whose first line says what the columns are.
    static func table(_ file: URL) throws -> [Attempt] {
        let text = try String(contentsOf: file, encoding: .utf8)
        return try text.split(separator: "\n").dropFirst().map { try Attempt(row: $0) }
    }

    struct Malformed: Error {
        let row: String
    }
}
