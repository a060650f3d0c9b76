// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The edits that replace expectations with the actual values of a run, by file, and the
/// expectations that cannot be replaced.
struct ExpectationUpdates {
    private struct Key: Hashable {
        let path: String
        let range: Range<Int>
    }

    /// The edits of each file, in the order of the run.
    private(set) var files: [SourceEdits] = []
    /// The expectations that cannot be replaced, because several scenarios, rows or macro calls
    /// gave different actual values.
    private(set) var conflicts: [Span] = []
    /// The conditions of each of the ``files`` that expect no error, but whose replacements expect
    /// one.
    private(set) var newErrors: [[Span]] = []

    /// Creates the edits.
    ///
    /// - Parameters:
    ///   - report: The results of all scenarios in the files, because scenarios that are not
    ///     selected may run the same steps.
    ///   - isSelected: Returns whether the expectations of a scenario may be rewritten.
    init(_ report: RunReport, where isSelected: (ScenarioReport) -> Bool) {
        var answers: [Key: ExpectationAnswer] = [:]
        var order: [Key] = []
        var differing: Set<Key> = []
        // Expectations that fail because of a known issue are not replaced.
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
        var errors: [String: [Span]] = [:]
        var edits: [String: [(range: Range<Int>, text: String)]] = [:]
        for key in order where !differing.contains(key) {
            guard let answer = answers[key], let text = answer.text else { continue }
            if answer.hasNewError { errors[key.path, default: []].append(answer.span) }
            if edits[key.path] == nil { paths.append(key.path) }
            edits[key.path, default: []].append((key.range, text))
        }
        for path in paths {
            guard let source = order.first(where: { $0.path == path }).flatMap({ answers[$0] })
            else { continue }
            files.append(SourceEdits(source.span.source, edits[path] ?? []))
            newErrors.append(errors[path] ?? [])
        }
    }
}

extension RunCommand {
    /// Replaces failed expectations and `?` with the actual values.
    ///
    /// Runs the scenarios, which continue after failed expectations. A condition that the step
    /// contains literally is rewritten in the step. If the condition is a single parameter, the
    /// table cell is rewritten instead. Each file is rewritten completely or not at all. The
    /// changes are printed as a diff.
    ///
    /// - Parameter console: The output, to which the diffs of the written files are printed.
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
        // After an interruption, the actual values are incomplete.
        guard interruption() == nil else { return .success }
        let updates = ExpectationUpdates(report) { selected.contains($0.location) }
        var code = ExitCode.success
        var newErrors: [Span] = []
        for span in updates.conflicts { console.write(.differingAnswers(span)) }
        for (file, errors) in zip(updates.files, updates.newErrors) {
            if let reason = saved(file) {
                console.write(.unwritable(file.source.name, reason))
                code = .outputFailed
            } else {
                console.output(file.diff)
                let count = file.count == 1 ? "1 expectation" : "\(file.count) expectations"
                console.errors("\(path: file.source.name): \(count) written\n")
                newErrors += errors
            }
        }
        if !newErrors.isEmpty { console.write(.newErrors(newErrors)) }
        return code

        func saved(_ edits: SourceEdits) -> String? {
            let path = edits.source.name
            let bytes = try? SourceFiles.read(path, limit: ScenarioFile.sizeLimit)
            guard let bytes, SourceText(name: path, content: bytes).bytes == edits.source.bytes
            else { return "the file changed during the run" }
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
            label: "the actual values differ between scenarios, rows or calls"
        )
    }

    /// The warning about conditions that expected no error and were replaced by errors.
    fileprivate static func newErrors(_ spans: [Span]) -> Diagnostic {
        let others = spans.dropFirst().map { "\($0.source.name):\($0.line)" }
        var diagnostic = Diagnostic(
            .expectationFailed,
            "the update expects an error instead of a success in \(spans.count.counted("condition"))",
            severity: .warning,
            at: spans[0],
            label: "the request failed",
            help: "if the error is a bug, fix the scripts and run '--update' again"
        )
        if !others.isEmpty {
            diagnostic.notes.insert(
                Diagnostic.Note("also", "at " + others.listed(limit: 10)),
                at: 0
            )
        }
        return diagnostic
    }
}
