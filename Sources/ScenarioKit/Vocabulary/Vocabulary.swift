// SPDX-License-Identifier: MIT

/// The words of scenario files, closed: parsing, "did you mean", help and completion read
/// the same entries.
package enum Vocabulary {
    /// A word that opens a line or a condition.
    ///
    /// A class, so that looking one up for each line of a file copies nothing.
    package final class Form<Parsed>: Sendable {
        /// The word.
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
            parse: @escaping @Sendable (inout StepParser) throws(SyntaxError) -> Parsed
        ) {
            word = String(signature.prefix { $0 != " " && $0 != "[" && $0 != "(" })
            self.signature = signature
            self.help = help
            self.parse = parse
        }
    }

    /// A step without its name, which follows in the same way for all of them.
    typealias StepForm = Form<Step.Action>
    typealias ConditionForm = Form<Expectation.Condition>

    static let stepWords = WordTable(steps.map(\.word))
    static let structureWords = WordTable(structure.map(\.word))
    static let conditionWords = WordTable(conditions.map(\.word))
    static let blockWords = WordTable(blocks.map(\.word))

    /// The steps.
    package static let steps: [Form<Step.Action>] = drive + leave + outside + look

    /// The conditions of `expect` and `check`.
    package static let conditions: [Form<Expectation.Condition>] =
        aboutScreens + aboutRequests + aboutEvents + aboutScripts
}
