// SPDX-License-Identifier: MIT

internal import RouteFiles

/// An error or a warning for the user: the problem, its location, and how to fix it.
public struct Diagnostic: Error, Sendable {
    /// The severity.
    public enum Severity: String, Sendable {
        /// The command could not do what was requested.
        case error
        /// The command continued.
        case warning
    }

    /// Another location that matters.
    public struct Related: Sendable {
        /// The text at the location, if any.
        public let label: String?
        /// The location.
        public let span: Span

        package init(label: String?, span: Span) { (self.label, self.span) = (label, span) }
    }

    /// A note: a topic, such as `help`, and a text.
    public struct Note: Sendable {
        /// The topic, as one word.
        public let topic: String
        /// The text.
        public let text: String

        /// Creates a note.
        public init(_ topic: String, _ text: String) {
            self.topic = topic
            self.text = text
        }
    }

    /// The code.
    public let code: DiagnosticCode
    /// The severity.
    public let severity: Severity
    /// The problem, in one sentence.
    public let message: String
    /// The source location, if there is one.
    public package(set) var span: Span?
    /// A short text at the location.
    public let label: String?
    /// Values found at the location, with topics such as `actual`.
    public var details: [Note] = []
    /// Other locations that matter, in the order in which they are shown.
    public var related: [Related] = []
    /// Notes, including how to fix the problem.
    public var notes: [Note] = []

    /// Creates an error, or a warning.
    public init(
        _ code: DiagnosticCode,
        _ message: String,
        severity: Severity = .error,
        at span: Span? = nil,
        label: String? = nil,
        help: String? = nil
    ) {
        self.code = code
        self.severity = severity
        self.message = message
        self.span = span
        self.label = label
        if let help { notes.append(Note("help", help)) }
    }

    /// Creates an error at a location, with the locations of the calls that led to it.
    package init(
        _ code: DiagnosticCode,
        _ message: String,
        at location: Place,
        label: String? = nil,
        help: String? = nil
    ) {
        self.init(code, message, at: location.span, label: label, help: help)
        related = location.related
    }
}

/// The errors of a file.
public struct Diagnostics: Error {
    /// The diagnostics, in the order of their locations.
    public let list: [Diagnostic]
    /// The files that the scenario file names, with the outcome of reading each.
    package let inputs: [String: FileOutcome]

    package init(list: [Diagnostic], inputs: [String: FileOutcome] = [:]) {
        (self.list, self.inputs) = (list, inputs)
    }
}
