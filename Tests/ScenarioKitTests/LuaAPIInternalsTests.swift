// SPDX-License-Identifier: MIT

import Foundation
import RouteCore
import ScenarioKit
import TestSupport
import Testing

@testable import LuaRouting

/// Tests of the reference of the Lua API, which is composed from the description with which calls
/// are checked.
struct LuaAPIInternalsTests {
    private static let file = referenceFolder.appending(path: "LuaAPI.md")
    private static let byTask = """
        ### By task

        | to | functions |
        | --- | --- |
        | declare a route, or work without a screen | `register`, `registerTask`, `group`, `alias`, `handle` |
        | keep old URLs | `alias`, `rewrite`, `redirect` of a definition |
        | go somewhere | `navigate`, `open`, `dispatch` |
        | leave screens | `back`, `dismiss`, `popTo`, `popToRoot`, `dismissAll`, `close` |
        | guard a route | `interceptor`, `interceptAll`, `stop`, `stay`, `redirect`, `ready` |
        | reuse a screen | `find` and `reuse` of a definition, `reuse` |
        | wait | `await` and `result` of handles, `sleep`, `delay` |
        | build trees | `screen`, `nav`, `tabs`, `split`, `container`, `class` |
        | read the tree | `topmost`, `visible`, `root`, `windows`, `find` |
        | use several windows | `openWindow`, `closeWindow` |
        | reload scripts | `activated`, `migrate`, `complete`, `api` |
        | find out why | `explain`, `log` |

        For the choice between similar functions see <doc:WhichOne>.
        """

    /// A member of the API, with the member's example.
    struct Entry: CustomTestStringConvertible, Sendable {
        let object: String
        let name: String
        let example: APIExample

        var testDescription: String { "\(object).\(name)" }
    }

    private static let entries =
        APIChapter.all.flatMap { chapter in
            chapter.functions.map {
                Entry(object: chapter.object, name: $0.name, example: $0.example)
            }
        } + APIValue.all.map { Entry(object: "router", name: $0.name, example: $0.example) }

    // MARK: Types

    private func title(_ type: APIType) -> String {
        switch type {
        case .word(let words) where words.count == Event.Kind.heard.count: "kind of <doc:Events>"
        case .word(let words): words.map { "`\($0)`" }.joined(separator: " or ")
        case .keyed(let keys):
            keys.title.map { "<doc:LuaAPI#\($0.replacing(" ", with: "-"))>" } ?? "table"
        case .listed(.word, _): "a list of them"
        case .listed(.either(let types), _): "list of (\(title(.either(types))))"
        case .listed(let element, _) where element.tables.isEmpty: "list of \(title(element))s"
        case .listed(let element, _): "list of \(title(element))"
        case .either(let types): types.map(title).joined(separator: " or ")
        default: type.title
        }
    }

    private func rows(_ parameters: [APIParameter], depth: Int = 0) -> [String] {
        parameters.flatMap { parameter in
            let indent = String(repeating: "  ", count: depth)
            let optional = parameter.isOptional ? ", optional" : ""
            let row =
                "\(indent)- `\(parameter.name)`, \(title(parameter.type))\(optional): \(parameter.text)"
            let inner = parameter.type.tables.filter { $0.title == nil }.flatMap(\.parameters)
            return [row] + rows(inner, depth: depth + 1)
        }
    }

    /// Adds the tables that several functions accept, each once.
    private func tables(of parameters: [APIParameter], into tables: inout [APIKeys]) {
        for keys in parameters.flatMap(\.type.tables) {
            if keys.title != nil {
                if tables.contains(where: { $0.title == keys.title }) { continue }
                tables.append(keys)
            }
            self.tables(of: keys.parameters, into: &tables)
        }
    }

    // MARK: The article

    private func section(_ example: APIExample) -> String {
        var text = "```lua\n\(example.lua)\n```"
        if !example.steps.isEmpty {
            text += "\n\n```\n\(example.steps.joined(separator: "\n"))\n```"
        }
        return text
    }

    private func section(_ function: APIFunction, of object: String) -> String {
        let name = function.name(of: object)
        let call = "`\(name.dropLast(function.name.count))\(function.signature)"
            .replacing(" → ", with: "` → ")
        let rows = rows(function.parameters).map { "\($0)\n" }.joined()
        return """
            ### \(name)

            \(function.results.isEmpty ? call + "`" : call)

            \(function.text)\(function.restriction)

            \(rows.isEmpty ? "" : rows + "\n")\(section(function.example))
            """
    }

    private func section(_ chapter: APIChapter) -> String {
        var parts = ["## \(chapter.title)"]
        parts += chapter.functions.map { section($0, of: chapter.object) }
        if !chapter.members.isEmpty {
            let rows = chapter.members.map { "- `\($0.name)`: \($0.text)" }
            parts.append("### Properties: \(chapter.title.lowercased())")
            parts.append(rows.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    @Test("the reference of the Lua API has every function")
    func article() throws {
        var tables: [APIKeys] = []
        for function in APIChapter.all.flatMap(\.functions) {
            self.tables(of: function.parameters, into: &tables)
        }
        let types = tables.map { keys in
            "### \(keys.title ?? "")\n\n\(rows(keys.parameters).joined(separator: "\n"))"
        }
        let values = APIValue.all.map {
            "### router.\($0.name)\n\n\($0.text)\n\n\(section($0.example))"
        }
        let text = """
            # Lua API

            The functions and values that route scripts use.

            ## Overview

            Scripts use one global, `router`. A table with an unknown key is an error that names the key
            with the nearest spelling.

            These functions of scripts may wait: \(APIFunction.waiters). Elsewhere waiting is an error.

            A test runs every example of this page with the scripts of <doc:ScenarioLanguage>. An example
            with steps is a part of the scripts, and the steps show its effect. One without steps runs in a
            function that may wait. The tree is `nav[Home, Show(id=1)]` at first.

            \(Self.byTask)

            \(APIChapter.all.map(section).joined(separator: "\n\n"))

            ## Values

            \(values.joined(separator: "\n\n"))

            ## Tables of options

            \(types.joined(separator: "\n\n"))

            """
        try expectGolden(text, Self.file)
    }

    // MARK: Examples

    @Test("the example of each member uses the member and runs", arguments: entries)
    func example(_ entry: Entry) throws {
        #expect(entry.example.lua.contains(entry.name))
        let (lua, steps) = (entry.example.lua, entry.example.steps)
        let profile = entry.object == "os" ? "trusted" : "strict"
        if steps.isEmpty {
            try ReferenceExample.expectSuccess(ofBody: lua, profile: profile)
        } else {
            try ReferenceExample.expectSuccess(of: steps, with: lua, profile: profile)
        }
    }
}
