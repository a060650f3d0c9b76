// SPDX-License-Identifier: MIT

package import RouteFiles

/// The content of a file, or the error of reading it.
package typealias FileOutcome = Result<[UInt8], BundleError>

/// A parsed scenario file: the scripts that it uses, and its scenarios.
package struct ScenarioFile: Sendable {
    /// The maximum size of a file, in bytes.
    package static let sizeLimit = 1 << 20
    /// The maximum length of a line, in bytes.
    package static let lineLimit = 4096
    /// The maximum number of steps in a file.
    package static let stepLimit = 100_000
    /// The maximum size of the lines of a file whose parameters are replaced, in bytes; each
    /// replaced parameter counts 64.
    package static let expansionLimit = 64 << 20

    /// The text.
    package let source: SourceText
    /// The path of the scripts; nil if the file names none.
    package var use: FilePath?
    /// The values of the `set` lines.
    package var settings = ScenarioSettings()
    /// The steps that run before every scenario and every search.
    package var background: [ScenarioStep] = []
    /// The scenarios, in the order of the file.
    package var scenarios: [Scenario] = []
    /// The `explore` blocks, in the order of the file.
    package var explorations: [Exploration] = []
    /// The steps of macros that are never called, without the lines that have parameters.
    package var uncalledSteps: [ScenarioStep] = []
    /// The files that the file includes or from which it takes rows, with the outcome of reading
    /// each.
    package var inputs: [String: FileOutcome] = [:]

    package init(_ source: SourceText) { self.source = source }
}

/// A scenario: steps that run in a separate router.
package struct Scenario: Sendable {
    /// The mark that decides whether a scenario runs.
    package enum Mode: Sendable, Equatable {
        /// It runs.
        case plain
        /// It does not run.
        case skip
        /// It runs, and scenarios without this mark do not.
        case only
        /// It runs and is expected to fail, because of a known issue.
        case known(issue: String)
    }

    /// One run of a scenario with a table, identified by its row.
    package struct Row: Sendable {
        /// The line of the row.
        let line: Int
        /// The lines of all rows.
        let allLines: ClosedRange<Int>
    }

    /// The name.
    package var name: String
    /// The tags, without their `@`.
    package let tags: [String]
    /// The mark that decides whether the scenario runs.
    package let mode: Mode
    /// The line of the scenario's heading.
    package let line: Int
    /// The last line before the next block.
    package let lastLine: Int
    /// The table row for which the scenario runs, if the table is in the same file.
    package var row: Row?
    /// The number of the record for which the scenario runs, counted from 1, if the table is in
    /// another file.
    package var record: Int?
    /// The range of the scenario's heading, in its file.
    package let heading: Span
    /// The steps, without the steps of the background.
    package var steps: [ScenarioStep] = []

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

    /// The line that identifies the scenario: the line of its row, or of its heading.
    package var ownLine: Int { row?.line ?? line }

    /// The line that identifies the scenario, and the record if there is one: `6`, or `6#2`.
    package var address: String { "\(ownLine)" + (record.map { "#\($0)" } ?? "") }

    /// Returns whether a line selects the scenario: any line of its block; in a table, only its own
    /// row or record.
    package func isSelected(byLine number: Int, record: Int? = nil) -> Bool {
        guard (line...lastLine).contains(number) else { return false }
        if let record { return record == self.record }
        guard let row, row.allLines.contains(number) else { return true }
        return row.line == number
    }
}
