// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Reports the results of a run as one JSON document.
struct JSONReport: ResultWriter {
    func text(
        of report: ScenarioReport,
        isShort: Bool,
        after earlier: ScenarioReport?
    ) -> PrintedText { "" }

    func end(of report: RunReport) -> PrintedText { RunReport.document.text(of: report) }

    /// Returns the list of the scenarios that would run.
    static func list(_ scenarios: [(path: String, Scenario)]) -> PrintedText {
        ListedScenario.list.text(of: scenarios.map { ListedScenario(path: $0.path, $0.1) })
    }
}

/// Reports the results of a run as JSON lines: an object for each scenario, then an object for the
/// run.
///
/// Scenarios are in the order of their files, even if several run in parallel. The last line does
/// not repeat the list of scenarios. This line is missing if the process was killed.
struct JSONLinesReport: ResultWriter {
    func text(
        of report: ScenarioReport,
        isShort: Bool,
        after earlier: ScenarioReport?
    ) -> PrintedText {
        Self.scenario.text(of: report)
    }

    func end(of report: RunReport) -> PrintedText { Self.end.text(of: report) }

    static let scenario = DocumentFields<ScenarioReport>("scenario") {
        DocumentField<ScenarioReport>.schema("lines")
        DocumentField<ScenarioReport>.kind("scenario")
        ScenarioReport.document.list
        DocumentField(
            "seconds",
            { $0.duration / .seconds(1) },
            help: "The time that the scenario took, in seconds."
        )
    }

    static let end = DocumentFields<RunReport>("end") {
        DocumentField<RunReport>.schema("lines")
        DocumentField<RunReport>.kind("end")
        RunReport.results(hasScenarios: false)
    }
}

// MARK: Fields

/// A scenario in the list that `run --list` prints.
struct ListedScenario: DocumentRecord {
    let name: String
    let tags: [String]
    let path: String
    let line: Int
    let record: Int?

    init(path: String, _ scenario: Scenario) {
        (name, tags, self.path) = (scenario.name, scenario.tags, path)
        (line, record) = (scenario.ownLine, scenario.record)
    }

    fileprivate init(_ report: ScenarioReport) {
        (name, tags, path) = (report.name, report.tags, report.path)
        (line, record) = (report.line, report.record)
    }

    static let document = DocumentFields<Self>("listed") {
        Field("name", \.name, help: "The name of the scenario.")
        Field("tags", \.tags, help: "The tags of the scenario, without '@'.")
        Field("file", \.path, help: "The path of the scenario file.")
        Field("line", \.line, help: "The line of the heading, or of the table row.")
        Field(
            optional: "record",
            \.record,
            help: "The number of the scenario's record, if the table is in another file."
        )
    }

    static let list = DocumentFields<[Self]>("list") {
        DocumentField<[Self]>.schema("list")
        DocumentField("scenarios", \.self, help: "The scenarios that would run.")
    }
}

extension ScenarioReport: DocumentRecord {
    static let document = DocumentFields<Self>("scenario") {
        ListedScenario.document.within(ListedScenario.init)
        Field("outcome", \.outcome, help: "The outcome of the scenario.")
        Field("failures", \.failures, help: "The failures of the scenario.")
        Field(optional: "issue", \.issue, help: "The issue of a scenario that is marked as known.")
        Field(
            optional: "knownFailures",
            { $0.issue == nil ? nil : $0.knownFailures },
            help: "The failures that the issue explains."
        )
        Field("warnings", \.warnings, help: "The warnings of the scenario.")
        Field(
            "notes",
            { $0.notes.map(\.text) },
            help: "The texts that the steps 'note' and 'show' print."
        )
    }
}

extension ScenarioReport.Outcome: DocumentValue {}

extension FileReport: DocumentRecord {
    static let document = DocumentFields<Self>("file") {
        Field("file", \.path, help: "The path of the file.")
        Field("diagnostics", \.diagnostics, help: "The reasons why the file did not run.")
        Field(
            "failures",
            \.failures,
            help: "Failures that concern the whole file, not one scenario."
        )
    }
}

extension RunReport: DocumentRecord {
    static let document = DocumentFields<Self>("run") {
        Field.schema("run")
        results()
    }

    /// Returns the document of a run that did not start because of an error.
    package static func json(of failure: LoadedScripts.Failure) -> PrintedText {
        var report = RunReport()
        (report.diagnostics, report.exitCode) = (failure.diagnostics, failure.code)
        return document.text(of: report)
    }

    /// The numbers of scenarios, files and warnings.
    private static let counts = DocumentFields<Self>("counts") {
        ScenarioReport.Outcome.allCases.map { outcome in
            Field(
                outcome.rawValue,
                { $0.count(of: outcome) },
                help: "The number of scenarios with this outcome."
            )
        }
        Field("notRun", \.notRun, help: "The number of scenarios that were not run.")
        Field("filesNotRun", \.filesNotRun, help: "The number of files that were not run.")
        Field("filesFailed", \.filesFailed, help: "The number of files that failed.")
        Field("warnings", \.warningCount, help: "The number of warnings.")
    }

    /// Returns the fields of the results.
    static func results(hasScenarios: Bool = true, hasCoverage: Bool = true) -> [Field] {
        let scenarios = Field(
            "scenarios",
            { $0.files.flatMap(\.scenarios) },
            help: "The scenarios that ended or were skipped."
        )
        let coverage = Field(
            optional: "coverage",
            \.coverage,
            help: "The coverage of the scenarios."
        )
        return [Field("files", \.files, help: "The files, in the order of the run.")]
            + (hasScenarios ? [scenarios] : [])
            + [.diagnostics(\.diagnostics)]
            + (hasCoverage ? [coverage] : []) + [
                Field(
                    "counts",
                    object: counts,
                    \.self,
                    help: "The numbers of scenarios, files and warnings."
                ),
                .exitCode(\.exitCode),
            ]
    }
}

extension Coverage: DocumentRecord {
    static let document = DocumentFields<Self>("coverage") {
        Field("parts", \.parts, help: "The routes and the other covered parts of the scripts.")
        Field("files", \.files, help: "The script files.")
    }
}

extension Coverage.Part: DocumentRecord {
    static let document = DocumentFields<Self>("part") {
        Field("kind", \.kind.rawValue, help: "The kind of part, such as 'route'.")
        Field("name", \.name, help: "The name of the part.")
        Field(optional: "file", \.source?.file, help: "The path of the script.")
        Field(optional: "line", \.source?.line, help: "The line of the declaration in the script.")
        Field("scenarios", \.count, help: "The number of scenarios that reached the part.")
    }
}

extension Coverage.File: DocumentRecord {
    static let document = DocumentFields<Self>("coveredFile") {
        Field("file", \.path, help: "The path of the script.")
        Field("lines", \.lines.count, help: "The number of lines with code.")
        Field("reached", \.reached, help: "The number of lines that ran.")
        Field(
            "missed",
            { $0.lines.filter { $0.count == 0 }.map(\.line) },
            help: "The lines that did not run."
        )
    }
}
