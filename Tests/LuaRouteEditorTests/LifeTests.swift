// SPDX-License-Identifier: MIT

import LuaRouteEditor
import RandomNumbers
import RouteCore
import ScenarioKit
import Testing

/// Tests of the lifecycle of a server, and of the texts of open documents.
struct LifeTests {
    @Test("requests before 'initialize' or after 'shutdown', and unknown requests, return errors")
    func order() throws {
        let client = try EditorClient()
        #expect(client.request("textDocument/hover", [:])["error"]["code"].int == -32002)
        let result = client.request("initialize", [:])["result"]
        #expect(result["capabilities"]["hoverProvider"].boolean == true)
        #expect(result["serverInfo"]["version"].text == Release.version)
        #expect(client.request("initialize", [:])["error"]["code"].int == -32600)
        #expect(client.request("no/such", [:])["error"]["code"].int == -32601)
        #expect(client.request("textDocument/hover", [:])["error"]["code"].int == -32602)
        #expect(client.request("shutdown", nil)["error"].isNil)
        #expect(client.request("textDocument/hover", [:])["error"]["code"].int == -32600)
        client.notify("exit", nil)
        #expect(client.server.exitCode == 0)
    }

    @Test("'exit' without 'shutdown' ends the process with the exit code 1")
    func exit() throws {
        let client = try EditorClient(Shop.files)
        client.notify("exit", nil)
        #expect(client.server.exitCode == 1)
    }

    @Test("a cancelled request returns an error")
    func cancelled() throws {
        let client = try EditorClient(Shop.files)
        client.server.handle(["id": 7, "method": "initialize"], isCancelled: { true })
        #expect(client.messages.last?["error"]["code"].int == -32800)
    }

    @Test("a message without a method is answered with an error")
    func noMethod() throws {
        let client = try EditorClient()
        client.send(MessageStream.framed(["id": 3, "params": [:]]))
        #expect(client.messages.last?["error"]["code"].int == -32600)
        client.send(MessageStream.framed(["id": 3, "result": "the answer of a client"]))
        #expect(client.messages.count == 1)
    }

    @Test("in an untrusted folder no script runs, and one message explains how to grant trust")
    func untrusted() throws {
        var files = Shop.files
        files["login.lua"] = "error('this script has run')"
        let client = try EditorClient(trusted: false, files)
        #expect(client.take("window/showMessage").count == 1)
        try client.open("shop.scenario", Shop.scenario + "  nonsense\n")
        let findings = client.findings()
        #expect(findings["shop.scenario"]?.first?.contains("S0107") == true)
        #expect(findings["login.lua"] == nil && findings["main.lua"] == nil)
        let found = client.request(
            "textDocument/definition",
            "shop.scenario",
            at: "navigate Product/sh|ow(id=0)"
        )
        #expect(EditorClient.locations(found["result"]) == ["main.lua:7:29"])
    }

    @Test("a file outside of the workspace is not read, and requests about the file have no result")
    func outside() throws {
        let client = try EditorClient(new: Shop.files)
        let other = try EditorClient(new: Shop.files)
        _ = client.request("initialize", ["rootUri": .string(client.uri(""))])
        client.notify(
            "textDocument/didOpen",
            [
                "textDocument": [
                    "uri": .string(other.uri("main.lua")), "version": 1, "text": .string(Shop.main),
                ]
            ]
        )
        let result = client.request(
            "textDocument/hover",
            [
                "textDocument": ["uri": .string(other.uri("main.lua"))],
                "position": ["line": 0, "character": 0],
            ]
        )
        #expect(result["error"].isNil && result["result"].isNil)
        #expect(client.findings().isEmpty)
    }

    @Test("the server has the same text as the client after any edits")
    func edits() throws {
        let client = try EditorClient(trusted: false, Shop.files)
        var numbers = RandomNumbers(seed: 3)
        let pieces = ["a", "é", "😀", "\r\n", "\n", "\r", "", "\"", "\u{301}", "x\ny", "日本"]
        try client.open("main.lua", "local a\r\nb 😀 c\n")
        var text = Array("local a\r\nb 😀 c\n".unicodeScalars)
        for step in 0..<600 {
            var start = Int.random(in: 0...text.count, using: &numbers)
            var end = min(text.count, start + Int.random(in: 0...4, using: &numbers))
            // A position is not within a line break.
            func isWithinBreak(_ index: Int) -> Bool {
                index > 0 && index < text.count && text[index - 1] == "\r" && text[index] == "\n"
            }
            if isWithinBreak(start) { start -= 1 }
            if isWithinBreak(end) { end += 1 }
            let new = pieces[Int.random(in: pieces.indices, using: &numbers)]
            client.notify(
                "textDocument/didChange",
                [
                    "textDocument": [
                        "uri": .string(client.uri("main.lua")), "version": .integer(step),
                    ],
                    "contentChanges": [
                        [
                            "range": [
                                "start": Self.position(start, text),
                                "end": Self.position(end, text),
                            ],
                            "text": .string(new),
                        ]
                    ],
                ]
            )
            text.replaceSubrange(start..<end, with: new.unicodeScalars)
            var expected = String.UnicodeScalarView()
            expected.append(contentsOf: text)
            let got = client.server.text(of: client.uri("main.lua"))
            try #require(got?.unicodeScalars.elementsEqual(expected) == true, "step \(step)")
        }
    }

    /// Returns the position of an offset, with lines and UTF-16 units counted independently of the
    /// server.
    private static func position(_ offset: Int, _ text: [Unicode.Scalar]) -> JSON {
        var (line, character) = (0, 0)
        for index in 0..<offset {
            let next = index + 1 < text.count ? text[index + 1] : nil
            if text[index] == "\n" || (text[index] == "\r" && next != "\n") {
                (line, character) = (line + 1, 0)
            } else {
                character += UTF16.width(text[index])
            }
        }
        return ["line": .integer(line), "character": .integer(character)]
    }

    @Test("an invalid change is reported, and the server continues")
    func damagedChange() throws {
        let client = try EditorClient(trusted: true, Shop.files)
        try client.open("main.lua")
        client.notify(
            "textDocument/didChange",
            [
                "textDocument": ["uri": .string(client.uri("main.lua")), "version": 2],
                "contentChanges": [["range": ["start": ["line": -1]], "text": "x"]],
            ]
        )
        #expect(client.take("window/showMessage").count == 1)
        #expect(client.server.text(of: client.uri("main.lua")) == Shop.main)
    }
}
