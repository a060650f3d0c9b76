// SPDX-License-Identifier: MIT

internal import RouteCore

/// Writes the results of a run as JUnit XML, with a test suite for each file and a test case for
/// each scenario.
///
/// The document conforms to the schema of the Jenkins xUnit plugin, `junit-10.xsd`, except for the
/// attributes `file` and `line` of a case, which GitLab and other systems read. Each suite conforms
/// to the schema of Maven Surefire, except for `file`, `line` and `timestamp`. The document
/// contains no control characters. If a file does not parse, or its scripts do not load, the file
/// is reported as a case with an error.
enum JUnitReport {
    static func text(of report: RunReport) -> EscapedText<XML> {
        var text: EscapedText<XML> = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let start = timestamp(report.start)
        let reason = report.reasonNotRun
        let suites =
            report.files.map { suite($0, start, notRun: reason) } + run(report.diagnostics, start)
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

    private static func suite(_ file: FileReport, _ start: String, notRun: String?) -> Suite {
        var suite = Suite()
        let names =
            file.scenarios.map { $0.name + ($0.record.map { " #\($0)" } ?? "") }
            + file.notRun.map { $0.name + ($0.record.map { " #\($0)" } ?? "") }
        // Several rows of a table may have the same name; a CI system would treat them as one case.
        let repeated = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +).filter {
            $0.value > 1
        }
        var counts: [String: Int] = [:]
        let unique = names.map { name in
            guard repeated[name] != nil else { return name }
            counts[name, default: 0] += 1
            return "\(name) #\(counts[name, default: 0])"
        }
        suite.cases = unique.count
        suite.failures = file.scenarios.count { $0.outcome == .failed }
        var cases = zip(file.scenarios, unique).map { self.case($0, $1, file.path) }
        cases += zip(file.notRun, unique.dropFirst(file.scenarios.count)).map { scenario, name in
            let message = XML.attributes([("message", "not run: \(notRun ?? "")")])
            let content: EscapedText<XML> = "      <skipped\(message)/>\n"
            return self.case(name, file.path, scenario.ownLine, .zero, content)
        }
        for (diagnostics, name) in [(file.diagnostics, "file"), (file.failures, "background")]
        where !diagnostics.isEmpty {
            suite.cases += 1
            suite.errors += 1
            cases.append(error(name, path: file.path, diagnostics: diagnostics))
        }
        let skipped =
            file.notRun.count + file.scenarios.count { [.skipped, .known].contains($0.outcome) }
        suite.text = element(
            suite,
            name: file.path,
            skipped: skipped,
            time: file.duration,
            start: start,
            cases.joined()
        )
        return suite
    }

    /// Returns a suite for the errors that concern the whole run; empty if there are no such
    /// errors.
    private static func run(_ diagnostics: [Diagnostic], _ start: String) -> [Suite] {
        let errors = diagnostics.filter { $0.severity == .error }
        guard !errors.isEmpty else { return [] }
        var suite = Suite(cases: 1, errors: 1)
        let text = error("run", path: "luaroute", diagnostics: errors)
        suite.text = element(suite, name: "luaroute", skipped: 0, time: .zero, start: start, text)
        return [suite]
    }

    private static func element(
        _ suite: Suite,
        name: String,
        skipped: Int,
        time: Duration,
        start: String,
        _ content: EscapedText<XML>
    ) -> EscapedText<XML> {
        let attributes: [(String, String)] = [
            ("name", name), ("file", name), ("tests", "\(suite.cases)"),
            ("failures", "\(suite.failures)"),
            ("errors", "\(suite.errors)"), ("skipped", "\(skipped)"), ("time", seconds(time)),
            ("timestamp", start),
        ]
        return "  <testsuite\(XML.attributes(attributes))>\n\(content)  </testsuite>\n"
    }

    private static func `case`(
        _ scenario: ScenarioReport,
        _ name: String,
        _ path: String
    ) -> EscapedText<XML> {
        var content: EscapedText<XML> = ""
        switch scenario.outcome {
        case .passed: break
        case .skipped: content += "      <skipped/>\n"
        case .known:
            let attributes = XML.attributes([("message", "known: \(scenario.issue ?? "")")])
            content += "      <skipped\(attributes)/>\n"
        case .failed: content += problem("failure", scenario.failures)
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
        return self.case(name, path, scenario.line, scenario.duration, content)
    }

    private static func `case`(
        _ name: String,
        _ path: String,
        _ line: Int,
        _ time: Duration,
        _ content: EscapedText<XML>
    ) -> EscapedText<XML> {
        let attributes: [(String, String)] = [
            ("name", name), ("classname", className(of: path)), ("file", path),
            ("line", "\(line)"), ("time", seconds(time)),
        ]
        let tag: EscapedText<XML> = "    <testcase\(XML.attributes(attributes))"
        return content.isEmpty ? "\(tag)/>\n" : "\(tag)>\n\(content)    </testcase>\n"
    }

    private static func error(_ name: String, path: String, diagnostics: [Diagnostic])
        -> EscapedText<XML>
    {
        let line = diagnostics.compactMap(\.span).first { $0.source.name == path }?.line ?? 1
        return self.case(name, path, line, .zero, problem("error", diagnostics))
    }

    /// Returns one element for all diagnostics of a case, because some readers keep only the last
    /// of several elements.
    private static func problem(_ tag: String, _ diagnostics: [Diagnostic]) -> EscapedText<XML> {
        guard let first = diagnostics.first else { return "" }
        let more = diagnostics.count > 1 ? " (and \(diagnostics.count - 1) more)" : ""
        let message = [first.message, first.label].compactMap(\.self).joined(separator: ": ")
        let attributes = XML.attributes([
            ("message", message + more), ("type", first.code.description),
        ])
        let texts = diagnostics.map { DiagnosticRenderer().text(of: $0) }
        let text = texts.joined(separator: "\n").characters
        return "      <\(tag)\(attributes)>\(text)</\(tag)>\n"
    }

    /// Returns the path of a file as a class name: folders become packages, separated by dots.
    ///
    /// Jenkins shows the part after the last dot as the class.
    private static func className(of path: String) -> String {
        let end = path.hasByteSuffix(Selection.fileExtension) ? Selection.fileExtension.count : 0
        return path.dropLast(end).split(separator: "/").filter { $0 != "." && $0 != ".." }
            .map { String($0.map { $0 == "." ? "_" : $0 }) }.joined(separator: ".")
    }

    /// Returns a date and time in UTC, to the second.
    private static func timestamp(_ time: Double) -> String {
        let text = Moment.text(time.rounded(.down))
        return text.count == "2026-01-01T09:00".count ? text + ":00" : text
    }

    /// Returns a duration in seconds with three decimals, as in `0.012`.
    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int(duration / .milliseconds(1))
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
