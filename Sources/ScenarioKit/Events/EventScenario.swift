// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A type that writes scenarios that reproduce recordings.
struct EventScenario {
    /// The path of the scripts; `nil` to use the scripts that the recordings name.
    var script: String?
    /// Whether to expect that the last failed request succeeds.
    ///
    /// The scenario then fails until the defect is fixed.
    var isFailing = false
    /// Additional lines, each with the sequence number of the event after which the line is
    /// written.
    var extraLines: [(after: Int, text: String)] = []
    /// The folder of the scenario file, to which the paths in steps are relative; `nil` for the
    /// working directory.
    var folder: String?
    /// The first line of the file.
    var heading = "Written by 'luaroute events --scenario'. Reproduces recorded events."

    /// Returns the text of a scenario file with a scenario for each recording.
    ///
    /// - Throws: An error if the recordings cannot share a file.
    func file(for recordings: [EventRecording]) throws(Diagnostic) -> String {
        guard let first = recordings.first else {
            throw Diagnostic(.nothingSelected, "no recording is selected")
        }
        var text = "# \(heading)\n"
        if let script = script ?? first.script {
            let line = "use \(script)"
            guard Terminal.escaped(line) == line else {
                throw Diagnostic(
                    .inputUnreadable,
                    "the recording has a script path that a scenario file cannot express"
                )
            }
            try Self.check(line + "\n", "a script path")
            text += "use \(script)\n"
        } else {
            text += "use main.lua  # the recording does not name its scripts\n"
        }
        // Scenario files can express only times in years with at most four digits.
        let times = -62_135_596_800.0..<253_402_300_800
        guard recordings.allSatisfy({ $0.events.allSatisfy { times.contains($0.time) } }) else {
            throw Diagnostic(
                .inputUnreadable,
                "the recording has times that a scenario file cannot express"
            )
        }
        for value in first.settings.values
        where Terminal.escaped(value) != value {
            throw Diagnostic(
                .inputUnreadable,
                "the recording has settings that a scenario file cannot express"
            )
        }
        let settings = Self.settings(of: first)
        try Self.check(settings, "settings")
        for other in recordings
        where other.script != first.script || Self.settings(of: other) != settings {
            throw Diagnostic(
                .nothingSelected,
                "the recordings have different scripts or settings",
                help: "select one recording with '--filter NAME'"
            )
        }
        text += settings
        var names = UniqueNames()
        for recording in recordings {
            let title = recording.scenario.map(Terminal.escaped)
            let name = names.add(title ?? "A recorded session")
            text += "\nscenario \(RecordedText.printer.value(Value(name)))\n"
            text += lines(of: RecordedSession(recording, folder: folder)).map { "  \($0)\n" }
                .joined()
        }
        return text
    }

    private static func settings(of recording: EventRecording) -> String {
        var text = ""
        for setting in EventRecording.Setting.allCases {
            if let value = recording.settings[setting] { text += "set \(setting) = \(value)\n" }
        }
        if let start = recording.eventsFromStart.first?.time.rounded(.down), start != 1_767_225_600
        {
            text += "set start = \(Moment.text(start))\n"
        }
        return text
    }

    // MARK: Steps

