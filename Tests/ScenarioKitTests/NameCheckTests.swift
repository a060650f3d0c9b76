// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// Tests of names in scenario files that the scripts do not contain.
struct NameCheckTests {
    private static let script = """
        local login = router.interceptor("login", function() end)
        router.class("Show", { fields = { "showId", "title" } })
        router.class("Draft", { fields = { "id" } })
        router.expects{ tasks = { "Player/play" } }
        router.start(function() return router.tabs { router.nav { router.screen "Main" } } end)
        router.register("ShowPage", "open", {
          info = { showId = "integer", kind = "string?" },
          intercept = "login",
          ready = { "session" },
          build = function(info) return router.screen(info.kind or "Show", { showId = info.showId }) end,
        })
        router.register("Artist", "show", { url = "/artists/:artistId?tab=:tab?", build = router.screen "Show" })
        router.registerTask("Settings", "load", function() return router.state.size end)
        router.action("sideways", { needs = "nav" }, function() end)
        router.export("reset", function() router.register("Late", "show", function() end) end)
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("app.lua", Self.script)
        try folder.write(
            "joins.lua",
            """
            local function class(a, b, ...) return a .. "-" .. b, a .. b, ... end
            router.start(function() return router.screen('Page' .. #router.services()) end)
            router.class("Main", {}) router.class("OldOffer", {}) router.class("Circle", {})
            local names = { "Show", "List", "Old", "Card" }
            router.export("offer", function(size) return router.screen(size .. "Offer") end)
            router.export("card", function(n) return router.screen(("Card%dx"):format(n)) end)
            router.export("message", function(n) error("no " .. n .. " show" .. "s") end)
            """
        )
        try folder.write(
            "loop.lua",
            """
            router.start(function() return router.screen "Main" end)
            for _, name in ipairs { "Show", "List" } do
              router.register(name, "show", { build = function() return router.screen(name) end })
            end
            """
        )
        try folder.write(
            "late.lua",
            """
            router.start(function() return router.screen "Main" end)
            router.register("Open", "show", { build = function() return router.screen "Open" end })
            router.export("any", function(name)
              router.register(name, "show", { build = function() return router.screen "Open" end })
            end)
            """
        )
        try folder.write(
            "task.lua",
            """
            router.start(function() return router.screen "Main" end)
            router.export("any", function(name)
              router.registerTask("Late", name, function() end)
            end)
            """
        )
        try folder.write(
            "fallback.lua",
            """
            router.start(function() return router.screen "Main" end)
            router.fallback{ screen = function(s) return router.screen(s) end }
            """
        )
        try folder.write("host.json", "{}")
    }

    /// Returns the findings of a check, each as `line:column message`.
    private func check(_ text: String, manifest: String? = nil) throws -> [String] {
        try folder.write("a.scenario", text)
        var command = CheckCommand(paths: ["\(folder.path)/a.scenario"])
        if let manifest {
            try folder.write("given.json", manifest)
            command.options.manifestPath = "\(folder.path)/given.json"
        } else {
            try FileManager.default.removeItem(atPath: "\(folder.path)/host.json")
        }
        command.format = .json
        var output = ""
        let code = command.run(Console { output += $0 })
        let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
        let files = (value as? [String: Any])?["files"] as? [[String: Any]] ?? []
        let file = try #require(files.first { $0["kind"] as? String == "scenarios" }, "\(output)")
        let diagnostics = file["diagnostics"] as? [[String: Any]] ?? []
        if !diagnostics.isEmpty { #expect(code == .failed) }
        return diagnostics.map { diagnostic in
            let code = diagnostic["code"] as? String ?? ""
            let place = diagnostic["location"] as? [String: Any]
            let parts = [place?["line"], place?["column"]].map {
                ($0 as? Int).map(String.init) ?? ""
            }
            let message = diagnostic["message"] as? String ?? ""
            return "\(parts.joined(separator: ":")) \(code == "S0205" ? "" : "\(code) ")\(message)"
        }
    }

    private func check(step: String, script: String = "app.lua") throws -> [String] {
        try check("use \(script)\nscenario \"A\"\n  \(step)\n")
    }

    @Test(
        "an unknown name is reported at its location, with similar names",
        arguments: [
            (
                "navigate ShwPage/open(showId=1)", 12,
                "no service 'ShwPage', did you mean 'ShowPage'?"
            ),
            (
                "navigate ShowPage/opn", 12,
                "no task 'opn' in service 'ShowPage', did you mean 'open'?"
            ),
            (
                "navigate Artist/show(artistID=1)", 24,
                "'Artist/show' has no parameter 'artistID', did you mean 'artistId'?"
            ),
            (
                "navigate ShowPage/open(showId=1) via sidewys", 40,
                "no action 'sidewys', did you mean 'sideways'?"
            ),
            (
                "doTask Settings/laod", 10,
                "no task 'laod' in service 'Settings', did you mean 'load'?"
            ),
            (
                "complete Player/pley", 12,
                "no task 'pley' in service 'Player', did you mean 'play'?"
            ),
            ("ready sesion", 9, "no gate 'sesion', did you mean 'session'?"),
            ("unready sesion", 11, "no gate 'sesion', did you mean 'session'?"),
            ("call rset", 8, "no exported function 'rset', did you mean 'reset'?"),
            ("expect not top Mian", 18, "no class 'Mian', did you mean 'Main'?"),
            ("check top Mian", 13, "no class 'Mian', did you mean 'Main'?"),
            (
                "expect tree tabs[nav[Main, Shwo(showId=1)]]", 30,
                "no class 'Shwo', did you mean 'Show'?"
            ),
            ("expect not stack Main > Shwo", 27, "no class 'Shwo', did you mean 'Show'?"),
            ("expect not modal Qwerty", 20, "no class 'Qwerty'"),
            ("expect not found Shwo", 20, "no class 'Shwo', did you mean 'Show'?"),
            ("expect not built Main Shwo", 25, "no class 'Shwo', did you mean 'Show'?"),
            ("expect not ops push(Shwo)", 23, "no class 'Shwo', did you mean 'Show'?"),
            ("expect not trace build:Shwo", 26, "no class 'Shwo', did you mean 'Show'?"),
            ("expect not trace intercept:lgin", 30, "no interceptor 'lgin', did you mean 'login'?"),
            (
                "expect not pending lgin", 22,
                "no interceptor, gate or task 'lgin', did you mean 'login'?"
            ),
            (
                "expect not route ShowPage/opn", 20,
                "no task 'opn' in service 'ShowPage', did you mean 'open'?"
            ),
            (
                "expect not called Player/pley", 21,
                "no task 'pley' in service 'Player', did you mean 'play'?"
            ),
            ("expect not services ShwPage", 23, "no service 'ShwPage', did you mean 'ShowPage'?"),
            ("select Mian", 10, "no class 'Mian', did you mean 'Main'?"),
            ("close Mian", 9, "no class 'Mian', did you mean 'Main'?"),
            ("pop to Mian", 10, "no class 'Mian', did you mean 'Main'?"),
            ("user selects Mian", 16, "no class 'Mian', did you mean 'Main'?"),
            (
                "navigate ShowPage/open(showId=1) from Mian", 41,
                "no class 'Mian', did you mean 'Main'?"
            ),
            ("let a = screen Mian", 18, "no class 'Mian', did you mean 'Main'?"),
            (
                "expect top Show(titel=\"x\")", 19,
                "class 'Show' has no field 'titel', did you mean 'title'?"
            ),
            ("expect not top Draft(nr=1)", 24, "class 'Draft' has no field 'nr'"),
        ]
    )
    func unknown(_ step: String, _ column: Int, _ message: String) throws {
        #expect(try check(step: step) == ["3:\(column) \(message)"])
    }

    @Test(
        "parameters that the 'info' of a route does not accept are reported",
        arguments: [
            (
                "navigate ShowPage/open(showId=\"7\")",
                ["3:26 bad field 'showId' (integer expected, got string)"]
            ),
            (
                "navigate ShowPage/open(showID=7)",
                [
                    "3:12 bad field 'showId' (integer expected, got nil)",
                    "3:26 unknown field 'showID', did you mean 'showId'?",
                ]
            ),
            ("navigate ShowPage/open", ["3:12 bad field 'showId' (integer expected, got nil)"]),
            (
                "navigate ShowPage/open(showId=nil, kind=1)",
                [
                    "3:26 bad field 'showId' (integer expected, got nil)",
                    "3:38 bad field 'kind' (string expected, got integer)",
                ]
            ),
            (
                "navigate ShowPage/open(showId=1.5) as it\n  expect top Main",
                ["3:26 bad field 'showId' (integer expected, got number)"]
            ),
            ("navigate ShowPage/open(showId=7, kind=nil)", []),
            ("let a = state.size\n  navigate ShowPage/open(showId=a)", []),
            ("navigate ShowPage/open\n  expect error badInfo", []),
            ("navigate ShowPage/open as it\n  start\n  check it not done", []),
            ("navigate ShowPage/open\n  expect error ?", []),
        ] as [(String, [String])]
    )
    func parameters(_ steps: String, _ messages: [String]) throws {
        let title = "S0206 'ShowPage/open' does not accept these parameters:"
        let expected = messages.map { message in
            let parts = message.split(separator: " ", maxSplits: 1)
            return "\(parts[0]) \(title) \(parts[1])"
        }
        #expect(try check(step: steps) == expected)
    }

    @Test("parameters are not checked if the scripts may register the route again")
    func unknownInfo() throws {
        try folder.write(
            "again.lua",
            """
            local function show(name)
              router.register(name, "show", { info = {}, build = router.screen "Page" })
            end
            router.register("Page", "show", { info = {}, build = router.screen "Page" })
            router.export("again", show)
            """
        )
        #expect(try check(step: "navigate Page/show(id=1)", script: "again.lua") == [])
    }

    @Test(
        "names that a step, a function or the host introduces are known",
        arguments: [
            "given nav[Mian]\n  expect top Mian", "given nav[Show(nr=1)]\n  expect top Show(nr=1)",
            "user makes nav[Main] ^ Camera:foreign\n  expect modal Camera",
            "user opens window w nav[Mian]\n  expect window w nav[Mian]",
            "stub Player/play finished (1)\n  doTask Player/play\n  expect called Player/play",
            "navigate ShowPage/open(showId=1, kind=Special)\n  expect top Special",
            "open \"/shows/Special\"\n  expect top Special", "call reset\n  navigate Late/show",
            "navigate No/where\n  expect error notFound", "doTask No/where\n  check error notFound",
            "navigate No/where as it\n  start\n  expect it error notFound",
            "navigate Player/play\n  expect error wrongKind",
            "navigate No/where\n  advance 1s\n  back\n  expect error notFound",
            "expect not pending none", "expect pending Player/play", "expect state.size = 1",
            "expect top _", "expect tree nav[...]", "expect modal none", "expect pending turn",
        ]
    )
    func known(_ steps: String) throws {
        #expect(try check(step: steps) == [])
    }

    @Test(
        "names that scripts concatenate, and targets that a fallback handles, are known",
        arguments: [
            ("joins.lua", "expect top Page3"), ("joins.lua", "expect top PageLate"),
            ("joins.lua", "expect top BigOffer"), ("joins.lua", "expect top Show-List"),
            ("joins.lua", "expect top ShowList"), ("joins.lua", "expect top Card7x"),
            ("joins.lua", "expect top OldCard"), ("fallback.lua", "navigate Any/thing"),
            ("fallback.lua", "navigate Any/thing\n  expect top Any"),
        ]
    )
    func made(_ script: String, _ step: String) throws {
        #expect(try check(step: step, script: script) == [])
    }

    @Test(
        "a misspelled name is reported even if the scripts concatenate other names",
        arguments: [
            ("expect not top Circlee", "no class 'Circlee', did you mean 'Circle'?"),
            ("expect not top Lists", "no class 'Lists', did you mean 'List'?"),
            ("expect not top OldOfferr", "no class 'OldOfferr', did you mean 'OldOffer'?"),
            ("expect not top OdlOffer", "no class 'OdlOffer', did you mean 'OldOffer'?"),
            ("expect not top Mainshow", "no class 'Mainshow'"),
        ]
    )
    func misspelled(_ step: String, _ message: String) throws {
        #expect(try check(step: step, script: "joins.lua") == ["3:18 \(message)"])
    }

    @Test(
        "a 'register' call with a variable name hides misspelled targets only if the call has not run",
        arguments: [
            ("loop.lua", "navigate Show/show", []),
            ("loop.lua", "navigate Shw/show", ["3:12 no service 'Shw', did you mean 'Show'?"]),
            ("late.lua", "navigate Any/show", []), ("task.lua", "doTask Late/some", []),
            ("task.lua", "doTask Lte/some", ["3:10 no service 'Lte'"]),
        ]
    )
    func registered(_ script: String, _ step: String, _ messages: [String]) throws {
        #expect(try check(step: step, script: script) == messages)
    }

    @Test(
        "a misspelled target or function is reported if the next step expects another failure",
        arguments: [
            ("navigate Dratf/show\n  expect not done", "12 no service 'Dratf'"),
            ("navigate Dratf/show\n  expect error script", "12 no service 'Dratf'"),
            ("navigate Dratf/show\n  expect not error notFound", "12 no service 'Dratf'"),
            (
                "call rset as c\n  expect c not done",
                "8 no exported function 'rset', did you mean 'reset'?"
            ),
        ]
    )
    func otherFailure(_ steps: String, _ message: String) throws {
        #expect(try check(step: steps) == ["3:\(message)"])
    }

    @Test(
        "a stub for a task that the host does not perform is reported",
        arguments: [
            (
                "stub Settings/load finished ()",
                "8 'Settings/load' is a task of the scripts (only host tasks can be stubbed)"
            ),
            (
                "stub Player/pley finished ()",
                "8 the scripts expect no host task 'Player/pley', did you mean 'Player/play'?"
            ),
        ]
    )
    func stub(_ step: String, _ message: String) throws {
        #expect(try check(step: step) == ["3:\(message)"])
    }

    @Test("the steps of a skipped scenario and of a macro that no step calls are checked")
    func notRun() throws {
        let text = """
            use app.lua
            macro unused <n>
              expect not top Mian
              expect not top <n>
              expect top Late
            skip "A"
              given nav[Late]
              navigate No/where

            """
        #expect(
            try check(text) == [
                "3:18 no class 'Mian', did you mean 'Main'?", "8:12 no service 'No'",
            ]
        )
    }

    @Test("classes, fields and tasks of the manifest are known")
    func manifest() throws {
        let manifest = #"""
            { "schema": "luaroute.host/1", "tasks": ["Player/play", "Player/stop"],
              "screens": { "Show": { "fields": ["showId", "title", "size"] }, "Web": {}, "Main": {},
              "Draft": {} } }
            """#
        let steps =
            "doTask Player/stop\n  expect top Web\n  expect top Show(size=1)\n  expect top Wbe"
        #expect(
            try check("use app.lua\nscenario \"A\"\n  \(steps)\n", manifest: manifest)
                == ["6:14 no class 'Wbe', did you mean 'Web'?"]
        )
    }

    @Test("an unknown name in a background, a macro or a row is reported once, where it is written")
    func places() throws {
        let text = """
            use app.lua
            background
              ready sesion
            macro look <class>
              expect not top <class>
            scenario "A"
              do look Mian
            scenario "<n>"
              expect top <n>
              each
                | n    |
                | Mian |
                | Main |

            """
        #expect(
            try check(text) == [
                "3:9 no gate 'sesion', did you mean 'session'?",
                "7:11 no class 'Mian', did you mean 'Main'?",
                "12:7 no class 'Mian', did you mean 'Main'?",
            ]
        )
    }

    @Test("names in scripts that a 'reload' step loads are known")
    func reloading() throws {
        try folder.write("other.lua", "router.start(function() return router.screen 'Other' end)")
        #expect(try check(step: "reload other.lua\n  expect top Other\n  expect top Main") == [])
    }

    @Test("the shipped examples and the passing corpus have no unknown names")
    func corpus() {
        #expect(FileManager.default.changeCurrentDirectoryPath(packageFolder.path()))
        var output = ""
        let command = CheckCommand(paths: ["scripts", "Tests/Scenarios/pass"])
        _ = command.run(Console { output += $0 })
        #expect(!output.contains("S0205"), "\(output)")
        #expect(output.contains(" scenario files: "))
    }
}
