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

    func end(of report: RunReport) -> PrintedText {
        var writer = JSONWriter()
        writer.begin("{")
        writer.member("schema", "luaroute.run/1")
        writer.members(of: report)
        writer.end("}")
        return writer.document
    }

    /// Returns the list of the scenarios that a run would run.
    static func list(_ scenarios: [(path: String, Scenario)]) -> PrintedText {
        var writer = JSONWriter()
        writer.begin("{")
        writer.member("schema", "luaroute.list/1")
        writer.list("scenarios", elements: scenarios) { writer, entry in
            writer.begin("{")
            let scenario = entry.1
            writer.head(
                scenario.name,
                tags: scenario.tags,
                file: entry.path,
                line: scenario.ownLine,
                record: scenario.record
            )
            writer.end("}")
        }
        writer.end("}")
        return writer.document
    }
}

/// Reports the results of a run as lines: a JSON object for each scenario, and one for the run.
///
/// Scenarios come in the order of their files, however many run at once. The last line has no list of
/// them; it is missing if the process was killed.
struct JSONLinesReport: ResultWriter {
    func text(
        of report: ScenarioReport,
        isShort: Bool,
        after earlier: ScenarioReport?
    ) -> PrintedText {
        line("scenario") { writer in
            writer.members(of: report)
            writer.member("seconds", .number(report.duration / .seconds(1)))
        }
    }

    func end(of report: RunReport) -> PrintedText {
        line("end") { $0.members(of: report, hasScenarios: false) }
    }

    private func line(_ kind: String, _ members: (inout JSONWriter) -> Void) -> PrintedText {
        var writer = JSONWriter()
        writer.begin("{")
        writer.member("schema", "luaroute.lines/1")
        writer.member("kind", kind)
        members(&writer)
        writer.end("}")
        return writer.document
    }
}

extension JSONWriter {
    /// Writes the results of a run.
    mutating func members(of report: RunReport, hasScenarios: Bool = true) {
        list("files", elements: report.files) { $0.write($1) }
        if hasScenarios {
            list("scenarios", elements: report.files.flatMap(\.scenarios)) { writer, scenario in
                writer.begin("{")
                writer.members(of: scenario)
                writer.end("}")
            }
        }
        list("diagnostics", elements: report.diagnostics) { $0.write($1) }
        if let coverage = report.coverage { write(coverage) }
        name("counts")
        begin("{")
        for outcome in ScenarioReport.Outcome.allCases {
            member(outcome.rawValue, .integer(Int64(report.count(of: outcome))))
        }
        member("notRun", .integer(Int64(report.notRun)))
        member("filesNotRun", .integer(Int64(report.filesNotRun)))
        member("filesFailed", .integer(Int64(report.filesFailed)))
        member("warnings", .integer(Int64(report.warningCount)))
        end("}")
        member("exitCode", .integer(Int64(report.exitCode.rawValue)))
    }

    fileprivate mutating func head(
        _ name: String,
        tags: [String],
        file: String,
        line: Int,
        record: Int?
    ) {
        member("name", name)
        list("tags", elements: tags) { $0.write(.string(ByteString($1))) }
        member("file", file)
        member("line", line)
        if let record { member("record", record) }
    }

    private mutating func write(_ coverage: Coverage) {
        name("coverage")
        begin("{")
        list("parts", elements: coverage.parts) { writer, part in
            writer.begin("{")
            writer.member("kind", part.kind.rawValue)
            writer.member("name", part.name)
            if let source = part.source {
                writer.member("file", source.file)
                writer.member("line", source.line)
            }
            writer.member("scenarios", part.count)
            writer.end("}")
        }
        list("files", elements: coverage.files) { writer, file in
            writer.begin("{")
            writer.member("file", file.path)
            writer.member("lines", file.lines.count)
            writer.member("reached", file.reached)
            writer.list("missed", elements: file.lines.filter { $0.count == 0 }) {
                $0.write(.integer(Int64($1.line)))
            }
            writer.end("}")
        }
        end("}")
    }

    fileprivate mutating func write(_ file: FileReport) {
        begin("{")
        member("file", file.path)
        list("diagnostics", elements: file.diagnostics) { $0.write($1) }
        list("failures", elements: file.failures) { $0.write($1) }
        end("}")
    }

    fileprivate mutating func members(of report: ScenarioReport) {
        head(
            report.name,
            tags: report.tags,
            file: report.path,
            line: report.line,
            record: report.record
        )
        member("outcome", report.outcome.rawValue)
        list("failures", elements: report.failures) { $0.write($1) }
        if let issue = report.issue {
            member("issue", issue)
            list("knownFailures", elements: report.knownFailures) { $0.write($1) }
        }
        list("warnings", elements: report.warnings) { $0.write($1) }
        list("notes", elements: report.notes) { $0.write(.string(ByteString($1.text))) }
    }
}