    private func lines(of session: RecordedSession) -> [String] {
        var lines: [String] = []
        var names: [RecordedStep.Request: String] = [:]
        let steps = session.steps
        let corrected = isFailing ? session.lastFailure : nil
        // The ends of requests, sorted by event, and the position of the next end to write.
        let ends = session.ends.filter { !$0.value.condition.isEmpty }
            .sorted { $0.value.event < $1.value.event }
        var position = 0
        func condition(_ request: RecordedStep.Request, _ outcome: (event: Int, condition: String))
            -> String
        {
            request == corrected ? "done" : outcome.condition
        }
        var extra = extraLines[...]
        func addExtraLines(before event: Int) {
            let sequence =
                session.events.indices.contains(event) ? session.events[event].sequence : .max
            while let next = extra.first, next.after < sequence {
                lines.append(next.text)
                extra.removeFirst()
            }
        }
        for (number, step) in steps.enumerated() {
            addExtraLines(before: step.event)
            let end = number + 1 < steps.count ? steps[number + 1].event : session.events.count
            let isWritable = step.text.isEmpty || step.cancels != nil || Self.isStep(step.text)
            if let loss = step.loss ?? (isWritable ? nil : RecordingLoss.noStep.reason) {
                lines.append(
                    comment("not reproduced from here on: \(loss)")
                )
                lines += rest(of: steps[(number + 1)...]).map(comment)
                if !session.events.isEmpty { lines.append("restart  # cancels pending work") }
                return lines
            }
            lines += step.remarks.map(comment)
            if step.isPrivate { lines.append(comment("a private value is not recorded")) }
            guard !step.text.isEmpty else { continue }
            lines += step.preparations.map {
                Self.isStep($0) ? $0 : comment("not reproduced: \($0)")
            }
            var text = step.text
            if let key = step.cancels { text += names[key] ?? "" }
            var checks: [String] = []
            if let request = step.request {
                let outcome = session.ends[request]
                let isOver = outcome.map { $0.event < end } ?? false
                let isPlain = isOver && !session.cancelled.contains(request)
                // A step that fails makes the scenario fail unless the failure is expected.
                let isNamedOnly = step.isNamedOnly || text.hasPrefix("start")
                let isFine =
                    isPlain && isNamedOnly && ["done", "stayed"].contains(outcome?.condition)
                if !isFine, !isPlain || isNamedOnly {
                    names[request] = "r\(names.count + 1)"
                    text += " as r\(names.count)"
                }
                if let outcome, isOver, !isFine {
                    checks.append(expect(names[request], condition(request, outcome)))
                }
            }
            lines.append(text)
            while position < ends.count, ends[position].value.event < step.event { position += 1 }
            var others: [(name: String, condition: String)] = []
            while position < ends.count, ends[position].value.event < end {
                let (request, outcome) = ends[position]
                if request != step.request, let name = names[request] {
                    others.append((name, condition(request, outcome)))
                }
                position += 1
            }
            lines += checks
            lines += others.sorted { $0.name < $1.name }.map { expect($0.name, $0.condition) }
            if let top = top(in: session.events[step.event..<max(step.event, end)]),
                step.text != "restart", isAtRest(steps, number)
            {
                lines.append("expect top \(top)")
            }
        }
        addExtraLines(before: session.events.endIndex)
        for (request, name) in names.sorted(by: { $0.value < $1.value })
        where session.ends[request] == nil {
            lines.append(
                "expect \(name) " + (session.waits[request].map { "pending \($0)" } ?? "not done")
            )
        }
        if !session.pending.isEmpty { lines.append("restart  # cancels pending work") }
        lines = lines.map { isCondition($0) ? $0 : comment("not reproduced: \($0)") }
        if lines.isEmpty { lines.append("note \"nothing was recorded\"") }
        return lines
    }

    // MARK: Checks

    /// Returns whether a text that contains words of a recording is exactly one step.
    private static func isStep(_ text: String) -> Bool {
        Terminal.escaped(text) == text && StepWriter.step(text) != nil
    }

    /// Returns whether a line is a valid expectation or no expectation at all.
    private func isCondition(_ line: String) -> Bool {
        guard line.hasPrefix("expect ") else { return true }
        guard Terminal.escaped(line) == line else { return false }
        let bytes = Array(line.dropFirst(7).utf8)
        var parser = StepParser(bytes, at: bytes.indices, names: .unknown)
        return (try? parser.expectation(isCheck: false)) != nil
    }

    /// Returns the text as a comment.
    func comment(_ text: String) -> String { "# " + Terminal.escaped(text) }

    /// Checks that a line with values of a recording is valid above the first scenario of a file.
    private static func check(_ line: String, _ what: String) throws(Diagnostic) {
        let lines = line.split(separator: "\n", omittingEmptySubsequences: false)
        let isPlain = lines.allSatisfy { Terminal.escaped(String($0)) == $0 }
        let file = line + "scenario \"x\"\n  note \"x\"\n"
        let source = SourceText(name: "recorded.scenario", content: Array(file.utf8))
        let scenarios = try? ScenarioParser.parse(source).get().scenarios
        guard isPlain, scenarios?.map(\.steps.count) == [1] else {
            throw Diagnostic(
                .inputUnreadable,
                "the recording has \(what) that a scenario file cannot express"
            )
        }
    }

    /// Returns whether the effects of a step end before the next step.
    private func isAtRest(_ steps: [RecordedStep], _ number: Int) -> Bool {
        number + 1 >= steps.count || !steps[number + 1].isNested
    }

    /// Returns a condition for the screen that is visible after the given events; `nil` if none of
    /// the events shows a screen.
    private func top(in events: ArraySlice<Event>) -> String? {
        let shown = events.lastIndex { $0.kind == .shown && $0["window"].text == "main" }
        guard let shown, let text = RecordedText.top(events[shown]["screen"]) else { return nil }
        // The fields may have changed after the screen was shown.
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

/// A set of unique scenario names.
private struct UniqueNames {
    private var names: Set<String> = []
    /// The next number to try for a repeated title.
    private var counts: [String: Int] = [:]

    /// Adds a unique name for a title, and returns the name: the title itself, or `title (2)` and
    /// so on if the title is already used.
    mutating func add(_ title: String) -> String {
        // All lower numbers have been tried for this title, and no name is ever removed.
        var count = counts[title] ?? 1
        while true {
            let name = count == 1 ? title : "\(title) (\(count))"
            count += 1
            counts[title] = count
            if names.insert(name).inserted { return name }
        }
    }
}
