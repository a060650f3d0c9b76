// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Tests of the script for CI that an article shows.
@Suite(
    .enabled(
        if: (try? CommandProcess(shell: "lcov --version | grep -q '[2-9]\\.[0-9]\\|1\\.1[6-9]'")
            .code)
            == 0,
        "lcov 1.16 is not here"
    )
)
struct ContinuousIntegrationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the script on a copy of an example, in which the first occurrence of `old` in a file is
    /// replaced.
    private func run(
        _ example: String,
        _ file: String = "main.lua",
        _ old: String = "",
        _ new: String = ""
    ) throws -> CommandProcess {
        let article = packageFolder.appending(
            path: "Sources/LuaRouting/Documentation.docc/Tools.md"
        )
        let text = try String(contentsOf: article, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "## Continuous integration").last)
        let script = section.components(separatedBy: "```")[1].dropFirst("sh\n".count)
        try folder.write("ci.sh", String(script))
        let project = "\(folder.path)/project"
        try FileManager.default.copyItem(
            atPath: packageFolder.appending(path: "scripts/\(example)").path(),
            toPath: project
        )
        let path = "project/\(file)"
        let content = try folder.read(path)
        if !old.isEmpty {
            let range = try #require(content.range(of: old))
            try folder.write(path, content.replacingCharacters(in: range, with: new))
        }
        return try CommandProcess(
            shell: """
                mkdir '\(folder.path)/bin' && ln -s "$LUAROUTE" '\(folder.path)/bin/luaroute' \
                && cd '\(project)' && PATH="\(folder.path)/bin:$PATH" CI=true sh ../ci.sh
                """
        )
    }

    @Test(
        "the script passes for the examples, and writes its reports",
        arguments: ["podcast", "links"]
    )
    func passes(example: String) throws {
        let process = try run(example)
        #expect(process.code == 0, "\(process.output)\(process.errors)")
        let reports = try FileManager.default.contentsOfDirectory(
            atPath: "\(folder.path)/project/reports"
        )
        #expect(
            reports.sorted() == ["1.info", "1.xml", "2.info", "2.xml", "all.info", "luaroute"],
            "\(process.errors)"
        )
        #expect(process.output.contains("lines......: 100.0%"))
    }

    @Test("the script runs only the failed scenario again, and fails")
    func reruns() throws {
        let process = try run("links", "links.scenario", "expect error timeout", "expect done")
        #expect(process.code == 1)
        #expect(process.output.hasSuffix("0 passed, 1 failed\n"), "\(process.output)")
        #expect(process.output.contains("navigate start"), "the failed scenario is traced")
    }

    @Test(
        "the script fails for a warning, for a file in another layout, and for a scenario marked 'only'",
        arguments: [
            ("main.lua", "(1)\n", "(1)\nrouter.interceptor('unused', function() end)\n"),
            ("gates.scenario", "  start", "    start"),
            ("gates.scenario", "scenario \"", "only \""),
        ]
    )
    func fails(file: String, old: String, new: String) throws {
        #expect(try run("links", file, old, new).code == 1)
    }
}
