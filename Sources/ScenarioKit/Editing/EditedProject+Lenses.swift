// SPDX-License-Identifier: MIT

package import LuaRouting
internal import RouteCore

/// Functions that perform `run`, `run --trace`, `run --update`, `explore`, `explain` and `check
/// --fix` for a part of a file, using the unsaved texts.
extension EditedProject {
    /// A replacement of bytes in a file.
    package typealias Edit = (path: String, range: Range<Int>, text: String)

    /// Returns the results of the scenarios at a line, as printed by `luaroute run`, with the
    /// events of each step if tracing is requested; nil if the scenarios did not finish.
    package func results(
        of path: String,
        line: Int,
        isTraced: Bool,
        isInterrupted: @escaping @Sendable () -> Bool
    ) -> String? {
        let reports = reports(of: path, line: line, isInterrupted: isInterrupted) {
            if isTraced { $0.detail = .trace }
        }
        return reports?.map { report in
            ConsoleReport().text(of: report, isShort: false, after: nil).text
        }.joined()
    }

    /// Returns the edits that `luaroute run --update` makes for the scenarios at a line; nil if the
    /// scenarios of the file did not finish.
    ///
    /// All scenarios of the file run, because they may share steps.
    package func updates(
        of path: String,
        line: Int,
        isInterrupted: @escaping @Sendable () -> Bool
    ) -> [Edit]? {
        guard let file = scenarios(at: path),
            let reports = reports(of: path, isInterrupted: isInterrupted, { $0.updates = true })
        else { return nil }
        let selected = Set(
            file.scenarios.filter { $0.isSelected(byLine: line, record: nil) }.map {
                "\(file.source.name):\($0.address)"
            }
        )
        var all = FileReport(path: path)
        all.scenarios = reports
        var report = RunReport()
        report.files = [all]
        let updates = ExpectationUpdates(report) { selected.contains($0.location) }
        return updates.files.flatMap { file in
            file.edits.map { (file.source.name, $0.range, $0.text) }
        }
    }

    /// Runs all scenarios of the project, and returns the parts of scripts that the scenarios
    /// reached; nil if the run was interrupted.
    ///
    /// `onProgress` is called with the number of each file, starting at 1, before the scenarios of
    /// the file run.
    package func coverage(
        isInterrupted: @escaping @Sendable () -> Bool,
        onProgress: (Int) -> Void
    ) -> Coverage? {
        var coverage = Coverage()
        for (index, path) in scenarioPaths.enumerated() {
            onProgress(index + 1)
            let reports = reports(of: path, isInterrupted: isInterrupted) {
                $0.measuresCoverage = true
            }
            if isInterrupted() { return nil }
            for report in reports ?? [] {
                if let reached = report.coverage { coverage.add(reached) }
            }
        }
        return coverage
    }

    /// Runs the search of the `explore` block at a line, and returns the output of
    /// `luaroute explore`.
    ///
    /// `save` saves the scenario of a finding, and returns the reason if saving fails.
    package func search(
        _ path: String,
        line: Int,
        isInterrupted: @escaping @Sendable () -> Bool,
        onProgress: @escaping @Sendable (String) -> Void,
        save: @escaping (_ text: String, _ path: String) -> String?
    ) -> String {
        var command = ExploreCommand(paths: ["\(path):\(line)"], options: options)
        command.folder = "\(root)/explore"
        command.interruption = { isInterrupted() ? .interrupted : nil }
        command.onProgress = onProgress
        return Self.text { console in
            var console = console
            console.save = save
            _ = command.run(console)
        }
    }

    /// Returns the output of `luaroute explain` for a route or a task that a file registers; nil if
    /// no loaded scripts register the target in that file.
    ///
    /// The parameters are taken from the first example of the route or task.
    package func explanation(of target: Target, in path: String) -> String? {
        guard let (script, _, route) = registration(of: target, in: path) else { return nil }
        var text = target.description
        if let example = route.examples.first {
            text += NotationPrinter().fields(example) ?? ""
        }
        let command = ExplainCommand(script: script, targets: [text], options: options)
        return Self.text { _ = command.run(input: { nil }, $0) }
    }

    /// Returns the edit that `luaroute check --fix` makes in a file; nil if the file is not the
    /// entry of any scripts, or if there is nothing to fix.
    package func levelFix(in path: String) -> Edit? {
        for router in routers where !router.namesLevel {
            if let edit = router.levelEdit, SourceFiles.resolved(edit.path) == path {
                return (path, edit.offset..<edit.offset, edit.text)
            }
        }
        return nil
    }

    private static func text(_ run: (Console) -> Void) -> String {
        var text = ""
        run(Console { text += $0 })
        return text
    }
}

extension Coverage {
    /// Returns the number of scenarios that reached a route or a task registered by a file; nil if
    /// no scenario loaded the file.
    package func count(of target: Target, in path: String) -> Int? {
        parts.first { part in
            (part.kind == .route || part.kind == .task) && part.name == target.description
                && part.source.map { SourceFiles.resolved($0.file) == path } ?? false
        }?.count
    }
}
