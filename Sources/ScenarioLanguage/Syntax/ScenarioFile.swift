// SPDX-License-Identifier: MIT

package import RouteFiles

/// The content of a file, or the error that occurred when the file was read.
package typealias FileOutcome = Result<[UInt8], BundleError>

/// A parsed scenario file: the path of the scripts, the settings, and the scenarios.
package struct ScenarioFile: Sendable {
    /// The maximum size of a file, in bytes.
    package static let sizeLimit = 1 << 20
    /// The maximum length of a line, in bytes.
    package static let lineLimit = 4096
    /// The maximum number of steps in a file.
    package static let stepLimit = 100_000
    /// The maximum total size of the expanded lines of a file, in bytes.
    ///
    /// Each replaced parameter counts as 64 additional bytes.
    package static let expansionLimit = 64 << 20

    /// The text of the file.
    package let source: SourceText
    /// The path of the scripts, or nil if the file names no scripts.
    package var use: FilePath?
    /// The values of the `set` lines.
    package var settings = ScenarioSettings()
    /// The steps that run before every scenario and every search.
    package var background: [ScenarioStep] = []
    /// The scenarios, in source order.
    package var scenarios: [Scenario] = []
    /// The `explore` blocks, in source order.
    package var explorations: [Exploration] = []
    /// The steps of macros that are never called, excluding lines with parameters.
    package var uncalledSteps: [ScenarioStep] = []
    /// The files that this file includes or takes table rows from, by path, with the result of
    /// reading each file.
    package var inputs: [String: FileOutcome] = [:]

    package init(_ source: SourceText) { self.source = source }
}

/// A scenario of a file.
///
/// Each scenario runs in its own router.
package struct Scenario: Sendable {
    /// The mark that determines whether a scenario runs.
    package enum Mode: Sendable, Equatable {
        /// The scenario runs.
        case plain
        /// The scenario does not run.
        case skip
        /// The scenario runs.
        ///
        /// If any scenario has this mark, scenarios without it do not run.
        case only
        /// The scenario runs and is expected to fail because of a known issue.
        case known(issue: String)
    }

    /// The table row for which a scenario runs.
    package struct Row: Sendable {
        /// The number of the line that contains the row.
        let line: Int
        /// The numbers of the lines that contain all rows of the table.
        let allLines: ClosedRange<Int>
    }

    /// The name of the scenario.
    package var name: String
    /// The tags, without the leading `@`.
    package let tags: [String]
    /// The mark that determines whether the scenario runs.
    package let mode: Mode
    /// The number of the line with the heading.
    package let line: Int
    /// The number of the last line before the next block.
    package let lastLine: Int
    /// The table row for which the scenario runs, or nil if there is no table in the same file.
    package var row: Row?
    /// The number of the CSV record for which the scenario runs, counted from 1, or nil if there is
    /// no table in another file.
    package var record: Int?
    /// The range of the heading.
    package let heading: Span
    /// The steps of the scenario, excluding the steps of the background.
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

    /// The number of the line that identifies the scenario.
    ///
    /// This is the line of the scenario's row, or of its heading if there is no row.
    package var ownLine: Int { row?.line ?? line }

    /// The text that identifies the scenario in its file: a line, such as `6`, or a line and a
    /// record, such as `6#2`.
    package var address: String { "\(ownLine)" + (record.map { "#\($0)" } ?? "") }

    /// Returns whether a line number selects the scenario.
    ///
    /// Every line of the block selects the scenario, but a line of a table selects only the
    /// scenario for that row. If a record is given, the scenario must have the same record.
    package func isSelected(byLine number: Int, record: Int? = nil) -> Bool {
        guard (line...lastLine).contains(number) else { return false }
        if let record { return record == self.record }
        guard let row, row.allLines.contains(number) else { return true }
        return row.line == number
    }
}
