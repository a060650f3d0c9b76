// SPDX-License-Identifier: MIT

internal import RouteCore

/// The results of the searches of one run.
struct ExploreResults {
    /// The schema of the document.
    static let schema = "luaroute.explore/1"

    /// A finding with its file.
    struct Found {
        let finding: ExplorationFinding
        /// The file with its scenario; nil if there is none.
        var file: String?
        /// Whether the baseline contains it.
        let isKnown: Bool
    }

    /// The results of one search.
    struct Block {
        let source: SourceText
        let report: ExplorationReport
        /// The locations in the scripts.
        let places: ScriptPlaces
        var findings: [Found] = []
        /// The findings of the baseline that a complete search did not find again, as text.
        var gone: [String] = []
        var diagnostics: [Diagnostic] = []

        /// The path of the scenario file, or of the scripts.
        var path: String { source.name }
        /// The findings that the baseline does not contain, at their lines in the scripts, or else at the
        /// line of the block.
        var diagnosed: [Diagnostic] {
            findings.filter { !$0.isKnown }.map { found in
                let finding = found.finding
                let block = Span(source, report.line.map(source.line) ?? 0..<0)
                let span = finding.location.flatMap { places.span(of: $0, finding.title) }
                var diagnostic = Diagnostic(
                    finding.code,
                    finding.title,
                    severity: finding.isWarning ? .warning : .error,
                    at: span ?? block
                )
                if span != nil, report.line != nil {
                    diagnostic.related = [Diagnostic.Related(label: "the block", span: block)]
                }
                let steps = finding.steps.joined(separator: " · ")
                diagnostic.details = [Diagnostic.Note("steps", steps)]
                diagnostic.details += finding.details.map { Diagnostic.Note("detail", $0) }
                if let file = found.file { diagnostic.notes = [Diagnostic.Note("scenario", file)] }
                return diagnostic
            }
        }
        /// The location: `podcast.scenario:31`, or the path of scripts.
        var location: String { report.line.map { "\(path):\($0)" } ?? path }
    }

    private(set) var blocks: [Block] = []
    var diagnostics: [Diagnostic] = []
    var code = ExitCode.success
    /// The findings in the baseline.
    var known: [Known] = []

    /// A finding in the baseline.
    struct Known {
        let key: String
        /// The code and the title.
        let text: String
        /// The path and the name of its block.
        let block: [String?]
    }

    /// Adds a search, and writes the files of its findings.
    mutating func add(
        _ search: FinishedSearch,
        explorer: Explorer,
        files: FindingFiles
    ) -> Block {
        let report = search.report
        let places = ScriptPlaces(explorer.bundle)
        var block = Block(source: explorer.file.source, report: report, places: places)
        for finding in report.findings {
            let isKnown = known.contains { $0.key == finding.key }
            var found = Found(finding: finding, isKnown: isKnown)
            switch files.write(finding, from: search.start) {
            case .written(let path), .known(let path): found.file = path
            case .none: break
            case .failed(let path, let reason):
                block.diagnostics.append(.unwritable(path, reason))
            }
            block.findings.append(found)
        }
        if block.findings.contains(where: { !$0.isKnown && !$0.finding.isWarning }) {
            code = max(code, .failed)
        } else if report.ending != .complete, report.ending != .interrupted {
            code = max(code, .inconclusive)
        }
        if report.ending == .complete {
            block.gone = known.filter { known in
                known.block == [block.path, report.name]
                    && !report.findings.contains { $0.key == known.key }
            }.map(\.text)
        }
        blocks.append(block)
        return block
    }

    /// Adds a search that did not begin, because the run was interrupted.
    mutating func add(skipped explorer: Explorer) -> Block {
        var report = ExplorationReport(name: explorer.exploration.name)
        (report.line, report.ending) = (explorer.exploration.line, .interrupted)
        let places = ScriptPlaces(explorer.bundle)
        blocks.append(Block(source: explorer.file.source, report: report, places: places))
        return blocks[blocks.count - 1]
    }

    /// The JSON document.
    var document: PrintedText {
        var json = JSONWriter()
        json.begin("{")
        json.member("schema", Self.schema)
        json.list("explorations", elements: blocks) { json, block in
            let report = block.report
            json.begin("{")
            json.member("name", report.name)
            json.member("path", block.path)
            json.member("line", report.line.map { .integer(Int64($0)) } ?? .nil)
            json.member("states", report.stateCount)
            json.member("steps", report.stepCount)
            json.member("depth", report.depth)
            json.member("ending", report.ending.rawValue)
            json.member("isExhausted", .boolean(report.isExhausted))
            json.list("findings", elements: block.findings) { json, found in
                let finding = found.finding
                json.begin("{")
                json.member("code", finding.code.description)
                json.member("severity", finding.isWarning ? "warning" : "error")
                json.member("title", finding.title)
                json.member("key", finding.key)
                json.list("steps", elements: finding.steps) { $0.write(.string(ByteString($1))) }
                json.list("details", elements: finding.details) {
                    $0.write(.string(ByteString($1)))
                }
                json.member("file", found.file.map { .string(ByteString($0)) } ?? .nil)
                json.member("isKnown", .boolean(found.isKnown))
                json.end("}")
            }
            json.list("gone", elements: block.gone) { $0.write(.string(ByteString($1))) }
            json.list("notReproduced", elements: report.notReproduced) {
                $0.write(.string(ByteString($1)))
            }
            json.list("notExplored", elements: report.notExplored) {
                $0.write(.string(ByteString($1)))
            }
            json.list("notEntered", elements: report.notEntered) {
                $0.write(.string(ByteString($1)))
            }
            json.list("notSeen", elements: report.notSeen) { $0.write(.string(ByteString($1))) }
            json.end("}")
        }
        json.list("diagnostics", elements: diagnostics) { $0.write($1) }
        json.member("exitCode", Int(code.rawValue))
        json.end("}")
        return json.document
    }
}
