// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A record of a run: the steps in order, each with the events and changes that the step caused.
///
/// Use ``TraceWriter`` to print a trace.
struct Trace: Sendable {
    /// A step and its effects.
    struct Part: Sendable {
        /// The line of the step, with the file name if the step is in another file.
        ///
        /// `nil` for the loading of the scripts, and for events that belong to no step.
        var line: String?
        /// The text of the step.
        var text = ""
        /// The events after the step began and before the next step began.
        var events: [Event] = []
        /// The texts that the step printed, each with its topic.
        var output: [Diagnostic.Note] = []
        /// The tree before the step; nil if trees were not recorded.
        var before: ScreenTree?
        /// The tree after the step.
        var after: ScreenTree?
        /// Whether the step failed.
        var isFailed = false

        /// The changes to the trees; nil if trees were not recorded.
        var changes: TreeChanges? {
            guard let before, let after else { return nil }
            return TreeChanges(from: before, to: after)
        }
    }

    /// Whether the trace contains all steps, not only logged messages.
    var isWhole = true
    /// The parts, in order.
    var parts: [Part] = []
    /// A printer for values and screens that uses the declarations of the scripts.
    var printer = NotationPrinter()

    /// The trace, reduced to logged messages and the steps that caused them.
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
