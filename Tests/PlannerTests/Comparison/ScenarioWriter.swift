// SPDX-License-Identifier: MIT

/// A writer of a case as a script and a scenario file, with the expectations of the naive planner.
enum ScenarioWriter {
    static func text(_ finding: Batch.Finding) -> String {
        let name = "planner-\(finding.test.seed)"
        return """
            \(finding.mismatch.kind.rawValue) differs (seed \(finding.test.seed))
              naive   \(finding.mismatch.naive)
              engine  \(finding.mismatch.engine)

            --- \(name).lua
            \(LuaWriter.script(finding.test.world))
            --- \(name).scenario
            \(scenario(finding.test, script: "\(name).lua"))
            """
    }

    static func scenario(_ test: PlannerCase, script: String) -> String {
        var lines = ["use \(script)"]
        for (index, course) in test.courses.enumerated() {
            lines += ["", "scenario \"Seed \(test.seed), \(index + 1)\""]
            var naive = NaiveRun(course, test.world)
            lines.append("  given \(naive.text)")
            for deed in course.deeds where naive.canPerform(deed) {
                let outcome = naive.outcome(of: deed)
                lines += step(deed, outcome, from: naive.tree, test.world).map { "  \($0)" }
                naive.advance(to: outcome.tree)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func step(
        _ deed: Deed,
        _ outcome: NaiveOutcome,
        from tree: NaiveScreen,
        _ world: World
    ) -> [String] {
        var lines: [String] = []
        switch deed {
        case .navigate(let navigating):
            var line = "navigate \(navigating.target)\(navigating.info.written)"
            if let via = navigating.via { line += " via \(via.word)" }
            switch navigating.from {
            case .topmost(let name): line += " from \(name)\(hint(name, tree))"
            case .gone: line += "  # from a screen that is gone"
            case nil: break
            }
            lines.append(line)
            switch outcome.end {
            case "done", "stayed": lines.append("check \(outcome.end)")
            default: lines.append("check error \(outcome.end)")
            }
        case .back(let count): lines.append(count == 1 ? "back" : "back \(count)")
        case .popTo(let name): lines.append("pop to \(name)\(hint(name, tree))")
        case .popToRoot: lines.append("pop to root")
        case .dismiss: lines.append("dismiss")
        case .dismissAll: lines.append("dismiss all")
        case .close(let name): lines.append("close \(name)\(hint(name, tree))")
        case .select(let name): lines.append("select \(name)\(hint(name, tree))")
        }
        let operations = NaiveOperation.operations(from: tree, to: outcome.tree)
        let names = tree.names.merging(outcome.tree.names) { first, _ in first }
        lines.append("check tree \(outcome.tree.notation(world))")
        lines.append("check ops \(operations.text(names))")
        return lines
    }

    /// Returns a comment that identifies the screen if the runner might use another one.
    private static func hint(_ name: String, _ tree: NaiveScreen) -> String {
        let all = tree.all.filter { $0.name == name }.map(\.serial)
        guard all.count > 1, let meant = tree.topmost(of: name)?.serial,
            let place = all.firstIndex(of: meant)
        else { return "" }
        return "  # number \(place + 1) of \(all.count) in the text"
    }
}
