// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import Testing

extension RandomNumbers {
    mutating func element<Element>(of elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// Returns a plain value other than nil and NaN.
    mutating func value(depth: Int = 3) -> Value {
        switch below(depth > 0 ? 6 : 5) {
        case 0: .boolean(isTrue(oneIn: 2))
        case 1: .integer(isTrue(oneIn: 2) ? Int64(below(9)) : Int64(bitPattern: next()))
        case 2: .integer(element(of: [.min, .max, 0, -1]))
        case 3: .number(number())
        case 4: .string(string())
        default: .table(table(depth: depth - 1))
        }
    }

    mutating func number() -> Double {
        guard isTrue(oneIn: 2) else {
            return element(of: [
                0, -0.0, 1, -1, 1e100, .infinity, -.infinity, .leastNonzeroMagnitude,
                .greatestFiniteMagnitude, 0.1, 1e15, 1e16, 1e17, 9_007_199_254_740_992,
            ])
        }
        let number = Double(bitPattern: next())
        return number.isNaN ? 0.5 : number
    }

    /// Returns some bytes; at least half of the strings are UTF-8.
    mutating func string() -> ByteString {
        if isTrue(oneIn: 2) {
            let texts = [
                "a", "nil", "true", "\"", "\\", "\n", "\r\n", "é", "😀", "\0", "1", " ", "'",
            ]
            return ByteString((0..<below(4)).map { _ in element(of: texts) }.joined())
        }
        return ByteString(bytes: (0..<below(5)).map { _ in UInt8(truncatingIfNeeded: next()) })
    }

    mutating func table(depth: Int) -> InfoTable {
        var table = InfoTable(list: (0..<below(4)).map { _ in value(depth: depth) })
        for _ in 0..<below(3) {
            let key: InfoTable.Key =
                isTrue(oneIn: 2) ? .string(string()) : .integer(Int64(below(20)) - 10)
            table[key] = value(depth: depth)
        }
        return table
    }

    mutating func fields() -> Fields {
        var fields = Fields()
        for _ in 0..<below(3) { fields[element(of: ["id", "a", "b-c", "x.y"])] = value() }
        return fields
    }

    /// Makes a detached screen with screens inside it and above it.
    mutating func screen(in tree: inout ScreenTree, depth: Int = 4) throws -> ScreenID {
        let classes: [ScreenClass] = [
            ScreenClass("Show"), ScreenClass("Page", fields: ["x.y", "id"]), ScreenClass("foreign"),
            ScreenClass("nav"), ScreenClass("tabs"), ScreenClass("split"),
            ScreenClass("exnav", kind: .nav), ScreenClass("mytabs", kind: .tabs),
            ScreenClass("box", kind: .container), TreeFixture.classes["All"],
            TreeFixture.classes["Selected"],
        ]
        let screenClass = element(of: depth > 0 ? classes : Array(classes.prefix(3)))
        var children: [ScreenID] = []
        if screenClass.kind.isContainer {
            for _ in 0..<below(min(screenClass.max ?? 3, 3) + 1) {
                children.append(try screen(in: &tree, depth: depth - 1))
            }
        }
        let id = try tree.makeScreen(
            screenClass,
            fields: fields(),
            children: children,
            selection: children.isEmpty ? 0 : below(children.count)
        )
        for child in children {
            var presenter = child
            while isTrue(oneIn: 5) {
                let modal = try screen(in: &tree, depth: depth - 2)
                try tree.present(modal, from: presenter, .init(isContextual: true))
                presenter = modal
            }
        }
        return id
    }

    /// Makes a tree with one window.
    mutating func tree() throws -> ScreenTree {
        var tree = ScreenTree()
        let root = try screen(in: &tree)
        try tree.setRoot(root, of: "main")
        while isTrue(oneIn: 3) {
            let modal = try screen(in: &tree)
            try tree.present(modal, from: tree.topmost(of: try #require(tree.window("main"))))
        }
        return tree
    }
}
