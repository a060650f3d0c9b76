// SPDX-License-Identifier: MIT

internal import RouteCore

/// Writes each failure and warning once, as a workflow command of GitHub Actions.
///
/// The title of a command is the name of the scenario, the code of a finding about a file, or
/// `luaroute` for a finding about the run.
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
            for scenario in file.scenarios {
                text += (scenario.failures + scenario.warnings)
                    .map { line($0, scenario.name) }.joined()
            }
        }
        return text
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
