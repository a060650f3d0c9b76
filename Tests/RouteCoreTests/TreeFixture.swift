// SPDX-License-Identifier: MIT

import RouteCore
import Testing

/// A tree made from notation, whose screens are found by class.
struct TreeFixture {
    /// Container classes named after the children that they show.
    static let classes: ScreenClasses = {
        var classes = ScreenClasses()
        classes.declare(ScreenClass("Last", kind: .container))
        classes.declare(ScreenClass("All", kind: .container, shows: .all, max: 3))
        classes.declare(ScreenClass("Selected", kind: .container, shows: .selected))
        return classes
    }()

    var tree = ScreenTree()

    init(_ windows: (name: String, text: String)...) throws {
        for window in windows { try set(window.name, window.text) }
    }

    init(_ text: String) throws {
        try self.init(("main", text))
    }

    mutating func set(_ window: String, _ text: String) throws {
        try tree.setRoot(try make(text), of: window)
    }

    /// Makes a detached screen from notation.
    mutating func make(_ text: String) throws -> ScreenID {
        try TreeNotation(text).build(into: &tree, classes: Self.classes)
    }

    /// Returns the first screen of a class in the tree.
    func find(_ name: String) throws -> ScreenID {
        var found: ScreenID?
        for window in tree.windows {
            tree.visit(window.root) { if found == nil, $0.class == name { found = $0.id } }
        }
        return try #require(found, "no \(name) in the tree")
    }

    func print(_ window: String = "main") -> String {
        NotationPrinter(classes: Self.classes).tree(tree, window: window)
    }

    /// Returns the complete contents of the tree, for comparisons.
    func dump() throws -> [Dumped] {
        try tree.windows.map {
            Dumped(name: $0.name, root: $0.root, shape: try Shape($0.root, in: tree))
        }
    }

    struct Dumped: Equatable {
        var name: String
        var root: ScreenID
        var shape: Shape
    }
}
