// SPDX-License-Identifier: MIT

internal import RouteCore

/// An error in the text of a scenario file, with the position of the error.
package struct SyntaxError: Error {
    let code: DiagnosticCode
    package let message: String
    package var range: Range<Int>
    package var help: String?

    package func diagnostic(in text: StepText) -> Diagnostic {
        Diagnostic(
            code,
            message,
            at: text.location(of: range),
            help: help ?? helpWithLetters(in: text)
        )
    }

    /// Returns help if the error is at a letter outside of ASCII.
    private func helpWithLetters(in text: StepText) -> String? {
        guard [.missing, .notation, .leftOver].contains(code),
            text.bytes.indices.contains(range.lowerBound), text.bytes[range.lowerBound] >= 0x80
        else { return nil }
        return
            "a name consists of ASCII letters and digits, '_', '-' and '.'; put other text in quotes"
    }
}

/// The errors in the text of a scenario file.
extension SyntaxError {
    static func unknownBlock(_ word: String, _ range: Range<Int>, isStep: Bool) -> SyntaxError {
        SyntaxError(
            code: .unknownBlock,
            message: "unknown block '\(word)'"
                + Suggestion.hint(for: word, among: Vocabulary.blocks.map(\.word)),
            range: range,
            help: isStep
                ? "'\(word)' is a step: indent it under a block, such as 'scenario'"
                : "a block is one of " + list(Vocabulary.blocks.map(\.word))
        )
    }

    /// The error for a block whose heading is indented.
    static func indentedBlock(_ words: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .misplaced,
            message: "'\(words)' is indented, but a block begins in the first column",
            range: range,
            help: "remove the white space before '\(words)'"
        )
    }

    static func stepOutside(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .stepOutside,
            message:
                "a step is outside of a block (indent it under 'background' or 'scenario')",
            range: range
        )
    }

    static func unknownStep(_ word: String, _ range: Range<Int>) -> SyntaxError {
        let words = Vocabulary.steps.map(\.word) + Vocabulary.structure.map(\.word)
        let hint = Suggestion.hint(for: word, among: words + Vocabulary.acts.keys)
        var help = hint.isEmpty ? "a step is one of \(list(words))" : nil
        if word.hasPrefix("|") {
            help = "write 'each' before the table, at the end of the scenario"
        }
        return SyntaxError(
            code: .unknownStep,
            message: "unknown step '\(word)'\(hint)",
            range: range,
            help: help
        )
    }

    package static func unknown(
        _ what: String,
        word: String,
        at range: Range<Int>,
        among known: [String]
    ) -> SyntaxError {
        let hint = Suggestion.hint(for: word, among: known)
        return SyntaxError(
            code: .unknownWord,
            message: "unknown \(what) '\(word)'\(hint)",
            range: range,
            help: hint.isEmpty ? "one of \(list(known)) expected" : nil
        )
    }

    package static func expected(
        _ what: String,
        after previous: String? = nil,
        got: String?,
        _ range: Range<Int>,
        help: String? = nil
    ) -> SyntaxError {
        let place = previous.map { " after \($0)" } ?? ""
        return SyntaxError(
            code: .missing,
            message: "\(what) expected\(place), got \(got.map { "'\($0)'" } ?? "nothing")",
            range: range,
            help: help
        )
    }

    static func leftOver(_ text: String, _ range: Range<Int>, after form: String) -> SyntaxError {
        SyntaxError(
            code: .leftOver,
            message: "'\(text)' does not belong here",
            range: range,
            help: "the form is '\(form)'"
        )
    }

    static func notation(_ error: NotationError) -> SyntaxError {
        SyntaxError(
            code: .notation,
            message: error.message,
            range: error.range,
            help: error.help
        )
    }

    static func leftOpen(_ bracket: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .leftOpen,
            message: "'\(bracket)' is not closed",
            range: range,
            help: "close the bracket; a step continues on the next line while a bracket is open"
        )
    }

    /// The error for a bracket that is closed by a bracket of another kind.
    static func closedByOther(_ open: UInt8, _ close: UInt8, at offset: Int) -> SyntaxError {
        let expected = UnicodeScalar(TokenScanner.closing(of: open))
        return SyntaxError(
            code: .leftOpen,
            message: "'\(expected)' expected to close '\(UnicodeScalar(open))', "
                + "got '\(UnicodeScalar(close))'",
            range: offset..<offset + 1
        )
    }

    static func unknownName(
        _ name: String,
        _ range: Range<Int>,
        among known: Set<String>
    ) -> SyntaxError {
        SyntaxError(
            code: .unknownName,
            message: "no request before this step is named '\(name)'"
                + Suggestion.hint(for: name, among: known),
            range: range,
            help: "name an earlier request: write 'as \(name)' at the end of its step"
        )
    }

    static func takenName(
        _ name: String,
        what: String,
        at range: Range<Int>
    ) -> SyntaxError {
        SyntaxError(
            code: .twice,
            message: "'\(name)' cannot be a name (it is \(what))",
            range: range
        )
    }

    static func needsNoName(_ word: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .leftOver,
            message: "'\(word)' does not refer to a request, so it takes no name",
            range: range
        )
    }

    static func twice(_ word: String, _ range: Range<Int>, firstLine: Int) -> SyntaxError {
        SyntaxError(
            code: .twice,
            message: "'\(word)' can occur only once in a file (the first is on line \(firstLine))",
            range: range
        )
    }

    static func notUTF8(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .notUTF8,
            message: "a scenario file is UTF-8 text, but this byte is not valid UTF-8",
            range: range
        )
    }

    static func bareReturn(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .bareReturn,
            message: "a carriage return (CR) without a line feed (LF) does not end a line",
            range: range,
            help: "save the file with LF or CRLF line endings"
        )
    }

    static func lineTooLong(_ count: Int, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .lineTooLong,
            message: "the line is too long "
                + "(at most \(ScenarioFile.lineLimit) bytes expected, got \(count))",
            range: range
        )
    }

    /// The error for a line or a scenario name that became too long when its parameters were
    /// replaced.
    static func filledLineTooLong(
        _ count: Int,
        _ range: Range<Int>,
        lineCount: Int = 1
    ) -> SyntaxError {
        SyntaxError(
            code: .lineTooLong,
            message: lineCount == 1
                ? "the line is too long after its parameters are replaced "
                    + "(at most \(ScenarioFile.lineLimit) bytes expected, got \(count))"
                : "the \(lineCount) lines are too long after their parameters are replaced "
                    + "(at most \(ScenarioFile.lineLimit * lineCount) bytes expected, got \(count))",
            range: range
        )
    }

    static func expansionTooLarge(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .tooManySteps,
            message: "the steps of the file are too large after their parameters are replaced "
                + "(at most \(ScenarioFile.expansionLimit >> 20) MiB expected)",
            range: range,
            help: "split the file, or use shorter arguments"
        )
    }

    static func tooManySteps(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .tooManySteps,
            message: "the file has too many steps (at most \(ScenarioFile.stepLimit) expected, "
                + "including the steps of macros, loops and rows)",
            range: range
        )
    }

    private static func list(_ words: [String]) -> String {
        words.map { "'\($0)'" }.joined(separator: ", ")
    }
}
