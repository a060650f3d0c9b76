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
        var findings: [Found] = []
        var diagnostics: [Diagnostic] = []

        /// The path of the scenario file, or of the scripts.
        var path: String { source.name }
        /// The findings that the baseline does not contain, at the line of the block.
        var diagnosed: [Diagnostic] {
            findings.filter { !$0.isKnown }.map { found in
                let finding = found.finding
                var diagnostic = Diagnostic(
                    finding.code,
                    finding.title,
                    severity: finding.isWarning ? .warning : .error,
                    at: Span(source, report.line.map(source.line) ?? 0..<0)
                )
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
    /// The keys of the findings in the baseline.
    var known: Set<String> = []

    /// Adds a search, and writes the files of its findings.
    mutating func add(
        _ search: FinishedSearch,
        explorer: Explorer,
        files: FindingFiles
    ) -> Block {
        let report = search.report
        var block = Block(source: explorer.file.source, report: report)
        for finding in report.findings {
            var found = Found(finding: finding, isKnown: known.contains(finding.key))
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
        blocks.append(block)
        return block
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
