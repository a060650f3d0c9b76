// SPDX-License-Identifier: MIT

import Foundation

/// A row of a table: an attempt to escape, to exhaust the resources of the host, or to harm the
/// next entry.
struct Attempt: Sendable {
    /// The ways in which an attempt ends, all of which are contained.
    enum Outcome: String {
        case ok, err, terminated = "TERMINATED"
    }

    /// The time at which the chunk runs.
    enum Moment: String, CaseIterable {
        /// The chunk runs while the bundle loads.
        case load
        /// The chunk runs in a task, after all scripts are loaded.
        case run
    }

    let id: Int
    let kind: String
    let snippet: String
    let expected: Outcome
    let moments: [Moment]

    /// Reads a row in the form `id class snippet note expected [moment]`, separated by tabs.
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

    /// Reads a table, whose first line contains the names of the columns.
    static func table(_ file: URL) throws -> [Attempt] {
        let text = try String(contentsOf: file, encoding: .utf8)
        return try text.split(separator: "\n").dropFirst().map { try Attempt(row: $0) }
    }

    struct Malformed: Error {
        let row: String
    }
}
