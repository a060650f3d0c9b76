// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteEditor
import RandomNumbers
import RouteCore
import TestSupport
import Testing

/// Tests of requests about damaged files.
struct DamageTests {
    /// Files of the repository that together contain every kind of line.
    private static let paths = [
        "scripts/podcast/podcast.scenario", "scripts/podcast/main.lua", "scripts/podcast/shows.lua",
        "Tests/Scenarios/pass/matchers.scenario", "Tests/Scenarios/pass/macros.scenario",
        "Tests/Scenarios/pass/explore.scenario",
    ]

    private static let methods = [
        "completion", "hover", "definition", "references", "documentHighlight", "documentSymbol",
        "formatting", "prepareRename",
    ]

    @Test("every request about a damaged file is answered", arguments: paths)
    func requests(path: String) throws {
        let url = packageFolder.appending(path: path)
        let content = try Data(contentsOf: url)
        let name = url.lastPathComponent
        let text = String(decoding: content.prefix(6_000), as: UTF8.self)
        let client = try EditorClient(trusted: false, [name: text])
        try client.open(name)
        var numbers = RandomNumbers(seed: 9)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for _ in 0..<80 {
            let index = Int.random(in: lines.indices, using: &numbers)
            var characters = Array(lines[index])
            if !characters.isEmpty {
                let place = Int.random(in: characters.indices, using: &numbers)
                let replacements: [Character] = [
                    "\"", "(", "[", "{", "}", "|", "<", "é", "\\", "'",
                ]
                characters[place] = replacements.randomElement(using: &numbers) ?? "x"
                if Bool.random(using: &numbers) { characters.removeSubrange(place...) }
            }
            lines[index] = String(characters)
            client.change(name, lines.joined(separator: "\n"))
            let character = Int.random(in: 0...(characters.count + 2), using: &numbers)
            for method in Self.methods {
                let answer = client.request(
                    "textDocument/\(method)",
                    [
                        "textDocument": ["uri": .string(client.uri(name))],
                        "position": ["line": .integer(index), "character": .integer(character)],
                    ]
                )
                let code = answer["error"]["code"].int
                #expect(
                    !answer["id"].isNil && (code == nil || code == -32602),
                    "\(method): \(answer)"
                )
            }
            _ = client.findings()
        }
        #expect(client.damagedCount == 0)
    }
}
