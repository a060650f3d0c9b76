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

    /// Creates an error from a syntax error in an argument that has the syntax of scenario files.
    init(_ error: SyntaxError) {
        self.init(error.message + (error.help.map { " (\($0))" } ?? ""))
    }

    /// Creates an error about an unknown word, with the nearest known word, or all known words if
    /// none is similar.
    package init(unknown what: String, _ word: String, among known: [String]) {
        let hint = Suggestion.hint(for: word, among: known)
        let list = known.map { "'\($0)'" }.joined(separator: ", ")
        self.init(
            "unknown \(what) '\(word)'" + (hint.isEmpty ? " (one of \(list) expected)" : hint)
        )
    }

    /// Parses the value of an option as a whole number.
    ///
    /// - Throws: An error that names the allowed range.
    package static func number<Number: FixedWidthInteger & Sendable>(
        _ text: String,
        in range: ClosedRange<Number>
    ) throws(UsageError) -> Number {
        guard let number = Number(text), range.contains(number) else {
            let (least, most) = (range.lowerBound, range.upperBound)
            throw UsageError("a whole number from \(least) to \(most) expected, got '\(text)'")
        }
        return number
    }

    /// Returns whether a word equals or resembles one of the known words.
    package static func isNear(_ word: String, to known: [String]) -> Bool {
        known.contains(word) || Suggestion.nearest(to: word, among: known) != nil
    }
}

extension UsageError: CustomStringConvertible {
    /// The message.
    package var description: String { message }
}
