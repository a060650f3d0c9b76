// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Writes a finding as a scenario that fails at its last line.
///
/// The steps run once more, to see which requests fail on the way: such a request needs a check of
/// its own, or it would fail the scenario.
struct FindingScenario {
    let finding: ExplorationFinding
    let start: ReplayedApp.Start
    /// The path of the scripts, from the folder of the new file.
    let use: String

    /// The line that identifies the finding in a file.
    static func mark(of finding: ExplorationFinding) -> String {
        "# finding: " + Terminal.escaped(finding.key)
    }

    /// Returns the text of a file; nil if no scenario can show the finding.
    func text() throws(LoadedScripts.Failure) -> String? {
        guard let shown = finding.expectation else { return nil }
        let app = try ReplayedApp(start)
        var lines = Lines(app.session)
        for (number, step) in finding.path.enumerated() {
            lines.begin(step.text)
            guard app.take(step) != nil else { return nil }
            let isLast = number == finding.path.count - 1
            lines.noteFailures(except: isLast ? shown.failure?.code : nil)
        }
        switch shown {
        case .condition(let condition):
            return file(lines.text + finding.epilogue + ["expect \(condition)"])
        case .wayOut(let text, let condition):
            let words = lines.text + finding.epilogue + [text]
            for text in finding.epilogue + [text] {
                guard let step = OfferedSteps.step(text) else { return nil }
                let effects = app.take(ExploredStep(step))
                // The user cannot do it now.
                guard effects?.failures.contains(where: \.isOfStep) == false else {
                    return file(words)
                }
            }
            return file(words + ["expect \(condition)"])
        case .noFailure(let failure) where failure.isOfStep: return file(lines.text)
        case .noFailure(let failure):
            if let name = lines.named(lines.failing) {
                return file(lines.text + ["expect \(name) not error \(failure.code)"])
            }
            let text = NotationPrinter().value(.string(ByteString(failure.message)))
            let condition = failure.isLogged ? "log error \(text)" : "trace failed"
            return file(lines.text + ["expect not \(condition)"])
        case .notPending:
            guard let request = lines.pending, let name = lines.named(request.index) else {
                return nil
            }
            return file(lines.text + ["expect \(name) not pending \(request.name)"])
        }
    }

    private func file(_ steps: [String]) -> String {
        let title = "\(finding.code) \(finding.title)"
        let settings = start.file.source.lines.filter {
            // A warning must not fail the scenario before its last line.
            $0.hasPrefix("set ") && !$0.hasPrefix("set strict")
        }
        let text =
            ([
                "# Written by 'luaroute explore'. The last line fails until the defect is fixed.",
                Self.mark(of: finding),
                "use \(use.contains(" ") ? NotationPrinter().value(.string(ByteString(use))) : use)",
            ] + settings + [
                "", "scenario \(NotationPrinter().value(.string(ByteString(title))))",
            ] + steps.map { "  \($0)" }).map { $0 + "\n" }.joined()
        let source = SourceText(name: "finding.scenario", content: Array(text.utf8))
        return ScenarioFormatter.format(source).text
    }
}

extension ExplorationFinding.Shown {
    /// The failure that the last line is about.
    fileprivate var failure: StepEffects.Failure? {
        if case .noFailure(let failure) = self { failure } else { nil }
    }
}

/// The lines of a scenario, with checks of the requests that fail.
private struct Lines {
    private let session: Session
    /// The lines, by the step that they belong to: itself, and the checks after it.
    private var lines: [(step: String, checks: [String])] = []
    private var names: [Int: String] = [:]
    /// The requests whose end was not checked.
    private var open: Set<Int> = []
    /// The request that fails as the last line says.
    private(set) var failing: Int?

    init(_ session: Session) {
        self.session = session
        for (index, step) in session.steps.enumerated() {
            let text = ExploredStep(step).text
            let isMaybe = step.action.isPreparation && !step.isOptional
            lines.append((isMaybe ? "maybe \(text)" : text, []))
            names[index] = step.name
            if session.requests[index]?.outcome.isPending == true { open.insert(index) }
        }
    }

    /// Adds the next step, which the session takes then.
    mutating func begin(_ text: String) {
        open.insert(lines.count)
        lines.append((text, []))
    }

    /// Adds checks for the requests that failed in the last step.
    ///
    /// - Parameter code: The code of the failure that the last line is about; nil for none.
    mutating func noteFailures(except code: String?) {
        for index in open.sorted() {
            guard let outcome = session.requests[index]?.outcome else {
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

    /// Returns the name of a request, which its step gets if it has none.
    mutating func named(_ index: Int?) -> String? {
        guard let index else { return nil }
        if let name = names[index] { return name }
        let name = "request\(names.count + 1)"
        names[index] = name
        lines[index].step += " as \(name)"
        return name
    }

    /// The last request that waits, with the name of what it waits for.
    var pending: (index: Int, name: String)? {
        for index in open.sorted().reversed() {
            if case .pending(let name)? = session.requests[index]?.outcome {
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
