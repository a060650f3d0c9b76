// SPDX-License-Identifier: MIT

internal import RouteCore

/// The TextMate grammar of scenario files, generated from the tables of the parser.
enum TextMateGrammar {
    /// A pattern, and the scope of the text that it matches.
    private struct Rule {
        let scope: String
        let pattern: String
        /// The scopes of the pattern's capture groups.
        var groups: [String] = []
    }

    /// The rules.
    ///
    /// At each position, the first rule that matches is used.
    private static var rules: [Rule] {
        let exploring = Vocabulary.exploring.map(\.word)
        let blocks = words(Vocabulary.blocks.map(\.word))
        let structure = words(Vocabulary.structure.map(\.word) + exploring)
        let steps = words(Vocabulary.steps.map(\.word))
        let expectations = words(
            Vocabulary.steps.filter { $0.signature.contains(part: "CONDITION") }.map(\.word)
        )
        let conditions = words(Vocabulary.conditions.map(\.word))
        return [
            Rule(scope: "comment.line.number-sign", pattern: #"(?:^|(?<=\s))#.*$"#),
            Rule(scope: "keyword.control.block", pattern: "^\(blocks)"),
            Rule(scope: "keyword.control.structure", pattern: #"^\s+\#(structure)"#),
            Rule(
                scope: "meta.expectation",
                pattern: #"^\s+(\#(expectations))(?:\s+[\w.-]+)??(\s+not)?\s+(\#(conditions))"#,
                groups: ["support.function.step", "keyword.other", "support.type.condition"]
            ),
            Rule(
                scope: "support.function.step",
                pattern: #"(?:^\s+|(?<=\bmaybe\s)|(?<=\bcan\s))\#(steps)"#
            ),
            Rule(
                scope: "support.type.condition",
                pattern: #"(?:(?<=\bnever\s)|(?<=\breach\s)|(?<=\bwhen\s))\#(conditions)"#
            ),
            Rule(scope: "string.quoted.double", pattern: #""(?:[^"\\]|\\.)*""#),
            Rule(scope: "string.quoted.single", pattern: #"(?<![\w])'(?:[^'\\]|\\.)*'"#),
            Rule(scope: "variable.parameter", pattern: #"<[A-Za-z][\w.-]*>"#),
            Rule(scope: "entity.name.tag", pattern: #"(?<=\s)@[A-Za-z][\w.-]*"#),
            Rule(scope: "string.unquoted.url", pattern: #"(?<=\s)[A-Za-z][\w+.-]*://\S*"#),
            Rule(
                scope: "constant.numeric.time",
                pattern: #"\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?\b"#
            ),
            Rule(scope: "constant.numeric.duration", pattern: #"\b\d+(?:\.\d+)?(?:ms|s|m|h)\b"#),
            Rule(
                scope: "constant.numeric",
                pattern: #"(?<![\w-])-?(?:0x[\da-fA-F]+|\d+(?:\.\d+)?)\b"#
            ),
            Rule(scope: "constant.language", pattern: #"\b(?:true|false|nil)\b"#),
            Rule(
                scope: "entity.name.function.route",
                pattern: #"\b[A-Za-z][\w.-]*/[A-Za-z][\w.-]*"#
            ),
            Rule(scope: "keyword.other", pattern: #"(?<=\s)\#(words(connectives))"#),
            Rule(scope: "keyword.operator", pattern: #"\.\.\.|[<>]=?|[*^|]|\b_\b"#),
        ]
    }

    /// The lowercase words in signatures after the first word, such as `as`, `from` and `window`.
    static var connectives: [String] {
        let forms =
            Vocabulary.steps.map { ($0.word, $0.signature) }
            + Vocabulary.conditions.map { ($0.word, $0.signature) }
            + Vocabulary.structure.map { ($0.word, $0.signature) }
            + Vocabulary.exploring.map { ($0.word, $0.signature) }
        var result: Set<String> = ["not"]
        for (word, signature) in forms {
            let isSeparator = { (character: Character) in " []()|,…=/<>\"".contains(character) }
            for part in signature.dropFirst(word.count).split(whereSeparator: isSeparator)
            where part.utf8.allSatisfy({ $0.isLetter && !$0.isCapital }) {
                result.insert(String(part))
            }
        }
        return result.sorted()
    }

    /// Returns a pattern that matches any of the given words.
    ///
    /// In a word, `.KEY` matches a period followed by any name.
    private static func words(_ words: [String]) -> String {
        let patterns = Set(words).sorted { ($1.count, $0) < ($0.count, $1) }.map { word in
            word.split(separator: " ").map { part in
                String(part).replacing(part: ".KEY", with: #"\.[A-Za-z][\w.-]*"#)
            }.joined(separator: #"\s+"#)
        }
        return "(?:" + patterns.joined(separator: "|") + #")(?=[\s(]|$)"#
    }

    /// The grammar as a JSON document.
    static var text: String {
        var json = JSONWriter()
        json.begin("{")
        json.member("scopeName", "source.luaroute")
        json.member("name", "luaroute scenario")
        json.list("fileTypes", elements: ["scenario"]) { $0.write(.string(ByteString($1))) }
        json.list("patterns", elements: rules) { json, rule in
            json.begin("{")
            json.member("name", "\(rule.scope).luaroute")
            json.member("match", rule.pattern)
            if !rule.groups.isEmpty {
                json.name("captures")
                json.begin("{")
                for (index, scope) in rule.groups.enumerated() {
                    json.name("\(index + 1)")
                    json.begin("{")
                    json.member("name", "\(scope).luaroute")
                    json.end("}")
                }
                json.end("}")
            }
            json.end("}")
        }
        json.end("}")
        return json.text + "\n"
    }
}
