// SPDX-License-Identifier: MIT

import LuaRouteEditor
import RouteCore
import Testing

/// Tests of the code lenses above scenarios, searches and registrations.
struct LensTests {
    /// A scenario file of the shop with a search and an expectation that is false.
    private static let scenario =
        Shop.scenario + """

            scenario "A wrong tree"
              do visit 7
              expect top Product(id=8)
              expect depth ?

            explore "All"
              can back
              can navigate Product/show(id=1)
              never top Product
              bound depth 2

            """

    private func client(
        trusted: Bool = true,
        capabilities: JSON = [:],
        _ scenario: String = Self.scenario
    ) throws -> EditorClient {
        var files = Shop.files
        files["shop.scenario"] = scenario
        let client = try EditorClient(trusted: trusted, capabilities: capabilities, files)
        for name in files.keys.sorted() { try client.open(name) }
        _ = client.findings()
        return client
    }

    /// Returns the lenses of a file, each as `line title`.
    private func lenses(_ client: EditorClient, _ name: String) -> [String] {
        let parameters: JSON = ["textDocument": ["uri": .string(client.uri(name))]]
        let lenses = client.request("textDocument/codeLens", parameters)["result"].list ?? []
        return lenses.map { lens in
            "\((lens["range"]["start"]["line"].int ?? 0) + 1) \(lens["command"]["title"].text ?? "")"
        }
    }

    private func execute(_ client: EditorClient, _ lens: String, _ name: String, line: Int) -> Value
    {
        client.request(
            "workspace/executeCommand",
            [
                "command": .string("luaroute.\(lens)"),
                "arguments": [.string(client.uri(name)), .integer(line)],
            ]
        )
    }

    @Test(
        "each scenario, search and registration has lenses, unless its folder is not trusted"
    )
    func lenses() throws {
        let client = try client()
        #expect(
            lenses(client, "shop.scenario") == [
                "9 run", "9 trace", "9 update", "15 run", "15 trace", "15 update", "20 search",
            ]
        )
        #expect(
            lenses(client, "main.lua") == [
                "6 count scenarios", "6 explain", "7 count scenarios", "7 explain",
            ]
        )
        let stranger = try self.client(trusted: false)
        #expect(lenses(stranger, "shop.scenario") == [])
        #expect(execute(stranger, "run", "shop.scenario", line: 9)["error"]["code"].int == -32602)
    }

    @Test(
        "the result of a lens equals the output of the command",
        arguments: [
            ("run", "shop.scenario", 9, "✔ A product"),
            ("run", "shop.scenario", 15, "expect top does not hold"),
            ("trace", "shop.scenario", 9, "after  nav[Home, +Product(id=7)]"),
            ("search", "shop.scenario", 20, "top Product"),
            ("explain", "main.lua", 7, "Product/show"),
            ("explain", "login.lua", 4, "Cart/add"),
        ] as [(String, String, Int, String)]
    )
    func results(lens: String, file: String, line: Int, expected: String) throws {
        let client = try client()
        let answer = execute(client, lens, file, line: line)
        let text = answer["result"].text ?? "\(answer)"
        #expect(text.contains(expected), "\(text)")
        #expect(client.take("window/showMessage").last?["message"].text == answer["result"].text)
    }

    @Test("'update' writes actual values only into the scenario on its line")
    func update() throws {
        let text = Self.scenario + "\nscenario \"Another\"\n  expect depth 9\n"
        let client = try client(text)
        #expect(execute(client, "update", "shop.scenario", line: 15)["error"].isNil)
        let edit = try #require(client.take("workspace/applyEdit").last)["edit"]
        let expected = text.replacingOccurrences(of: "top Product(id=8)", with: "top Product(id=7)")
            .replacingOccurrences(of: "depth ?", with: "depth 2")
        #expect(try client.apply(edit) == ["shop.scenario": expected])
    }

    @Test("a search creates a scenario for a finding, if the editor can create files")
    func search() throws {
        let client = try client(
            capabilities: ["workspace": ["workspaceEdit": ["resourceOperations": ["create"]]]]
        )
        #expect(execute(client, "search", "shop.scenario", line: 20)["error"].isNil)
        let edit = try #require(client.take("workspace/applyEdit").last)["edit"]
        let changes = edit["documentChanges"].list ?? []
        #expect(changes.first?["kind"].text == "create")
        #expect(
            changes.last?["edits"].list?.first?["newText"].text?.contains("use ../main.lua") == true
        )
    }

    @Test("a lens counts the scenarios that reach a registration, and reports progress")
    func reach() throws {
        let client = try client(capabilities: ["window": ["workDoneProgress": true]])
        let answer = client.request("workspace/executeCommand", ["command": "luaroute.reach"])
        #expect(answer["error"].isNil)
        #expect(
            lenses(client, "main.lua") == [
                "6 0 scenarios reach it", "6 explain", "7 2 scenarios reach it", "7 explain",
            ]
        )
        #expect(client.take("window/workDoneProgress/create").count == 1)
        #expect(
            client.take("$/progress").map { $0["value"]["kind"].text } == [
                "begin", "report", "end",
            ]
        )
    }

    @Test(
        "a command reports progress only with a token, and only to a client that supports it"
    )
    func progress() throws {
        let client = try client()
        _ = execute(client, "run", "shop.scenario", line: 9)
        #expect(client.take("$/progress").isEmpty)
        client.request(
            "workspace/executeCommand",
            [
                "command": "luaroute.run", "workDoneToken": 7,
                "arguments": [.string(client.uri("shop.scenario")), 9],
            ]
        )
        #expect(client.take("$/progress").map { $0["token"].int } == [7, 7])
    }

    @Test("a command that is cancelled while it runs returns an error, and changes nothing")
    func cancelled() throws {
        for lens in ["run", "trace", "update", "search"] {
            let client = try client()
            let line: Value = .integer(lens == "search" ? 20 : 15)
            nonisolated(unsafe) var calls = 0
            client.server.handle(
                [
                    "id": 99, "method": "workspace/executeCommand",
                    "params": .table([
                        "command": .string(ByteString("luaroute.\(lens)")),
                        "arguments": .table(
                            InfoTable(list: [
                                .string(ByteString(client.uri("shop.scenario"))), line,
                            ])
                        ),
                    ]),
                ]
            ) {
                calls += 1
                return calls > 2
            }
            let answer = client.messages.last { $0["id"].int == 99 }
            #expect(answer?["error"]["code"].int == -32800, "\(lens)")
            #expect(client.take("workspace/applyEdit").isEmpty)
        }
    }

    @Test(
        "a command without arguments, or with unknown arguments, reports what is expected",
        arguments: [
            (["command": "luaroute.none"], "'luaroute.run'"),
            (["command": "luaroute.run"], "the arguments must be the URI of an open file"),
        ] as [(JSON, String)]
    )
    func badCommand(parameters: JSON, expected: String) throws {
        let answer = try client().request("workspace/executeCommand", parameters)
        #expect(answer["error"]["message"].text?.contains(expected) == true)
    }
}
