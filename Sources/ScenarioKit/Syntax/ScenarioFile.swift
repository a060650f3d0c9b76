// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What came of reading a file.
typealias FileOutcome = Result<[UInt8], BundleError>

/// A scenario file as it was parsed: which scripts it uses, and what it does with them.
public struct ScenarioFile: Sendable {
    /// The largest file that is read, in bytes.
    package static let sizeLimit = 1 << 20
    /// The longest line, in bytes.
    package static let lineLimit = 4096
    /// How many steps a file may have.
    package static let stepLimit = 100_000

    /// The text.
    public let source: SourceText
    /// The scripts, nil where the file names none.
    package internal(set) var use: FilePath?
    /// What `set` says.
    package internal(set) var settings = ScenarioSettings()
    /// What is done before every scenario.
    package internal(set) var background: [Step] = []
    /// The scenarios, in the order of the file.
    package internal(set) var scenarios: [Scenario] = []
    /// The steps of macros that no step calls, without the lines that have parameters.
    package internal(set) var uncalledSteps: [Step] = []
    /// The files that it includes, or takes rows from, as they were read.
    var inputs: [String: FileOutcome] = [:]

    init(_ source: SourceText) { self.source = source }
}

/// One scenario: steps that run in a router of their own.
package struct Scenario: Sendable {
    /// What becomes of a scenario when a file is run.
    package enum Mode: Sendable {
        /// It runs.
        case plain
        /// It does not run.
        case skip
        /// It runs, and those without this mark do not.
        case only
    }

    /// One run of a scenario with a table, told by the row.
    package struct Row: Sendable {
        /// The line of the row.
        let line: Int
        /// The lines of all rows.
        let allLines: ClosedRange<Int>
    }

    /// The name that people read.
    package internal(set) var name: String
    /// The tags, without their `@`.
    package let tags: [String]
    /// What becomes of it.
    package let mode: Mode
    /// The line that opens it.
    package let line: Int
    /// The last line before the next block.
    package let lastLine: Int
    /// The row of the table that it runs for, where its file has the table.
    package internal(set) var row: Row?
    /// The number of the record that it runs for, from 1 on, where another file has the table.
    package internal(set) var record: Int?
    /// The line that opens it, in its file.
    let heading: Span
    /// The steps, without those of the background.
    package internal(set) var steps: [Step] = []

    init(
        _ heading: Vocabulary.ScenarioHeading,
        _ section: Document.Section,
        of source: SourceText
    ) {
        self.heading = Span(source, section.heading)
        name = heading.name
        tags = heading.tags
        mode = heading.mode
        line = section.line
        lastLine = section.lastLine
    }

    /// The line that names it and no other: of its row, or of its heading.
    package var ownLine: Int { row?.line ?? line }

    /// The line that names it and no other, and the record behind it: `6`, or `6#2`.
    var address: String { "\(ownLine)" + (record.map { "#\($0)" } ?? "") }

    /// Whether a line selects it: one of its block, but of the table its own row or record alone.
    package func isSelected(byLine number: Int, record: Int? = nil) -> Bool {
        guard (line...lastLine).contains(number) else { return false }
        if let record { return record == self.record }
        guard let row, row.allLines.contains(number) else { return true }
        return row.line == number
    }
}
