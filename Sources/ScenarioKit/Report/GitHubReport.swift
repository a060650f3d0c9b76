// SPDX-License-Identifier: MIT

/// Writes failures and warnings as workflow commands of GitHub Actions.
///
/// Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
enum GitHubReport {
    static func text(of report: RunReport) -> String {
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
    private static func line(_ diagnostic: Diagnostic, _ title: String) -> String {
        var properties: [String] = []
        if let span = diagnostic.span {
            properties = [
                "file=\(escaped(span.source.name, isProperty: true))", "line=\(span.line)",
                "col=\(span.column)",
            ]
        }
        properties.append("title=\(escaped(title, isProperty: true))")
        let parts =
            [diagnostic.message, diagnostic.label].compactMap(\.self)
            + (diagnostic.details + diagnostic.notes).map { "\($0.topic): \($0.text)" }
        let command = diagnostic.severity == .error ? "error" : "warning"
        let message = escaped(parts.joined(separator: "\n"), isProperty: false)
        return "::\(command) \(properties.joined(separator: ","))::\(message)\n"
    }

    private static func escaped(_ text: String, isProperty: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case ":" where isProperty: result += "%3A"
            case "," where isProperty: result += "%2C"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
