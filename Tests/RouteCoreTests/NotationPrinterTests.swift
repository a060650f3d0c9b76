// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import Testing

struct NotationPrinterTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var value: Value
        var text: String
        init(_ value: Value, _ text: String) { (self.value, self.text) = (value, text) }
        var testDescription: String { text }
    }

    static let values: [Case] = [
        Case(nil, "nil"), Case(true, "true"), Case(7, "7"),
        Case(.integer(.min), "-9223372036854775808"),
        Case(1.0, "1.0"), Case(.number(-0.0), "-0.0"), Case(1e100, "1e+100"), Case(0.1, "0.1"),
        Case(.number(.infinity), "1e999"), Case(.number(-.infinity), "-1e999"),
        Case(.number(.nan), "0/0"),
        Case("", #""""#), Case("name", #""name""#), Case("say \"x\" \\", #""say \"x\" \\""#),
        Case("a\n\r\t\u{7}1\u{7F}\0", #""a\n\r\t\0071\127\000""#), Case("é😀", #""é😀""#),
        Case(.string(ByteString(bytes: [0x61, 0xC3, 0x28, 0xFF])), #""a\195(\255""#),
        Case(.table(InfoTable()), "{}"), Case([1, "a", [2]], #"{1, "a", {2}}"#),
        Case(["b": 1, "a": 2, "two words": 3, "nil": 4], #"{a=2, b=1, nil=4, ["two words"]=3}"#),
        Case(
            .table(InfoTable([("x", 1)], [(1, "a"), (3, "c"), (-1, "z")])),
            #"{"a", [-1]="z", [3]="c", x=1}"#
        ),
        Case(.object(HostObject(1)), "<host object>"),
    ]

    @Test("every value has one canonical text", arguments: values)
    func prints(_ given: Case) {
        #expect(NotationPrinter().value(given.value) == given.text)
    }

    @Test(
        "the printed text of a value without a notation cannot be parsed",
        arguments: [
            "0/0", "<host object>", "<function>", "<screen 7>",
        ]
    )
    func unreadable(_ text: String) {
        #expect(throws: NotationError.self) { try TreeNotation("A(x=\(text))") }
    }

    @Test("a printed value can be parsed again", arguments: [UInt64](1...8))
    func readsBack(_ seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        for _ in 0..<250 {
            let value = random.value()
            let text = NotationPrinter().value(value)
            var parser = NotationParser(Array(text.utf8))
            try #require(try parser.parseValue() == value, "seed \(seed): \(text)")
            try #require(parser.position == text.utf8.count, "seed \(seed): \(text)")
        }
    }

    static let classes: ScreenClasses = {
        var classes = TreeFixture.classes
        classes.declare(ScreenClass("Page", fields: ["x.y", "id"]))
        classes.declare(ScreenClass("mytabs", kind: .tabs))
        return classes
    }()

    @Test("a printed tree can be parsed again", arguments: [UInt64](1...8))
    func treeReadsBack(_ seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        let printer = NotationPrinter(classes: Self.classes)
        for _ in 0..<100 {
            let tree = try random.tree()
            let text = printer.tree(tree, window: "main")
            let notation = try TreeNotation(text)
            #expect(notation.mismatch(in: tree, window: "main") == nil, "seed \(seed): \(text)")
            var copy = ScreenTree()
            try copy.setRoot(try notation.build(into: &copy, classes: Self.classes), of: "main")
            try #require(printer.tree(copy, window: "main") == text, "seed \(seed)")
            let shapes = try [tree, copy].map {
                try Shape(try #require($0.window("main")).root, in: $0)
            }
            try #require(shapes[0] == shapes[1], "seed \(seed): \(text)")
        }
    }

    @Test(
        "declared fields are printed in order of declaration, then all other fields sorted by name"
    )
    func fieldOrder() throws {
        var tree = ScreenTree()
        let page = try tree.makeScreen(
            ScreenClass("Page"),
            fields: ["b": 1, "id": 2, "a": 3, "x.y": 4]
        )
        let printer = NotationPrinter(classes: Self.classes)
        #expect(printer.screen(page, in: tree) == "Page(x.y=4, id=2, a=3, b=1)")
        #expect(NotationPrinter().screen(page, in: tree) == "Page(a=3, b=1, id=2, x.y=4)")
    }

    @Test("the kind of a screen is printed unless its class implies that kind")
    func kinds() throws {
        var tree = ScreenTree()
        let printer = NotationPrinter(classes: Self.classes)
        func text(_ screenClass: ScreenClass) throws -> String {
            printer.screen(try tree.makeScreen(screenClass), in: tree)
        }
        #expect(try text(ScreenClass("nav")) == "nav[]")
        #expect(try text(ScreenClass("foreign")) == "foreign")
        #expect(try text(ScreenClass("mytabs", kind: .tabs)) == "mytabs[]")
        #expect(try text(ScreenClass("mytabs", kind: .nav)) == "mytabs:nav[]")
        #expect(try text(ScreenClass("exnav", kind: .nav)) == "exnav:nav[]")
        #expect(try text(ScreenClass("Alert", kind: .foreign)) == "Alert:foreign")
        #expect(try text(ScreenClass("All", kind: .container)) == "All[]")
        #expect(try text(ScreenClass("box", kind: .container)) == "box:container[]")
        #expect(try text(ScreenClass("container")) == "container")
        #expect(try text(ScreenClass("container", kind: .container)) == "container:container[]")
    }

    @Test("a screen can be printed without its children")
    func shallow() throws {
        var tree = ScreenTree()
        let root = try TreeNotation("tabs(id=1)[A, *nav[B] ^ C] ^ D").build(
            into: &tree,
            classes: ScreenClasses()
        )
        let printer = NotationPrinter()
        #expect(printer.screen(root, in: tree, deep: false) == "tabs(id=1)")
        #expect(printer.screen(root, in: tree) == "tabs(id=1)[A, *nav[B] ^ C]")
        #expect(printer.tree(tree, window: "main") == "")
    }

    @Test(
        "a truncated text is a prefix of the full text, and does not end inside a character",
        arguments: ["abcdef", "aé😀é", "\"\\\n\u{7}é"]
            + [ByteString(bytes: [0x61, 0xC3, 0x28, 0xFF, 0x62])]
    )
    func limits(_ string: ByteString) {
        let whole = NotationPrinter().value(.string(string))
        for limit in 0...whole.utf8.count + 1 {
            let text = NotationPrinter(limit: limit).value(.string(string))
            guard whole.utf8.count > limit else {
                #expect(text == whole)
                continue
            }
            let beginning = text.dropLast(3)
            #expect(text.hasSuffix("..."))
            #expect(whole.utf8.starts(with: beginning.utf8))
            #expect((limit - 3...limit).contains(beginning.utf8.count))
        }
    }

    @Test("the parameters of a route are printed as fields if their keys are names")
    func info() {
        let printer = NotationPrinter()
        #expect(printer.fields(InfoTable([("b", 1), ("a", "x")], [])) == #"(a="x", b=1)"#)
        #expect(printer.fields(InfoTable()) == "")
        #expect(printer.fields(InfoTable([("two words", 1)], [])) == nil)
        #expect(printer.fields(InfoTable([], [(1, 1)])) == nil)
        #expect(printer.fields(InfoTable([], [(7, 1)])) == nil)
    }
}
