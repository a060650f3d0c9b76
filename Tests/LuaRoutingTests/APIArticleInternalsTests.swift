// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import LuaRouting

/// The article about the Lua API is made of the description that checks its calls.
struct APIArticleInternalsTests {
    private static let file =
        packageFolder
        .appending(path: "Sources/LuaRouting/Documentation.docc/LuaAPI.md")

    private func section(_ table: String, _ functions: [APIFunction]) -> String {
        functions.map { function in
            let names = function.parameters.map { $0.isOptional ? "[\($0.name)]" : $0.name }
            let call = "\(table).\(function.name)(\(names.joined(separator: ", ")))"
            let results = function.results.isEmpty ? "" : " → \(function.results)"
            var lines = ["### `\(call)`\(results)", "", function.text]
            if function.use == .running { lines[2] += " Not while the scripts load." }
            if function.use == .waiting { lines[2] += " Only in a function that may wait." }
            lines.append("")
            lines += function.parameters.flatMap { rows(of: $0, depth: 0) }
            return lines.joined(separator: "\n").trimmingSuffix("\n")
        }.joined(separator: "\n\n")
    }

    private func rows(of parameter: APIParameter, depth: Int) -> [String] {
        let indent = String(repeating: "  ", count: depth)
        let optional = parameter.isOptional ? ", optional" : ""
        let row =
            "\(indent)- `\(parameter.name)`, \(parameter.type.title)\(optional): \(parameter.text)"
        return [row] + parameter.type.keys.flatMap { rows(of: $0, depth: depth + 1) }
    }

    @Test("the article describes every function of the API")
    func article() throws {
        let text = """
            # The Lua API

            Every function that scripts call, with what it takes.

            ## The verbs

            \(section("router", APIFunction.verbs))

            ## Windows

            \(section("router", APIFunction.windows))

            ## Snapshots

            \(section("router", APIFunction.restoring))

            ## URLs

            \(section("router", APIFunction.urls))

            A `prepare`, or a function that builds, returns `router.next` to have the navigation go on with
            the next match of its URL.

            A navigation that a URL led to a route has these properties, which are read-only:

            \(APIFunction.urlMembers.map { "- `nav.\($0.name)`: \($0.text)" }.joined(separator: "\n"))

            ## Deep links and gates

            \(section("router", APIFunction.links))

            A routing has its `pattern`, and these functions:

            \(section("routing", APIFunction.routing).replacing("routing.", with: "routing:"))

            A ticket has this function, and these properties, which are read-only:

            \(section("ticket", APIFunction.ticket).replacing("ticket.", with: "ticket:"))

            \(APIFunction.ticketMembers.map { "- `ticket.\($0.name)`: \($0.text)" }.joined(separator: "\n"))

            ## Screens

            \(section("router", APIFunction.screens))

            Beside its fields, a screen has these properties, which are read only:

            \(ScreenProperty.allCases.map { "- `\($0.rawValue)`: \($0.text)" }.joined(separator: "\n"))

            ## The parts of a definition

            \(section("router", Step.functions))

            In the body of an action that `router.action` declares, its navigation has these functions:

            \(section("nav", APIFunction.acting).replacing("nav.", with: "nav:"))

            ## Interceptors

            \(section("router", APIFunction.interceptors))

            A navigation has these members, which are read only:

            \(APIFunction.navigationMembers.map { "- `nav.\($0.name)`: \($0.text)" }.joined(separator: "\n"))

            ## Waiting

            These functions of scripts may wait: \(APIFunction.waiters). Elsewhere waiting is an error, also
            where there happens to be nothing to wait for.

            \(section("router", APIFunction.waiting))

            A navigation has these functions:

            \(section("nav", APIFunction.navigation).replacing("nav.", with: "nav:"))

            A task has these:

            \(section("task", APIFunction.task).replacing("task.", with: "task:"))

            And a timer this one:

            \(section("timer", APIFunction.timer).replacing("timer.", with: "timer:"))

            ## Looking at the tree

            \(section("router", APIFunction.reading))

            ## Explanations

            \(section("router", APIFunction.explaining))

            Its keys; what is not known, or not there, is nil, and a place is `file:line`:

            \(Explanation.keys.map { "- `\($0.name)`: \($0.text)" }.joined(separator: "\n"))

            ## Dependencies

            \(section("router", APIFunction.dependencies))

            ## Route strings

            \(section("router", APIFunction.handlers))

            ## Setting up

            \(section("router", APIFunction.setup))

            ## The log

            \(section("router.log", APIFunction.log))

            ## The time

            \(section("os", APIFunction.os(.trusted)))

            """
        try expectGolden(text, Self.file)
    }
}

extension APIType {
    /// The keys of a table of options.
    fileprivate var keys: [APIParameter] {
        switch self {
        case .keyed(let keys), .listed(_, let keys): keys.parameters
        case .either(let types): types.flatMap(\.keys)
        default: []
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
