// SPDX-License-Identifier: MIT

/// Formats the results of a run as text.
protocol ResultWriter {
    /// Returns the text about a scenario, which is written when the scenario ends.
    func text(of report: ScenarioReport) -> String
    /// Returns the text at the end of the run.
    func end(of report: RunReport) -> String
}
