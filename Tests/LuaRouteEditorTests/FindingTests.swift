// SPDX-License-Identifier: MIT

import LuaRouteEditor
import RouteCore
import TestSupport
import Testing

/// Tests of the findings that a server publishes while the user types, and of the fixes that it
/// proposes.
struct FindingTests {
    @Test("a valid project has no findings, and its scenarios run")
    func clean() throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario")
        #expect(Array(client.findings().values.joined()) == [])
        #expect(!client.server.hasNews)
    }

    @Test(
        "unsaved text is parsed, checked and run, and its findings are published",
        arguments: [
            (
                "shop.scenario", "do visit 7", "do vist 7",
                "S0114 no macro is named 'vist'"
            ),
            (
                "shop.scenario", "top Product(", "top Prodct(",
                "S0205 no class 'Prodct', did you mean 'Product'?"
            ),
            (
                "shop.scenario", "top Product(id=7)", "top Product(id=8)",
                "S0301 expect top does not hold"
            ),
            ("main.lua", "intercept = \"login\"", "intercept = \"lgoin\"", "L0203"),
            ("main.lua", "from = {", "from = = {", "L0301"),
            ("login.lua", "router.interceptor(\"login\"", "router.interceptor(\"other\"", "L0203"),
        ] as [(String, String, String, String)]
    )
    func unsaved(file: String, old: String, new: String, expected: String) throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario")
        if file != "shop.scenario" { try client.open(file) }
        _ = client.findings()
        let text = try client.folder.read(file)
        client.change(file, text.replacingOccurrences(of: old, with: new))
        let found = client.findings()
        #expect(found.values.joined().contains { $0.contains(expected) }, "\(found)")
        client.change(file, text)
        #expect(Array(client.findings().values.joined()) == [])
    }

    @Test("an interrupted run is repeated when the user next stops typing")
    func interruptedRun() throws {
        var isInterrupted = true
        var limit = 0
        while isInterrupted {
            let client = try EditorClient(Shop.files)
            let text = try client.folder.read("shop.scenario")
            try client.open(
                "shop.scenario",
                text.replacingOccurrences(of: "top Product(id=7)", with: "top Product(id=8)")
            )
            nonisolated(unsafe) var calls = 0
            client.server.update { [limit] in
                calls += 1
                return calls > limit
            }
            let found = client.findings()
            #expect(
                found.values.joined().contains { $0.contains("S0301") },
                "interrupted at call \(limit + 1): \(found)"
            )
            isInterrupted = calls > limit
            limit += 1
        }
        #expect(limit > 3)
    }

    @Test("after a script fails to load, names from the last successful load remain known")
    func lastGood() throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario")
        try client.open("main.lua")
        _ = client.findings()
        client.change("main.lua", "error('broken'")
        let found = client.findings()
        #expect(found["main.lua"]?.count == 1)
        let reason = try #require(found["shop.scenario"]?.first)
        #expect(
            reason.hasPrefix("1 L0301 no scenario of this file can run: main.lua:1: "),
            "\(found)"
        )
        #expect(found["shop.scenario"]?.count == 1)
        let items = client.request(
            "textDocument/completion",
            "shop.scenario",
            at: "top Pro|duct(id=7)"
        )
        #expect(items["result"].list?.contains { $0["label"].text == "Product" } == true)
    }

    @Test("in a scenario file with an error, the names of its scripts remain known")
    func brokenScenario() throws {
        var files = Shop.files
        files["main.lua"] = nil
        files["app.lua"] = Shop.main
        files["shop.scenario"] = Shop.scenario.replacingOccurrences(of: "main.lua", with: "app.lua")
        let client = try EditorClient(files)
        try client.open("shop.scenario", (files["shop.scenario"] ?? "") + "  navigate Pro\n")
        #expect(client.findings()["shop.scenario"]?.count == 1)
        let items = client.request(
            "textDocument/completion",
            "shop.scenario",
            at: "navigate Product/show(i|d=0)"
        )
        #expect(items["result"].list?.contains { $0["label"].text == "id" } == true)
    }

    @Test("unchanged findings are not published again")
    func unchanged() throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario", Shop.scenario + "  nonsense\n")
        try client.open("main.lua")
        #expect(Set(client.findings().keys) == ["shop.scenario"])
        client.change("main.lua", Shop.main + "-- a comment\n")
        #expect(client.findings().isEmpty)
    }

    @Test(
        "a run is repeated if, and only if, a file on which it depends has changed",
        arguments: [
            ("shop.scenario", true), ("login.lua", true), ("cells.csv", true), ("other.lua", true),
            ("unused.lua", false),
        ] as [(String, Bool)]
    )
    func dependencies(name: String, runs: Bool) throws {
        var files = Shop.files
        files["cells.csv"] = "id\n7\n"
        files["other.lua"] = Shop.main
        files["unused.lua"] = ""
        files["shop.scenario", default: ""] += """

            scenario "Row"
              reload other.lua
              do visit <id>
              expect top Product(id=<id>)
              each from cells.csv

            """
        let client = try EditorClient(
            capabilities: ["workspace": ["inlayHint": ["refreshSupport": true]]],
            files
        )
        try client.open("shop.scenario")
        try client.open(name)
        #expect(Array(client.findings().values.joined()) == [])
        _ = client.take("workspace/inlayHint/refresh")
        let more =
            name.hasSuffix(".csv") ? "8\n" : name.hasSuffix(".lua") ? "-- More.\n" : "# More.\n"
        client.change(name, (files[name] ?? "") + more)
        #expect(Array(client.findings().values.joined()) == [])
        #expect(client.take("workspace/inlayHint/refresh").isEmpty != runs)
    }

    @Test("the contract named by the settings is used, whether or not the settings are saved")
    func contract() throws {
        var files = Shop.files
        files["luaroute.json"] = #"{"contract": "app/Routes.swift"}"#
        files["app/Routes.swift"] = """
            let text = \"\"\"
            luaroute.contract/1
            route Product/show {id="integer"}
            \"\"\"

            """
        let client = try EditorClient(files)
        try client.open("shop.scenario")
        #expect(Array(client.findings().values.joined()) == [])
        let broken = (files["app/Routes.swift"] ?? "").replacingOccurrences(
            of: "show",
            with: "gone"
        )
        try client.folder.write("app/Routes.swift", broken)
        client.notify(
            "workspace/didChangeWatchedFiles",
            ["changes": [["uri": .string(client.uri("app/Routes.swift")), "type": 2]]]
        )
        let found = client.findings()
        #expect(found.values.joined().contains { $0.contains("L0236") }, "\(found)")
        try client.open("app/Routes.swift", files["app/Routes.swift"])
        #expect(Array(client.findings().values.joined()) == [])
    }

    @Test("a file that does not exist on disk yet is checked, run and completed like any other")
    func newFile() throws {
        let client = try EditorClient(Shop.files)
        try client.open("new.scenario", Shop.scenario.replacingOccurrences(of: "7)", with: "8)"))
        try client.open("new.lua", "router.class(\"Fresh\", {})\n")
        let found = client.findings()
        #expect(found["new.scenario"]?.contains { $0.contains("S0301") } == true, "\(found)")
        client.notify(
            "textDocument/didClose",
            ["textDocument": ["uri": .string(client.uri("new.scenario"))]]
        )
        #expect(client.findings()["new.scenario"] == [])
        let all = client.request("workspace/symbol", ["query": "fresh"])["result"].list
        #expect(all?.count == 1)
    }

    @Test(
        "unsaved settings of the project and an unsaved manifest of its host take effect",
        arguments: [
            ("luaroute.json", #"{"script": 1}"#, "luaroute.json", "bad value of 'script'"),
            ("host.json", #"{"screens": 1}"#, "main.lua", "is not a host manifest"),
        ] as [(String, String, String, String)]
    )
    func settings(name: String, text: String, file: String, expected: String) throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario")
        _ = client.findings()
        try client.open(name, text)
        let found = client.findings()
        #expect(found[file]?.contains { $0.contains(expected) } == true, "\(found)")
        client.notify(
            "textDocument/didClose",
            ["textDocument": ["uri": .string(client.uri(name))]]
        )
        #expect(client.findings()[file] == [])
    }

    @Test("settings that change on disk are read again when the client reports the change")
    func watched() throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario")
        _ = client.findings()
        for (kind, text) in [(1, #"{"script": 1}"#), (2, #"{"script": "main.lua"}"#)] {
            try client.folder.write("luaroute.json", text)
            client.notify(
                "workspace/didChangeWatchedFiles",
                [
                    "changes": [
                        ["uri": .string(client.uri("luaroute.json")), "type": .integer(kind)]
                    ]
                ]
            )
            #expect(client.findings()["luaroute.json"]?.count == (kind == 1 ? 1 : 0))
        }
    }

    @Test("saving a file rereads the folder only if the client does not watch files")
    func saving() throws {
        for isWatching in [false, true] {
            let capability: JSON = [
                "didChangeWatchedFiles": ["dynamicRegistration": .boolean(isWatching)]
            ]
            let client = try EditorClient(capabilities: ["workspace": capability], Shop.files)
            try client.open("shop.scenario")
            _ = client.findings()
            try client.folder.write("login.lua", "error('changed by another program')")
            client.notify(
                "textDocument/didSave",
                ["textDocument": ["uri": .string(client.uri("shop.scenario"))]]
            )
            #expect((client.findings()["login.lua"] == nil) == isWatching)
        }
    }

    @Test("closing a file removes its findings, and its text on disk is used again")
    func closing() throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario", Shop.scenario + "  nonsense\n")
        #expect(client.findings()["shop.scenario"]?.count == 1)
        client.notify(
            "textDocument/didClose",
            ["textDocument": ["uri": .string(client.uri("shop.scenario"))]]
        )
        #expect(client.findings()["shop.scenario"] == [])
    }

    @Test("interrupted work is completed when the user next stops typing")
    func interrupted() throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario", Shop.scenario + "  nonsense\n")
        client.server.update { true }
        #expect(client.take("textDocument/publishDiagnostics").isEmpty && client.server.hasNews)
        #expect(client.findings()["shop.scenario"]?.count == 1)
    }

    @Test("the finding for a misspelled name has a fix that writes the nearest name")
    func fix() throws {
        let client = try EditorClient(Shop.files)
        try client.open(
            "shop.scenario",
            Shop.scenario.replacingOccurrences(of: "top Product", with: "top Prodct")
        )
        _ = client.findings()
        let actions = client.actions("shop.scenario", at: "top |Prodct")
        #expect(
            actions.map { $0["title"].text } == [
                "Change 'Prodct' to 'Product'", "Write the actual state: top Product(id=7)",
            ]
        )
        let edit = actions.first?["edit"]["changes"][client.uri("shop.scenario")].list?.first
        #expect(edit?["newText"].text == "Product")
    }

    @Test("each step that changes the tree shows the new tree as a hint")
    func hints() throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario")
        _ = client.findings()
        let whole: JSON = [
            "textDocument": ["uri": .string(client.uri("shop.scenario"))],
            "range": ["start": ["line": 0, "character": 0], "end": ["line": 99, "character": 0]],
        ]
        func hints() -> [String] {
            let hints = client.request("textDocument/inlayHint", whole)["result"].list ?? []
            return hints.map { "\($0["position"]["line"].int ?? 0) \($0["label"].text ?? "")" }
        }
        let all = ["3 → nav[Home]", "6 → nav[Home, Product(id=7)]"]
        #expect(hints() == all)
        // A step that is being typed keeps those above it.
        for (word, kept) in [("macro", 1), ("scenario", 2)] {
            client.change(
                "shop.scenario",
                Shop.scenario.replacingOccurrences(
                    of: "\(word) ",
                    with: "  navig\n\(word) "
                )
            )
            _ = client.findings()
            #expect(hints() == Array(all.prefix(kept)))
            client.change("shop.scenario", Shop.scenario)
            _ = client.findings()
            #expect(hints() == all)
        }
    }
}

extension String {
    func replacingOccurrences(of part: String, with new: String) -> String {
        var (result, rest) = ("", self[...])
        while let first = rest.first {
            if rest.hasPrefix(part) {
                result += new
                rest = rest.dropFirst(part.count)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
