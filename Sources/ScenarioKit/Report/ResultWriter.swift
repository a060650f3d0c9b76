// SPDX-License-Identifier: MIT

/// Formats the results of a run as text.
protocol ResultWriter {
    /// Returns the text to write when a scenario ends.
    ///
    /// - Parameters:
    ///   - report: The scenario.
    ///   - isShort: Whether to omit the failures.
    ///   - earlier: An earlier row of the same table with the same failure; nil if there is none.
    /// - Returns: The text, which ends with a line break; empty if there is nothing to report.
    func text(
        of report: ScenarioReport,
        isShort: Bool,
        after earlier: ScenarioReport?
    ) -> PrintedText
    /// Returns the text at the end of the run.
    func end(of report: RunReport) -> PrintedText
}
