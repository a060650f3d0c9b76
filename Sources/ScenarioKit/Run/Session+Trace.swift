// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The trace of a run, created from its acts and events.
extension Session {
    /// The trace of all steps so far.
    var trace: Trace {
        var trace = Trace()
        trace.printer = NotationPrinter(classes: app.router.classes, stringLimit: 256)
        let firstEvent = log.acts.first?.firstEvent ?? log.events.count
        if firstEvent > 0 {
            trace.parts.append(Trace.Part(events: effects(in: log.events[..<firstEvent])))
        }
        var nextAct = 0
        var nextNote = 0
        for (index, step) in cursor.steps.enumerated().prefix(
            cursor.isWhole ? cursor.steps.count : cursor.stepIndex + 1
        ) {
            var part = Trace.Part(
                line: line(of: step),
                text: step.text.text(step.range),
                isFailed: !cursor.isWhole && index == cursor.stepIndex
            )
            if nextAct < log.acts.count, log.acts[nextAct].index == index {
                part.events = effects(in: events(of: nextAct))
                part.before = log.acts[nextAct].before
                nextAct += 1
                if part.before != nil {
                    part.after =
                        nextAct < log.acts.count ? log.acts[nextAct].before : app.router.tree
                }
            }
            while nextNote < log.notes.count, log.notes[nextNote].index == index {
                part.output.append(log.notes[nextNote].note)
                nextNote += 1
            }
            trace.parts.append(part)
        }
        return trace
    }

    private func line(of step: ScenarioStep) -> String {
        let span = step.text.ownSpan(of: step.range)
        return span.source === source ? "\(span.line)" : "\(span.source.name):\(span.line)"
    }
}
