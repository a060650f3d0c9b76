// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The answers of a run, by file: the edits to make, and the edits that cannot be made.
struct ExpectationUpdates {
    private struct Key: Hashable {
        let path: String
        let range: Range<Int>
    }

    /// The edits, a value for each file, in the order of the run.
    private(set) var files: [SourceEdits] = []
    /// The expectations of which scenarios, rows or calls have different answers.
    private(set) var conflicts: [Span] = []

    /// Creates the edits.
    ///
    /// - Parameters:
    ///   - report: The results of all scenarios of the files: scenarios that were not selected may
    ///     run the same steps.
    ///   - isSelected: Whether a scenario may have its expectations rewritten.
    init(_ report: RunReport, where isSelected: (ScenarioReport) -> Bool) {
        var answers: [Key: ExpectationAnswer] = [:]
        var order: [Key] = []
        var differing: Set<Key> = []
        // The failures of a known issue stay.
        let scenarios = report.files.flatMap(\.scenarios).filter { $0.issue == nil }
        func key(of answer: ExpectationAnswer) -> Key {
            let name = answer.span.source.name
            return Key(path: SourceFiles.resolved(name) ?? name, range: answer.span.range)
        }
        let asked = Set(
            scenarios.filter(isSelected).flatMap(\.answers).filter { $0.text != nil }.map(key)
        )
        for answer in scenarios.flatMap(\.answers) {
            let key = key(of: answer)
            guard asked.contains(key) else { continue }
            if let other = answers[key] {
                if other.text != answer.text { differing.insert(key) }
            } else {
                answers[key] = answer
                order.append(key)
            }
        }
        conflicts = order.filter(differing.contains).compactMap { answers[$0]?.span }
        var paths: [String] = []
        var edits: [String: [(range: Range<Int>, text: String)]] = [:]
        for key in order where !differing.contains(key) {
            guard let text = answers[key]?.text else { continue }
            if edits[key.path] == nil { paths.append(key.path) }
            edits[key.path, default: []].append((key.range, text))
        }
        for path in paths {
            guard let source = order.first(where: { $0.path == path }).flatMap({ answers[$0] })
            else { continue }
            files.append(SourceEdits(source.span.source, edits[path] ?? []))
        }
    }
}

extension RunCommand {
    /// Replaces the expectations that are not met, and `?`, with the actual values.
    ///
    /// Runs the scenarios, which continue after such expectations. Rewrites conditions that are
    /// written out in the step, and cells that are the only parameter of a condition. Each file is
    /// rewritten completely or not at all. Prints the changes as a diff.
    ///
    /// - Parameter console: The output; the results are the diffs of the written files.
    /// - Returns: `outputFailed` if a file cannot be written, otherwise `success`.
    package func update(_ console: Console) -> ExitCode {
        var command = self
        command.options.updates = true
        command.options.detail = .failures
        command.stopsAtFailure = false
        command.failures = nil
        // All scenarios of the files run, because they may share steps with the selected ones.
        command.filter = ScenarioFilter()
        command.runsOnlyFailed = false
        command.paths = paths.map(Selection.file)
        let selected = Set(
            RunPlan(paths, filter: filter, options: interruptibleOptions).scenarios.map {
                "\($0.path):\($0.1.address)"
            }
        )
        let report = command.run(.silent)
        // After an interruption the answers are incomplete.
        guard interruption() == nil else { return .success }
        let updates = ExpectationUpdates(report) { selected.contains($0.location) }
        var code = ExitCode.success
        for span in updates.conflicts { console.write(.differingAnswers(span)) }
        for file in updates.files {
            if let reason = saved(file) {
                console.write(.unwritable(file.source.name, reason))
                code = .outputFailed
            } else {
                console.output(file.diff)
                let count = file.count == 1 ? "1 expectation" : "\(file.count) expectations"
                console.errors("\(path: file.source.name): \(count) written\n")
            }
        }
        return code

        func saved(_ edits: SourceEdits) -> String? {
            let path = edits.source.name
            let bytes = try? SourceFiles.read(path, limit: ScenarioFile.sizeLimit)
            guard let bytes, SourceText(name: path, content: bytes).bytes == edits.source.bytes
            else { return "it has changed during the run" }
            return console.save(edits.content, path)
        }
    }
}

extension Diagnostic {
    fileprivate static func differingAnswers(_ span: Span) -> Diagnostic {
        Diagnostic(
            .expectationFailed,
            "an expectation was not rewritten",
            severity: .warning,
            at: span,
            label: "other values in other scenarios, rows or calls"
        )
    }
}
