// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The command `luaroute explore`: searches the states of apps, and writes the findings.
///
/// This type does everything except parsing the command line and ending the process, so that tests
/// can run it in their own process.
package struct ExploreCommand: Sendable {
    /// The output formats.
    package enum Format: Sendable {
        /// Human-readable text.
        case text
        /// A single JSON document.
        case json
    }

    /// Scenario files, `file:line`, scripts, and folders.
    package var paths: [String]
    /// The filter for the `explore` blocks in the paths.
    ///
    /// Scripts without a block are filtered by their path, and have no tags.
    package var filter = ScenarioFilter()
    /// The options for running scripts.
    package var options: RunOptions
    /// The maximum number of steps from the start; `nil` for the bound of each block.
    package var depth: Int?
    /// The maximum number of states; `nil` for the bound of each block.
    package var states: Int?
    /// The maximum duration of each search; `nil` for the bound of each block.
    package var time: Duration?
    /// The number of parallel jobs.
    package var jobs = 1
    /// The folder to which the scenarios of findings are written.
    package var folder = "explore"
    /// The path of the file for the graph of states, grouped by visible screen; `nil` to write no
    /// graph.
    package var graph: String?
    /// The path of the JSON document of an earlier run; `nil` if there is none.
    ///
    /// Findings in the document do not make this run fail.
    package var baseline: String?
    /// Whether to name, instead of count, the parts of scripts that a block with `can` lines did
    /// not reach.
    package var namesAll = false
    /// Whether a search without `can` lines is inconclusive if it skipped a route.
    package var requiresExamples = false
    /// The output format.
    package var format = Format.text
    /// Returns the exit code of an interrupted run; `nil` if the run was not interrupted.
    package var interruption: @Sendable () -> ExitCode? = { nil }
    /// Called periodically with the progress of a search.
    package var onProgress: @Sendable (_ line: String) -> Void = { _ in }
    /// The reports to write, and whether each finding is printed on one line.
    package var findings = FindingOutput()

    /// Creates a command.
    package init(paths: [String] = [], options: RunOptions = RunOptions()) {
        (self.paths, self.options) = (paths, options)
    }

    /// Parses a duration as written in scenario files: `120s`, `2m`.
    package static func time(_ text: String) throws(UsageError) -> Duration {
        let bytes = Array(text.utf8)
        var parser = StepParser(bytes, at: bytes.indices, names: NameScope())
        do throws(SyntaxError) {
            let seconds = try parser.duration()
            try parser.checkEnd(of: "DURATION")
            guard seconds > 0 else {
                throw .expected("a time greater than 0", got: text, bytes.indices)
            }
            return .seconds(seconds)
        } catch {
            throw UsageError(error)
        }
    }

    /// Runs the searches in the order of the paths and of the files.
    ///
    /// - Parameter console: The output. Its `save` closure also creates missing folders.
    /// - Returns: The exit code.
    package func run(_ console: Console) -> ExitCode {
        let console = console.short(findings.isShort)
        var options = options
        options.isInterrupted = { [interruption] in interruption() != nil }
        var results = ExploreResults()
        func note(_ diagnostics: [Diagnostic], _ code: ExitCode) {
            for diagnostic in diagnostics { console.writeFinding(diagnostic) }
            results.diagnostics += diagnostics
            results.code = max(results.code, code)
        }
        do throws(LoadedScripts.Failure) {
            try options.readHostFiles()
            results.known = try knownFindings()
        } catch {
            note(error.diagnostics, error.code)
            return end(results, console)
        }
        let plan = ExplorePlan(paths.isEmpty ? ["."] : paths, options: options, filter: filter)
        note(plan.diagnostics, plan.code)
        var printed = PrintedErrors()
        let files = FindingFiles(folder: folder, save: console.save)
        let writer = ExploreWriter(
            style: console.style,
            namesAll: namesAll
        )
        for (number, explorer) in plan.explorers.enumerated() {
            guard interruption() == nil else {
                let block = results.add(skipped: explorer)
                if format == .text, !findings.isShort { console.output(writer.text(of: block)) }
                continue
            }
            do throws(LoadedScripts.Failure) {
                let search = try configured(explorer).search()
                let block = results.add(search, explorer: explorer, files: files)
                note(block.diagnostics, block.diagnostics.isEmpty ? .success : .outputFailed)
                if format == .text, !findings.isShort {
                    console.output(writer.text(of: block))
                } else if format == .text {
                    for finding in block.diagnosed { console.writeFinding(finding) }
                }
                if let graph = graph.map({ Self.path($0, number: number + 1) }) {
                    let text = StateGraph(search.graph).text(for: graph)
                    if let reason = console.save(text, graph) {
                        note([.unwritable(graph, reason)], .outputFailed)
                    }
                }
            } catch {
                // After an interruption, the scripts are cancelled and do not load.
                guard interruption() == nil else { continue }
                let count = plan.useCount(of: explorer.bundle)
                note(printed.new(among: error.diagnostics, usedBy: count), error.code)
            }
        }
        if let code = interruption() { results.code = max(results.code, code) }
        return end(results, console)
    }

    /// Returns the path for the graph of a search: `states.dot` for the first, then `states-2.dot`.
    private static func path(_ path: String, number: Int) -> String {
        guard number > 1 else { return path }
        let name = path.lastSlash.map { path.utf8.index(after: $0) } ?? path.startIndex
        guard let dot = path[name...].lastIndex(of: "."), dot > name else {
            return "\(path)-\(number)"
        }
        return "\(path[..<dot])-\(number)\(path[dot...])"
    }

    private func end(_ results: ExploreResults, _ console: Console) -> ExitCode {
        if format == .json { console.output(results.text) }
        let all = results.diagnostics + results.blocks.flatMap(\.diagnosed)
        return findings.write(all, at: paths.first, code: results.code, to: console)
    }

    private func configured(_ explorer: Explorer) -> Explorer {
        var explorer = explorer
        (explorer.depth, explorer.states, explorer.time) = (depth, states, time)
        (explorer.jobs, explorer.seed) = (jobs, options.seed ?? 0)
        explorer.requiresExamples = requiresExamples
        explorer.options.isInterrupted = { [interruption] in interruption() != nil }
        let start = ContinuousClock.now
        explorer.onProgress = { [onProgress] progress in
            onProgress(progress.line(after: .now - start))
        }
        return explorer
    }

    /// The findings in the baseline.
    private func knownFindings() throws(LoadedScripts.Failure) -> [ExploreResults.Known] {
        guard let baseline else { return [] }
        let bytes: [UInt8]
        do throws(BundleError) {
            bytes = try SourceFiles.read(baseline, limit: 1 << 26)
        } catch {
            let diagnostic = Diagnostic(.inputUnreadable, Paths.message(of: error))
            throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .inputMissing)
        }
        guard let table = try? JSONDocument.object(bytes, depth: 64),
            table["schema"].text == ExploreResults.document.schema
        else {
            let diagnostic = Diagnostic(
                .inputUnreadable,
                "'\(baseline)' is not the output of 'luaroute explore --json'"
            )
            throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .inputMissing)
        }
        var known: [ExploreResults.Known] = []
        for case .table(let block) in table["explorations"].listed {
            for case .table(let finding) in block["findings"].listed {
                guard let key = finding["key"].text else { continue }
                let text = "\(finding["code"].text ?? "") \(finding["title"].text ?? "")"
                let names = [block["path"].text, block["name"].text]
                known.append(ExploreResults.Known(key: key, text: text, block: names))
            }
        }
        return known
    }
}

extension Value {
    /// The elements of the value if it is a list; empty for any other value.
    fileprivate var listed: [Value] { if case .table(let table) = self { table.list } else { [] } }
}
