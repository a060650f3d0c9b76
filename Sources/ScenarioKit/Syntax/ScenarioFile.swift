// SPDX-License-Identifier: MIT

/// A scenario file as it was parsed: which scripts it uses, and what it does with them.
public struct ScenarioFile: Sendable {
    /// The largest file that is read, in bytes.
    package static let sizeLimit = 1 << 20
    /// The longest line, in bytes.
    package static let lineLimit = 4096
    /// How many steps a file may have.
    package static let stepLimit = 100_000

    /// The scripts that a file names.
    package struct Use: Sendable {
        /// The path of a script or a bundle's folder, relative to the file.
        package let path: String
        /// Where the path stands.
        package let range: Range<Int>
    }

    /// The text.
    public let source: SourceText
    /// The scripts, nil where the file names none.
    package internal(set) var use: Use?
    /// What is done before every scenario.
    package internal(set) var background: [Step] = []
    /// The scenarios, in the order of the file.
    package internal(set) var scenarios: [Scenario] = []

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

    /// The name that people read.
    package let name: String
    /// The tags, without their `@`.
    package let tags: [String]
    /// What becomes of it.
    package let mode: Mode
    /// Where the line that opens the scenario stands.
    package let range: Range<Int>
    /// The line that opens it.
    package let line: Int
    /// The last line before the next block.
    package internal(set) var lastLine: Int
    /// The steps, without those of the background.
    package internal(set) var steps: [Step] = []
}
