// SPDX-License-Identifier: MIT

internal import RouteCore

/// Writes failures and warnings as workflow commands of GitHub Actions.
///
/// Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
enum GitHubReport {
    static func text(of report: RunReport) -> EscapedText<WorkflowMessage> {
        var text = report.diagnostics.map { line($0, "luaroute") }.joined()
        for file in report.files {
            text += (file.diagnostics + file.failures).map { line($0, file.path) }.joined()
            for scenario in file.scenarios {
                text += (scenario.failures + scenario.warnings)
                    .map { line($0, scenario.name) }.joined()
            }
        }
        return text
    }

    /// Returns `::error file=…,line=…,col=…,title=…::message`.
    private static func line(
        _ diagnostic: Diagnostic,
        _ title: String
    ) -> EscapedText<WorkflowMessage> {
        var properties: [EscapedText<WorkflowProperty>] = []
        if let span = diagnostic.span {
            properties = [
                "file=\(span.source.name)", "line=\(span.line)",
                "col=\(span.column)",
            ]
        }
        properties.append("title=\(title)")
        let parts =
            [diagnostic.message, diagnostic.label].compactMap(\.self)
            + (diagnostic.details + diagnostic.notes).map { "\($0.topic): \($0.text)" }
        let command = diagnostic.severity == .error ? "error" : "warning"
        let list = EscapedText<WorkflowMessage>(properties.joined(separator: ","))
        return "::\(command) \(list)::\(parts.joined(separator: "\n"))\n"
    }
}

/// The format of workflow commands, in the values of their properties.
enum WorkflowProperty: TextFormat {
    static func escaped(_ text: String) -> String {
        WorkflowMessage.escaped(text).replacing { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : nil }
    }
}

/// The format of workflow commands, in their messages.
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
