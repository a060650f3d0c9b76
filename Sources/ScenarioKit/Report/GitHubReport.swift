// SPDX-License-Identifier: MIT

internal import RouteCore

/// Writes each failure and warning once, as a workflow command of GitHub Actions.
///
/// The title of a command is the name of the scenario, the number of scenarios that have the same
/// failure, the code of a finding about a file, or `luaroute` for a finding about the run. A failure
/// that an error in a script causes is located at the line of the script.
///
/// Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
enum GitHubReport {
    static func text(of report: RunReport) -> EscapedText<WorkflowMessage> {
        var known: Set<Diagnostic.Identity> = []
        func lines(
            _ diagnostics: [Diagnostic],
            _ title: String? = nil
        ) -> EscapedText<WorkflowMessage> {
            diagnostics.filter { known.insert($0.identity).inserted }
                .map { line($0, title ?? $0.code.description) }.joined()
        }
        var text = lines(report.diagnostics, "luaroute")
        for file in report.files {
            text += lines(file.diagnostics + file.failures)
        }
        return text + annotations(of: report.files.flatMap(\.scenarios)).map(line).joined()
    }

    /// A failure or warning, and the scenarios in which it occurs.
    private struct Annotation {
        let diagnostic: Diagnostic
        let scriptSpan: Span?
        var scenarios: [ScenarioReport] = []
    }

    private struct Cause: Hashable {
        let severity: Diagnostic.Severity
        let identity: Diagnostic.Identity
    }

    /// The maximum number of scenarios that an annotation names.
    private static let nameLimit = 3

    /// Returns the failures and warnings, grouped by cause, in the order of their first scenarios.
    ///
    /// The cause is the line of the script at which an error occurred or, without such a line, the
    /// failed step together with the message.
    private static func annotations(of scenarios: [ScenarioReport]) -> [Annotation] {
        var indices: [Cause: Int] = [:]
        var all: [Annotation] = []
        for scenario in scenarios {
            for diagnostic in scenario.failures + scenario.warnings {
                // Only the line of a script at which an error occurred has no label.
                let span = diagnostic.related.first { $0.label == nil }?.span
                let identity =
                    span.map(Diagnostic.Identity.init(ofErrorsAt:)) ?? diagnostic.identity
                let cause = Cause(severity: diagnostic.severity, identity: identity)
                let index = indices[cause] ?? all.count
                if index == all.count {
                    indices[cause] = index
                    all.append(Annotation(diagnostic: diagnostic, scriptSpan: span))
                }
                if all[index].scenarios.last?.location != scenario.location {
                    all[index].scenarios.append(scenario)
                }
            }
        }
        return all
    }

    private static func line(_ annotation: Annotation) -> EscapedText<WorkflowMessage> {
        let (scenarios, span) = (annotation.scenarios, annotation.scriptSpan)
        var diagnostic = annotation.diagnostic
        if span != nil || scenarios.count > 1 {
            let topic = scenarios.count == 1 ? "scenario" : "scenarios"
            let names = scenarios.map { "\($0.name) (\($0.location))" }.listed(limit: nameLimit)
            diagnostic.notes.append(Diagnostic.Note(topic, names))
        }
        if let span { diagnostic.span = span }
        let title =
            scenarios.count == 1 ? scenarios[0].name : scenarios.count.counted("scenario")
        return line(diagnostic, title)
    }

    /// Returns the workflow commands for the given findings.
    ///
    /// The title of a command is the code of the finding.
    static func text(of diagnostics: [Diagnostic]) -> EscapedText<WorkflowMessage> {
        diagnostics.unrepeated.map { line($0, $0.code.description) }.joined()
    }

    /// Returns `::error file=…,line=…,endLine=…,col=…,endColumn=…,title=…::message`.
    private static func line(
        _ diagnostic: Diagnostic,
        _ title: String
    ) -> EscapedText<WorkflowMessage> {
        var properties: [EscapedText<WorkflowProperty>] = []
        if let span = diagnostic.span {
            properties = [
                "file=\(span.source.repositoryPath)", "line=\(span.line)", "endLine=\(span.line)",
                "col=\(span.column)", "endColumn=\(span.column + span.length)",
            ]
        }
        properties.append("title=\(title)")
        let command = diagnostic.severity == .error ? "error" : "warning"
        let list = EscapedText<WorkflowMessage>(properties.joined(separator: ","))
        return "::\(command) \(list)::\(diagnostic.paragraphs.joined(separator: "\n"))\n"
    }
}

/// The format of property values in workflow commands.
enum WorkflowProperty: TextFormat {
    static func escaped(_ text: String) -> String {
        WorkflowMessage.escaped(text).replacing { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : nil }
    }
}

/// The format of messages in workflow commands.
enum WorkflowMessage: TextFormat {
    static func escaped(_ text: String) -> String {
        text.replacing { scalar in
            switch scalar {
            case "%": "%25"
            case "\n": "%0A"
            default: scalar.isSteering ? scalar.escape : nil
            }
        }
    }
}
