// SPDX-License-Identifier: MIT

internal import RouteCore

/// A wrong argument or option on the command line.
package struct UsageError: Error, Sendable {
    /// The problem, in one sentence.
    package let message: String

    /// Creates an error.
    package init(_ message: String) { self.message = Terminal.escaped(message) }

    /// Creates an error that suggests the nearest known word, if one is similar.
    package init(_ message: String, word: String, known: [String]) {
        self.init(message + Suggestion.hint(for: word, among: known))
    }

    /// Returns whether a word is equal or similar to one of the known words.
    package static func isNear(_ word: String, to known: [String]) -> Bool {
        known.contains(word) || Suggestion.nearest(to: word, among: known) != nil
    }
}

extension UsageError: CustomStringConvertible {
    /// The message.
    package var description: String { message }
}
