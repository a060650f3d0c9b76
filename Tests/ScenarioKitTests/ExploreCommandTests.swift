// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import SystemGaps
import TestSupport
import Testing

/// Tests of the command `luaroute explore`, run in the process of the tests.
struct ExploreCommandTests {
    private let folder: TemporaryFolder

    /// A script whose pages are never reused, so that the stack grows without limit.
    private static let growing = """
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", {
          info = { number = "integer" },
          examples = { { number = 1 } },
          build = function(info) return router.screen("Page", { number = info.number }) end,
        })
        """
    /// The same script with pages that are reused.
    private static let reusing = growing.replacing(
        "build = function",
        with: "reuse = \"class\",\n  build = function"
    )

    init() throws { folder = try TemporaryFolder() }

    private struct Result {
        let code: ExitCode
        let output: String
        let errors: String
        let written: [String]
    }

    private func run(
        _ paths: [String],
        change: (inout ExploreCommand) -> Void = { _ in }
    ) -> Result {
        var command = ExploreCommand(paths: paths.map { "\(folder.path)/\($0)" })
        command.depth = 3
        command.folder = "\(folder.path)/found"
        command.options.fileRoot = folder.path
        change(&command)
        var (output, errors) = ("", "")
        nonisolated(unsafe) var written: [String] = []
        let code = command.run(
            Console(
                output: { output += $0 },
                errors: { errors += $0 },
                save: { text, path in
                    written.append(path)
                    let parent = URL(filePath: path).deletingLastPathComponent()
                    try? FileManager.default.createDirectory(
                        at: parent,
                        withIntermediateDirectories: true
                    )
                    return TemporaryFolder.save(text, to: path)
                }
            )
        )
        let prefix = "\(folder.path)/"
        return Result(
            code: code,
            output: output.replacing(prefix, with: ""),
            errors: errors.replacing(prefix, with: ""),
            written: written.map { $0.replacing(prefix, with: "") }
        )
    }

