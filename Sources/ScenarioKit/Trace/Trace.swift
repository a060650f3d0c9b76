// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A record of a run: its steps, in order, each with the events and changes that it caused.
///
/// ``TraceWriter`` writes it wherever a trace is shown.
struct Trace: Sendable {
    /// A step and its effects.
    struct Part: Sendable {
        /// The line of the step, with the name of its file if it is a different file; nil for the
        /// load of the scripts, and for events that belong to no step.
        var line: String?
        /// The text of the step.
        var text = ""
        /// The events that the step caused, until the next step.
        var events: [Event] = []
        /// The texts that the step printed, each with its topic.
        var output: [Diagnostic.Note] = []
        /// The tree before the step; nil if trees were not recorded.
        var before: ScreenTree?
        /// The tree after the step.
        var after: ScreenTree?
        /// Whether the step failed.
        var isFailed = false

        /// The changes of the tree; nil if trees were not recorded.
        var changes: TreeChanges? {
            guard let before, let after else { return nil }
            return TreeChanges(from: before, to: after)
        }
    }

    /// Whether the trace has all steps, and not only logged messages.
    var isWhole = true
    /// The parts, in order.
    var parts: [Part] = []
    /// Prints values and screens as the scripts declare them.
    var printer = NotationPrinter()

    /// The same trace, reduced to logged messages and the steps that caused them.
    var logs: Trace {
        var trace = self
        trace.isWhole = false
        trace.parts = parts.compactMap { part in
            var part = part
            part.events = part.events.filter { $0.kind == .log }
            part.output = []
            part.before = nil
            part.after = nil
            return part.events.isEmpty ? nil : part
        }
        return trace
    }
}
