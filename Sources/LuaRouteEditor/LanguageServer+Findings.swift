// SPDX-License-Identifier: MIT

internal import RouteCore
internal import ScenarioKit

/// The findings of `check` and of the last run, which the server publishes without a request.
extension LanguageServer {
    /// Checks changed files, runs the scenarios of open files, and publishes the findings.
    ///
    /// - Parameter isInterrupted: A closure that returns whether the client has sent a message. If
    ///   so, the work is postponed until the client pauses again.
    package func update(isInterrupted: @escaping @Sendable () -> Bool) {
        guard hasNews else { return }
        for root in roots where root.isStale {
            guard publish(root, isInterrupted) else { return }
            (root.isStale, root.isSaved) = (false, false)
        }
    }

    /// Publishes the changed findings of a root.
    ///
    /// If the scenarios of a file run again, the findings of that file are published after the run.
    ///
    /// - Returns: Whether the work was completed, without an interruption.
    private func publish(_ root: Root, _ isInterrupted: @escaping @Sendable () -> Bool) -> Bool {
        let project = root.project
        guard let findings = project.findings(isInterrupted: isInterrupted) else { return false }
        let open = Set(documents.values.filter(\.isScenario).map(\.path))
        let paths = open.filter {
            project.contains($0) && project.needsRun($0, isPatient: root.isSaved)
        }
        publish(findings, root, without: paths)
        guard !paths.isEmpty else { return true }
        for path in paths.sorted() {
            // Unless the user has saved a file, a run may take only a second, so that it does not
            // delay typing.
            let deadline = root.isSaved ? nil : ContinuousClock.now + .seconds(1)
            guard project.run(path, until: deadline, isInterrupted: isInterrupted) else {
                return false
            }
        }
        publish(findings, root)
        refresh()
        return true
    }

    private func publish(
        _ findings: [String: [Diagnostic]],
        _ root: Root,
        without running: Set<String> = []
    ) {
        var findings = findings
        for document in documents.values {
            for diagnostic in root.project.lastRun(of: document.path)?.diagnostics ?? [] {
                guard let span = diagnostic.span else { continue }
                // If a check reports a name in a condition, that finding explains why the condition
                // is false. So the failure is not reported as well.
                let isKnown = (findings[span.source.name] ?? []).contains { other in
                    other.span?.range.overlaps(span.range) == true
                }
                if !isKnown { findings[span.source.name, default: []].append(diagnostic) }
            }
        }
        for path in Set(findings.keys).union(root.published.keys).sorted() {
            guard !running.contains(path), root.project.contains(path) else { continue }
            publish(findings[path] ?? [], path: path, in: root)
        }
    }

    /// Clears all findings of a root in the client.
    func clear(_ root: Root) {
        for path in root.published.keys.sorted() { publish([], path: path, in: root) }
    }

    private func publish(_ findings: [Diagnostic], path: String, in root: Root) {
        let lines = findings.isEmpty ? TextLines([]) : lines(of: path, root) ?? TextLines([])
        let list = JSON.list(findings) { json($0, lines: lines, in: root) }
        let text = list.text
        defer { root.published[path] = findings.isEmpty ? nil : (findings, text) }
        guard text != root.published[path]?.text ?? "[]" else { return }
        let version = document(at: path).map { JSON.integer($0.version) }
        notify(
            client: "textDocument/publishDiagnostics",
            ["uri": .string(uri(of: path)), "diagnostics": list, "version": version]
        )
    }

    private func json(_ diagnostic: Diagnostic, lines: TextLines, in root: Root) -> JSON {
        let notes = (diagnostic.details + diagnostic.notes).map { "\n\($0.topic): \($0.text)" }
        let label = diagnostic.label.map { "\n\($0)" } ?? ""
        let related = diagnostic.related.filter { root.project.contains($0.span.source.name) }
        let places = JSON.list(related) {
            [
                "location": location($0.span.source.name, at: $0.span.range, in: root),
                "message": .string($0.label ?? "related location"),
            ]
        }
        return [
            "range": lines.range(diagnostic.span?.range ?? 0..<0, encoding),
            "severity": diagnostic.severity == .error ? 1 : 2,
            "code": .string(diagnostic.code.description), "source": "luaroute",
            "message": .string(diagnostic.message + label + notes.joined()),
            "relatedInformation": related.isEmpty ? nil : places,
        ]
    }
}
