// SPDX-License-Identifier: MIT

import LuaVM
import RouteCore
import Testing

@testable import LuaRouting

/// Tests of the comparison of states in a search: states are equal if no script and no step can see
/// a difference.
@Suite struct ComparedStateInternalsTests {
    /// Two lists of calls of exported functions, and whether both lists lead to the same state.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let script: String
        /// The names of exported functions; `+5` advances the clock by 5 seconds.
        let first: [String]
        let second: [String]

        var testDescription: String { name }
    }

    private static let start = """
        router.start(function() return router.nav { router.screen "Home" } end)
        for _, name in ipairs { "A", "B" } do
          router.register(name, "show", { reuse = "never", build = router.screen(name) })
        end
        local export, flags = router.export, {}
        export("a", function() router.navigate("A", "show") end)
        export("b", function() router.navigate("B", "show") end)
        export("back", function() router.back() end)

        """

    /// Returns the state after the given calls.
    private func state(_ script: String, _ calls: [String]) throws -> (ComparedState, Router) {
        let bundle = ScriptBundle(files: ["main.lua": Self.start + script])
        let router = try Router(scripts: bundle, host: HeadlessHost())
        router.start()
        for call in calls {
            if let seconds = Double(call.dropFirst()), call.hasPrefix("+") {
                router.advance(to: router.now + seconds)
            } else {
                let status = router.call(call) { _ in }.status
                if case .failed(let error) = status { throw error }
            }
        }
        return (ComparedState(router), router)
    }

    private func isEqual(_ test: Case) throws -> Bool {
        let (first, one) = try state(test.script, test.first)
        let (second, other) = try state(test.script, test.second)
        // Neither router ends before both states are read.
        return withExtendedLifetime((one, other)) {
            first.router == second.router && first.scripts.count == 1
                && first.scripts.elementsEqual(second.scripts, by: ==)
        }
    }

    private static let differentStates = [
        Case(
            name: "a local variable of a registered function",
            script: """
                local count = 0
                export("add", function() count = count + 1 end)
                """,
            first: ["add"],
            second: ["add", "add"]
        ),
        Case(
            name: "a global variable of the bundle",
            script:
                "export('set', function() rawset(_G, 'last', 'set') end) export('no', function() end)",
            first: ["set"],
            second: ["no"]
        ),
        Case(
            name: "a local variable of a function that waits",
            script: """
                export("wait", function() local x = flags.on router.sleep(9) return x end)
                export("on", function() flags.on = true end)
                export("off", function() flags.on = nil end)
                """,
            first: ["on", "wait", "off"],
            second: ["off", "wait", "off"]
        ),
        Case(
            name: "two waits on one line",
            script: "export('wait', function() router.sleep(4) router.sleep(4) end)",
            first: ["wait"],
            second: ["wait", "+4"]
        ),
        Case(
            name: "two waits for one screen each, of one function",
            script: """
                export("wait", function()
                  local a, b = router.navigate("A", "show"), router.navigate("B", "show")
                  if flags.on then a, b = b, a end
                  a:result() b:result()
                end)
                export("on", function() flags.on = true end)
                export("off", function() flags.on = nil end)
                """,
            first: ["on", "wait", "off"],
            second: ["off", "wait", "off"]
        ),
        Case(
            name: "a table that two variables share",
            script: """
                local x, y = {}, {}
                export("share", function() x = {} y = x end)
                export("part", function() x = {} y = {} end)
                export("get", function() return x == y end)
                """,
            first: ["share"],
            second: ["part"]
        ),
        Case(
            name: "the position of a loop over pairs",
            script: """
                export("begin", function()
                  local t = { p = 1, q = 1, r = 1 }
                  for k in pairs(t) do router.sleep(3) end
                end)
                """,
            first: ["begin"],
            second: ["begin", "+3"]
        ),
        Case(
            name: "the state of math.random",
            script: "export('roll', function() math.random() end)",
            first: [],
            second: ["roll"]
        ),
        Case(
            name: "the functions of two timers are swapped",
            script: """
                local function f() router.state.x = "f" end
                local function g() router.state.x = "g" end
                export("fg", function() router.delay(3, f) router.delay(5, g) end)
                export("gf", function() router.delay(5, f) router.delay(3, g) end)
                """,
            first: ["fg"],
            second: ["gf"]
        ),
        Case(
            name: "the times of two sleeps are swapped",
            script: """
                export("x", function() router.sleep(flags.on and 3 or 5) router.state.x = 1 end)
                export("y", function() router.sleep(flags.on and 5 or 3) router.state.x = 2 end)
                export("on", function() flags.on = true end)
                export("off", function() flags.on = nil end)
                """,
            first: ["on", "x", "y", "off"],
            second: ["off", "x", "y", "off"]
        ),
        Case(
            name: "a timer that a script can cancel",
            script: """
                local timer
                local function none() end
                export("first", function() timer = router.delay(3, none) router.delay(5, none) end)
                export("second", function() router.delay(3, none) timer = router.delay(5, none) end)
                export("stop", function() timer:cancel() end)
                """,
            first: ["first"],
            second: ["second"]
        ),
        Case(
            name: "the routing that a function is the action of",
            script: """
                router.links { "app" }
                local x, y = router.routing "/x", router.routing "/y"
                local function f() end
                export("x", function() x:setAction(f) end)
                export("y", function() y:setAction(f) end)
                """,
            first: ["x"],
            second: ["y"]
        ),
        Case(
            name: "the event that a function listens to",
            script: """
                local function f() end
                export("x", function() router.on("shown", f) end)
                export("y", function() router.on("removed", f) end)
                """,
            first: ["x"],
            second: ["y"]
        ),
        Case(
            name: "the screen that a variable refers to",
            script: """
                local screen
                export("root", function() screen = router.root() end)
                export("top", function() screen = router.visible() end)
                export("get", function() return screen.class end)
                """,
            first: ["root"],
            second: ["top"]
        ),
        Case(
            name: "a screen that is gone, and one that was never there",
            script: """
                local screen
                export("keep", function() screen = router.visible() end)
                export("get", function() return screen and screen.isAlive end)
                """,
            first: ["a", "keep", "back"],
            second: ["a", "back"]
        ),
        Case(
            name: "the end of a navigation that a variable refers to",
            script: """
                local last
                router.register("No", "show", { build = function() router.stop("no") end })
                export("good", function() last = router.navigate("A", "show") end)
                export("none", function() last = router.navigate("No", "show") end)
                export("get", function() return last.status end)
                """,
            first: ["good", "back"],
            second: ["none"]
        ),
        Case(
            name: "an action that a variable contains",
            script: """
                local how
                export("modal", function() how = router.present { modal = true } end)
                export("sheet", function() how = router.present { modal = false } end)
                """,
            first: ["modal"],
            second: ["sheet"]
        ),
    ]

    @Test(
        "states are different if a script or a scenario step can observe the difference",
        arguments: differentStates
    )
    func different(_ test: Case) throws {
        #expect(try !isEqual(test))
    }

    private static let equalStates = [
        Case(
            name: "the serials of screens",
            script: """
                local screen
                export("keep", function() screen = router.visible() end)
                export("get", function() return screen.class end)
                """,
            first: ["a", "keep"],
            second: ["a", "back", "b", "back", "a", "keep"]
        ),
        Case(
            name: "a screen that is gone, whichever it was",
            script: """
                local screen
                export("keep", function() screen = router.visible() end)
                export("get", function() return screen.isAlive end)
                """,
            first: ["a", "keep", "back"],
            second: ["b", "back", "a", "keep", "back"]
        ),
        Case(
            name: "the time of day",
            script: """
                export("wait", function() router.sleep(9) end)
                export("delay", function() router.delay(7, function() end) end)
                """,
            first: ["wait", "delay"],
            second: ["+100", "wait", "delay"]
        ),
        Case(
            name: "addresses",
            script: """
                local t = {}
                export("new", function() t = { x = {}, f = function() return t end } end)
                """,
            first: ["new"],
            second: ["new", "new", "new"]
        ),
        Case(
            name: "garbage",
            script: """
                local function f() end
                export("waste", function()
                  local t = {} t.t = t
                  local sheet = router.present { modal = true }
                  local made = router.navigate("A", "show")
                end)
                """,
            first: ["waste", "back"],
            second: ["waste", "back", "waste", "back", "waste", "back"]
        ),
        Case(
            name: "garbage that holds functions",
            script: """
                export("waste", function()
                  local link = router.link { build = function() return router.screen "A" end }
                  local choice = router.switch { { when = function() return true end, from = link } }
                end)
                export("none", function() end)
                """,
            first: ["none"],
            second: ["waste", "waste"]
        ),
        Case(
            name: "a coroutine that has ended",
            script: "export('wait', function() local x = {} router.sleep(2) end)",
            first: ["+2"],
            second: ["wait", "+2"]
        ),
        Case(
            name: "a timer that was cancelled",
            script: """
                export("cancel", function()
                  local timer = router.delay(9, function() end)
                  timer:cancel()
                end)
                """,
            first: [],
            second: ["cancel"]
        ),
        Case(
            name: "the order in which timers were set",
            script: """
                local function f() router.state.x = "f" end
                local function g() router.state.x = "g" end
                export("fg", function() router.delay(3, f) router.delay(5, g) end)
                export("gf", function() router.delay(5, g) router.delay(3, f) end)
                """,
            first: ["fg"],
            second: ["gf"]
        ),
    ]

    @Test("states whose difference cannot be observed are equal", arguments: equalStates)
    func equal(_ test: Case) throws {
        #expect(try isEqual(test))
    }

    @Test("host objects whose contents are not compared are listed")
    func unseen() throws {
        let script = """
            router.expects { dependencies = { "printer" } }
            router.register("C", "show", { needs = "printer", build = router.screen "C" })
            export("c", function() router.navigate("C", "show") end)
            """
        let (before, first) = try state(script, [])
        let (after, second) = try state(script, ["c"])
        withExtendedLifetime((first, second)) {
            #expect(before.unseen == [])
            #expect(after.unseen == ["host object 'printer'"])
        }
    }
}
