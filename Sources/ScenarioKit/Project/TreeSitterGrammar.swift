// SPDX-License-Identifier: MIT

internal import RouteCore

/// The tree-sitter grammar of scenario files.
///
/// The lists of words are generated from the tables of the parser; the rules refer only to these
/// lists.
enum TreeSitterGrammar {
    private typealias Form = (word: String, signature: String)

    private static var lists: [(name: String, words: [String])] {
        let structure: [Form] =
            Vocabulary.structure.map { ($0.word, $0.signature) }
            + Vocabulary.exploring.map { ($0.word, $0.signature) }
        let steps: [Form] = Vocabulary.steps.map { ($0.word, $0.signature) }
        let words = { (forms: [Form], part: String) in
            forms.filter { $0.signature.contains(part: part) }.map(\.word)
        }
        let wrappers = words(structure, "STEP")
        let expectations = words(structure + steps, "CONDITION")
        let others = { (forms: [Form]) in
            forms.map(\.word).filter { !wrappers.contains($0) && !expectations.contains($0) }
        }
        return [
            ("blocks", Vocabulary.blocks.map(\.word)), ("structure", others(structure)),
            ("wrappers", wrappers), ("steps", others(steps)), ("expectations", expectations),
            ("conditions", Vocabulary.conditions.map(\.word)),
            ("connectives", TextMateGrammar.connectives),
        ]
    }

    /// The text of the file `grammar.js`.
    static var text: String {
        lists.map { name, words in
            "const \(name) = [\(words.map { "\"\($0)\"" }.joined(separator: ", "))];\n"
        }.joined() + String(decoding: PackageResources.grammar_js, as: UTF8.self)
    }
}
