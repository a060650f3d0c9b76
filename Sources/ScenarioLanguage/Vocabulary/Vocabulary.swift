// SPDX-License-Identifier: MIT

internal import RouteCore

/// The words of scenario files.
///
/// There are no other words. Parsing, suggestions, help and completion use the same entries.
package enum Vocabulary {
    /// The form of a line or a condition that begins with a certain word.
    ///
    /// This is a class, so that looking up a form for each line of a file copies nothing.
    package final class Form<Parsed>: Sendable {
        /// The first word or, for a step of the host or the user, the first two words.
        package let word: String
        /// The complete syntax, with the variable parts in capitals.
        package let signature: String
        /// A description of the form in one sentence, without the subject.
        package let help: String
        /// The lines of an example.
        ///
        /// For a block, the example is a whole file; otherwise, the example is part of a scenario.
        package let example: [String]
        /// Parses the part of the line after the word.
        ///
        /// The closure returns a `Result`, because storing a function with a typed error requires
        /// iOS 18.
        private let read: @Sendable (inout StepParser) -> Result<Parsed, SyntaxError>

        init(
            _ signature: String,
            _ help: String,
            example: [String],
            wordCount: Int = 1,
            parse: @escaping @Sendable (inout StepParser) throws(SyntaxError) -> Parsed
        ) {
            let words = signature.split { $0 == " " || $0 == "[" || $0 == "(" }
            word = words.prefix(wordCount).joined(separator: " ")
            self.signature = signature
            self.help = help
            self.example = example
            read = { parser in
                do throws(SyntaxError) {
                    return .success(try parse(&parser))
                } catch {
                    return .failure(error)
                }
            }
        }

        /// Parses the part of the line after the word.
        func parse(_ parser: inout StepParser) throws(SyntaxError) -> Parsed {
            try read(&parser).get()
        }
    }

    /// The form of a step.
    ///
    /// The form omits `as NAME`, which can follow every request.
    typealias StepForm = Form<ScenarioStep.Action>
    typealias ConditionForm = Form<Expectation.Condition>

    static let stepWords = NameIndex(steps.map(\.word))
    /// The second words of the steps that begin with a subject, by subject.
    ///
    /// The subjects are `host` and `user`.
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

    /// The steps in groups, in the order of the documentation.
    package static let stepGroups: [(title: String, forms: [Form<ScenarioStep.Action>])] = [
        ("Requests", drive),
        ("Leaving screens", leave),
        ("The user", person),
        ("The host, gates and state", outside),
        ("Reloading and restoring", reloading),
        ("Time", time),
        ("Checks and names", look),
    ]

    /// The forms of all steps.
    package static let steps = stepGroups.flatMap(\.forms)

    /// The conditions of `expect` and `check` in groups, in the order of the documentation.
    package static let conditionGroups: [(title: String, forms: [Form<Expectation.Condition>])] = [
        ("Conditions about screens", aboutScreens),
        ("Conditions about a request", aboutRequests),
        ("Conditions about events", aboutEvents),
        ("Conditions about the scripts", aboutScripts),
    ]

    /// The forms of all conditions of `expect` and `check`.
    package static let conditions = conditionGroups.flatMap(\.forms)
}
