// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// The commands and the output that the README shows.
@Suite(.serialized)
struct ReadmeTests {

    /// The blocks of code in a text, each with its language.
    private func blocks(in text: String) -> [(language: String, text: String)] {
        text.components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 }
            .map { _, block in
                let parts = block.split(
                    separator: "\n",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            }
    }

    @Test("the example of the README prints the output that the README shows")
    func example() throws {
        let readme = try String(
            contentsOf: packageFolder.appending(path: "README.md"),
            encoding: .utf8
        )
        let blocks = blocks(in: readme)
        let script = try #require(blocks.first { $0.language == "lua" })
        let scenario = try #require(blocks.first { $0.text.hasPrefix("use shop.lua") })
        let output = try #require(blocks.first { $0.text.hasPrefix("✔") })

        let folder = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-readme-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try script.text.write(
            to: folder.appending(path: "shop.lua"),
            atomically: true,
            encoding: .utf8
        )
        try scenario.text.write(
            to: folder.appending(path: "shop.scenario"),
            atomically: true,
            encoding: .utf8
        )
        var printed = ""
        let report = RunCommand(paths: [folder.appending(path: "shop.scenario").path()])
            .run(output: { printed += $0 }, errors: { printed += $0 })
        // The paths, and their width in columns, are those of another folder.
        func essence(_ text: String) -> [String] {
            text.replacing("\(folder.path())/", with: "").split(separator: "\n")
                .map { $0.split(separator: " ").joined(separator: " ") }
        }
        #expect(essence(printed) == essence(output.text))
        #expect(report.exitCode == .failed)
    }

    @Test("the scenarios of the README's app pass, and its script has no findings")
    func app() throws {
        let readme = try String(
            contentsOf: packageFolder.appending(path: "README.md"),
            encoding: .utf8
        )
        let blocks = blocks(in: readme)
        let folder = try TemporaryFolder()
        try folder.write(
            "app.lua",
            try #require(blocks.first { $0.text.contains("router.interceptor") }).text
        )
        try folder.write(
            "app.scenario",
            try #require(blocks.first { $0.text.hasPrefix("use app.lua") }).text
        )
        var printed = ""
        let report = RunCommand(paths: ["\(folder.path)/app.scenario"])
            .run(output: { printed += $0 }, errors: { printed += $0 })
        #expect(report.exitCode == .success && printed.contains("4 passed, 0 failed"), "\(printed)")
        #expect(!printed.contains("warning"), "\(printed)")
    }

    @Test("the navigations of the README's picture have the drawn operations and trees")
    func picture() throws {
        let readme = try String(
            contentsOf: packageFolder.appending(path: "README.md"),
            encoding: .utf8
        )
        let picture = try String(
            contentsOf: packageFolder.appending(
                path: "Sources/LuaRouting/Documentation.docc/Resources/Navigation.svg"
            ),
            encoding: .utf8
        )
        let script = try #require(blocks(in: readme).first { $0.language == "lua" })
        let navigation =
            /data-before="(.*?)" data-navigate="(.*?)" data-operations="(.*?)" data-after="(.*?)"/
        let drawn = picture.matches(of: navigation).map(\.output)
        #expect(drawn.count == 2)
        let folder = try TemporaryFolder()
        try folder.write("shop.lua", script.text)
        let steps = drawn.map { _, before, navigate, operations, after in
            """
            scenario "\(navigate)"
              given \(before)
              navigate \(navigate)
              expect ops \(operations)
              expect tree \(after)
            """
        }
        try folder.write("picture.scenario", "use shop.lua\n\n" + steps.joined(separator: "\n"))
        var printed = ""
        let report = RunCommand(paths: ["\(folder.path)/picture.scenario"])
            .run(output: { printed += $0 }, errors: { printed += $0 })
        #expect(report.exitCode == .success, "\(printed)")
        for text in drawn.flatMap({ [$0.1, $0.3, $0.4] }) {
            #expect(picture.contains(">\(text)</text>"), "'\(text)' is not drawn")
        }
    }
}
