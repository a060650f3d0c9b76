// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A type that reproduces a finding in new sessions, and writes the scenario that shows the
/// finding.
///
/// The session records which requests fail before the last step. Each of these requests needs a
/// check, because an unchecked failure would make the scenario fail too early.
struct FindingScenario {
    let start: ReplayedApp.Start
    let expander: Expander

    /// The line that identifies the finding in a file.
    static func mark(of finding: ExplorationFinding) -> String {
        "# finding: " + Terminal.escaped(finding.key)
    }

    /// Returns the finding with a scenario that fails because of the finding; `nil` if the finding
    /// does not occur again.
    ///
    /// The finding has no scenario if none can show the defect.
    func confirmed(
        _ finding: ExplorationFinding
    ) throws(LoadedScripts.Failure) -> ExplorationFinding? {
        let app = try ReplayedApp(start)
        var lines = Lines(app.session)
        for (number, step) in finding.path.enumerated() {
            lines.begin(step.text)
            guard app.take(step) != nil else { return nil }
            let isLast = number == finding.path.count - 1
            lines.noteFailures(except: isLast ? finding.expectation?.failure?.code : nil)
        }
        guard let steps = steps(of: finding, in: app, &lines) else {
            switch finding.expectation {
            case .notPending(let work) where !app.session.waitingWork.contains(work): return nil
            case nil where finding.sides != nil: return try isDouble(finding) ? finding : nil
            default: return finding
            }
        }
        guard try fails(steps, finding) else { return nil }
        var finding = finding
        finding.scenario = steps
        return finding
    }

    /// Returns the steps of the scenario; `nil` if no scenario can show the finding.
    private func steps(
        of finding: ExplorationFinding,
        in app: ReplayedApp,
        _ lines: inout Lines
    ) -> [String]? {
        switch finding.expectation {
        case nil: return nil
        case .condition(let condition):
            return lines.text + finding.epilogue + ["expect \(condition)"]
        case .wayOut(let text, let condition):
            let words = lines.text + finding.epilogue + [text]
            for text in finding.epilogue + [text] {
                guard let step = OfferedSteps.step(text) else { return nil }
                let effects = app.take(ExploredStep(step))
                // The user cannot perform this step now.
                guard effects?.failures.contains(where: \.isOfStep) == false else { return words }
            }
            return words + ["expect \(condition)"]
        case .noFailure(let failure) where failure.isOfStep: return lines.text
        case .noFailure(let failure):
            if let name = lines.named(lines.failing) {
                return lines.text + ["expect \(name) done"]
            }
            let text = NotationPrinter().value(.string(ByteString(failure.message)))
            let condition = failure.isLogged ? "log error \(text)" : "trace failed"
            return lines.text + ["expect not \(condition)"]
        case .notPending:
            guard let request = lines.pending, let name = lines.named(request.index) else {
                return nil
            }
            return lines.text + ["expect \(name) not pending \(request.name)"]
        }
    }

    /// Returns whether a scenario with the given steps fails at the last step.
    private func fails(
        _ steps: [String],
        _ finding: ExplorationFinding
    ) throws(LoadedScripts.Failure) -> Bool {
        let source = SourceText(
            name: start.file.source.name,
            content: Array(Self.text(of: finding, steps, from: start, use: ".").utf8)
        )
        let root = FileRoot(of: source.name, base: nil)
        guard case .success(let file) = ScenarioParser.parse(source, in: root) else { return false }
        var options = start.options
        // The findings of an interrupted search are still reported.
        options.isInterrupted = { false }
        let runner = ScenarioRunner(file, options, scripts: start.scripts)
        guard let report = try runner.run(0), report.failures.count == 1,
            let failed = report.failures[0].span, let last = file.scenarios[0].steps.last
        else { return false }
        return failed.line >= Span(source, last.range).line
    }

    /// Returns whether the effects of steps also differ after new sessions have replayed the two
    /// paths of a finding.
    private func isDouble(_ finding: ExplorationFinding) throws(LoadedScripts.Failure) -> Bool {
        guard let sides = finding.sides else { return false }
        return Expander.difference(
            try expansion(after: sides.first),
            try expansion(after: sides.second)
        ) != nil
    }

    private func expansion(
        after path: [ExploredStep]
    ) throws(LoadedScripts.Failure) -> [(step: String, state: StateFingerprint)] {
        let mark = path.reduce(nil as ReplayedPath?) { ReplayedPath($1, after: $0) }
        let app = try ReplayedApp(start)
        return try expander.expansion(at: mark, of: .success(app)).get().map {
            ($0.0.step.text, $0.0.fingerprint)
        }
    }

