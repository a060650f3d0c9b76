// SPDX-License-Identifier: MIT

import Testing

/// A script with one planted defect, which a search must find by a shortest path.
struct PlantedDefect: Sendable, CustomTestStringConvertible {
    let name: String
    /// The code of the finding.
    let code: String
    /// The start of the finding's title.
    let title: String
    /// The steps of the shortest path.
    let path: [String]
    let script: String
    /// The lines of the `explore` block.
    var lines: [String] = []
    /// Whether fingerprints include the values that scripts can reach.
    var includesScripts = true

    var testDescription: String { name }

    /// The first lines of most scripts: a stack with `Home`.
    private static let start = """
        router.links { "app" }
        router.start(function() return router.nav { router.screen "Home" } end)

        """

    /// Returns a route that pushes a screen without parameters.
    private static func page(_ name: String, _ more: String = "") -> String {
        """
        router.register("\(name)", "show", { info = {}, reuse = "class", build = router.screen "\(name)", \(more) })

        """
    }

    static let all: [PlantedDefect] = [
        PlantedDefect(
            name: "an interceptor is asked only on entering",
            code: "X001",
            title: "never top Orders when state.user = nil",
            path: ["open app://orders", "close Login true", "set state.user = nil"],
            script: start + page("Login", "via = \"presentWithNav\"")
                + """
                router.interceptor("login", function(nav)
                  if router.state.user then return end
                  local ok, user = router.navigate("Login", "show"):result()
                  if not ok then router.stop("no user") end
                  router.state.user = user
                end)

                """ + page("Orders", "url = \"/orders\", intercept = \"login\""),
            lines: [
                "can open app://orders", "can close Login true | nothing", "can user back",
                "can set state.user = nil", "never top Orders when state.user = nil",
                "bound depth 4",
            ]
        ),
        PlantedDefect(
            name: "home is too far away",
            code: "X002",
            title: "always reach top Home by user in 2",
            path: ["navigate A/show", "navigate B/show", "navigate C/show"],
            script: start + page("A") + page("B") + page("C"),
            lines: [
                "can navigate A/show from Home", "can navigate B/show from A",
                "can navigate C/show from B", "always reach top Home by user in 2",
                "bound depth 4",
            ]
        ),
        PlantedDefect(
            name: "two screens that lead to each other are never reused",
            code: "X003",
            title: "Player/open → Show/open adds 2 screens a turn",
            path: ["navigate Show/open(id=1)", "navigate Player/open", "navigate Show/open(id=1)"],
            script: start + """
                router.register("Show", "open", {
                  info = { id = "integer" },
                  build = function(info) return router.screen("Show", { id = info.id }) end,
                })
                router.register("Player", "open", { info = {}, build = router.screen "Player" })
                """,
            lines: [
                "can navigate Show/open(id=1) from Home",
                "can navigate Show/open(id=1) from Player", "can navigate Player/open from Show",
                "can user back", "bound depth 3",
            ]
        ),
        PlantedDefect(
            name: "a login is presented over itself",
            code: "X003",
            title: "Login/show adds 1 screen a turn",
            path: ["navigate Login/show", "navigate Login/show"],
            script: start + """
                router.register("Login", "show", {
                  info = {}, build = router.screen "Login", via = "presentWithNav",
                })
                """,
            lines: ["can navigate Login/show", "can user back", "bound depth 3"]
        ),
        PlantedDefect(
            name: "a screen that replaces the root has no way back",
            code: "X004",
            title: "no steps of the user lead from 'End' back to 'Home'",
            path: ["navigate End/show"],
            script: start + page("End", "via = \"replaceRoot\", from = \"root\"")
        ),
        PlantedDefect(
            name: "a build function fails at the second visit",
            code: "X005",
            title: "script: ",
            path: ["navigate A/show", "navigate A/show"],
            script: start + """
                router.register("A", "show", {
                  info = {},
                  build = function()
                    if router.state.seen then error("seen before") end
                    return router.screen "A"
                  end,
                  after = function() router.state.seen = true end,
                })
                """,
            lines: ["can navigate A/show", "can user back", "bound depth 4"]
        ),
        PlantedDefect(
            name: "the third refused navigation fails",
            code: "X005",
            title: "script: locked",
            path: ["navigate A/show", "navigate A/show", "navigate A/show"],
            script: start + """
                router.interceptor("count", function()
                  router.state.tries = (router.state.tries or 0) + 1
                  if router.state.tries == 3 then error("locked") end
                  router.stop("not now")
                end)

                """ + page("A", "intercept = \"count\""),
            lines: ["can navigate A/show", "bound depth 3"]
        ),
        PlantedDefect(
            name: "a login that the user leaves is remembered as denied",
            code: "X001",
            title: "never state.denied = true",
            path: ["navigate A/show", "close Login"],
            script: start
                + """
                router.interceptor("login", function()
                  local ok = router.navigate("Login", "show"):result()
                  router.state.denied = not ok
                  if not ok then router.stop("no user") end
                end)

                """ + page("Login", "via = \"present\"") + page("A", "intercept = \"login\""),
            lines: [
                "can navigate A/show from Home", "can close Login true | nothing",
                "never state.denied = true", "bound depth 2",
            ]
        ),
        PlantedDefect(
            name: "a function for back actions fails",
            code: "X005",
            title: "script: ",
            path: ["call arm", "user back"],
            script: start + """
                router.export("arm", function() router.state.armed = true end)
                router.onBack(function()
                  if router.state.armed then error("no way back") end
                  return true
                end)
                """,
            lines: ["can call arm", "can user back", "bound depth 2"]
        ),
        PlantedDefect(
            name: "timers set each other endlessly",
            code: "X005",
            title: "budget: timers set each other",
            path: ["call tick", "advance 1h"],
            script: start + """
                local function tick() router.delay(0.001, tick) end
                router.export("tick", tick)
                """,
            lines: ["can call tick", "can advance 1h", "bound depth 2"]
        ),
        PlantedDefect(
            name: "nobody opens a gate",
            code: "X006",
            title: "A/show waits for 'session', and no steps complete this work",
            path: ["navigate A/show"],
            script: start + page("A", "ready = \"session\""),
            lines: ["can navigate A/show", "can user back", "bound depth 5"]
        ),
        PlantedDefect(
            name: "a modal has no way out",
            code: "X007",
            title: "no step of the user removes the modal with 'Wall'",
            path: ["navigate Wall/show"],
            script: start + """
                router.register("Wall", "show", {
                  info = {},
                  find = "Wall",
                  build = router.screen "Wall",
                  via = router.present { modal = true },
                })
                """
        ),
        PlantedDefect(
            name: "a function for back actions leads nowhere",
            code: "X004",
            title: "no steps of the user lead from 'End' back to 'Home'",
            path: ["navigate End/show"],
            script: start + """
                router.register("End", "show", {
                  info = {}, build = router.screen "End", via = "replaceRoot", from = "root",
                })
                router.onBack(function() return true end)
                """
        ),
        PlantedDefect(
            name: "a modal over a modal has no way out",
            code: "X007",
            title: "no step of the user removes the modal with 'Wall'",
            path: ["navigate Card/show", "navigate Wall/show"],
            script: start + page("Card", "via = \"present\"") + """
                router.register("Wall", "show", {
                  info = {},
                  build = router.screen "Wall",
                  reuse = "class",
                  via = router.present { modal = true },
                })
                """,
            lines: [
                "can navigate Card/show from Home", "can navigate Wall/show from Card",
                "can user back", "bound depth 3",
            ]
        ),
        PlantedDefect(
            name: "a variable that the fingerprint lacks changes the next screen",
            code: "X008",
            title: "the effect of 'navigate A/show' depends on the path",
            path: ["navigate A/show", "user back", "navigate A/show"],
            script: start + """
                local visits = 0
                router.register("A", "show", {
                  info = {},
                  build = function()
                    visits = visits + 1
                    return router.screen(visits > 1 and "B" or "A")
                  end,
                })
                """,
            lines: ["can navigate A/show from Home", "can user back", "bound depth 3"],
            includesScripts: false
        ),
        PlantedDefect(
            name: "the second visit of a page fails, which only a local variable counts",
            code: "X005",
            title: "script: ",
            path: ["navigate A/show", "user back", "navigate A/show"],
            script: start + """
                local visits = 0
                router.register("A", "show", {
                  info = {},
                  build = function()
                    visits = visits + 1
                    if visits == 2 then error("visited before") end
                    return router.screen "A"
                  end,
                })
                """,
            lines: ["can navigate A/show from Home", "can user back", "bound depth 3"]
        ),
        PlantedDefect(
            name: "the later one of two equal waits fails",
            code: "X005",
            title: "script: ",
            path: ["call wait", "advance 2s", "advance 2s"],
            script: start + """
                router.export("wait", function()
                  for _ = 1, 2 do router.sleep(2) end
                  error("late")
                end)
                """,
            lines: ["can call wait", "can advance 2s", "bound depth 3"]
        ),
        PlantedDefect(
            name: "one item is shown twice",
            code: "X009",
            title: "two screens of class 'Item' with equal fields are in one stack",
            path: ["navigate Item/show(id=1)", "navigate Item/show(id=1)"],
            script: start + """
                router.register("Item", "show", {
                  info = { id = "integer" },
                  reuse = function() return #router.root().children > 2 end,
                  build = function(info) return router.screen("Item", { id = info.id }) end,
                })
                """,
            lines: ["can navigate Item/show(id=1)", "can user back", "bound depth 3"]
        ),
        PlantedDefect(
            name: "six keys in the right order fail",
            code: "X005",
            title: "script: ",
            path: [
                "call press(key=1)", "call press(key=2)", "call press(key=2)", "call press(key=1)",
                "call press(key=2)", "call press(key=1)",
            ],
            script: start + """
                local code = "122121"
                router.export("press", function(info)
                  local keys = (router.state.keys or "") .. info.key
                  if keys == code then error("the code") end
                  router.state.keys = code:sub(1, #keys) == keys and keys or ""
                end)
                """,
            lines: ["can call press(key=1|2)", "bound depth 7"]
        ),
        PlantedDefect(
            name: "the seventh page of a form must not be there",
            code: "X001",
            title: "never depth over 7",
            path: (1...7).map { "navigate Page/show(number=\($0))" },
            script: start + """
                router.register("Page", "show", {
                  info = { number = "integer" },
                  reuse = { by = "number" },
                  prepare = function(info)
                    if #router.root().children < info.number then router.stop("too early") end
                  end,
                  build = function(info) return router.screen("Page", { number = info.number }) end,
                })
                """,
            lines: [
                "can navigate Page/show(number=1|2|3|4|5|6|7)", "never depth over 7",
                "bound depth 8",
            ]
        ),
        PlantedDefect(
            name: "the last of six steps of an order is a wall",
            code: "X007",
            title: "no step of the user removes the modal with 'Wall'",
            path: (1...5).map { "call next(step=\($0))" } + ["navigate Wall/show"],
            script: start + """
                router.export("next", function(info)
                  if info.step == (router.state.step or 0) + 1 then router.state.step = info.step end
                end)
                router.register("Wall", "show", {
                  info = {},
                  find = "Wall",
                  prepare = function() if router.state.step ~= 5 then router.stop("too early") end end,
                  build = router.screen "Wall",
                  via = router.present { modal = true },
                })
                """,
            lines: [
                "can call next(step=1|2|3|4|5)", "can navigate Wall/show", "can user back",
                "bound depth 7",
            ]
        ),
    ]

