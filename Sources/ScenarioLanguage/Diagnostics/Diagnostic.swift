// SPDX-License-Identifier: MIT

internal import RouteFiles

/// An error or a warning for the user.
///
/// A diagnostic contains the problem, its location, and how to fix it.
public struct Diagnostic: Error, Sendable {
    /// The severity of a diagnostic.
    public enum Severity: String, Sendable {
        /// The command could not do what was requested.
        case error
        /// The command continued in spite of the problem.
        case warning
    }

    /// Another location that is relevant to the problem.
    public struct Related: Sendable {
        /// The text to show at the location, or nil if there is none.
        public let label: String?
        /// The location.
        public let span: Span

        package init(label: String?, span: Span) { (self.label, self.span) = (label, span) }
    }

    /// A note about the problem: a topic, such as `help`, and a text.
    public struct Note: Sendable {
        /// The topic, in one word.
        public let topic: String
        /// The text of the note.
        public let text: String

        /// Creates a note with the given topic and text.
        public init(_ topic: String, _ text: String) {
            self.topic = topic
            self.text = text
        }
    }

    /// The code that identifies the type of problem.
    public let code: DiagnosticCode
    /// The severity.
    public let severity: Severity
    /// The problem in one sentence.
    public let message: String
    /// The source location, or nil if the problem has none.
    public package(set) var span: Span?
    /// A short text to show at the location, or nil if there is none.
    public let label: String?
    /// The values found at the location, with topics such as `actual`.
    public var details: [Note] = []
    /// Other relevant locations, in the order in which they are shown.
    public var related: [Related] = []
    /// The notes, such as help on how to fix the problem.
    public var notes: [Note] = []

    /// Creates an error or a warning.
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

    /// Creates an error at a location, with the locations of the calls that led to this location.
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

/// The errors in a file.
public struct Diagnostics: Error {
    /// The errors, in the order of their locations.
    public let list: [Diagnostic]
    /// The files that are named in the scenario file, by path, with the result of reading each
    /// file.
    package let inputs: [String: FileOutcome]

    package init(list: [Diagnostic], inputs: [String: FileOutcome] = [:]) {
        (self.list, self.inputs) = (list, inputs)
    }
}
