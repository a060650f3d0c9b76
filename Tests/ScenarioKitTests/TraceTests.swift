// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// Tests of the logs and traces of a run, and of the step `show`.
struct TraceTests {
    private static let script = """
        router.class("Page", { fields = { "id" } })
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", function(info)
          print("page " .. info.id)
          return router.screen("Page", { id = info.id })
        end)
        router.register("Door", "open", {
          intercept = function() router.navigate("Page", "show", { id = 9 }):await() end,
          build = router.screen "Door", via = "presentWithNav",
        })
        router.registerTask("Clock", "read", function(info, done) end)
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("main.lua", Self.script)
    }

    /// Runs steps, and returns the output.
    private func run(_ steps: String, _ detail: RunOptions.Detail = .failures) throws -> String {
        try folder.write(
            "a.scenario",
            "use main.lua\n\nbackground\n  start\n\nscenario \"A page\"\n\(steps)\n"
        )
        var options = RunOptions()
        options.detail = detail
        var output = ""
        RunCommand(paths: ["\(folder.path)/a.scenario"], options: options)
            .run(Console { output += $0 })
        return output.replacing(/\ +\S*a\.scenario:6/, with: "  a.scenario:6")
            .replacing("\(folder.path)/", with: "")
    }

    @Test("a trace has each step with its events, messages, and the trees before and after")
    func trace() throws {
        let output = try run(
            """
              navigate Page/show(id=1)
              expect tree nav[Home, Page(id=1)]
              navigate Door/open
              note "here"
              back as leave
              set state.x = 1
              expect tree nav[Home]
            """,
            .trace
        )
        try expectGolden(output, packageFolder.appending(path: "Tests/Listings/trace.txt"))
    }

    @Test("a failed scenario prints what its scripts logged, below the steps that caused it")
    func failure() throws {
        let output = try run(
            """
              navigate Page/show(id=1)
              navigate Page/show(id=2)
              expect tree nav[Home]
            """
        )
        #expect(
            output.contains(
                """
                  log
                    7  navigate Page/show(id=1)
                      #2 info page 1  main.lua:4
                    8  navigate Page/show(id=2)
                      #3 info page 2  main.lua:4

                """
            ),
            "\(output)"
        )
    }

    @Test("a passed scenario prints logged messages only with '--log'")
    func logs() throws {
        let step = "  navigate Page/show(id=1)"
        #expect(try !run(step).contains("page 1"))
        #expect(try run(step, .logs).contains("info page 1"))
    }

    @Test(
        "the step 'show' prints a part of the state at that point of the scenario",
        arguments: [
            ("show", ["  tree nav[Home]"]),
            ("show tree", ["  tree nav[Home]"]),
            ("set state.user = \"ann\"\n  show state", [#"  state {user="ann"}"#]),
            ("show pending", ["  pending none"]),
            (
                "doTask Clock/read\n  show pending\n  cancel",
                ["  pending doTask Clock/read: waits for 'Clock/read'"]
            ),
            (
                "navigate Page/show(id=1)\n  expect done\n  show events",
                [
                    "  events #2 navigate Page/show info={id=1}  main.lua:3",
                    "           info page 1  main.lua:4",
                ]
            ),
        ]
    )
    func show(_ steps: String, _ lines: [String]) throws {
        let output = try run("  \(steps)")
        for line in lines { #expect(output.contains("\(line)\n"), "\(output)") }
        #expect(output.contains("1 passed, 0 failed"), "\(output)")
    }
}
