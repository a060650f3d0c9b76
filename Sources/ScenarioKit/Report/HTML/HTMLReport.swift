// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Writes the results of a run as a single HTML file that loads no other files.
///
/// The page contains the data of each scenario as JSON. A script in the page draws the screens from
/// this data.
enum HTMLReport {
    private static let mark = "<!--DATA-->"

    /// Returns the page; nil if the run was interrupted.
    static func text(of report: RunReport, isInterrupted: () -> Bool) -> PrintedText? {
        let template = String(decoding: PackageResources.Report_html, as: UTF8.self)
        let page = filled(template, with: report)
        guard let place = page.firstRange(ofPart: mark) else { return PrintedText(escaped: page) }
        let scenarios = report.files.lazy.flatMap(\.scenarios)
        var text = String(page[..<place.lowerBound])
        // Reserves the capacity, because each growth of such a long text would copy the text.
        text.reserveCapacity(scenarios.reduce(page.utf8.count) { $0 + $1.page.utf8.count * 9 / 8 })
        add("index", index(report), to: &text)
        for (number, scenario) in scenarios.enumerated() {
            if isInterrupted() { return nil }
            add("data-\(number)", scenario.page.isEmpty ? "null" : scenario.page, to: &text)
        }
        text += page[place.upperBound...]
        return PrintedText(escaped: text)
    }

    /// Returns the page with its title, icon, counts and plain text filled in.
    private static func filled(_ page: String, with report: RunReport) -> String {
        let (sign, color, tone) =
            report.exitCode == .success ? ("✔", "18712f", "good") : ("✘", "b3201a", "bad")
        let head: EscapedText<XML> = """
            <title>\(sign) \(report.summary) – luaroute</title>
            <link rel="icon" href="data:image/svg+xml;charset=utf-8,%3Csvg xmlns='http%3A//www.w3.org/2000/svg' \
            viewBox='0 0 16 16'%3E%3Ctext y='14' font-size='16' fill='%23\(color)'%3E\(sign)\
            %3C/text%3E%3C/svg%3E">
            """
        let counts: EscapedText<XML> = """
            <p class="counts" id="counts"><span class="\(tone)">\(sign) \(report.summary)</span></p>
            """
        var page = page
        let plain = report.files.map { plainText(of: $0) }.joined()
        for (mark, text) in [
            ("<!--HEAD-->", head), ("<!--COUNTS-->", counts), ("<!--PLAIN-->", plain),
        ] {
            guard let place = page.firstRange(ofPart: mark) else { continue }
            page.replaceSubrange(place, with: text.characters)
        }
        return page
    }

    /// Returns the scenarios of a file with their outcomes and failures, for browsers without
    /// JavaScript.
    private static func plainText(of file: FileReport) -> EscapedText<XML> {
        let renderer = DiagnosticRenderer()
        func texts(of diagnostics: [Diagnostic]) -> EscapedText<XML> {
            diagnostics.map { "<pre>\(renderer.text(of: $0).text)</pre>\n" }.joined()
        }
        var text: EscapedText<XML> = """
            <h2>\(file.path)</h2>
            \(texts(of: file.diagnostics + file.failures))<ul>

            """
        for scenario in file.scenarios {
            text += """
                <li>\(scenario.outcome.rawValue): \(scenario.name) <code>\(scenario.location)</code>
                \(texts(of: scenario.failures + scenario.knownFailures))</li>

                """
        }
        return text + "</ul>\n"
    }

    /// Adds an element that contains JSON, escaped so that no text in the JSON can close the
    /// element.
    private static func add(_ name: String, _ json: String, to text: inout String) {
        text += "<script type=\"application/json\" id=\"\(name)\">"
        var json = PrintedText(json: json).characters
        let hasTags = json.withUTF8 { $0.contains(UInt8(ascii: "<")) }
        text += hasTags ? json.replacing { $0 == "<" ? "\\u003c" : nil } : json
        text += "</script>\n"
    }

    private static func index(_ report: RunReport) -> String {
        let renderer = DiagnosticRenderer()
        var writer = JSONWriter()
        var number = 0
        writer.begin("{")
        writer.list("files", elements: report.files) { writer, file in
            writer.begin("{")
            writer.member("path", file.path)
            writer.list("diagnostics", elements: file.diagnostics + file.failures) {
                $0.write(.string(ByteString(renderer.text(of: $1).text)))
            }
            writer.list("scenarios", elements: file.scenarios) { writer, scenario in
                writer.begin("{")
                writer.member("number", number)
                number += 1
                writer.member("name", scenario.name)
                writer.member("location", scenario.location)
                writer.member("outcome", scenario.outcome.rawValue)
                writer.member("seconds", .number(scenario.duration / .seconds(1)))
                if let failure = scenario.failures.first { writer.member("cause", failure.cause) }
                writer.list("tags", elements: scenario.tags) { $0.write(.string(ByteString($1))) }
                writer.end("}")
            }
            writer.end("}")
        }
        writer.list("diagnostics", elements: report.diagnostics) { writer, diagnostic in
            writer.write(.string(ByteString(renderer.text(of: diagnostic).text)))
        }
        let duration = report.files.reduce(Duration.zero) { $0 + $1.duration }
        writer.member("seconds", .number(duration / .seconds(1)))
        writer.member("start", .number(report.start))
        writer.member("version", Release.version)
        if let coverage = report.coverage { write(coverage, to: &writer) }
        writer.end("}")
        return writer.text
    }