    /// Scripts without defects, each similar to a script with a defect.
    static let clean: [PlantedDefect] = [
        clean(
            "a gate that a function opens",
            start + page("A", "ready = \"session\"")
                + "router.export(\"logIn\", function() router.ready \"session\" end)",
            ["can navigate A/show", "can call logIn", "can user back", "bound depth 6"]
        ),
        clean(
            "an interceptor whose deadline passes",
            start
                + """
                router.interceptor("wait", { timeout = 5 }, function() router.sleep(60) end)

                """ + page("A", "intercept = \"wait\""),
            ["can navigate A/show", "can user back", "bound depth 6"]
        ),
        clean(
            "a task of the host that waits for its answer",
            """
            router.expects { tasks = { "Session/load" } }

            """ + start
                + """
                router.interceptor("session", function()
                  if not router.state.loaded then
                    local _, task = router.doTask("Session", "load")
                    if not task:await() then router.stop("no session") end
                    router.state.loaded = true
                  end
                end)

                """ + page("A", "intercept = \"session\""),
            ["can navigate A/show", "can user back", "bound depth 6"]
        ),
        clean(
            "a modal that a script awaits",
            start + """
                router.register("Ask", "show", {
                  info = {},
                  find = "Ask",
                  build = router.screen "Ask",
                  via = router.present { modal = true },
                })
                router.registerTask("Ask", "go", function()
                  router.navigate("Ask", "show"):result()
                end)
                """,
            ["can doTask Ask/go", "can close Ask true | nothing", "bound depth 4"]
        ),
        clean(
            "a new root whose screen offers the way back",
            start + page("End", "via = \"replaceRoot\", from = \"root\"")
                + """
                router.class("Home", { offers = { "End/show" } })
                router.class("End", { offers = { "Home/show" } })
                router.register("Home", "show", {
                  info = {}, build = router.screen "Home", via = "replaceRoot", from = "root",
                })
                """,
            []
        ),
        clean(
            "a guarded screen in a tab that is tapped again and again",
            """
            router.start(function() return router.tabs { router.nav { router.screen "Home" } } end)
            router.class("Task", { leaving = function()
              if not router.navigate("Discard", "ask"):result() then router.stop("kept") end
            end })
            router.register("Task", "show", { find = "Task", build = router.screen "Task" })
            router.register("Discard", "ask", {
              find = "Discard", build = router.screen "Discard", via = "present",
            })
            """,
            ["can navigate Task/show", "can user selects 1", "bound depth 2"]
        ),
        clean(
            "requests that are coalesced with a pending one",
            start + page("Login", "via = \"presentWithNav\"")
                + """
                router.class("Home", { offers = { "A/show" } })
                router.class("Login", { offers = { "A/show" } })
                router.interceptor("login", function()
                  if not router.navigate("Login", "show"):result() then router.stop("no user") end
                end)

                """ + page("A", "intercept = \"login\""),
            []
        ),
        clean(
            "a stack that stops growing",
            start + """
                router.register("Item", "show", {
                  info = { id = "integer" },
                  reuse = function(item, info) return #router.root().children > 3 end,
                  build = function(info)
                    return router.screen("Item", { id = info.id, place = #router.root().children })
                  end,
                })
                """,
            ["can navigate Item/show(id=1)", "can user back", "bound depth 6"]
        ),
        clean(
            "functions that come and go",
            """
            router.expects { tasks = { "Session/load" } }
            router.provide("counter", function() return { next = function(n) return n + 1 end } end)

            """ + start + page("A", "needs = \"counter\"")
                + """
                local seen, timer, waits = 0, nil, false
                router.export("later", function()
                  if timer then timer:cancel() end
                  local before = seen
                  timer = router.delay(2, function() seen, timer = (before + 1) % 3, nil end)
                end)
                router.export("ask", function()
                  if waits then return end
                  waits = true
                  router.doTask("Session", "load", nil, function(finished)
                    waits, seen = false, finished and 1 or 2
                  end)
                end)
                router.export("declare", function()
                  local size = seen
                  router.register("Late", "show", {
                    override = true, info = {}, reuse = "class",
                    build = function() return router.screen("Late", { size = size }) end,
                  })
                end)
                """,
            [
                "can call later | ask | declare", "can navigate A/show | Late/show",
                "can user back",
                "can complete Session/load finished | failed", "can advance 1s", "bound depth 5",
            ]
        ),
        clean(
            "large values of timers that have fired",
            start + """
                local count, timer = 0, nil
                router.export("work", function()
                  if timer then return end
                  local big = {}
                  for i = 1, 60 do big[i] = string.rep("x", 50 * 1000) end
                  count = count + 1
                  timer = router.delay(1, function() timer = #big and nil end)
                end)
                """,
            ["can call work", "can advance 1s", "bound depth 14"]
        ),
        clean(
            "large values of requests that have ended",
            start + """
                router.register("A", "show", { find = "A", build = router.screen "A" })
                local count = 0
                router.export("work", function()
                  local big = {}
                  for i = 1, 60 do big[i] = string.rep("x", 50 * 1000) end
                  count = count + 1
                  router.navigate("A", "show", { run = function() return big end }, {
                    completion = function() return #big end,
                  })
                end)
                """,
            ["can call work", "bound depth 7"]
        ),
    ]

    private static func clean(
        _ name: String,
        _ script: String,
        _ lines: [String]
    ) -> PlantedDefect {
        PlantedDefect(name: name, code: "", title: "", path: [], script: script, lines: lines)
    }
}
