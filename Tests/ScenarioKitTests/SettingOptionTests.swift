// SPDX-License-Identifier: MIT

import ScenarioKit
import TestSupport
import Testing

/// Tests of the option `--set`, which replaces settings of scenario files.
struct SettingOptionTests {
    @Test("a setting on the command line overrides the file, and is part of the rerun command")
    func replaces() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "main.lua",
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.export("warn", function() router.log.warn("a draft") end)
            """
        )
        try folder.write(
            "a.scenario",
            "use main.lua\nset strict = false\n\nscenario \"Warns\"\n  start\n  call warn\n"
        )
        var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        #expect(command.run(.silent).exitCode == .success)
        command.options.settings = [try SettingOption("strict=true")]
        var output = ""
        #expect(
            command.run(Console(output: { output += $0 }, errors: { _ in })).exitCode == .failed
        )
        #expect(output.contains("luaroute run --set strict=true "), "\(output)")
    }

    @Test(
        "an invalid setting on the command line is an error",
        arguments: [
            ("", "a setting expected, got nothing"),
            ("strct=true", "unknown setting 'strct', did you mean 'strict'?"),
            ("seed", "'=' expected after 'seed', got nothing (the form is 'set seed = 7')"),
            ("seed=x", "a seed of 0 or more expected, got 'x'"),
        ]
    )
    func invalid(_ text: String, _ message: String) {
        let error = #expect(throws: UsageError.self) { try SettingOption(text) }
        #expect(error?.message == message)
    }
}
