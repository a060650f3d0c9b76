// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import ScenarioKit

/// Tests of the grammars with which editors highlight scenario files.
struct GrammarInternalsTests {
    private struct Grammar: Decodable {
        struct Pattern: Decodable {
            let name: String
            let match: String
            let captures: [String: Name]?
        }
        struct Name: Decodable { let name: String }

        let scopeName: String
        let fileTypes: [String]
        let patterns: [Pattern]
    }

    private let grammar: Grammar

    init() throws {
        grammar = try JSONDecoder().decode(Grammar.self, from: Data(TextMateGrammar.text.utf8))
    }

    /// Returns the scopes of the parts of a line, as an editor determines them.
    private func scopes(_ line: String) throws -> [String: String] {
        var result: [String: String] = [:]
        var position = 0
        let text = line as NSString
        while position < text.length {
            var best: (match: NSTextCheckingResult, pattern: Grammar.Pattern)?
            for pattern in grammar.patterns {
                let match = try NSRegularExpression(pattern: pattern.match).firstMatch(
                    in: line,
                    options: [.withoutAnchoringBounds, .withTransparentBounds],
                    range: NSRange(location: position, length: text.length - position)
                )
                guard let match else { continue }
                if best.map({ match.range.location < $0.match.range.location }) ?? true {
                    best = (match, pattern)
                }
            }
            guard let (match, pattern) = best else { break }
            func add(_ range: NSRange, _ scope: String) {
                guard range.location != NSNotFound else { return }
                let part = text.substring(with: range).trimmingCharacters(in: .whitespaces)
                result[part] = scope.replacing(".luaroute", with: "")
            }
            add(match.range, pattern.name)
            for (group, scope) in pattern.captures ?? [:] {
                add(match.range(at: Int(group) ?? 0), scope.name)
            }
            position = max(position + 1, match.range.location + match.range.length)
        }
        return result
    }

    @Test("each keyword has the scope of its kind")
    func words() throws {
        #expect(grammar.scopeName == "source.luaroute")
        #expect(grammar.fileTypes == ["scenario"])
        for form in Vocabulary.blocks {
            #expect(try scopes("\(form.word) x")[form.word] == "keyword.control.block")
        }
        for form in Vocabulary.structure {
            #expect(try scopes("  \(form.word)")[form.word] == "keyword.control.structure")
        }
        for form in Vocabulary.exploring {
            #expect(try scopes("  \(form.word) x")[form.word] == "keyword.control.structure")
        }
        #expect(try scopes("  can user back")["user back"] == "support.function.step")
        let rule = try scopes("  never top Orders when state.user = nil")
        #expect(rule["top"] == "support.type.condition")
        #expect(rule["state.user"] == "support.type.condition")
        for form in Vocabulary.steps {
            #expect(try scopes("  \(form.word) X")[form.word] == "support.function.step")
            let optional = try scopes("    maybe \(form.word)")
            #expect(optional[form.word] == "support.function.step")
        }
        for form in Vocabulary.conditions {
            let word = form.word.replacing("KEY", with: "user.name")
            for words in ["", "not ", "login ", "login not "] {
                let found = try scopes("  expect \(words)\(word) X")
                #expect(found[word] == "support.type.condition", "\(words)\(word)")
                #expect(found["expect"] == "support.function.step")
            }
        }
        #expect(TextMateGrammar.connectives.contains("via"))
        #expect(TextMateGrammar.connectives.contains("as"))
    }

    @Test(
        "values, comments and names have the scopes of their kinds",
        arguments: [
            (#"  note "it's # 7""#, #""it's # 7""#, "string.quoted.double"),
            ("  expect top A(name='b')", "'b'", "string.quoted.single"),
            ("  back 2  # two", "# two", "comment.line.number-sign"),
            ("  back 2", "2", "constant.numeric"),
            ("  advance 2.5s", "2.5s", "constant.numeric.duration"),
            ("  at 2026-01-01T09:00", "2026-01-01T09:00", "constant.numeric.time"),
            ("  navigate Show/open(id=<id>)", "<id>", "variable.parameter"),
            ("  navigate Show/open as show", "Show/open", "entity.name.function.route"),
            ("  navigate Show/open as show", "as", "keyword.other"),
            ("  expect top A(b=true)", "true", "constant.language"),
            ("scenario \"a\"  @smoke", "@smoke", "entity.name.tag"),
            ("  open app://shows/7#a as show", "app://shows/7#a", "string.unquoted.url"),
        ]
    )
    func values(_ line: String, _ part: String, _ scope: String) throws {
        #expect(try scopes(line)[part] == scope)
    }

    @Test("the tree-sitter grammar lists each keyword in the correct place")
    func treeSitter() {
        let lines = TreeSitterGrammar.text.split(separator: "\n")
        func check(_ words: [String], in list: String) {
            let line = lines.first { $0.hasPrefix("const \(list) = [") } ?? ""
            for word in words { #expect(line.contains("\"\(word)\""), "\(word)") }
        }
        check(Vocabulary.blocks.map(\.word), in: "blocks")
        check(["maybe", "can"], in: "wrappers")
        check(["expect", "check", "never", "always"], in: "expectations")
        check(["do", "each", "repeat", "end", "bound"], in: "structure")
        check(["navigate", "user back"], in: "steps")
        check(Vocabulary.conditions.map(\.word), in: "conditions")
        check(["as", "when", "not"], in: "connectives")
    }
}
