// SPDX-License-Identifier: MIT

import Foundation
import RouteCore
import TestSupport
import Testing

@testable import LuaRouting

/// Tests of the references of navigations and of types, which are composed from their tables.
struct NavigationReferenceInternalsTests {
    private static let file = referenceFolder.appending(path: "Navigations.md")
    private static let route = """
        router.provide("player", function() return { volume = 5 } end)
        router.register("Sample", "show", {
          info = { id = "integer" },
          url = "/sample/:id(int)",
          needs = "player",
          build = function() return router.screen "Sample" end,
        """
    private static let url = "podcast://sample/7?ref=mail#top"

    private static func table(_ members: [NavigationMember]) -> String {
        let rows = members.map { "| `nav.\($0.name)` | \($0.text) | `\($0.example)` |" }
        return "| property | meaning | example |\n| --- | --- | --- |\n"
            + rows.joined(separator: "\n")
    }

    @Test("the reference of navigations has every property and every type")
    func article() throws {
        let types = ValueType.forms.map { form in
            let values = [form.accepted, form.rejected].map { $0.map { "`\($0)`" } ?? "" }
            return "| `\(form.form)` | \(form.help) | \(values.joined(separator: " | ")) |"
        }
        let text = """
            # Navigations

            The properties of a navigation in Lua, and the types of its parameters.

            ## Overview

            `router.navigate` returns a navigation, and the functions of a definition receive it as `nav`. Its
            properties are read only. <doc:LuaAPI> has its functions: `nav:await`, `nav:result`, `nav:cancel`.

            The conditions below are true in the `after` of this route when `\(Self.url)`
            is opened. A test evaluates them.

            ```lua
            \(Self.route)
            })
            ```

            ## Properties

            \(Self.table(APIFunction.navigationMembers))

            ## Properties of a deep link

            \(Self.table(APIFunction.urlMembers))

            ## Types of parameters

            A definition declares the type of each parameter in `info` and the type of its result in `result`; `router.class` declares the types of fields. A value of another type is the error `badInfo`, which names the parameter. A
            `?` after a word, or `optional = true` in a table, makes a parameter optional.

            | declaration | type | accepts | rejects |
            | --- | --- | --- | --- |
            \(types.joined(separator: "\n"))

            """
        try expectGolden(text, Self.file)
    }

    @Test("the example of each property is a true expression")
    func properties() throws {
        let members = APIFunction.navigationMembers + APIFunction.urlMembers
        let checks = members.map { "    assert(\($0.example), \"\($0.name)\")" }
        try ReferenceExample.expectSuccess(
            of: ["open \"\(Self.url)\"", "expect top Sample", "expect state.checked = true"],
            with: """
                \(Self.route)
                  after = function(screen, info, nav)
                \(checks.joined(separator: "\n"))
                    router.state.checked = true
                  end,
                })
                """
        )
    }

    @Test(
        "each type accepts its valid example and rejects its invalid example",
        arguments: ValueType.forms.map(\.form)
    )
    func types(_ declaration: String) throws {
        let form = try #require(ValueType.forms.first { $0.form == declaration })
        var steps = ["expect top Show"]
        if let accepted = form.accepted {
            steps += ["navigate Sample/show(value=\(accepted))", "expect done"]
        }
        if let rejected = form.rejected {
            steps += ["navigate Sample/show(value=\(rejected))", "expect error badInfo \"value\""]
        }
        try ReferenceExample.expectSuccess(
            of: steps,
            with: """
                router.register("Sample", "show", {
                  info = { value = \(declaration) },
                  build = function() return router.screen "Sample" end,
                })
                """
        )
    }

    @Test("each word for a type has an example")
    func words() {
        let forms = ValueType.forms.map(\.form)
        for (word, _) in ValueType.words { #expect(forms.contains("\"\(word)\"")) }
    }
}
