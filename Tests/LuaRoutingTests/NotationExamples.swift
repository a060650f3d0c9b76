// SPDX-License-Identifier: MIT

import LuaRouting

/// The examples of tree notation.
extension TypeExamples {
    static let notation: [Example] = [
        Example("TreeNotation", treeNotation),
        Example("ScreenNotation", screenNotation),
        Example("ChildNotation", childNotation),
        Example("FieldNotation", fieldNotation),
        Example("NotationParser", notationParser),
        Example("NotationPrinter", notationPrinter),
        Example("NotationError", notationError),
        Example("NotationMismatch", notationMismatch),
    ]

    private static func treeNotation() throws {
        let tree = try TreeNotation("nav[Home, Page(id=7)] ^ Login")
        print(tree.levels.map(\.name))  // ["nav", "Login"]
    }

    private static func screenNotation() throws {
        let screen = try TreeNotation("Page(id=7)").levels[0]
        print(screen.name, InfoTable(screen.fields ?? []))  // Page {id=7}
    }

    private static func childNotation() throws {
        let list = try TreeNotation("nav[..., Page]", .pattern).levels[0]
        for child in list.children ?? [] {
            switch child {
            case .rest: print("any screens")  // any screens
            case .child(let tree, _): print(tree.levels[0].name)  // Page
            }
        }
    }

    private static func fieldNotation() throws {
        let fields = try TreeNotation("Page(id=7)").levels[0].fields ?? []
        for field in fields { print(field.name, field.value, field.range) }  // id 7 5..<9
    }

    private static func notationParser() throws {
        var parser = NotationParser(Array("{ id = 7 } and more".utf8))
        let value = try parser.parseValue()
        print(value, parser.position)  // {id=7} 10
    }

    private static func notationPrinter() throws {
        let router = try startedRouter(showing: 7)
        let printer = NotationPrinter(classes: router.classes)
        print(printer.tree(router.tree, window: "main"))  // nav[Home, Page(id=7)]
        print(printer.value(["tags": ["new", "red"]]))  // {tags={"new", "red"}}
    }

    private static func notationError() {
        do {
            _ = try TreeNotation("nav[Home, *]")
        } catch {
            print(error.message)  // a class expected, got ']'
            print(error.range)  // 11..<12
        }
    }

    private static func notationMismatch() throws {
        let router = try startedRouter(showing: 7)
        let expected = try TreeNotation("nav[..., Page(id=8)]", .pattern)
        if let mismatch = expected.mismatch(in: router.tree, window: "main") {
            print(mismatch.range)  // 14..<18
            print(mismatch.reason)  // id is 7
        }
    }
}
