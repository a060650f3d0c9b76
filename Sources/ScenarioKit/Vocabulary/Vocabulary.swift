// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The words of scenario files, closed: parsing, "did you mean", help and completion read
/// the same entries.
package enum Vocabulary {
    /// A word that opens a line or a condition.
    ///
    /// A class, so that looking one up for each line of a file copies nothing.
    package final class Form<Parsed>: Sendable {
        /// The word; two of them, with a space between, for a step of the host or a person.
        package let word: String
        /// The whole, with what varies in capitals.
        package let signature: String
        /// What it does, in one sentence.
        package let help: String
        /// Reads what follows the word.
        let parse: @Sendable (inout StepParser) throws(SyntaxError) -> Parsed

        init(
            _ signature: String,
            _ help: String,
            wordCount: Int = 1,
            parse: @escaping @Sendable (inout StepParser) throws(SyntaxError) -> Parsed
        ) {
            let words = signature.split { $0 == " " || $0 == "[" || $0 == "(" }
            word = words.prefix(wordCount).joined(separator: " ")
            self.signature = signature
            self.help = help
            self.parse = parse
        }
    }

    /// A step without its name, which follows in the same way for all of them.
    typealias StepForm = Form<Step.Action>
    typealias ConditionForm = Form<Expectation.Condition>

    static let stepWords = NameIndex(steps.map(\.word))
    /// What those do who steps name, by their names: the second words behind `host` and `user`.
    static let acts: [String: [String]] = {
        var acts: [String: [String]] = [:]
        for form in steps {
            let words = form.word.split(separator: " ").map(String.init)
            if words.count == 2 { acts[words[0], default: []].append(words[1]) }
        }
        return acts
    }()
    static let structureWords = NameIndex(structure.map(\.word))
    static let conditionWords = NameIndex(conditions.map(\.word))
    static let blockWords = NameIndex(blocks.map(\.word))

    /// The steps.
    package static let steps: [Form<Step.Action>] =
        drive + leave + person + outside + reloading + time + look

    /// The conditions of `expect` and `check`.
    package static let conditions: [Form<Expectation.Condition>] =
        aboutScreens + aboutRequests + aboutEvents + aboutScripts
}
