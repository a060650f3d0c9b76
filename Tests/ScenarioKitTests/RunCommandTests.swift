// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import SystemGaps
import TestSupport
import Testing

/// Tests that run the command on files in a new folder.
struct RunCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try write(
            "app.lua",
            "router.start(function() return router.nav { router.screen('Main') } end)"
        )
    }

    private func write(_ name: String, _ text: String) throws {
        try folder.write(name, text)
    }

    private func run(
        _ paths: [String],
        _ options: RunOptions = RunOptions()
    ) -> (report: RunReport, output: String, errors: String) {
        var output = ""
        var errors = ""
        let command = RunCommand(paths: paths.map { "\(folder.path)/\($0)" }, options: options)
        let report = command.run(Console(output: { output += $0 }, errors: { errors += $0 }))
        let strip = { (text: String) in
            text.replacingOccurrences(of: self.folder.path + "/", with: "")
        }
        return (report, strip(output), strip(errors))
    }

    private func names(_ report: RunReport) -> [String] {
        report.files.flatMap { $0.scenarios.map(\.name) }
    }

    private static let two = """
        use app.lua
        scenario "One"
          start

        # between
        scenario "Two"
          start
          expect tree nav[Main]
        """

    @Test(
        "a line in a path selects the scenario whose block contains the line",
        arguments: [
            (2, ["One"]), (4, ["One"]), (5, ["One"]), (6, ["Two"]), (8, ["Two"]),
        ]
    )
    func line(_ line: Int, _ expected: [String]) throws {
        try write("a.scenario", Self.two)
        let (report, _, _) = run(["a.scenario:\(line)"])
        #expect(names(report) == expected)
        #expect(report.exitCode == .success)
    }

    @Test("a line outside of all blocks selects nothing", arguments: [1, 9])
    func lineOutside(_ line: Int) throws {
        try write("a.scenario", Self.two)
        let (report, output, errors) = run(["a.scenario:\(line)"])
        #expect(report.exitCode == .nothingSelected)
        #expect(output.isEmpty)
        #expect(
            errors == """
                error[C0101]: no scenario is selected
                   = help    no selected scenario contains line \(line) of 'a.scenario'


                """
        )
    }

    @Test("a row number that no table has selects nothing, and the error names the row")
    func rowOutside() throws {
        try write("a.scenario", Self.two)
        #expect(
            run(["a.scenario:2#9"]).errors.contains(
                "no selected scenario is row 9 of 'a.scenario:2'"
            )
        )
    }

    @Test(
        "scenarios selected by lines run in file order; a path without a line selects all scenarios"
    )
    func lines() throws {
        try write("a.scenario", Self.two)
        #expect(
            names(run(["a.scenario:7", "a.scenario:2", "a.scenario:2"]).report) == ["One", "Two"]
        )
        #expect(names(run(["a.scenario:7", "a.scenario"]).report) == ["One", "Two"])
    }

    @Test(
        "the scenario files of a folder run in the order of their paths; hidden files are ignored"
    )
    func folders() throws {
        for name in [
            "b/z.scenario", "b/a/y.scenario", ".build/h.scenario", "b/.x.scenario", "c.txt",
        ] {
            try write(name, "use \(folder.path)/app.lua\nscenario \"\(name)\"\n  start")
        }
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/b/loop",
            withDestinationPath: folder.path
        )
        #expect(names(run([""]).report) == ["b/a/y.scenario", "b/z.scenario"])
    }

    @Test(
        "the error for a missing path suggests a similar path that exists, and the other files run"
    )
    func missing() throws {
        try write("luaroute.json", "{}")
        try write("shop/a.scenario", "use ../app.lua\nscenario \"One\"\n  start")
        let (report, output, errors) = run([
            "shop/a.scenari", "shpo/a.scenario", "nowhere/else", "shop/a.scenario",
        ])
        #expect(report.exitCode == .inputMissing)
        #expect(report.exitCode.rawValue == 66)
        let lines = errors.split(separator: "\n")
        #expect(
            lines.prefix(2) == [
                "error[S0203]: no file or folder 'shop/a.scenari', did you mean 'shop/a.scenario'?",
                "error[S0203]: no file or folder 'shpo/a.scenario', did you mean 'shop'?",
            ]
        )
        #expect(lines.count == 3)
        #expect(output.hasSuffix("\n1 passed, 0 failed\n"))
    }

    @Test("a script on the command line replaces the script of the scenario file")
    func script() throws {
        try write("other.lua", "router.start(function() return router.screen('Other') end)")
        try write("a.scenario", "scenario \"One\"\n  start\n  expect tree Other")
        var options = RunOptions()
        options.script = "\(folder.path)/other.lua"
        #expect(run(["a.scenario"], options).report.exitCode == .success)
    }

    // MARK: The manifest of a host

    private func run(
        hostedBy manifest: String,
        script: String,
        _ steps: String
    ) throws -> (report: RunReport, output: String, errors: String) {
        try write("app.lua", script)
        try write("a.scenario", "use app.lua\nscenario \"One\"\n\(steps)")
        try write("host.json", manifest)
        var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        command.options.manifestPath = "\(folder.path)/host.json"
        var (output, errors) = ("", "")
        let report = command.run(Console(output: { output += $0 }, errors: { errors += $0 }))
        return (report, output, errors)
    }

    @Test("the command for running a failed scenario again has all options that affect the outcome")
    func rerun() throws {
        try write("a.scenario", "use app.lua\nscenario \"Fails\"\n  expect depth 9")
        try write("it's.lua", "router.export('f', function() end)")
        try write("host.json", #"{"schema":"luaroute.host/1"}"#)
        var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        command.options.script = "\(folder.path)/it's.lua"
        command.options.fileRoot = folder.path
        command.options.seed = 7
        command.options.budget = try BudgetLimits("bytes=8M,seconds=0.5,instructions=5K")
        command.options.isTrusted = true
        command.options.manifestPath = "\(folder.path)/host.json"
        var output = ""
        command.run(Console { output += $0 })
        let options =
            "--script '\(folder.path)/it'\\''s.lua' --host \(folder.path)/host.json --file-root \(folder.path) "
            + "--seed 7 --budget instructions=5000,seconds=0.5,bytes=8388608 --trusted"
        #expect(output.contains("rerun   luaroute run \(options) \(folder.path)/a.scenario:2\n"))
    }

    @Test("'run' and 'check' both reject scripts that expect a task that the manifest lacks")
    func manifestLacks() throws {
        let (report, output, errors) = try run(
            hostedBy: #"{"schema":"luaroute.host/1","tasks":["Pay/now"],"screens":["Main"]}"#,
            script: """
                router.expects{ tasks = { "Pay/nwo" } }
                router.register("Show", "open", function() return router.screen "Show" end)
                router.register("Shop", "open", { find = "Shop" })
                """,
            "  note \"nothing\""
        )
        #expect(report.exitCode == .scriptFailed)
        #expect(output == "0 passed, 0 failed, 1 file not run\n")
        #expect(errors.contains("the host has no task 'Pay/nwo', did you mean 'Pay/now'?"))
        var check = CheckCommand(paths: ["\(folder.path)/app.lua"])
        check.options.manifestPath = "\(folder.path)/host.json"
        var found = ""
        _ = check.run(Console { found += $0 })
        for line in errors.split(separator: "\n") where line.hasPrefix("error") {
            #expect(found.contains(line))
        }
    }

    @Test(
        "scripts run with the capabilities in a file, and 'check' lists the required capabilities"
    )
    func capabilities() throws {
        try write(
            "app.lua",
            """
            router.links { "shop" }
            router.expects { tasks = { "Pay/now" } }
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Ad", "show", {
              url = "/ad", build = function() return router.screen "Ad" end, via = "present",
            })
            router.export("tick", function() router.delay(1, function() end) end)
            """
        )
        try write(
            "a.scenario",
            """
            use app.lua
            scenario "One"
              start
              navigate Ad/show
              expect error forbidden "(capability 'present')"
              expect trace breach
              call tick as tick
              expect tick error forbidden "(capability 'timers.period')"
            """
        )
        try write(
            "rights.json",
            """
            {
              "schema": "luaroute.capabilities/1", "screens": ["Main"],
              "tree": ["push", "windows(2)"], "timers": { "period": 2 }
            }
            """
        )
        var options = RunOptions()
        options.capabilitiesPath = "\(folder.path)/rights.json"
        var text = ""
        let run = RunCommand(paths: ["\(folder.path)/a.scenario"], options: options)
        let report = run.run(Console { text += $0 })
        #expect(report.exitCode == .failed)
        #expect(text.contains("screen 'Ad' is not allowed (capability 'screens')"), "\(text)")
        #expect(text.contains("luaroute run --capabilities \(folder.path)/rights.json "))

        try write(
            "rights.json",
            """
            {
              "schema": "luaroute.capabilities/1",
              "tree": ["push", "windows(2)"], "timers": { "period": 2 }
            }
            """
        )
        text = ""
        #expect(
            run.run(Console { text += $0 }).exitCode == .success,
            "\(text)"
        )

        text = ""
        var check = CheckCommand(paths: ["\(folder.path)/app.lua"], options: options)
        #expect(check.run(Console { text += $0 }) == .failed)
        #expect(
            text.contains(
                "\(folder.path)/app.lua: this bundle needs: screens Ad, Main; tasks Pay/now; "
                    + "urls shop; tree present; timers\n"
            ),
            "\(text)"
        )
        #expect(
            text.contains(
                "error[L0235]: this bundle needs the capability 'present', which is not granted"
            )
        )
        #expect(text.hasSuffix("1 script: 1 error\n"))

        check.options.capabilitiesPath = nil
        check.format = .json
        text = ""
        #expect(check.run(Console { text += $0 }) == .success)
        #expect(text.contains(#""capability":"tasks","name":"Pay/now","file":"app.lua","line":2"#))
        try write("rights.json", "{}")
        check.options.capabilitiesPath = "\(folder.path)/rights.json"
        text = ""
        #expect(check.run(Console { text += $0 }) == .inputMissing)
        #expect(text.contains("is not a capabilities document: bad field 'schema'"), "\(text)")
    }

    @Test("the host of scenarios shows only classes, and runs only tasks, that are in the manifest")
    func manifestBounds() throws {
        let manifest =
            #"{"schema":"luaroute.host/1","tasks":["Pay/now"],"screens":["Main","Show"]}"#
        let script = """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.expects{ tasks = { "Pay/now" } }
            router.register("Show", "open", function(info) return router.screen(info.class) end)
            """
        for (steps, label) in [
            ("  start\n  navigate Show/open(class=Show)\n  expect top Show", nil),
            ("  given nav[Main] ^ tabs[*Show]\n  stub Pay/now\n  doTask Pay/now", nil),
            ("  given nav[Main] ^ Alert:foreign", nil),
            (
                "  start\n  navigate Show/open(class=Shwo)",
                "the host has no screen 'Shwo', did you mean"
            ),
            ("  given nav[Main, Shwo]", "the host has no screen 'Shwo', did you mean 'Show'?"),
            ("  stub Pay/nwo", "the host has no task 'Pay/nwo', did you mean 'Pay/now'?"),
            (
                "  start\n  user opens window second Maim",
                "the host has no screen 'Maim', did you mean 'Main'?"
            ),
        ] as [(String, String?)] {
            let (report, output, errors) = try run(hostedBy: manifest, script: script, steps)
            #expect(report.exitCode == (label == nil ? .success : .failed), "\(output)\(errors)")
            if let label { #expect(output.contains(label), "\(output)") }
        }
    }

    @Test("if the manifest is invalid, no scenario runs", arguments: ["{", "[]"])
    func manifestUnreadable(_ manifest: String) throws {
        let (report, output, errors) = try run(hostedBy: manifest, script: "", "  start")
        #expect(report.exitCode == .inputMissing)
        #expect(output.isEmpty)
        #expect(
            errors.hasPrefix("error[C0104]: '\(folder.path)/host.json' is not a host manifest")
        )
    }

    // MARK: Runs

    @Test(
        "the warning about 'only' has the number of scenarios left out of the run and of each file"
    )
    func onlyCounts() throws {
        try write("a.scenario", Self.two.replacing("scenario \"Two\"", with: "only \"Two\""))
        try write("b.scenario", Self.two)
        let (report, _, errors) = run(["a.scenario", "b.scenario"])
        #expect(names(report) == ["Two"])
        #expect(report.exitCode == .success)
        #expect(
            errors.hasPrefix("warning[C0102]: 'only' excludes 3 scenarios\n  --> a.scenario:6:1")
        )
        #expect(errors.contains("left out 1 of") && errors.contains("left out 2 of"))
        var options = RunOptions()
        options.isUnattended = true
        #expect(run(["a.scenario"], options).report.exitCode == .failed)
    }

    @Test("the warning about 'only' excludes skipped scenarios, and counts as one warning")
    func onlyBesideSkip() throws {
        try write(
            "a.scenario",
            "use app.lua\nonly \"A\"\n  start\nskip \"B\"\nscenario \"C\"\n  start"
        )
        let (report, output, errors) = run(["a.scenario"])
        #expect(errors.contains("'only' excludes 1 scenario\n"))
        #expect(report.warningCount == 1)
        #expect(output.hasSuffix("1 passed, 0 failed, 1 warning\n"))
    }

    @Test(
        "if the file root is not a folder, only this error is reported",
        arguments: [
            ("app.lua", "app.lua' is a file"),
            ("nowhere", "nowhere'"),
        ]
    )
    func badFileRoot(_ name: String, _ message: String) throws {
        try write("a.scenario", "use app.lua\nscenario \"A\"\n  start")
        var options = RunOptions()
        options.fileRoot = "\(folder.path)/\(name)"
        let (report, _, errors) = run(["a.scenario"], options)
        #expect(report.exitCode == .inputMissing)
        #expect(errors.hasPrefix("error[S0203]") && errors.contains(message), "\(errors)")
        #expect(errors.components(separatedBy: "error[").count == 2, "\(errors)")
    }

    @Test("a line feed in a file name is escaped")
    func lineFeedInName() throws {
        try write("a\nb.scenario", "use app.lua\nscenario \"A\"\n  expect depth 9")
        let output = run(["a\nb.scenario"]).output
        #expect(output.contains("--> a\\u{A}b.scenario:3:"), "\(output)")
    }

    @Test("if nothing is selected because a file has no scenarios, the error names the file")
    func noScenarios() throws {
        try write("a.scenario", "use app.lua\nbackground\n  start")
        #expect(run(["a.scenario"]).errors.contains("there is no scenario in 'a.scenario'"))
    }

    @Test(
        "an empty last line of a CSV file is not a row; a lone carriage return is an error",
        arguments: [
            ("n\n1\n\n", 1, nil), ("n\r\n1\r\n\r\n", 1, nil), ("n\n1\n\"\"\n", 2, nil),
            ("n\r1\r", 0, "a carriage return (CR) without a line feed (LF) does not end a line"),
        ] as [(String, Int, String?)]
    )
    func lastLine(_ table: String, _ count: Int, _ message: String?) throws {
        try write("a.csv", table)
        try write("a.scenario", "use app.lua\nscenario \"A <n>\"\n  start\n  each from a.csv")
        let (report, _, errors) = run(["a.scenario"])
        #expect(names(report).count == count, "\(errors)")
        if let message { #expect(errors.contains(message), "\(errors)") }
    }

    @Test("a row of a CSV file can be selected by its number")
    func record() throws {
        try write("rows.csv", "n\n1\n2\n3\n")
        let steps = "  start\n  expect depth <n>\n  each from rows.csv\n"
        try write("a.scenario", "use app.lua\nscenario \"Row <n>\"\n\(steps)")
        let (report, output, _) = run(["a.scenario:2#2"])
        #expect(names(report) == ["Row 2"])
        #expect(output.contains("a.scenario:2#2\n\n"))
        #expect(names(run(["a.scenario:2"]).report).count == 3)
        #expect(run(["a.scenario:2#4"]).report.exitCode == .nothingSelected)
        #expect(run(["a.scenario:2#0"]).report.exitCode == .inputMissing)
    }

    @Test(
        "a file has the same maximum size on the command line and in an 'include' line",
        arguments: [1 << 20, 5 << 20]
    )
    func size(_ size: Int) throws {
        try write("big.scenario", String(repeating: "#", count: size + 1))
        try write("a.scenario", "use app.lua\ninclude big.scenario\nscenario \"One\"\n  start")
        for path in ["big.scenario", "a.scenario"] {
            let (report, _, errors) = run([path])
            #expect(report.exitCode == .scenarioInvalid)
            #expect(errors.split(separator: "\n").count { $0.hasPrefix("error[S0102]") } == 1)
            #expect(errors.split(separator: "\n").count { $0.hasPrefix("error") } == 1)
        }
    }

    @Test("each scenario has its own scripts, tree and clock")
    func isolation() throws {
        try write(
            "app.lua",
            """
            local count = 0
            router.registerTask("Count", "up", function()
              count = count + 1
              return { count = count, random = math.random(1000000) }
            end)
            """
        )
        let scenarios = ["one", "two"].map {
            "scenario \"\($0)\"\n  doTask Count/up\n  expect result {count=1}\n"
        }
        try write("a.scenario", "use app.lua\n" + scenarios.joined())
        let (_, output, _) = run(["a.scenario"])
        let actual = output.split(separator: "\n").filter { $0.contains("actual") }
        #expect(actual.count == 2)
        #expect(Set(actual).count == 1)
        #expect(actual[0].contains("{count=1, random="))
    }

    @Test("'only' prevents other scenarios from running, and fails the run in CI")
    func only() throws {
        try write("a.scenario", Self.two)
        try write("b.scenario", "use app.lua\nonly \"Three\"\n  start")
        var options = RunOptions()
        options.isUnattended = true
        let (report, output, errors) = run([""], options)
        #expect(names(report) == ["Three"])
        #expect(report.exitCode == .failed)
        #expect(output.hasSuffix("1 passed, 0 failed\n"))
        #expect(errors.hasPrefix("error[C0102]"))
    }

    @Test(
        "the other files run after an error, and the exit code with the highest precedence is used"
    )
    func order() throws {
        try write("1.scenario", "use app.lua\nscenario \"fails\"\n  start\n  expect depth 9")
        try write("2.scenario", "scenari \"does not parse\"")
        try write("3.scenario", "use broken.lua\nscenario \"does not load\"\n  start")
        try write("4.scenario", "use app.lua\nscenario \"passes\"\n  start")
        try write("broken.lua", "error('no')")
        #expect(run(["1.scenario"]).report.exitCode == .failed)
        #expect(run(["1.scenario", "2.scenario"]).report.exitCode == .scenarioInvalid)
        let (report, output, _) = run([""])
        #expect(report.exitCode == .scriptFailed)
        #expect(names(report) == ["fails", "passes"])
        #expect(output.hasSuffix("\n1 passed, 1 failed, 2 files not run\n"))
        #expect(run(["", "5.scenario"]).report.exitCode == .inputMissing)
    }

    @Test(
        "an interrupted run starts no further scenario, and its JSON document is complete",
        arguments: [1, 4]
    )
    func interrupted(_ jobs: Int) throws {
        try write("1.scenario", Self.two)
        try write("2.scenario", Self.two)
        var command = RunCommand(paths: [folder.path])
        command.jobs = jobs
        command.format = .json
        let asked = Lock(0)
        // A run of no scenario asks while it reads the files, and at its end.
        command.filter.names = ["neither"]
        command.interruption = {
            asked.withLock { $0 += 1 }
            return nil
        }
        command.run(.silent)
        command.filter.names = []
        let limit = asked.withLock { count in
            defer { count = 0 }
            return count
        }
        var (last, output) = (RunReport?.none, "")
        // The first number of questions after which a scenario has ended.
        for limit in limit..<limit + 100 where last.map({ names($0).isEmpty }) ?? true {
            asked.withLock { $0 = 0 }
            command.interruption = {
                asked.withLock { count in
                    count += 1
                    return count > limit ? .terminated : nil
                }
            }
            output = ""
            last = command.run(Console { output += $0 })
        }
        let report = try #require(last)
        #expect(report.exitCode == .terminated)
        let ended = names(report).count
        #expect(jobs == 1 ? ended == 1 : (1...3).contains(ended))
        #expect(report.notRun == 4 - ended)
        let document = try JSONSerialization.jsonObject(with: Data(output.utf8))
        let members = try #require(document as? [String: Any])
        #expect(members["exitCode"] as? Int == 143)
        #expect((members["counts"] as? [String: Int])?["notRun"] == 4 - ended)
        #expect((members["files"] as? [Any])?.count == 2)
    }

    @Test(
        "reports list the scenarios that were not run, with the reason",
        arguments: [(false, "the run was interrupted"), (true, "an earlier scenario failed")]
    )
    func notRun(_ stopsAtFailure: Bool, _ reason: String) throws {
        try write("1.scenario", Self.two)
        try write("2.scenario", Self.two.replacing("\"One\"\n", with: "\"One\"\n  expect top No\n"))
        try write("3.scenario", Self.two)
        var command = RunCommand(paths: [folder.path])
        command.stopsAtFailure = stopsAtFailure
        let ended = Lock(0)
        if !stopsAtFailure {
            command.interruption = { ended.withLock { $0 } > 2 ? .interrupted : nil }
        }
        let report = command.run(
            Console(output: { _ in ended.withLock { $0 += 1 } }, errors: { _ in })
        )
        #expect(report.notRun == 3)
        let text = "3 scenarios were not run, because \(reason)"
        for format in ["json", "sarif", "junit", "html"] {
            let document = try ReportFile("\(format)=x").text(of: report)
            #expect(document.contains(text), "\(format)")
        }
        #expect(
            try ReportFile("github").text(of: report).contains("::error title=luaroute::\(text)")
        )
        let junit = try ReportFile("junit=x").text(of: report)
        let skipped = "<skipped message=\"not run: \(reason)\"/>"
        #expect(junit.components(separatedBy: skipped).count == 4, "\(junit)")
        #expect(junit.contains("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"2\""), "\(junit)")
    }

    @Test("a run that is interrupted while searching for files reads no file")
    func interruptedWalk() throws {
        try write("1.scenario", Self.two)
        var command = RunCommand(paths: [folder.path])
        command.interruption = { .terminated }
        var text = ""
        let report = command.run(Console { text += $0 })
        #expect(report.exitCode == .terminated)
        #expect(report.files.isEmpty)
        #expect(text.isEmpty)
    }

    @Test("listing scenarios reads no file after an interruption")
    func interruptedList() throws {
        try write("1.scenario", "nonsense")
        var command = RunCommand(paths: [folder.path])
        command.interruption = { .interrupted }
        var text = ""
        _ = command.list(Console { text += $0 })
        #expect(text.isEmpty)
    }

    @Test("a path is split at each slash, even at a slash that a combining mark follows")
    func combiningMark() throws {
        let name = "a/\u{301}b"
        try write("\(name)/app.lua", "router.start(function() return router.screen('Main') end)")
        try write("\(name)/1.scenario", Self.two.replacing("nav[Main]", with: "Main"))
        let (report, _, errors) = run(["\(name)/1.scenario"])
        #expect(names(report) == ["One", "Two"] && report.exitCode == .success, "\(errors)")
        try write("\(name)/2.scenario", "include \u{301}c\n" + Self.two)
        #expect(run(["\(name)/2.scenario"]).errors.contains("no such file '\(name)/\u{301}c'"))
    }

    /// Shell commands that create a scenario file that a run finds but cannot read, each with the
    /// expected error.
    private static let foundNames: [(make: String, error: String)] = [
        ("mkfifo b.scenario", "error[S0203]: cannot read 'b.scenario' (not a regular file)"),
        (
            "ln -s /dev/zero b.scenario",
            "error[S0204]: 'b.scenario' is a symbolic link to a file outside of '"
        ),
        (
            "ln -s nothing b.scenario",
            "error[S0203]: cannot read 'b.scenario' (a broken symbolic link)"
        ),
        (
            "ln -s b.scenario b.scenario",
            "error[S0203]: cannot read 'b.scenario' (too many levels of symbolic links)"
        ),
        (
            "mkfifo pipe; ln -s pipe b.scenario",
            "error[S0203]: cannot read 'b.scenario' (not a regular file)"
        ),
        ("mkdir b.scenario; ln -s . c.scenario", ""),
        (
            "printf x > \"$(printf 'b\\377.scenario')\"",
            "error[S0203]: cannot read 'b\u{FFFD}.scenario' (its name is not UTF-8)"
        ),
    ]

    @Test("only regular files in a folder are opened", arguments: foundNames)
    func found(_ make: String, _ error: String) throws {
        try write("luaroute.json", "{}")
        try write("a.scenario", Self.two)
        try shell(make)
        let (report, _, errors) = run([""])
        #expect(names(report) == ["One", "Two"])
        #expect(error.isEmpty ? errors.isEmpty : errors.contains(error), "\(errors)")
    }

    #if os(Linux)
    @Test("included files whose names differ only in their Unicode form are an error")
    func otherForms() throws {
        for name in ["\u{E9}", "e\u{301}"] {
            try write("\(name).inc", "macro \(name == "\u{E9}" ? "one" : "two")\n  start\n")
        }
        try write("1.scenario", "include \u{E9}.inc\ninclude e\u{301}.inc\n" + Self.two)
        let included = run(["1.scenario"])
        #expect(included.report.exitCode == .inputMissing)
        #expect(included.errors.contains("two files are named"), "\(included.errors)")
    }

    @Test("two files whose names differ only in their Unicode form are an error")
    func unicodeForms() throws {
        try write("luaroute.json", "{}")
        try write("\u{E9}.scenario", Self.two)
        try write("e\u{301}.scenario", Self.two)
        let (report, _, errors) = run([""])
        #expect(names(report).count == 2)
        #expect(report.exitCode == .inputMissing)
        #expect(errors.contains("one text is NFC, the other is NFD"))
    }
    #endif

    @Test("folders nested deeper than 64 are left out with a warning")
    func nested() throws {
        let text = Self.two.replacing("app.lua", with: "\(folder.path)/app.lua")
        try write("\(String(repeating: "d/", count: 64))a.scenario", text)
        try write("\(String(repeating: "d/", count: 65))b.scenario", text)
        let (report, _, errors) = run([""])
        #expect(names(report) == ["One", "Two"])
        #expect(errors.contains("(folders are nested more than 64 levels deep)"))
    }

    private func shell(_ line: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-ec", line]
        process.currentDirectoryURL = URL(filePath: folder.path)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test("exit codes in descending precedence are 70, 74, 66, 3, 2, 1, 4 and 0")
    func codes() {
        let codes: [ExitCode] = [
            .defect, .outputFailed, .inputMissing, .scriptFailed, .scenarioInvalid, .failed,
            .nothingSelected, .success,
        ]
        #expect(codes.sorted(by: >) == codes)
        #expect(codes.map(\.rawValue) == [70, 74, 66, 3, 2, 1, 4, 0])
    }
}
