// SPDX-License-Identifier: MIT

internal import RouteCore

/// Why a text is not a scenario file, at a place of it.
struct SyntaxError: Error {
    let code: DiagnosticCode
    let message: String
    var range: Range<Int>
    var help: String?

    func diagnostic(in text: StepText) -> Diagnostic {
        Diagnostic(code, message, at: text.place(of: range), help: help)
    }
}

/// The messages.
extension SyntaxError {
    static func unknownBlock(_ word: String, _ range: Range<Int>, isStep: Bool) -> SyntaxError {
        SyntaxError(
            code: .unknownBlock,
            message: "unknown block '\(word)'"
                + Suggestion.hint(for: word, among: Vocabulary.blocks.map(\.word)),
            range: range,
            help: isStep
                ? "'\(word)' is a step: steps are indented under a block"
                : "a block is one of " + list(Vocabulary.blocks.map(\.word))
        )
    }

    static func stepOutside(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .stepOutside,
            message: "a step stands outside of a block ('background' or 'scenario' expected first)",
            range: range
        )
    }

    static func unknownStep(_ word: String, _ range: Range<Int>) -> SyntaxError {
        let words = Vocabulary.steps.map(\.word) + Vocabulary.structure.map(\.word)
        let hint = Suggestion.hint(for: word, among: words + Vocabulary.acts.keys)
        var help = hint.isEmpty ? "a step is one of \(list(words))" : nil
        if word.hasPrefix("|") { help = "a table stands under 'each', at the end of a scenario" }
        return SyntaxError(
            code: .unknownStep,
            message: "unknown step '\(word)'\(hint)",
            range: range,
            help: help
        )
    }

    static func unknown(
        _ what: String,
        _ word: String,
        _ range: Range<Int>,
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

    static func expected(
        _ what: String,
        got: String?,
        _ range: Range<Int>,
        help: String? = nil
    ) -> SyntaxError {
        SyntaxError(
            code: .missing,
            message: "\(what) expected, got \(got.map { "'\($0)'" } ?? "nothing")",
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
            message: "'\(bracket)' is left open",
            range: range,
            help: "an open bracket continues a step on the next line"
        )
    }

    static func unknownName(
        _ name: String,
        _ range: Range<Int>,
        among known: Set<String>
    ) -> SyntaxError {
        SyntaxError(
            code: .unknownName,
            message: "no step before this one is named '\(name)'"
                + Suggestion.hint(for: name, among: known),
            range: range,
            help: "'as \(name)' after a step gives it the name"
        )
    }

    static func takenName(
        _ name: String,
        of step: String,
        _ range: Range<Int>
    ) -> SyntaxError {
        SyntaxError(
            code: .twice,
            message: "'\(name)' cannot be a name (it is a word of '\(step)')",
            range: range
        )
    }

    static func needsNoName(_ word: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .leftOver,
            message: "'\(word)' is not about one step, so no name stands before it",
            range: range
        )
    }

    static func twice(_ word: String, _ range: Range<Int>, firstLine: Int) -> SyntaxError {
        SyntaxError(
            code: .twice,
            message: "a file has one '\(word)' (the first is in line \(firstLine))",
            range: range
        )
    }

    static func notUTF8(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .notUTF8,
            message: "a scenario file is UTF-8 text, and this byte is not",
            range: range
        )
    }

    static func fileTooLarge(_ count: Int) -> SyntaxError {
        SyntaxError(
            code: .fileTooLarge,
            message: "a scenario file has at most \(ScenarioFile.sizeLimit) bytes, got \(count)",
            range: 0..<0
        )
    }

    static func lineTooLong(_ count: Int, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .lineTooLong,
            message: "a line has at most \(ScenarioFile.lineLimit) bytes, got \(count)",
            range: range
        )
    }

    static func tooManySteps(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .tooManySteps,
            message: "a file has at most \(ScenarioFile.stepLimit) steps",
            range: range
        )
    }

    private static func list(_ words: [String]) -> String {
        words.map { "'\($0)'" }.joined(separator: ", ")
    }
}
