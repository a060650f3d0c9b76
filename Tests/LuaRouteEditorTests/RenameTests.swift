// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteEditor
import RandomNumbers
import RouteCore
import TestSupport
import Testing

/// Tests that rename random symbols of the example projects.
struct RenameTests {
    private static let projects = ["podcast", "shapes", "links", "features"]

    /// Returns the traces of all scenarios of a project.
    private static func results(_ client: EditorClient, _ names: [String]) -> [String] {
        names.sorted().flatMap { name in
            let parameters: JSON = ["textDocument": ["uri": .string(client.uri(name))]]
            let lenses = client.request("textDocument/codeLens", parameters)["result"].list ?? []
            return lenses.map { $0["command"] }.filter { $0["title"].text == "trace" }.map {
                command in
                let line = JSON.integer(command["arguments"].list?.last?.int ?? 0)
                let answer = client.request(
                    "workspace/executeCommand",
                    [
                        "command": "luaroute.trace",
                        "arguments": [.string(client.uri(name)), line],
                    ]
                )
                return answer["result"].text ?? "\(answer)"
            }
        }
    }

    @Test(
        "a rename either is rejected, or changes only the name in the results of scenarios",
        arguments: projects
    )
    func rename(project: String) throws {
        let folder = packageFolder.appending(path: "scripts/\(project)")
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".lua") || name.hasSuffix(".scenario") {
            files[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        let client = try EditorClient(
            capabilities: ["general": ["positionEncodings": ["utf-8"]]],
            files
        )
        let scenarios = files.keys.filter { $0.hasSuffix(".scenario") }
        for name in files.keys.sorted() { try client.open(name) }
        _ = client.findings()
        var before = Self.results(client, scenarios)
        try #require(!before.isEmpty && before.allSatisfy { $0.hasPrefix("✔") }, "\(before)")
        var numbers = RandomNumbers(seed: 11)
        var count = 0
        for attempt in 0..<1_000 where count < 8 {
            let name = try #require(files.keys.sorted().randomElement(using: &numbers))
            let text = Array(try #require(client.server.text(of: client.uri(name))).utf8)
            var start = Int.random(in: text.indices, using: &numbers)
            while start > 0, text[start - 1].isWord { start -= 1 }
            var end = start
            while end < text.count, text[end].isWord { end += 1 }
            guard end > start, !text[start].isDigit else { continue }
            let old = String(decoding: text[start..<end], as: UTF8.self)
            let lines = text[..<start].split(separator: 0x0A, omittingEmptySubsequences: false)
            // Of the same length, because long texts are cut.
            let new = "Z\(attempt)".padding(
                toLength: max(old.count, 5),
                withPad: "x",
                startingAt: 0
            )
            let answer = client.request(
                "textDocument/rename",
                [
                    "textDocument": ["uri": .string(client.uri(name))], "newName": .string(new),
                    "position": [
                        "line": .integer(lines.count - 1),
                        "character": .integer(lines.last?.count ?? 0),
                    ],
                ]
            )
            guard answer["error"].isNil else {
                #expect(answer["error"]["message"].text?.isEmpty == false)
                continue
            }
            count += 1
            for (name, text) in try client.apply(answer["result"]) { client.change(name, text) }
            let findings = client.findings().values.joined()
            try #require(findings.isEmpty, "\(old) in \(name)")
            let after = Self.results(client, scenarios)
            // Names are printed in order, and padded.
            func sorted(_ texts: [String]) -> [[Substring]] {
                texts.map { text in
                    text.replacingOccurrences(of: new, with: old).split {
                        " \n,{}()\"".contains($0)
                    }
                    .sorted()
                }
            }
            let changed = zip(sorted(after), sorted(before)).first { $0 != $1 }
            try #require(changed == nil, "\(old) in \(name)")
            before = after
        }
        #expect(count >= 3, "\(count) names were changed")
    }
}
