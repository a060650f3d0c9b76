// SPDX-License-Identifier: MIT

/// Something that a person has to know: what, where, and what to do.
public struct Diagnostic: Error, Sendable {
    /// How grave it is.
    public enum Severity: String, Sendable {
        /// It stops what was asked for.
        case error
        /// It does not.
        case warning
    }

    /// A second place that matters.
    public struct Related: Sendable {
        /// What is said at the place, if anything.
        public let label: String?
        /// The place.
        public let span: Span
    }

    /// A remark: a word, such as `help`, and a text.
    public struct Note: Sendable {
        /// What the text is about, as one word.
        public let topic: String
        /// The text.
        public let text: String

        /// Creates a remark.
        public init(_ topic: String, _ text: String) {
            self.topic = topic
            self.text = text
        }
    }

    /// The kind.
    public let code: DiagnosticCode
    /// How grave it is.
    public let severity: Severity
    /// What it is, in one sentence.
    public let message: String
    /// The place, if it has one.
    public let span: Span?
    /// What is said at the place, short.
    public let label: String?
    /// What was found there instead, in words such as `actual`.
    public var details: [Note] = []
    /// Other places that matter, in the order in which they are shown.
    public var related: [Related] = []
    /// Remarks, the way out among them.
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
    /// Creates an error at a place, with those that led there.
    init(
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
