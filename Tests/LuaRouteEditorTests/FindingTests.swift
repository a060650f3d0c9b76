// SPDX-License-Identifier: MIT

import LuaRouteEditor
import RouteCore
import TestSupport
import Testing

/// The findings of a server while one types, and the fixes that it proposes.
struct FindingTests {
    @Test("a project without problems has no findings, and its scenarios run")
    func clean() throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario")
        #expect(Array(client.findings().values.joined()) == [])
        #expect(!client.server.hasNews)
    }

    @Test(
        "an unsaved text has the findings of the parser, of 'check' and of a run",
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

    @Test("an interrupted run is repeated at the next pause")
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

    @Test("scripts with an error keep the names of those that loaded last")
    func lastGood() throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario")
        try client.open("main.lua")
        _ = client.findings()
        client.change("main.lua", "error('broken'")
        let found = client.findings()
        #expect(found["main.lua"]?.count == 1)
        #expect(found["shop.scenario"]?.isEmpty != false)
        let items = client.request(
            "textDocument/completion",
            "shop.scenario",
            at: "top Pro|duct(id=7)"
        )
        #expect(items["result"].list?.contains { $0["label"].text == "Product" } == true)
    }

    @Test("findings go with the file that is closed, and its text on disk counts again")
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

    @Test("work that is interrupted is done in the next pause")
    func interrupted() throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario", Shop.scenario + "  nonsense\n")
        client.server.update { true }
        #expect(client.take("textDocument/publishDiagnostics").isEmpty && client.server.hasNews)
        #expect(client.findings()["shop.scenario"]?.count == 1)
    }

    @Test("a finding with a near name has a fix that writes the name")
    func fix() throws {
        let client = try EditorClient(Shop.files)
        try client.open(
            "shop.scenario",
            Shop.scenario.replacingOccurrences(of: "top Product", with: "top Prodct")
        )
        _ = client.findings()
        let start = client.position("shop.scenario", "top |Prodct")
        let actions =
            client.request(
                "textDocument/codeAction",
                [
                    "textDocument": ["uri": .string(client.uri("shop.scenario"))],
                    "range": ["start": start, "end": start], "context": ["diagnostics": []],
                ]
            )["result"].list ?? []
        #expect(actions.map { $0["title"].text } == ["Change 'Prodct' to 'Product'"])
        let edit = actions.first?["edit"]["changes"][client.uri("shop.scenario")].list?.first
        #expect(edit?["newText"].text == "Product")
    }

    @Test("each step that changes the tree has the tree as a hint, and each scenario can be run")
    func hints() throws {
        let client = try EditorClient(Shop.files)
        try client.open("shop.scenario")
        _ = client.findings()
        let whole: JSON = [
            "textDocument": ["uri": .string(client.uri("shop.scenario"))],
            "range": ["start": ["line": 0, "character": 0], "end": ["line": 99, "character": 0]],
        ]
        let hints = client.request("textDocument/inlayHint", whole)["result"].list ?? []
        #expect(
            hints.map { "\($0["position"]["line"].int ?? 0) \($0["label"].text ?? "")" } == [
                "3 → nav[Home]", "6 → nav[Home, Product(id=7)]",
            ]
        )
        let lenses = client.request("textDocument/codeLens", whole)["result"].list ?? []
        #expect(lenses.map { $0["command"]["command"].text } == ["luaroute.run"])
        let run = client.request(
            "workspace/executeCommand",
            ["command": "luaroute.run", "arguments": [.string(client.uri("shop.scenario"))]]
        )
        #expect(run["error"].isNil)
        #expect(client.take("window/showMessage").last?["message"].text == "1 passed, 0 failed")
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
