// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import RouteCore
import TestSupport
import Testing

/// Tests of the references of actions and finders, which are composed from their tables.
struct ActionReferenceTests {
    private static let actions = referenceFolder.appending(path: "Actions.md")
    private static let finders = referenceFolder.appending(path: "Finders.md")

    // MARK: Actions

    @Test("the action reference documents every built-in action")
    func actionArticle() throws {
        let sections = Action.forms.map { form in
            """
            ## \(form.action.name)

            The action \(form.help).

            ```
            \(form.example.joined(separator: "\n"))
            ```
            """
        }
        let text = """
            # Actions

            The actions that put a screen into the tree.

            ## Overview

            A definition names its action in `via`, and a caller of `router.navigate` may name another one.
            Without either, the action is `push`. `router.present` and `router.addTab` make actions with
            options, and `router.action` declares a new one; see <doc:LuaAPI>.

            An action starts from a place, which is the screen of `from`. It uses the nearest container of the
            kind that it needs, at or above the place. If there is none, the navigation fails with
            `typeMismatch`.

            A test runs the examples with the scripts of <doc:ScenarioLanguage>. The tree is `nav[Home]` at
            first.

            \(sections.joined(separator: "\n\n"))

            """
        try expectGolden(text, Self.actions)
    }

    @Test("the example of each action passes", arguments: Action.forms.map(\.action.name))
    func action(_ name: String) throws {
        let form = try #require(Action.forms.first { $0.action.name == name })
        #expect(form.example.contains { $0.hasSuffix("via \(name)") })
        try ReferenceExample.expectSuccess(
            """
            use app.lua

            scenario "Example"
              given nav[Home]
            \(form.example.map { "  \($0)\n" }.joined())
            """
        )
    }

    // MARK: Finders

    private static let tree = "tabs[nav[Home, Show], *nav[Search, Result]] ^ nav[Login]"

    /// Returns the classes that a search visits, in order.
    private func visits(_ scope: SearchScope, from class: String) throws -> String {
        var parser = NotationParser(Array(Self.tree.utf8))
        var tree = ScreenTree()
        let root = try parser.parseTree(.tree).build(into: &tree, classes: ScreenClasses())
        try tree.openWindow("main", root: root)
        let all = tree.search(from: root)
        let start = try #require(
            all.first { `class` == "root" ? $0 == root : tree[$0].class == `class` }
        )
        return tree.search(from: start, scope).map { tree[$0].class }.joined(separator: ", ")
    }

    @Test("the finder reference documents every form and every search")
    func finderArticle() throws {
        let forms = Finder.forms.map { form in
            "### \(form.form)\n\n\(form.help.capitalizedFirst).\n\n```lua\n\(form.example)\n```"
        }
        let searches = try SearchScope.named.map { word, scope, help in
            let columns = try ["root", "Search", "Login"].map { try visits(scope, from: $0) }
            return "| `\(word)` | \(help) | \(columns.joined(separator: " | ")) |"
        }
        let text = """
            # Finders

            The descriptions of existing screens in `find`, `from`, `when` and `router.find`.

            ## Overview

            A finder describes an existing screen and where to search for it. The first screen that matches is found; the search visits each screen once.

            A test runs the examples with the scripts of <doc:ScenarioLanguage>. The tree is
            `nav[Home, Show(id=1)]` at first.

            ## Forms

            \(forms.joined(separator: "\n\n"))

            ## Keys of a table

            The keys `class`, `kind`, `by` and `match` describe the screen, and the others the search; see
            <doc:LuaAPI#Finder>. A search has a start and goes from there in some directions:

            - `start` is `"topmost"`, the root screen of the topmost level (the default); `"root"`, the root
              screen of the window; or a function `(info, nav)` that returns a screen.
            - `search` is a word of the table below, or a list of words, which are combined: without
              `current` the start is skipped. The default is `fullStack`.
            - `direction` orders the children that are not visible: `"bottomUp"` (the default), or
              `"topDown"`. Visible children come first in both.

            ## Searches

            The last columns list the screens that a search visits in the tree
            `\(Self.tree)`, in order: from its root, from `Search`, and
            from `Login`.

            | search | where it goes | from the root | from `Search` | from `Login` |
            | --- | --- | --- | --- | --- |
            \(searches.joined(separator: "\n"))

            """
        try expectGolden(text, Self.finders)
    }

    @Test("the example of each form of finder runs", arguments: Finder.forms.map(\.form))
    func finder(_ form: String) throws {
        let example = try #require(Finder.forms.first { $0.form == form }?.example)
        try ReferenceExample.expectSuccess(ofBody: example)
    }
}

extension String {
    fileprivate var capitalizedFirst: String {
        hasPrefix("`") ? self : prefix(1).uppercased() + dropFirst()
    }
}
