// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// Tests of the commands and the output in the README.
@Suite(.serialized)
struct ReadmeTests {

    private let readme: String

    init() throws {
        readme = try String(
            contentsOf: packageFolder.appending(path: "README.md"),
            encoding: .utf8
        )
    }

    /// The blocks of code in the README, each with its language.
    private var blocks: [(language: String, text: String)] {
        readme.components(separatedBy: "```").enumerated()
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

    /// Runs a scenario file with a script, both in a new folder.
    ///
    /// - Returns: The exit code, and the output of the run without the path of the folder.
    private func run(
        _ scenario: String,
        script: String,
        named name: String
    ) throws -> (code: ExitCode, text: String) {
        let folder = try TemporaryFolder()
        try folder.write("\(name).lua", script)
        try folder.write("\(name).scenario", scenario)
        var printed = ""
        let report = RunCommand(paths: ["\(folder.path)/\(name).scenario"])
            .run(Console { printed += $0 })
        return (report.exitCode, printed.replacing("\(folder.path)/", with: ""))
    }

    @Test("the example of the README prints the output that the README shows")
    func example() throws {
        let script = try #require(blocks.first { $0.language == "lua" }).text
        let scenario = try #require(blocks.first { $0.text.hasPrefix("use shop.lua") }).text
        let output = try #require(blocks.first { $0.text.hasPrefix("✔") }).text
        let run = try run(scenario, script: script, named: "shop")
        // The width of the paths in columns is that of another folder.
        func essence(_ text: String) -> [String] {
            text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        }
        #expect(essence(run.text) == essence(output))
        #expect(run.code == .failed)
    }

    @Test("the scenarios of the README's app pass without a warning")
    func app() throws {
        let script = try #require(blocks.first { $0.text.contains("router.interceptor") }).text
        let scenario = try #require(blocks.first { $0.text.hasPrefix("use app.lua") }).text
        let run = try run(scenario, script: script, named: "app")
        #expect(run.code == .success && run.text.contains("4 passed, 0 failed"), "\(run.text)")
        #expect(!run.text.contains("warning"), "\(run.text)")
    }

    @Test("the README's picture shows the actual operations and trees of its navigations")
    func picture() throws {
        let picture = try String(
            contentsOf: packageFolder.appending(
                path: "Sources/LuaRouting/Documentation.docc/Resources/Navigation.svg"
            ),
            encoding: .utf8
        )
        let script = try #require(blocks.first { $0.language == "lua" }).text
        let navigation =
            /data-before="(.*?)" data-navigate="(.*?)" data-operations="(.*?)" data-after="(.*?)"/
        let drawn = picture.matches(of: navigation).map(\.output)
        #expect(drawn.count == 2)
        let steps = drawn.map { _, before, navigate, operations, after in
            """
            scenario "\(navigate)"
              given \(before)
              navigate \(navigate)
              expect ops \(operations)
              expect tree \(after)
            """
        }
        let run = try run(
            "use picture.lua\n\n" + steps.joined(separator: "\n"),
            script: script,
            named: "picture"
        )
        #expect(run.code == .success, "\(run.text)")
        for text in drawn.flatMap({ [$0.1, $0.3, $0.4] }) {
            #expect(picture.contains(">\(text)</text>"), "'\(text)' is not drawn")
        }
    }
}
