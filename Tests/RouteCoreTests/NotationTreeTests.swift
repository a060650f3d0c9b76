// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct NotationTreeTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        var text: String
        var mode: NotationParser.Mode
        var error: NotationError
        var testDescription: String { text }

        init(
            _ text: String,
            _ range: Range<Int>,
            _ message: String,
            help: String? = nil,
            mode: NotationParser.Mode = .tree
        ) {
            self.text = text
            self.mode = mode
            error = NotationError(message, at: range, help: help)
        }
    }

    static let bad: [Bad] = [
        Bad("", 0..<0, "a class expected, got the end"),
        Bad("  ", 2..<2, "a class expected, got the end"),
        Bad("7", 0..<1, "a class expected, got '7'"),
        Bad("_", 0..<1, "'_' is allowed only in expectations", help: "write the name of a class"),
        Bad(
            "nav[A, _]",
            7..<8,
            "'_' is allowed only in expectations",
            help: "write the name of a class"
        ),
        Bad(
            "_A",
            0..<2,
            "a class expected, got '_A'",
            help: "a name starts with a letter",
            mode: .pattern
        ),
        Bad(
            "nav[...]",
            4..<7,
            "'...' is allowed only in expectations",
            help: "list the screens instead"
        ),
        Bad(
            "...",
            0..<3,
            "a class expected, got '...'",
            help: "'...' is allowed only in a list of children",
            mode: .pattern
        ),
        Bad(
            "nav[..., A, ...]",
            12..<15,
            "the list contains a second '...'",
            help: "one '...' matches any number of items",
            mode: .pattern
        ),
        Bad(
            "tabs[*...]",
            6..<9,
            "a class expected, got '...'",
            help: "'...' is allowed only in a list of children",
            mode: .pattern
        ),
        Bad(
            "*A",
            0..<1,
            "a class expected, got '*'",
            help: "'*' is allowed only before a child of tabs"
        ),
        Bad(
            "tabs[A, * B, *C]",
            13..<14,
            "the list contains a second '*'",
            help: "only one tab can be selected"
        ),
        Bad("nav[]]", 5..<6, "the end expected, got ']'"),
        Bad("nav[A", 5..<5, "',' or ']' expected, got the end"),
        Bad("nav[A B]", 6..<7, "',' or ']' expected, got 'B'"),
        Bad("nav[A,]", 6..<7, "a class expected, got ']'"),
        Bad("nav[,A]", 4..<5, "a class expected, got ','"),
        Bad("nav[é]", 4..<6, "a class expected, got 'é'"),
        Bad("A.", 1..<2, "the end expected, got '.'"),
        Bad("A ^", 3..<3, "a class expected, got the end"),
        Bad("A ^ ^ B", 4..<5, "a class expected, got '^'"),
        Bad("x:navv[A]", 2..<6, "unknown kind 'navv'", help: "did you mean 'nav'?"),
        Bad(
            "x:stack[A]",
            2..<7,
            "unknown kind 'stack'",
            help: "the kinds are leaf, nav, tabs, split, container, foreign"
        ),
        Bad("x:[A]", 2..<3, "a kind expected, got '['"),
        Bad("A(", 2..<2, "a field expected, got the end", help: "write name=value"),
        Bad("A(1)", 2..<3, "a field expected, got '1'", help: "write name=value"),
        Bad("A(id=1,)", 7..<8, "a field expected, got ')'", help: "write name=value"),
        Bad("A(id)", 4..<5, "'=' expected after field 'id', got ')'"),
        Bad("A(id=)", 5..<6, "a value expected, got ')'"),
        Bad("A(id=1", 6..<6, "',' or ')' expected, got the end"),
        Bad(
            "A(t=two words)",
            8..<13,
            "',' or ')' expected, got 'words'",
            help: "put text that is not a name in quotes"
        ),
        Bad(
            "A(c=00FF00)",
            4..<10,
            "'00FF00' is not a number",
            help: #"quote it to make it a string: "00FF00""#
        ),
        Bad("A(id=1, b=2, id=3)", 13..<15, "field 'id' is given twice"),
        Bad(
            String(repeating: "n[", count: 101),
            201..<202,
            "the text is nested more than 100 levels deep"
        ),
        Bad(
            "A" + String(repeating: "^A", count: 101),
            201..<202,
            "the text is nested more than 100 levels deep"
        ),
    ]

    @Test("text that is not a tree is an error with a location", arguments: bad)
    func refuses(_ bad: Bad) {
        let error = #expect(throws: NotationError.self) { try TreeNotation(bad.text, bad.mode) }
        #expect(error == bad.error)
    }

    @Test("every parsed part has its range in the text")
    func ranges() throws {
        let text = "  tabs[ *nav:nav(a=1 , b = x)[A] ^ B ,..., _ ] ^ L  "
        let bytes = Array(text.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let tree = try TreeNotation(text, .pattern)
        #expect(part(tree.range) == "tabs[ *nav:nav(a=1 , b = x)[A] ^ B ,..., _ ] ^ L")
        #expect(
            tree.levels.map { part($0.range) } == [
                "tabs[ *nav:nav(a=1 , b = x)[A] ^ B ,..., _ ]", "L",
            ]
        )
        let children = try #require(tree.levels[0].children)
        guard case .child(let first, let star?) = children[0], case .rest(let rest) = children[1],
            case .child(let last, star: nil) = children[2]
        else {
            Issue.record("a selected child, a rest, and a child expected")
            return
        }
        #expect(part(star) == "*")
        #expect(part(first.range) == "nav:nav(a=1 , b = x)[A] ^ B")
        #expect(first.levels.map { part($0.range) } == ["nav:nav(a=1 , b = x)[A]", "B"])
        #expect(first.levels[0].kind == .nav)
        #expect(first.levels[0].fields?.map { part($0.range) } == ["a=1", "b = x"])
        #expect(first.levels[0].fields?.map(\.value) == [1, "x"])
        #expect(part(rest) == "...")
        #expect(last.levels[0].isAnyClass)
    }

    @Test("missing parentheses and brackets differ from empty parentheses and brackets")
    func absence() throws {
        let bare = try TreeNotation("nav").levels[0]
        #expect(bare.fields == nil && bare.children == nil)
        let empty = try TreeNotation("nav ( ) [ ]").levels[0]
        #expect(empty.fields?.isEmpty == true && empty.children?.isEmpty == true)
    }

    @Test("a parser can read a tree inside a larger text, and stops after the tree")
    func part() throws {
        let text = "expect tree nav[A, B] ^ C  # all"
        var parser = NotationParser(Array(text.utf8), from: 12, to: 27)
        let tree = try parser.parseTree(.pattern)
        #expect(tree.range == 12..<25)
        #expect(parser.position == 25)
        parser = NotationParser(Array(text.utf8), from: 12, to: 17)
        #expect(throws: NotationError("',' or ']' expected, got the end", at: 17..<17)) {
            try parser.parseTree(.pattern)
        }
    }

    @Test("a comment is treated as white space if comments are enabled")
    func comments() throws {
        let text = "nav[A, # one]\n# two\n B(s='# three')]"
        #expect(throws: NotationError.self) { try TreeNotation(text) }
        var parser = NotationParser(Array(text.utf8))
        parser.skipsComments = true
        let tree = try parser.parseTree(.tree)
        #expect(tree.levels[0].children?.count == 2)
        var glued = NotationParser(Array("nav[A#b\n]".utf8))
        glued.skipsComments = true
        #expect(throws: NotationError("',' or ']' expected, got '#'", at: 5..<6)) {
            try glued.parseTree(.tree)
        }
    }
}
