// SPDX-License-Identifier: MIT

internal import RouteCore

/// A word of the command line that does not fit.
public struct UsageError: Error, Sendable {
    /// What is wrong, in one sentence.
    public let message: String

    /// Creates an error.
    public init(_ message: String) { self.message = DiagnosticRenderer.printable(message) }

    /// Creates an error that ends with the known word which was probably meant, if one is near.
    public init(_ message: String, word: String, known: [String]) {
        self.init(message + Suggestion.hint(for: word, among: known))
    }

    /// Whether a word is nearly one of some others, or one of them.
    public static func isNear(_ word: String, to known: [String]) -> Bool {
        known.contains(word) || Suggestion.nearest(to: word, among: known) != nil
    }
}

extension UsageError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
