// SPDX-License-Identifier: MIT

/// Writes the results of a run as JUnit's XML: a suite for each file, a case for each scenario.
///
/// It is valid by the schema of the Jenkins xUnit plugin, `junit-10.xsd`, and contains no control
/// characters. A file that does not parse, or whose scripts do not load, is a case with an error.
enum JUnitReport {
    static func text(of report: RunReport) -> EscapedText<XML> {
        var text: EscapedText<XML> = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let suites = report.files.map(suite) + run(report.diagnostics)
        let attributes: [(String, String)] = [
            ("name", "luaroute"),
            ("tests", "\(suites.reduce(0) { $0 + $1.cases })"),
            ("failures", "\(suites.reduce(0) { $0 + $1.failures })"),
            ("errors", "\(suites.reduce(0) { $0 + $1.errors })"),
            ("time", seconds(report.files.reduce(.zero) { $0 + $1.duration })),
        ]
        text += "<testsuites\(XML.attributes(attributes))>\n"
        text += suites.map(\.text).joined()
        return text + "</testsuites>\n"
    }

    private struct Suite {
        var text: EscapedText<XML> = ""
        var cases = 0
        var failures = 0
        var errors = 0
    }

    private static func suite(_ file: FileReport) -> Suite {
        var suite = Suite()
        var cases = file.scenarios.map { scenario in
            suite.cases += 1
            if scenario.outcome == .failed { suite.failures += 1 }
            return self.case(scenario, file.path)
        }
        for (diagnostics, name) in [(file.diagnostics, "file"), (file.failures, "background")]
        where !diagnostics.isEmpty {
            suite.cases += 1
            suite.errors += 1
            cases.append(error(name, file.path, diagnostics))
        }
        let skipped = file.scenarios.count { [.skipped, .known].contains($0.outcome) }
        suite.text = element(
            suite,
            name: file.path,
            skipped: skipped,
            time: file.duration,
            cases.joined()
        )
        return suite
    }

    /// The diagnostics of the whole run that are errors, as a suite.
    private static func run(_ diagnostics: [Diagnostic]) -> [Suite] {
        let errors = diagnostics.filter { $0.severity == .error }
        guard !errors.isEmpty else { return [] }
        var suite = Suite(cases: 1, errors: 1)
        let text = error("run", "luaroute", errors)
        suite.text = element(suite, name: "luaroute", skipped: 0, time: .zero, text)
        return [suite]
    }

    private static func element(
        _ suite: Suite,
        name: String,
        skipped: Int,
        time: Duration,
        _ content: EscapedText<XML>
    ) -> EscapedText<XML> {
        let attributes: [(String, String)] = [
            ("name", name), ("file", name), ("tests", "\(suite.cases)"),
            ("failures", "\(suite.failures)"),
            ("errors", "\(suite.errors)"), ("skipped", "\(skipped)"), ("time", seconds(time)),
        ]
        return "  <testsuite\(XML.attributes(attributes))>\n\(content)  </testsuite>\n"
    }

    private static func `case`(_ scenario: ScenarioReport, _ path: String) -> EscapedText<XML> {
        let record = scenario.record.map { " #\($0)" } ?? ""
        let attributes: [(String, String)] = [
            ("name", scenario.name + record), ("classname", path),
            ("time", seconds(scenario.duration)),
        ]
        var content: EscapedText<XML> = ""
        switch scenario.outcome {
        case .passed: break
        case .skipped: content += "      <skipped/>\n"
        case .known:
            let attributes = XML.attributes([("message", "known: \(scenario.issue ?? "")")])
            content += "      <skipped\(attributes)/>\n"
        case .failed: content += scenario.failures.map { problem("failure", $0) }.joined()
        }
        let notes = scenario.isTraced ? [] : scenario.notes
        var output = notes.map { TraceWriter.text(of: $0, margin: "") }.joined()
        output += TraceWriter.text(of: scenario.trace)
        if !output.isEmpty {
            content += "      <system-out>\(output.characters)</system-out>\n"
        }
        if !scenario.warnings.isEmpty {
            let warnings = scenario.warnings.map { DiagnosticRenderer().text(of: $0) }.joined()
            content += "      <system-err>\(warnings.characters)</system-err>\n"
        }
        let tag: EscapedText<XML> = "    <testcase\(XML.attributes(attributes))"
        return content.isEmpty ? "\(tag)/>\n" : "\(tag)>\n\(content)    </testcase>\n"
    }

    private static func error(_ name: String, _ path: String, _ diagnostics: [Diagnostic])
        -> EscapedText<XML>
    {
        let attributes: [(String, String)] = [("name", name), ("classname", path)]
        let content = diagnostics.map { problem("error", $0) }.joined()
        return "    <testcase\(XML.attributes(attributes))>\n\(content)    </testcase>\n"
    }

    private static func problem(_ tag: String, _ diagnostic: Diagnostic) -> EscapedText<XML> {
        let message = [diagnostic.message, diagnostic.label].compactMap(\.self)
        let attributes: [(String, String)] = [
            ("message", message.joined(separator: ": ")), ("type", diagnostic.code.description),
        ]
        let text = DiagnosticRenderer().text(of: diagnostic).characters
        return "      <\(tag)\(XML.attributes(attributes))>\(text)</\(tag)>\n"
    }

    /// Returns a time with milliseconds, as in `0.012`.
    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int(duration / .milliseconds(1))
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
