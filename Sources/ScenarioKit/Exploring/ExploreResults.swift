// SPDX-License-Identifier: MIT

internal import RouteCore

/// The results of the searches of one run.
struct ExploreResults {
    /// A finding and its file.
    struct Found {
        let finding: ExplorationFinding
        /// The file with the scenario of the finding; `nil` if there is none.
        var file: String?
        /// Whether the baseline contains the finding.
        let isKnown: Bool
    }

    /// The results of one search.
    struct Block {
        let source: SourceText
        let report: ExplorationReport
        /// The lookup of source locations in the scripts.
        let places: ScriptPlaces
        var findings: [Found] = []
        /// Descriptions of the findings in the baseline that a complete search did not find again.
        var gone: [String] = []
        var diagnostics: [Diagnostic] = []

        /// The path of the scenario file, or of the scripts.
        var path: String { source.name }
        /// The findings that the baseline does not contain.
        ///
        /// Each finding is reported at its line in the scripts, or at the line of the block if the
        /// finding has no line.
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
        /// The location as written on the command line: `podcast.scenario:31`, or the path of the
        /// scripts.
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
        /// The code and the title of the finding.
        let text: String
        /// The path and the name of the block that was searched.
        let block: [String?]
    }

    /// Adds the results of a search, and writes the files of its findings.
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

    /// Adds a search that did not begin because the run was interrupted.
    mutating func add(skipped explorer: Explorer) -> Block {
        var report = ExplorationReport(name: explorer.exploration.name)
        (report.line, report.ending) = (explorer.exploration.line, .interrupted)
        let places = ScriptPlaces(explorer.bundle)
        blocks.append(Block(source: explorer.file.source, report: report, places: places))
        return blocks[blocks.count - 1]
    }

    /// The results as a JSON document.
    var text: PrintedText {
        Self.document.text(of: CommandResult(blocks, diagnostics: diagnostics, code: code))
    }

    static let document = DocumentFields<CommandResult<[Block]>>.result("explore") {
        DocumentField("explorations", \.self, help: "The results of the searches.")
    }
}

extension ExploreResults.Block: DocumentRecord {
    static let document = DocumentFields<Self>("exploration") {
        Field("name", \.report.name, help: "The name of the block, or of the scripts.")
        Field("path", \.path, help: "The path of the scenario file, or of the scripts.")
        Field("line", \.report.line, help: "The line of the block; null if there is no block.")
        Field("states", \.report.stateCount, help: "The number of states.")
        Field("steps", \.report.stepCount, help: "The number of steps.")
        Field("depth", \.report.depth, help: "The number of steps to the furthest state.")
        Field(
            "ending",
            \.report.ending.rawValue,
            help: "The reason why the search ended, such as 'complete'."
        )
        Field("isExhausted", \.report.isExhausted, help: "Whether all states were visited.")
        Field("findings", \.findings, help: "The findings.")
        Field(
            "gone",
            \.gone,
            help: "The findings of the baseline that a complete search did not find again."
        )
        Field(
            "notReproduced",
            \.report.notReproduced,
            help: "The defects that did not occur again when their steps were repeated."
        )
        Field(
            "notExplored",
            \.report.notExplored,
            help: "The routes and steps that could not be tried, each with the reason."
        )
        Field(
            "notEntered",
            \.report.notEntered,
            help: "The routes, interceptors, cases and fallbacks that no step reached."
        )
        Field(
            "notSeen",
            \.report.notSeen,
            help: "The objects that scripts can reach, but whose contents are not compared."
        )
    }
}

extension ExploreResults.Found: DocumentRecord {
    static let document = DocumentFields<Self>("finding") {
        Field("code", \.finding.code.description, help: "The code of the finding.")
        Field(
            "severity",
            { $0.finding.isWarning ? Diagnostic.Severity.warning : .error },
            help: "The severity of the finding: 'error' or 'warning'."
        )
        Field("title", \.finding.title, help: "The finding, in one sentence.")
        Field("key", \.finding.key, help: "The key by which a baseline identifies the finding.")
        Field("steps", \.finding.steps, help: "The shortest steps that lead to the finding.")
        Field("details", \.finding.details, help: "Additional lines about the finding.")
        Field("file", \.file, help: "The path of the scenario that reproduces the finding.")
        Field("isKnown", \.isKnown, help: "Whether the baseline contains the finding.")
    }
}
