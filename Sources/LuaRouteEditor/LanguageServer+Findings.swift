// SPDX-License-Identifier: MIT

internal import RouteCore
internal import ScenarioKit

/// Findings of `check` and of the last run, which are published without a request.
extension LanguageServer {
    /// Checks what has changed, runs the scenarios of open files, and publishes what was found.
    ///
    /// - Parameter isInterrupted: Whether the client sent something that is more urgent; the work is
    ///   then left for the next pause.
    package func update(isInterrupted: @escaping @Sendable () -> Bool) {
        guard hasNews else { return }
        for root in roots where root.isStale || !root.pathsToRun.isEmpty {
            if root.isStale {
                guard let findings = root.project.findings(isInterrupted: isInterrupted) else {
                    return
                }
                root.isStale = false
                publish(findings, root)
            }
            guard run(root, isInterrupted) else { return }
        }
    }

    /// Runs the scenarios of open files; returns whether all have run.
    private func run(_ root: Root, _ isInterrupted: @escaping @Sendable () -> Bool) -> Bool {
        let open = Set(documents.values.filter(\.isScenario).map(\.path))
        var hasRun = false
        for path in root.pathsToRun.sorted() {
            guard open.contains(path), root.project.isTrusted else {
                root.pathsToRun.remove(path)
                continue
            }
            // Typing is more urgent than a run that takes longer, unless the user has saved.
            let deadline = root.isSaved ? nil : ContinuousClock.now + .seconds(1)
            let run = root.project.run(path) {
                isInterrupted() || deadline.map { ContinuousClock.now > $0 } ?? false
            }
            if run == nil, isInterrupted() {
                if hasRun { publishRuns(root) }
                return false
            }
            root.pathsToRun.remove(path)
            root.runs[path] = run
            hasRun = true
        }
        root.isSaved = false
        if hasRun { publishRuns(root) }
        return true
    }

    private func publishRuns(_ root: Root) {
        if let findings = root.project.findings() { publish(findings, root) }
        refresh()
    }

    private func publish(_ findings: [String: [Diagnostic]], _ root: Root) {
        var findings = findings
        for run in root.runs.values {
            for diagnostic in run.diagnostics {
                guard let span = diagnostic.span else { continue }
                // A name that nothing has explains why a condition is not true.
                let isKnown = (findings[span.source.name] ?? []).contains { other in
                    other.span?.range.overlaps(span.range) == true
                }
                if !isKnown { findings[span.source.name, default: []].append(diagnostic) }
            }
        }
        let before = root.published
        root.published = findings
        for path in Set(findings.keys).union(before.keys).sorted() {
            guard root.project.contains(path) else { continue }
            publish(findings[path] ?? [], path: path, in: root)
        }
    }

    /// Removes all findings of a root from the client.
    func clear(_ root: Root) {
        for path in root.published.keys.sorted() { publish([], path: path, in: root) }
    }

    private func publish(_ diagnostics: [Diagnostic], path: String, in root: Root) {
        let lines = diagnostics.isEmpty ? TextLines([]) : lines(of: path, root) ?? TextLines([])
        var parameters: [(key: String, value: JSON)] = [
            ("uri", .string(uri(of: path))),
            ("diagnostics", .list(diagnostics.map { json($0, lines: lines, in: root) })),
        ]
        if let document = document(at: path) {
            parameters.append(("version", .integer(document.version)))
        }
        notify(client: "textDocument/publishDiagnostics", .object(parameters))
    }

    private func json(_ diagnostic: Diagnostic, lines: TextLines, in root: Root) -> JSON {
        let notes = (diagnostic.details + diagnostic.notes).map { "\n\($0.topic): \($0.text)" }
        let label = diagnostic.label.map { "\n\($0)" } ?? ""
        var members: [(key: String, value: JSON)] = [
            ("range", lines.range(diagnostic.span?.range ?? 0..<0, encoding)),
            ("severity", diagnostic.severity == .error ? 1 : 2),
            ("code", .string(diagnostic.code.description)),
            ("source", "luaroute"),
            ("message", .string(diagnostic.message + label + notes.joined())),
        ]
        let related = diagnostic.related.filter { root.project.contains($0.span.source.name) }
        if !related.isEmpty {
            members.append(
                (
                    "relatedInformation",
                    .list(related) {
                        [
                            "location": location($0.span.source.name, at: $0.span.range, in: root),
                            "message": .string($0.label ?? "see here"),
                        ]
                    }
                )
            )
        }
        return .object(members)
    }
}