    /// Returns the text of the file of a finding.
    ///
    /// - Parameters:
    ///   - finding: The finding.
    ///   - steps: The steps of the scenario.
    ///   - start: The start of the app.
    ///   - use: The path of the scripts, relative to the folder of the new file.
    /// - Returns: The formatted text.
    static func text(
        of finding: ExplorationFinding,
        _ steps: [String],
        from start: ReplayedApp.Start,
        use: String
    ) -> String {
        func quoted(_ text: String) -> String { NotationPrinter().value(.string(ByteString(text))) }
        var options = start.options
        let seed = options.seed.map { ("seed", "\($0)") }
        let own = [seed, options.isTrusted ? ("profile", "trusted") : nil].compactMap(\.self)
        // A warning must not make the scenario fail before its last line.
        let replaced = ["strict"] + own.map(\.0)
        (options.script, options.fileRoot, options.rerun) = (nil, nil, nil)
        (options.seed, options.isTrusted) = (nil, false)
        let command = RerunCommand(options).line(for: "FILE")
        var lines = [
            "# Written by 'luaroute explore'. The last line fails until the defect is fixed."
        ]
        if command != RerunCommand().line(for: "FILE") {
            lines.append("# Run it with '\(command)'.")
        }
        lines += [mark(of: finding), "use \(use.contains(" ") ? quoted(use) : use)"]
        lines += start.file.source.lines.filter { line in
            line.hasPrefix("set ") && !replaced.contains { line.hasPrefix("set \($0)") }
        }
        lines += own.map { "set \($0) = \($1)" }
        lines += ["", "scenario \(quoted("\(finding.code) \(finding.title)"))"]
        lines += steps.map { "  \($0)" }
        let text = lines.map { $0 + "\n" }.joined()
        let source = SourceText(name: "finding.scenario", content: Array(text.utf8))
        return ScenarioFormatter.format(source).text
    }
}

extension ExplorationFinding.Shown {
    /// The failure that the last line of the scenario checks; nil for other kinds of last lines.
    fileprivate var failure: StepEffects.Failure? {
        if case .noFailure(let failure) = self { failure } else { nil }
    }
}

/// The lines of a scenario, including checks of the requests that fail.
private struct Lines {
    private let session: Session
    /// The lines of each step: the step itself, and the checks after it.
    private var lines: [(step: String, checks: [String])] = []
    private var names: [Int: String] = [:]
    /// The requests whose end has not been checked.
    private var open: Set<Int> = []
    /// The request whose failure the last line of the scenario reports.
    private(set) var failing: Int?

    init(_ session: Session) {
        self.session = session
        for (index, step) in session.cursor.steps.enumerated() {
            let text = ExploredStep(step).text
            let isMaybe = step.action.isPreparation && !step.isOptional
            lines.append((isMaybe ? "maybe \(text)" : text, []))
            names[index] = step.name
            if session.requests.all[index]?.outcome.isPending == true { open.insert(index) }
        }
    }

    /// Adds the step that the session runs next.
    mutating func begin(_ text: String) {
        open.insert(lines.count)
        lines.append((text, []))
    }

    /// Adds checks for the requests that failed in the last step.
    ///
    /// - Parameter code: The code of the failure that the last line of the scenario checks; `nil`
    ///   if the line checks no failure.
    mutating func noteFailures(except code: String?) {
        for index in open.sorted() {
            guard let outcome = session.requests.all[index]?.outcome else {
                open.remove(index)
                continue
            }
            switch outcome {
            case .pending: continue
            case .failed(let error) where error.code.rawValue == code: failing = index
            case .failed(let error): check(index, "error \(error.code.rawValue)")
            case .unfinished: check(index, "not done")
            case .done, .stayed, .cancelled: break
            }
            open.remove(index)
        }
    }

    private mutating func check(_ index: Int, _ condition: String) {
        guard let name = named(index) else { return }
        lines[lines.count - 1].checks.append("check \(name) \(condition)")
    }

    /// Returns the name of a request.
    ///
    /// If the request has no name, its step is given one.
    mutating func named(_ index: Int?) -> String? {
        guard let index else { return nil }
        if let name = names[index] { return name }
        let name = "request\(names.count + 1)"
        names[index] = name
        lines[index].step += " as \(name)"
        return name
    }

    /// The last waiting request, with the name of the interceptor, gate or task for which it waits.
    var pending: (index: Int, name: String)? {
        for index in open.sorted().reversed() {
            if case .pending(let name)? = session.requests.all[index]?.outcome {
                return (index, name ?? Request.Outcome.host)
            }
        }
        return nil
    }

    var text: [String] { lines.flatMap { [$0.step] + $0.checks } }
}

extension SourceText {
    /// The lines of the text.
    fileprivate var lines: [String] { (1...max(1, lineCount)).map { text(line($0)) } }
}
