// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Writes scenarios that reproduce recordings.
struct EventScenario {
    /// The scripts; nil for those that the recordings name.
    var script: String?

    /// Returns a file with a scenario for each recording.
    ///
    /// - Throws: An error if the recordings need different files.
    func file(for recordings: [EventRecording]) throws(Diagnostic) -> String {
        guard let first = recordings.first else {
            throw Diagnostic(.nothingSelected, "no recording is selected")
        }
        var text = "# Reproduces what 'luaroute events --scenario' read from recorded events.\n"
        if let script = script ?? first.script {
            text += "use \(script)\n"
        } else {
            text += "use main.lua  # the recording does not name its scripts\n"
        }
        let settings = Self.settings(of: first)
        for other in recordings
        where other.script != first.script || Self.settings(of: other) != settings {
            throw Diagnostic(
                .nothingSelected,
                "the recordings have different scripts or settings",
                help: "select one with '--filter NAME'"
            )
        }
        text += settings
        var names: Set<String> = []
        for recording in recordings {
            var name = recording.scenario ?? "A recorded session"
            for count in 2... {
                if names.insert(name).inserted { break }
                name = "\(recording.scenario ?? "A recorded session") (\(count))"
            }
            text += "\nscenario \(RecordedText.printer.value(Value(name)))\n"
            text += lines(of: RecordedSession(recording)).map { "  \($0)\n" }.joined()
        }
        return text
    }

    private static func settings(of recording: EventRecording) -> String {
        var text = ""
        for setting in EventRecording.Setting.allCases {
            if let value = recording.settings[setting] { text += "set \(setting) = \(value)\n" }
        }
        if let start = recording.events.first?.time.rounded(.down), start != 1_767_225_600 {
            text += "set start = \(Moment.text(start))\n"
        }
        if let timeout = RecordedSession(recording).timeout {
            text += "set timeout = \(RecordedText.duration(timeout))\n"
        }
        return text
    }

    // MARK: Steps

    private func lines(of session: RecordedSession) -> [String] {
        var lines: [String] = []
        var names: [RecordedStep.Request: String] = [:]
        let steps = session.steps
        for (number, step) in steps.enumerated() {
            let end = number + 1 < steps.count ? steps[number + 1].event : session.events.count
            if let loss = step.loss {
                lines.append("# not reproduced, and what follows depends on it: \(loss)")
                lines += rest(of: steps[(number + 1)...]).map { "# \($0)" }
                if !session.events.isEmpty { lines.append("restart  # cancels what is pending") }
                return lines
            }
            lines += step.remarks.map { "# \($0)" }
            guard !step.text.isEmpty else { continue }
            lines += step.preparations
            var text = step.text
            if let key = step.cancels { text += names[key] ?? "" }
            var checks: [String] = []
            if let request = step.request {
                let outcome = session.ends[request]
                let isOver = outcome.map { $0.event < end } ?? false
                let isPlain = isOver && !session.cancelled.contains(request)
                // A step that fails without an expectation fails the scenario.
                let isNamedOnly = step.isNamedOnly || text.hasPrefix("start")
                let isFine =
                    isPlain && isNamedOnly && ["done", "stayed"].contains(outcome?.condition)
                if !isFine, !isPlain || isNamedOnly {
                    names[request] = "r\(names.count + 1)"
                    text += " as r\(names.count)"
                }
                if let outcome, isOver, !isFine {
                    checks.append(expect(names[request], outcome.condition))
                }
            }
            lines.append(text)
            for (request, name) in names.sorted(by: { $0.value < $1.value })
            where request != step.request {
                guard let outcome = session.ends[request], !outcome.condition.isEmpty,
                    outcome.event >= step.event,
                    outcome.event < end
                else { continue }
                checks.append(expect(name, outcome.condition))
            }
            lines += checks
            if let top = top(in: session.events[step.event..<max(step.event, end)]),
                step.text != "restart", isAtRest(steps, number)
            {
                lines.append("expect top \(top)")
            }
        }
        for (request, name) in names.sorted(by: { $0.value < $1.value })
        where session.ends[request] == nil {
            lines.append(
                "expect \(name) " + (session.waits[request].map { "pending \($0)" } ?? "not done")
            )
        }
        if !session.pending.isEmpty { lines.append("restart  # cancels what is pending") }
        if lines.isEmpty { lines.append("note \"nothing was recorded\"") }
        return lines
    }

    /// Whether the effects of a step end before the next one, which was not made within them.
    private func isAtRest(_ steps: [RecordedStep], _ number: Int) -> Bool {
        number + 1 >= steps.count || !steps[number + 1].isNested
    }

    /// Returns a condition for the screen that is visible after some events.
    private func top(in events: ArraySlice<Event>) -> String? {
        let shown = events.lastIndex { $0.kind == .shown && $0["window"].text == "main" }
        guard let shown, let text = RecordedText.top(events[shown]["screen"]) else { return nil }
        // Fields may have changed since then.
        let hasChanged = events[shown...].contains { $0.kind == .commit || $0.kind == .update }
        return hasChanged ? text.firstIndex(of: "(").map { String(text[..<$0]) } ?? text : text
    }

    private func expect(_ name: String?, _ condition: String) -> String {
        "expect \(name.map { "\($0) " } ?? "")\(condition)"
    }

    private func rest(of steps: ArraySlice<RecordedStep>) -> [String] {
        steps.flatMap { $0.loss.map { ["not reproduced: \($0)"] } ?? $0.preparations + [$0.text] }
            .filter { !$0.isEmpty }
    }
}
