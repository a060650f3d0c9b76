// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The trace of a run, made from its acts and events.
extension Session {
    /// The record of the steps so far.
    var trace: Trace {
        var trace = Trace()
        trace.printer = NotationPrinter(classes: router.classes, stringLimit: 256)
        let firstEvent = acts.first?.firstEvent ?? events.count
        if firstEvent > 0 {
            trace.parts.append(Trace.Part(events: effects(in: events[..<firstEvent])))
        }
        var nextAct = 0
        var nextNote = 0
        for (index, step) in steps.enumerated().prefix(isWhole ? steps.count : stepIndex + 1) {
            var part = Trace.Part(
                line: line(of: step),
                text: step.text.text(step.range),
                isFailed: !isWhole && index == stepIndex
            )
            if nextAct < acts.count, acts[nextAct].index == index {
                part.events = effects(in: events(of: nextAct))
                part.before = acts[nextAct].before
                nextAct += 1
                if part.before != nil {
                    part.after = nextAct < acts.count ? acts[nextAct].before : router.tree
                }
            }
            while nextNote < notes.count, notes[nextNote].index == index {
                part.output.append(notes[nextNote].note)
                nextNote += 1
            }
            trace.parts.append(part)
        }
        return trace
    }

    private func line(of step: Step) -> String {
        let span = step.text.ownSpan(of: step.range)
        return span.source === source ? "\(span.line)" : "\(span.source.name):\(span.line)"
    }
}