    private static func write(_ coverage: Coverage, to writer: inout JSONWriter) {
        writer.name("coverage")
        writer.begin("{")
        let shares =
            "\(coverage.lineShare.text) of the lines, \(coverage.share().text) of the parts"
        writer.member("title", shares)
        writer.list("rows", elements: CoverageWriter.rows(of: coverage)) { writer, row in
            writer.begin("{")
            writer.member("title", row.title)
            writer.member("isFile", .boolean(row.isFile))
            writer.member("reached", row.share.reached)
            writer.member("total", row.share.total)
            writer.member("share", row.share.text)
            writer.list("missed", elements: row.missed) { $0.write(.string(ByteString($1))) }
            writer.end("}")
        }
        writer.end("}")
    }
}

extension Diagnostic {
    /// The message and the label, without quoted texts and numbers.
    ///
    /// Failures are grouped by this text.
    fileprivate var cause: String {
        var (cause, quote) = ("", Character?.none)
        for character in ([message] + [label].compactMap(\.self)).joined(separator: ": ") {
            if quote != nil {
                if character == quote { quote = nil }
                continue
            }
            if "\"'".contains(character) { quote = character }
            guard quote != nil || character.isNumber else {
                cause.append(character)
                continue
            }
            if cause.last != "…" { cause.append("…") }
        }
        return cause
    }
}

extension ScenarioReport {
    /// Returns the data of the scenario for the page: the steps with their screens, and the
    /// failures.
    ///
    /// - Parameters:
    ///   - trace: The record of the scenario's run.
    ///   - rerun: The command that runs the scenario again.
    ///   - isInterrupted: Returns whether the run was interrupted.
    /// - Returns: The JSON; nil if the run was interrupted.
    func pageData(
        _ trace: Trace,
        rerun: RerunCommand,
        isInterrupted: () -> Bool
    ) -> String? {
        var writer = JSONWriter()
        writer.begin("{")
        let console = ConsoleReport(rerun: rerun)
        let steps = Dictionary(
            trace.parts.compactMap { part in part.line.map { ($0, part.text) } },
            uniquingKeysWith: { $1 }
        )
        writer.list("failures", elements: failures + knownFailures) { writer, failure in
            writer.begin("{")
            writer.member("text", console.block(of: failure, in: self).text)
            if let span = failure.span, let text = steps["\(span.line)"],
                let actual = failure.details.first(where: { $0.topic == "actual" })
            {
                writer.member("expected", text)
                writer.member("actual", actual.text)
            }
            writer.end("}")
        }
        writer.member("seed", "\(seed)")
        writer.list("notes", elements: warnings) { $0.write(.string(ByteString($1.text))) }
        let places = (failures + knownFailures).compactMap(\.span)
        let failedLines = Set(places.filter { $0.source.name == path }.map(\.line))
        // The page draws the first step completely, and each later step from the changes since the
        // previous one.
        var shown = ScreenTree()
        var texts = TraceWriter(trace.printer)
        var text: PrintedText = ""
        writer.list("steps", elements: trace.parts) { writer, part in
            if isInterrupted() { return }
            let changes = part.changes
            text += texts.text(of: part, changes)
            guard part.line != nil else { return }
            let isShown = part.before?.isShared(with: shown) == true
            let drawn = isShown ? changes : part.after.map { TreeChanges(from: shown, to: $0) }
            writer.write(part, drawn, printer: trace.printer, failedLines: failedLines)
            shown = part.after ?? shown
        }
        writer.member("trace", text.text)
        writer.member("rerun", rerun.line(for: location))
        writer.end("}")
        return isInterrupted() ? nil : writer.text
    }
}

extension JSONWriter {
    fileprivate mutating func write(
        _ part: Trace.Part,
        _ changes: TreeChanges?,
        printer: NotationPrinter,
        failedLines: Set<Int>
    ) {
        begin("{")
        member("line", part.line ?? "")
        member("text", part.text)
        let isFailed =
            part.isFailed || part.line.flatMap { Int($0) }.map(failedLines.contains) == true
        if isFailed { member("failed", .boolean(true)) }
        if let after = part.after {
            member("acts", .boolean(true))
            if let changes, !changes.isEmpty {
                TreeDrawing(tree: after, changes, printer).write(to: &self)
            }
        }
        end("}")
    }
}
