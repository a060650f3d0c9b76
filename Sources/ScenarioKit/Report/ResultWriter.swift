// SPDX-License-Identifier: MIT

/// Formats the results of a run as text.
protocol ResultWriter {
    /// Returns the text about a scenario, which is written when the scenario ends; if it is short,
    /// without the failures.
    func text(of report: ScenarioReport, isShort: Bool) -> String
    /// Returns the text at the end of the run.
    func end(of report: RunReport) -> String
}
