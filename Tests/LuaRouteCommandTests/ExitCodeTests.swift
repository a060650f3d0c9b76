// SPDX-License-Identifier: MIT

import Testing

/// The output streams and the exit code of each kind of invocation.
struct ExitCodeTests {
    struct Invocation: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let code: Int32
        /// The texts that stdout and stderr must contain; empty if the stream must be empty.
        let output: String
        let errors: String

        init(_ arguments: [String], _ code: Int32, output: String = "", errors: String = "") {
            self.arguments = arguments
            self.code = code
            self.output = output
            self.errors = errors
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let invocations: [Invocation] = [
        Invocation(["scripts/podcast"], 0, output: " passed, 0 failed\n"),
        Invocation(
            ["run", "scripts/podcast/podcast.scenario:12"],
            0,
            output: "1 passed, 0 failed\n"
        ),
        Invocation(["--", "scripts/podcast/podcast.scenario:12"], 0, output: "1 passed"),
        Invocation(["version"], 0, output: "luaroute 0.2.0 (Lua 5.4"),
        Invocation(["--version"], 0, output: "luaroute 0.2.0 (Lua 5.4"),
        Invocation(["--help"], 0, output: "USAGE: luaroute"),
        Invocation(["help", "run"], 0, output: "--fail-fast"),
        Invocation(["run", "-h"], 0, output: "--tags <tags>"),
        Invocation(["Tests/Scenarios/fail/contract.scenario"], 1, output: "1 failed"),
        Invocation(
            ["Tests/Scenarios/invalid/bracket.scenario"],
            2,
            output: "0 passed, 0 failed, 1 file not run\n",
            errors: "--> Tests/Scenarios"
        ),
        Invocation(
            ["Tests/Scenarios/invalid/script-syntax.scenario"],
            3,
            output: "1 file not run",
            errors: "error[L0"
        ),
        Invocation(["scripts/podcast/podcast.scenario:5"], 4, errors: "no scenario is selected"),
        Invocation(["scripts", "--filter", "no such name"], 4, errors: "no scenario is selected"),
        Invocation(
            ["scripts", "--tags", "showz"],
            4,
            errors: "no scenario has the tag 'showz', did you mean 'shows'?"
        ),
        Invocation(
            ["Sources/LuaVM"],
            4,
            errors: "there is no '*.scenario' file in 'Sources/LuaVM'"
        ),
        Invocation(
            ["scripts/podcast/main.lua"],
            2,
            output: "1 file not run",
            errors: "check the script with 'luaroute check scripts/podcast/main.lua'"
        ),
        Invocation(
            ["scripts/podcast/podcast.scenario:12", "--trace"],
            0,
            output: "  trace\n"
        ),
        Invocation(
            ["scripts/podcast/podcast.scenario:12", "--report", "junit=-", "--set", "strict=true"],
            0,
            output: "</testsuites>",
            errors: "1 passed, 0 failed\n"
        ),
        Invocation(
            ["scripts/podcast/podcast.scenario:12", "--report", "json=Package.swift/a.json"],
            74,
            errors: "'Package.swift/a.json' cannot be written: 'Package.swift' is not a folder"
        ),
        Invocation(["scripts/podcast", "--set", "strict=true"], 0, output: " passed, 0 failed\n"),
        Invocation(["scripts/links", "--set", "strict=true"], 0, output: " passed, 0 failed\n"),
        Invocation(["--report", "xml=a"], 64, errors: "got 'xml=a'"),
        Invocation(
            ["--report", "github", "--json"],
            64,
            errors: "'--json' and '--report github' would both print to standard output"
        ),
        Invocation(
            ["--report", "json=-", "--report", "github"],
            64,
            errors: "'--report json=-' and '--report github' would both print"
        ),
        Invocation(["--report", "json=-", "--report", "junit=-"], 64, errors: "would both print"),
        Invocation(
            ["--events", "-", "--report", "json=-"],
            64,
            errors: "'--report json=-' and '--events -' would both print"
        ),
        Invocation(["--list", "--report", "junit=a"], 64, errors: "'--list' runs no scenarios"),
        Invocation(
            ["--report", "junit=x", "--report", "sarif=./x"],
            64,
            errors: "'--report junit=x' and '--report sarif=./x' would both write './x'"
        ),
        Invocation(["--events", "x", "--report", "json=x"], 64, errors: "would both write 'x'"),
        Invocation(
            ["explore", "--graph", "x", "--report", "sarif=x"],
            64,
            errors: "'--report sarif=x' and '--graph' would both write 'x'"
        ),
        Invocation(["check", "--json", "--report", "github"], 64, errors: "would both print"),
        Invocation(
            ["fmt", "--check", "--report", "sarif=x", "--report", "sarif=x"],
            64,
            errors: "would both write 'x'"
        ),
        Invocation(
            ["--json=line"],
            64,
            errors: "expected '--json' or '--json=lines', got '--json=line'"
        ),
        Invocation(["--trace", "--json"], 64, errors: "'--trace' changes the text output"),
        Invocation(["--trace", "--json=lines"], 64, errors: "'--trace' changes the text output"),
        Invocation(["--quiet", "--json"], 64, errors: "'--quiet' changes the text output"),
        Invocation(
            ["--slowest", "--format", "short"],
            64,
            errors: "'--slowest' changes the text output"
        ),
        Invocation(["--quiet", "--log"], 64, errors: "'--quiet' and '--log' cannot be combined"),
        Invocation(["watch", "--quiet", "--trace"], 64, errors: "cannot be combined"),
        Invocation(["--json=lines", "--json"], 64, errors: "cannot be combined"),
        Invocation(["--json=lines", "--format", "short"], 64, errors: "cannot be combined"),
        Invocation(["--json=lines", "--report", "github"], 64, errors: "would both print to"),
        Invocation(["routes", "--json=lines"], 64, errors: "--json"),
        Invocation(["--", "--json=lines"], 66, errors: "no file or folder '--json=lines'"),
        Invocation(
            ["run", "scripts/podcast/podcast.scenario:12", "--json=lines"],
            0,
            output: "\"kind\":\"end\""
        ),
        Invocation(["scripts/podcast", "--quiet"], 0, output: " passed, 0 failed\n"),
        Invocation(["--shard", "5/4"], 64, errors: "a part such as '1/4' expected"),
        Invocation(
            ["--shard", "1/4", "--min-coverage", "9"],
            64,
            errors: "the sum with 'lcov --summary all.info --fail-under-lines 9'"
        ),
        Invocation(
            ["--failed", "--min-coverage", "9"],
            64,
            errors: "'--min-coverage' cannot be combined with '--failed', which runs only some of"
        ),
        Invocation(
            ["scripts/podcast", "--shard", "9/9"],
            0,
            errors: "warning[C0101]: part 9/9 contains none of the"
        ),
        Invocation(["watch", "--log", "--json"], 64, errors: "'--log' changes the text output"),
        Invocation(["--set", "strct=true"], 64, errors: "did you mean 'strict'?"),
        Invocation(["--frob"], 64, errors: "Unknown option '--frob'"),
        Invocation(["--fliter", "x"], 64, errors: "Did you mean '--filter'?"),
        Invocation(["-x"], 64, errors: "Unknown option '-x'"),
        Invocation(["--jobs", "0"], 64, errors: "a whole number from 1 to 256 expected, got '0'"),
        Invocation(["--seed", "0x7"], 64, errors: "from 0 to 18446744073709551615 expected"),
        Invocation(
            ["--seed", "18446744073709551616"],
            64,
            errors: "from 0 to 18446744073709551615"
        ),
        Invocation(["--min-coverage", "101"], 64, errors: "from 0 to 100 expected, got '101'"),
        Invocation(["explore", "--states", "0"], 64, errors: "a whole number from 1 to"),
        Invocation(
            ["--set", "strict=yes"],
            64,
            errors: "unknown boolean 'yes' (one of 'on', 'off', 'true', 'false' expected)"
        ),
        Invocation(
            ["--budget", "foo=1"],
            64,
            errors: "unknown limit 'foo' (one of 'bytes', 'instructions', 'seconds' expected)"
        ),
        Invocation(["help", "rnu"], 64, errors: "unknown command 'rnu', did you mean 'run'?"),
        Invocation(["help", "nosuch"], 64, errors: "unknown command 'nosuch'"),
        Invocation(["lsp", "--stdio"], 0),
        Invocation(
            ["scripts/podcast/podcast.scenario", "--tags", "!showz", "--quiet"],
            0,
            output: " passed",
            errors: "warning[C0101]: no scenario has the tag 'showz', did you mean 'shows'?"
        ),
        Invocation(
            ["fmt", "Sources/LuaVM"],
            4,
            errors: "there is no file to format\n   = help    there is no '*.scenario' file in"
        ),
        Invocation(["--jobs=many"], 64, errors: "'many' is invalid"),
        Invocation(
            ["--budget", "instructions=0"],
            64,
            errors: "'instructions' must be a whole number"
        ),
        Invocation(
            ["--budget", "bytes=99999999999G"],
            64,
            errors: "'bytes' must be at most 9223372036854775807 (got '99999999999G')"
        ),
        Invocation(
            ["--budget", "instructions=9223372036854775808"],
            64,
            errors: "'instructions' must be at most 9223372036854775807"
        ),
        Invocation(
            ["--budget", "seconds=1e10"],
            64,
            errors: "'seconds' must be at most 1000000000 (got '1e10')"
        ),
        Invocation(
            ["--budget", "byte=1"],
            64,
            errors: "unknown limit 'byte', did you mean 'bytes'?"
        ),
        Invocation(["--budget", "5"], 64, errors: "limits such as 'instructions=5M,seconds=0.5'"),
        Invocation(
            ["scripts/podcast", "--budget", "instructions=100"],
            3,
            output: "not run",
            errors: "instruction budget exceeded (at most 100 instructions)"
        ),
        Invocation(
            ["scripts/podcast", "--budget", "bytes=32K,seconds=5"],
            3,
            output: "not run",
            errors: "memory limit exceeded (at most 32 KiB)"
        ),
        Invocation(
            ["scripts", "--trusted", "--filter", "no such name"],
            4,
            errors: "no scenario is selected"
        ),
        Invocation(
            ["scripts/podcast", "--host", "Tests/Listings/check/host.json"],
            3,
            output: "not run",
            errors: "error[L023"
        ),
        Invocation(
            ["explain", "scripts/podcast", "/x", "--host", "Tests/Listings/check/host.json"],
            3,
            errors: "error[L023"
        ),
        Invocation(
            ["scripts/podcast", "--host", "Tests/Listings/check/hots.json"],
            66,
            errors: "did you mean 'Tests/Listings/check/host.json'?"
        ),
        Invocation(
            ["watch", "scripts/podcast", "--host", "Tests/Listings/check/broken.json"],
            66,
            errors: "error[C0104]"
        ),
        Invocation(["--seed", "-1"], 64, errors: "--seed"),
        Invocation(["--filter", "--list"], 64, errors: "Missing value for '--filter"),
        Invocation(["--color", "alwys"], 64, errors: "'alwys' is invalid"),
        Invocation(["--tags", "a,,b"], 64, errors: "tags such as 'auth,!slow' expected"),
        Invocation(["doc"], 0, output: "router.register "),
        Invocation(["doc", "user", "back"], 0, output: "user back"),
        Invocation(["doc", "L0107"], 0, output: "L0107: "),
        Invocation(["doc", "navigate"], 0, output: "\n\nnavigate SERVICE/TASK"),
        Invocation(["doc", "router.regster"], 64, errors: "did you mean 'router.register'?"),
        Invocation(["verson"], 64, errors: "unknown command 'verson', did you mean 'version'?"),
        Invocation(["version", "x"], 64, errors: "Unexpected argument 'x'"),
        Invocation(["scripts/podcst"], 66, errors: "did you mean 'scripts/podcast'?"),
        Invocation(
            ["scripts/podcast", "scripts/podcst"],
            66,
            output: " passed, 0 failed\n",
            errors: "no file or folder"
        ),
    ]

    @Test(
        "usage errors do not repeat control characters from the command line",
        arguments: [
            ["--set", "a\u{1B}[31m=1"], ["--tags", "a\u{1B}[31m,,"], ["--jobs", "\u{1B}[31m"],
            ["--\u{1B}[31m"], ["\u{1B}[31m"], ["version", "\u{1B}[31m"],
        ]
    )
    func escaping(_ arguments: [String]) throws {
        let process = try CommandProcess(arguments)
        #expect(process.code == 64 || process.code == 66)
        #expect(!process.errors.contains("\u{1B}") && process.output.isEmpty)
        #expect(process.errors.contains("\\u{1B}[31m"), "\(process.errors)")
    }

    @Test("the exit code depends on the result", arguments: invocations)
    func codes(_ invocation: Invocation) throws {
        let process = try CommandProcess(invocation.arguments)
        #expect(process.code == invocation.code, "\(process.output)\(process.errors)")
        for (expected, text) in [
            (invocation.output, process.output), (invocation.errors, process.errors),
        ] {
            #expect(expected.isEmpty ? text.isEmpty : text.contains(expected), "\(text)")
        }
    }
}
