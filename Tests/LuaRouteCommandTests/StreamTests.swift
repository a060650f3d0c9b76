// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The output streams of the command: pipes, terminals, threads and JSON.
struct StreamTests {
    private static let passing = "Tests/Scenarios/pass/podcast.scenario"
    private static let invalid = "Tests/Scenarios/invalid/no-use.scenario"

    @Test("a reader that closes the pipe early causes no error")
    func head() throws {
        let line = "{ \"$LUAROUTE\" scripts; echo \"code $?\" >&2; } | head -1"
        let process = try CommandProcess(shell: line)
        #expect(process.output.hasPrefix("✔ "))
        #expect(process.output.split(separator: "\n").count == 1)
        #expect(process.errors == "code 0\n")
    }

    @Test("a pipe closed before the first result causes no error")
    func closedPipe() throws {
        let line = "{ sleep 0.2; \"$LUAROUTE\" \(Self.passing); echo \"code $?\" >&2; } | true"
        let process = try CommandProcess(shell: line)
        #expect(process.errors == "code 0\n")
    }

    @Test(
        "a result that cannot be written has its own exit code",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: [
            "version", passing, "--list scripts", "--json scripts",
            "Tests/Scenarios/fail/contract.scenario", invalid,
        ]
    )
    func full(_ arguments: String) throws {
        let process = try CommandProcess(shell: "\"$LUAROUTE\" \(arguments) > /dev/full")
        #expect(process.code == 74)
    }

    @Test("writing a report to a pipe that nobody reads is an error, and does not block")
    func unreadPipe() throws {
        let folder = try TemporaryFolder()
        let pipe = "'\(folder.path)/pipe'"
        let line = "mkfifo \(pipe); \"$LUAROUTE\" run \(Self.passing) --report junit=\(pipe)"
        let process = try CommandProcess(shell: line)
        #expect(process.code == 74)
        #expect(process.errors.contains("no process reads the pipe"), "\(process.errors)")
    }

    @Test("stdout and stderr redirected to the same file keep their order")
    func oneFile() throws {
        let line = "\"$LUAROUTE\" \(Self.invalid) \(Self.passing) 2>&1"
        let lines = try CommandProcess(shell: line).output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("error[S0202]") == true)
        #expect(lines.last == "2 passed, 0 failed, 1 file not run")
    }

    @Test(
        "a quiet run prints the coverage only with the option '--coverage'",
        arguments: [
            ("--quiet --report lcov=x", false), ("--quiet --min-coverage 1", false),
            ("--quiet --coverage", true), ("--report lcov=x", true), ("--min-coverage 1", true),
        ]
    )
    func quietCoverage(_ options: String, _ isPrinted: Bool) throws {
        let folder = try TemporaryFolder()
        let scenario = packageFolder.appending(path: Self.passing).path()
        let line = "cd '\(folder.path)' && \"$LUAROUTE\" \(options) '\(scenario)'"
        let output = try CommandProcess(shell: line).output
        #expect(output.contains("coverage\n") == isPrinted, "\(output)")
        #expect(output.hasSuffix(" passed, 0 failed\n"))
    }

    // MARK: Threads

    @Test("the output is identical for any number of threads", arguments: ["2", "4", "13"])
    func jobs(_ count: String) throws {
        let arguments = ["Tests/Scenarios", "scripts"]
        let one = try CommandProcess(["--jobs", "1"] + arguments)
        let several = try CommandProcess(["--jobs", count] + arguments)
        #expect(one.output == several.output)
        #expect(one.errors == several.errors)
        #expect(one.code == several.code)
        #expect(one.output.count > 1_000)
    }

    // MARK: JSON

    @Test("'--json' prints one document and nothing else, even if the command fails")
    func json() throws {
        for (path, code) in [("Tests/Scenarios", 66), ("scripts", 0), ("nowhere", 66)] {
            let process = try CommandProcess(["--json", "--color", "always", path])
            let value = try JSONSerialization.jsonObject(with: Data(process.output.utf8))
            let document = try #require(value as? [String: Any])
            #expect(document["schema"] as? String == "luaroute.run/1")
            #expect(document["exitCode"] as? Int == code)
            #expect(process.code == code)
            #expect(process.output.split(separator: "\n").count == 1)
        }
    }

    // MARK: Colours

    @Test(
        "output that does not go to a terminal is coloured only on request",
        arguments: [
            ([], [:], false),
            ([], ["CLICOLOR_FORCE": "1"], true),
            ([], ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
            (["--color", "always"], ["NO_COLOR": "1"], true),
            (["--color", "never"], ["CLICOLOR_FORCE": "1"], false),
        ] as [([String], [String: String], Bool)]
    )
    func colors(_ arguments: [String], _ environment: [String: String], _ isColored: Bool) throws {
        let process = try CommandProcess(
            arguments + [Self.passing, Self.invalid],
            environment: environment
        )
        #expect(process.output.hasPrefix(isColored ? "\u{1B}[32m✔\u{1B}[0m A show" : "✔ A show"))
        let code = isColored ? "\u{1B}[1merror[S0202]\u{1B}[0m: " : "error[S0202]: "
        #expect(process.errors.hasPrefix(code))
    }

    #if os(Linux)
    @Test(
        "stdout and stderr are coloured separately, depending on which is a terminal",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")),
        arguments: [
            ("", ["TERM": "xterm"], true, true),
            ("", ["TERM": "dumb"], false, false),
            ("", ["TERM": "xterm", "NO_COLOR": "1"], false, false),
            ("2>/dev/null", ["TERM": "xterm"], true, false),
            ("| cat", ["TERM": "xterm"], false, true),
        ] as [(String, [String: String], Bool, Bool)]
    )
    func terminal(
        _ redirection: String,
        _ environment: [String: String],
        _ isOutputColored: Bool,
        _ isErrorsColored: Bool
    ) throws {
        let line = "\(CommandProcess.url.path()) \(Self.passing) \(Self.invalid) \(redirection)"
        let process = try CommandProcess(
            shell: "script -qec '\(line)' /dev/null",
            environment: environment
        )
        #expect(process.output.contains("\u{1B}[32m✔") == isOutputColored)
        #expect(process.output.contains("\u{1B}[1merror") == isErrorsColored)
    }
    #endif
}