    @Test("a finding is printed as a block with its path and its file, and the exit code is 1")
    func finding() throws {
        try folder.write("main.lua", Self.growing)
        let result = run(["main.lua"])
        #expect(result.code == .failed)
        #expect(result.written == ["found/X003-page.scenario"])
        #expect(
            result.output == """
                main.lua  4 states  5 steps  complete to depth 3
                  ✘ X003 Page/show adds 1 screen a turn, 16 turns seen  2 steps   found/X003-page.scenario
                      navigate Page/show(number=1) · navigate Page/show(number=1)
                      main.lua:2: Page/show

                """
        )
        let again = run(["main.lua"])
        #expect(again.output == result.output)
        #expect(again.written == [])
    }

    @Test(
        "counts of one are printed in the singular, and a file is named after the finding's route"
    )
    func words() throws {
        try folder.write(
            "main.lua",
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Login", "show", {
              info = {}, build = router.screen "Login", via = "presentWithNav",
            })
            """
        )
        let start = run(["main.lua"]) { $0.depth = 0 }.output
        #expect(start.contains("  1 state  0 steps  complete"), "\(start)")
        #expect(run(["main.lua"]).written == ["found/X003-login.scenario"])
    }

    @Test("the error of scripts that do not load is printed once, with the number of their files")
    func loadError() throws {
        try folder.write("main.lua", "error 'boom'")
        try folder.write("other.lua", "error 'boom'")
        for (name, script) in [("a", "main"), ("b", "./main"), ("c", "other")] {
            let blocks = "explore \"One\"\n  start\nexplore \"Two\"\n  start\n"
            try folder.write("\(name).scenario", "use \(script).lua\n" + blocks)
        }
        let result = run(["a.scenario", "b.scenario", "c.scenario"])
        #expect(result.code == .scriptFailed)
        #expect(result.errors.matches(of: /error\[L0301\]/).count == 2, "\(result.errors)")
        #expect(result.errors.matches(of: /= used    by 2 files\n/).count == 1, "\(result.errors)")
        #expect(result.errors.contains("main.lua:1:") && result.errors.contains("other.lua:1:"))
    }

    @Test("the error of scripts that exceed the budget is printed once")
    func loadOverBudget() throws {
        try folder.write("main.lua", Self.growing)
        let blocks = "explore \"One\"\n  start\nexplore \"Two\"\n  start\n"
        try folder.write("a.scenario", "use main.lua\n" + blocks)
        let result = run(["a.scenario"]) {
            $0.options.budget = try? BudgetLimits("instructions=10")
        }
        #expect(result.code == .scriptFailed)
        #expect(result.errors.matches(of: /error\[L0401\]/).count == 1, "\(result.errors)")
    }

    @Test("scripts outside of the root of a file are not read")
    func outside() throws {
        try folder.write("main.lua", Self.reusing)
        try folder.write("inner/a.scenario", "use ../main.lua\nexplore \"All\"\n  start\n")
        let result = run(["inner/a.scenario"]) { $0.options.fileRoot = "\(folder.path)/inner" }
        #expect(result.code == .scenarioInvalid)
        #expect(result.errors.contains("error[S0204]: '../main.lua' is outside of"))
    }

    @Test("without findings the exit code is 0, or 5 if the search reached a limit")
    func bounds() throws {
        try folder.write("main.lua", Self.reusing)
        #expect(run(["main.lua"]).code == .success)
        let limited = run(["main.lua"]) { $0.states = 1 }
        #expect(limited.code == .inconclusive)
        #expect(limited.output.contains("inconclusive: the limit of states was reached"))
        #expect(limited.output.contains("'can' lines in an 'explore' block"))
        let late = run(["main.lua"]) { $0.time = .nanoseconds(1) }
        #expect(late.code == .inconclusive)
        #expect(late.output.contains("inconclusive: the time limit was reached"))
        #expect(late.output.contains("or set a lower '--depth' or a longer '--time'"))
        // A finding takes precedence.
        try folder.write("main.lua", Self.growing)
        #expect(run(["main.lua"]) { $0.states = 3 }.code == .failed)
    }

    @Test(
        "only routes without required parameters are explored; without any, the result is inconclusive"
    )
    func unexplored() throws {
        let start = """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", {
              find = "Page", build = router.screen "Page", url =
            """
        try folder.write("main.lua", "\(start) \"/page?from=:from?\" })")
        let explored = run(["main.lua"])
        #expect(explored.code == .success)
        #expect(explored.output.contains("2 states"), "\(explored.output)")
        try folder.write("main.lua", "\(start) \"/page/:id\" })")
        let skipped = run(["main.lua"]) { $0.format = .json }
        #expect(skipped.code == .inconclusive)
        #expect(skipped.output.contains("\"ending\":\"unexplored\""), "\(skipped.output)")
        #expect(run(["main.lua"]).output.contains("inconclusive: not all routes were explored"))
    }

    @Test("a skipped route makes the result inconclusive if examples are required")
    func requiredExamples() throws {
        func scripts(_ examples: String) -> String {
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("About", "show", { reuse = "class", build = router.screen "About" })
            router.register("Page", "show", {
              info = { id = "integer" }, reuse = "class", build = router.screen "Page", \(examples)
            })
            """
        }
        try folder.write("main.lua", scripts(""))
        #expect(run(["main.lua"]).code == .success)
        let skipped = run(["main.lua"]) { $0.requiresExamples = true }
        #expect(skipped.code == .inconclusive, "\(skipped.output)")
        #expect(skipped.output.contains("inconclusive: not all routes were explored"))
        #expect(skipped.output.contains("not explored: Page/show (no examples for 'id')"))
        try folder.write("a.scenario", "use main.lua\nexplore \"Back\"\n  can user back\n")
        #expect(run(["a.scenario"]) { $0.requiresExamples = true }.code == .success)
        try folder.write("main.lua", scripts("examples = { { id = 7 } }"))
        #expect(run(["main.lua"]) { $0.requiresExamples = true }.code == .success)
    }

    @Test("only findings outside of the baseline fail the run")
    func baseline() throws {
        try folder.write("main.lua", Self.growing)
        let first = run(["main.lua"]) { $0.format = .json }
        #expect(first.code == .failed)
        try folder.write("known.json", first.output)
        let known = run(["main.lua"]) { $0.baseline = "\(folder.path)/known.json" }
        #expect(known.code == .success)
        #expect(known.output.contains("found/X003-page.scenario   known\n"))
        try folder.write("main.lua", Self.growing.replacing("\"Page\"", with: "\"Sheet\""))
        let other = run(["main.lua"]) { $0.baseline = "\(folder.path)/known.json" }
        #expect(other.code == .failed)
        try folder.write("known.json", "{}")
        let broken = run(["main.lua"]) { $0.baseline = "\(folder.path)/known.json" }
        #expect(broken.code == .inputMissing)
        #expect(
            broken.errors.contains("'known.json' is not the output of 'luaroute explore --json'")
        )
    }

    @Test("the document has the searches, their findings and the exit code")
    func document() throws {
        try folder.write("main.lua", Self.growing)
        let result = run(["main.lua"]) { $0.format = .json }
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        )
        #expect(json["schema"] as? String == "luaroute.explore/1")
        #expect(json["exitCode"] as? Int == 1)
        let blocks = try #require(json["explorations"] as? [[String: Any]])
        #expect(blocks.count == 1)
        #expect(blocks[0]["states"] as? Int == 4)
        #expect(blocks[0]["ending"] as? String == "complete")
        let findings = try #require(blocks[0]["findings"] as? [[String: Any]])
        #expect(findings.map { $0["code"] as? String } == ["X003"])
        #expect(
            findings[0]["steps"] as? [String]
                == [String](
                    repeating: "navigate Page/show(number=1)",
                    count: 2
                )
        )
    }

    @Test("the exploration blocks in a folder are searched, or the scripts if there are no blocks")
    func selection() throws {
        try folder.write("main.lua", Self.reusing)
        try folder.write(
            "a.scenario",
            """
            use main.lua
            explore "One"
              bound depth 1
            explore "Two"
              can navigate Page/show(number=1)
              never top Page
            scenario "Three"
              start

            """
        )
        let all = run([""]) { $0.depth = nil }
        #expect(all.output.contains("a.scenario:2  One"), "\(all.output)\(all.errors)")
        #expect(all.output.contains("a.scenario:4  Two"))
        #expect(all.code == .failed)
        _ = run([""]) { $0.graph = "\(folder.path)/states.mmd" }
        #expect(try folder.read("states.mmd").contains("Home<br/>"))
        #expect(try folder.read("states-2.mmd").contains("Page<br/>"))
        let one = run(["a.scenario:3"])
        #expect(one.output.contains("One") && !one.output.contains("Two"))
        #expect(one.code == .success)
        try folder.write("a.scenario", "use main.lua\nscenario \"Three\"\n  start\n")
        #expect(run([""]).output.hasPrefix("main.lua"))
        let none = run(["a.scenario"])
        #expect(none.code == .nothingSelected)
        #expect(none.errors.contains("no 'explore' block is selected"))
    }

    @Test(
        "blocks can be selected by name and by tag",
        arguments: [
            ([], [], ["One", "Two"]), (["tw"], [], ["Two"]), (["one", "two"], [], ["One", "Two"]),
            ([], ["nightly"], ["One"]), ([], ["!nightly"], ["Two"]),
            ([], ["nightly,slow", "auth"], ["Two"]), (["one"], ["auth"], []),
            (["main"], [], []), ([], ["nightli"], []),
        ] as [([String], [String], [String])]
    )
    func filter(_ names: [String], _ tags: [String], _ expected: [String]) throws {
        try folder.write("main.lua", Self.reusing)
        try folder.write(
            "a.scenario",
            "use main.lua\nexplore \"One\"  @nightly\n  start\nexplore \"Two\"  @auth\n  start\n"
        )
        let conditions = try tags.map { try TagCondition($0) }
        let result = run([""]) { ($0.filter.names, $0.filter.tags) = (names, conditions) }
        let found = ["One", "Two", "main.lua"].filter { result.output.contains($0) }
        #expect(found == expected, "\(result.output)")
        #expect(result.code == (expected.isEmpty ? .nothingSelected : .success))
        if tags == ["nightli"] {
            let help = "no block has the tag 'nightli', did you mean 'nightly'?"
            #expect(result.errors.contains(help), "\(result.errors)")
        }
        // A script without a block has its path as the name, and no tags.
        let script = run(["main.lua"]) { ($0.filter.names, $0.filter.tags) = (names, conditions) }
        let isSelected = [[], ["main"]].contains(names) && tags.allSatisfy { $0.hasPrefix("!") }
        #expect(script.code == (isSelected ? .success : .nothingSelected))
    }

    @Test(
        "if a class declares 'offers', routes are tried only on screens that offer them, and by their URLs"
    )
    func offers() throws {
        try folder.write(
            "main.lua",
            """
            router.links { "app" }
            router.start(function() return router.nav { router.screen "Home" } end)
            router.class("Home", { offers = { "A/show" } })
            router.class("A", { offers = { "B/show" } })
            for _, name in ipairs { "A", "B", "C" } do
              router.register(name, "show", {
                info = {}, reuse = "class", url = name == "C" and "/c" or nil, build = router.screen(name),
              })
            end
            router.register("D", "show", { info = { id = "integer" }, build = router.screen "D" })
            """
        )
        let result = run(["main.lua"]) { $0.graph = "\(folder.path)/states.dot" }
        #expect(result.code == .success, "\(result.output)")
        #expect(result.output.contains("not explored: D/show (no examples for 'id')"))
        #expect(result.output.contains("not entered: route 'D/show' (main.lua:10)"))
        let drawing = try folder.read("states.dot")
        #expect(drawing.contains("label=<A/show>"))
        #expect(drawing.contains("label=<B/show>"))
        #expect(!drawing.contains("label=<C/show>"))
        #expect(drawing.contains("label=<open"))
    }

    @Test("parts that a block with 'can' lines does not reach are counted; '--all' lists them")
    func notEntered() throws {
        try folder.write(
            "main.lua",
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            for _, name in ipairs { "A", "B", "C" } do
              router.register(name, "show", { build = router.screen(name) })
            end
            """
        )
        try folder.write(
            "a.scenario",
            "use \"main.lua\"\n\nexplore \"Back\"\n  can user back\n"
        )
        let counts = "not entered: 3 routes ('--all' lists them)\n"
        #expect(run(["a.scenario"]).output.contains(counts))
        let named = run(["a.scenario"]) { $0.namesAll = true }.output
        #expect(
            named.contains("not entered: route 'A/show' (main.lua:3), route 'B/show' (main.lua:3)")
        )
    }

    @Test("a start that fails, scripts that do not load and files that do not parse are errors")
    func errors() throws {
        try folder.write("main.lua", "router.start(function() error('no') end)")
        let failed = run(["main.lua"])
        #expect(failed.code == .failed)
        #expect(failed.errors.contains("start failed"), "\(failed.errors)")
        try folder.write("main.lua", "router.start(")
        #expect(run(["main.lua"]).code == .scriptFailed)
        #expect(run(["none.lua"]).code == .inputMissing)
        try folder.write("a.scenario", "explore \"A\"\n  can fly\n")
        #expect(run(["a.scenario"]).code == .scenarioInvalid)
        try folder.write("a.scenario", "use main.lua\r\nexplore \"A\"\r\n  can user back\r\n")
        #expect(run(["a.scenario"]).code == .scriptFailed)
        try folder.write("a.scenario", "")
        #expect(run(["a.scenario"]).code == .nothingSelected)
    }

    @Test("if a file cannot be written, the finding is printed with an error")
    func unwritable() throws {
        try folder.write("main.lua", Self.growing)
        try folder.write("found", "a file")
        let result = run(["main.lua"])
        #expect(result.code == .outputFailed)
        #expect(result.output.contains("X003"))
        #expect(result.errors.contains("found/X003-page.scenario"))
    }

    @Test(
        "the shipped examples have no findings",
        arguments: ["podcast", "shapes", "links", "features"]
    )
    func examples(_ name: String) {
        var command = ExploreCommand(
            paths: [packageFolder.appending(path: "scripts/\(name)").path(percentEncoded: false)]
        )
        command.depth = 4
        var (output, errors) = ("", "")
        let code = command.run(
            Console(
                output: { output += $0 },
                errors: { errors += $0 },
                save: { _, path in "\(path) is written" }
            )
        )
        #expect(code == .success, "\(output)\(errors)")
        #expect(!output.contains("X00"), "\(output)")
    }

    /// The findings of an example that are not fixed, with the reason.
    struct Known: Sendable, CustomTestStringConvertible {
        let example: String
        let findings: Set<String>
        let reason: String

        var testDescription: String { "\(example): \(reason)" }

        static let all = [
            Known(example: "coming-from", findings: [], reason: "no findings"),
            Known(
                example: "tutorial/1-first-route",
                findings: ["X003 Recipe/show"],
                reason: "recycling is introduced in chapter 6"
            ),
            Known(example: "tutorial/2-parameters", findings: [], reason: "no findings"),
            Known(example: "tutorial/3-tabs", findings: [], reason: "no findings"),
            Known(example: "tutorial/4-deep-links", findings: [], reason: "no findings"),
            Known(example: "tutorial/5-login", findings: [], reason: "no findings"),
            Known(example: "tutorial/6-recycling", findings: [], reason: "no findings"),
            Known(example: "tutorial/7-tasks", findings: [], reason: "no findings"),
            Known(example: "tutorial/8-hot-reload", findings: [], reason: "no findings"),
        ]
    }

    @Test("the examples on the pages have only the known findings", arguments: Known.all)
    func known(_ known: Known) {
        let path = packageFolder.appending(path: "scripts/\(known.example)")
        var command = ExploreCommand(paths: [path.path(percentEncoded: false)])
        command.depth = 2
        var output = ""
        var console = Console { output += $0 }
        console.save = { _, _ in nil }
        _ = command.run(console)
        let findings = output.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            return words.first == "✘" ? words[1...2].joined(separator: " ") : nil
        }
        #expect(Set(findings) == known.findings, "\(output)")
    }

    @Test("with 'set strict', warnings do not end a search; a finding at the start has no steps")
    func strict() throws {
        try folder.write(
            "main.lua",
            Self.reusing + "\nrouter.on(\"shown\", function() router.log.warn(\"shown\") end)"
        )
        try folder.write(
            "a.scenario",
            """
            use main.lua
            set strict = true
            explore "Warnings"
              can navigate Page/show(number=1)
              can user back
              never depth over 1
            explore "Start"
              can user back
              never top Home

            """
        )
        let result = run(["a.scenario"])
        #expect(result.output.contains("X001 never depth over 1"), "\(result.output)")
        #expect(
            result.output.contains("  0 steps   found/X001-home.scenario\n      at the start\n")
        )
        var command = RunCommand(paths: ["\(folder.path)/found"])
        command.options.fileRoot = folder.path
        var output = ""
        let report = command.run(Console { output += $0 })
        let failures = report.files.flatMap(\.scenarios).flatMap(\.failures)
        #expect(
            failures.map(\.message) == [
                "expect not top does not hold", "expect not depth does not hold",
            ]
        )
    }

    @Test("'check' reports names in 'explore' blocks that the scripts do not have")
    func names() throws {
        try folder.write("main.lua", Self.reusing)
        try folder.write(
            "a.scenario",
            """
            use main.lua
            explore "Names"
              can navigate Paeg/show(number=1|2) from Home
              never top Hoem when state.x = 1

            """
        )
        let command = CheckCommand(paths: ["\(folder.path)/a.scenario"])
        var output = ""
        let code = command.run(Console { output += $0 })
        #expect(code == .failed)
        #expect(output.contains("no service 'Paeg', did you mean 'Page'?"), "\(output)")
        #expect(output.contains("no class 'Hoem', did you mean 'Home'?"))
    }

    @Test(
        "the output and the files are identical with two jobs",
        arguments: ["scripts/tutorial/10-dead-end", "scripts/features", "scripts/podcast"]
    )
    func jobs(_ path: String) throws {
        var (texts, documents, files) = ([String](), [String](), [[String: String]]())
        for jobs in [1, 2] {
            var written: [String: String] = [:]
            for format in [ExploreCommand.Format.text, .json] {
                var command = ExploreCommand(
                    paths: [packageFolder.appending(path: path).path(percentEncoded: false)]
                )
                (command.jobs, command.depth, command.format) = (jobs, 5, format)
                command.folder = "\(folder.path)/found"
                var output = ""
                var console = Console { output += $0 }
                console.save = { text, path in
                    written[path] = text
                    return nil
                }
                _ = command.run(console)
                if format == .text { texts.append(output) } else { documents.append(output) }
            }
            files.append(written)
        }
        #expect(texts[0] == texts[1])
        #expect(documents[0] == documents[1])
        #expect(files[0] == files[1])
        #expect(files[0].count == (path.hasSuffix("dead-end") ? 3 : 0), "\(texts[0])")
    }

    @Test("an interrupted search prints its findings so far")
    func interrupted() throws {
        try folder.write("main.lua", Self.growing)
        let result = run(["main.lua"]) { $0.interruption = { .interrupted } }
        #expect(result.code == .interrupted)
        #expect(result.output == "main.lua  0 states  0 steps  interrupted\n")
        // The second finding follows the first one by many steps.
        let calls = Lock(0)
        let late = run(["main.lua"]) {
            $0.depth = 1000
            $0.interruption = {
                calls.withLock { count in
                    count += 1
                    return count > 300 ? .terminated : nil
                }
            }
        }
        #expect(late.code == .terminated)
        #expect(late.output.contains("  interrupted\n  ✘ X003 Page/show"), "\(late.output)")
        #expect(late.written == ["found/X003-page.scenario"])
    }

    /// Returns a script with a start and a route whose function may fail.
    private static func failing(_ condition: String, _ message: String = "boom") -> String {
        """
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("End", "show", {
          info = {}, reuse = "class", build = function()
            if \(condition) then error "\(message)" end
            return router.screen "End"
          end,
        })

        """
    }

    @Test("a finding keeps its identity if lines are inserted above the finding, or if it is moved")
    func inserted() throws {
        let script =
            Self.failing("true")
            + Self.failing("true").replacing("End", with: "Last")
            .split(separator: "\n").dropFirst().joined(separator: "\n")
        try folder.write("main.lua", script)
        let first = run(["main.lua"]) { $0.format = .json }
        #expect(first.written.sorted() == ["found/X005-end.scenario", "found/X005-last.scenario"])
        try folder.write("known.json", first.output)
        try folder.write("main.lua", "-- one\n\n" + script.replacing("    if", with: "\tif"))
        let again = run(["main.lua"]) { $0.baseline = "\(folder.path)/known.json" }
        #expect(again.code == .success, "\(again.output)")
        #expect(again.written == [])
        #expect(!again.output.contains("not found again"))
    }

    @Test("a known finding that does not occur is listed, unless the search was incomplete")
    func gone() throws {
        try folder.write("main.lua", Self.failing("true"))
        let known = run(["main.lua"]) { $0.format = .json }.output
        try folder.write(
            "known.json",
            known.replacing("\"main.lua\"", with: "\"\(folder.path)/main.lua\"")
        )
        try folder.write("main.lua", Self.failing("false"))
        let fixed = run(["main.lua"]) { $0.baseline = "\(folder.path)/known.json" }
        #expect(fixed.code == .success)
        let line = "  ? in the baseline, but not found again: X005 script: boom\n"
        #expect(fixed.output.contains(line), "\(fixed.output)")
        let json = run(["main.lua"]) {
            ($0.format, $0.baseline) = (.json, "\(folder.path)/known.json")
        }
        #expect(json.output.contains(#""gone":["X005 script: boom"]"#), "\(json.output)")
        let cut = run(["main.lua"]) {
            ($0.states, $0.baseline) = (1, "\(folder.path)/known.json")
        }
        #expect(!cut.output.contains("not found again"))
    }

    @Test(
        "the scenario of a finding includes the options on which the finding depends",
        arguments: [
            ("math.random(20) == 1", "set seed = 30"),
            ("pcall(function() return os.getenv('HOME') end)", "set profile = trusted"),
            ("true", "# Run it with 'luaroute run --budget instructions=100000 FILE'."),
        ]
    )
    func options(_ condition: String, _ line: String) throws {
        try folder.write("main.lua", Self.failing(condition))
        try folder.write(
            "a.scenario",
            "use main.lua\nset seed = 1\nset profile = strict\n\nexplore \"All\"\n"
        )
        let result = run(["a.scenario"]) {
            $0.options.seed = 30
            $0.options.isTrusted = line.contains("trusted")
            if line.hasPrefix("#") { $0.options.budget = try? BudgetLimits("instructions=100000") }
        }
        #expect(result.written == ["found/X005-end.scenario"], "\(result.output)\(result.errors)")
        let text = try folder.read("found/X005-end.scenario")
        #expect(text.split(separator: "\n").contains { $0 == line }, "\(text)")
        #expect(!text.contains("set seed = 1\n"))
        var command = RunCommand(paths: ["\(folder.path)/found"])
        command.options.fileRoot = folder.path
        #expect(command.run(.silent).exitCode == .failed)
    }
}
