// SPDX-License-Identifier: MIT

/// Turns what came of a run into the text of its results.
protocol ResultWriter {
    /// What is told of a scenario, as soon as it is known.
    func text(of report: ScenarioReport) -> String
    /// What is told at the end.
    func end(of report: RunReport) -> String
}
