// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

/// Tests of each limit of depth, on a thread with a stack of 1 MiB: the largest allowed depth
/// succeeds, and the next one is an error.
///
/// `LimitTests` tests the limits of chains of parents, and of trees that routes build.
@Suite(.timeLimit(.minutes(10)), .failureReports)
struct DepthTests {
    /// Returns the result of the exported function `go` for a depth: a text, or the code of the
    /// error.
    private static func go(
        _ script: String,
        _ depth: Int,
        modules: [String: String] = [:]
    ) throws -> String {
        try onThread {
            let fixture = try RouterFixture(script, modules: modules)
            let result: String
            do {
                let value = try fixture.call("go", ["n": .integer(Int64(depth))])
                result = value.text ?? "\(value)"
            } catch let error as RouteError {
                result = "\(error.code): \(error.message)"
            }
            // It still works.
            fixture.navigate("After", "open")
            #expect(fixture.tree.contains("After"))
            #expect(fixture.brokenRules == [])
            return result
        }
    }

    private static let start = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("After", "open", function() return router.screen "After" end)

        """

    @Test("tables nested 32 levels deep are converted in both directions")
    func tables() throws {
        let script =
            Self.start + """
                router.export("go", function(t)
                  local inner = {}
                  for i = 2, t.n do inner = { inner } end
                  return inner
                end)
                """
        for depth in [31, 32] {
            let text = try Self.go(script, depth)
            #expect(text.hasPrefix("{") || text.hasPrefix("["), "\(depth) \(text)")
        }
        #expect(try Self.go(script, 33).hasPrefix("badInfo"))
        #expect(try Self.go(script, 10_000).hasPrefix("badInfo"))
    }

    /// Returns a value of nested tables with the given number of levels.
    private static func nested(_ levels: Int) -> Value {
        var value = Value.integer(1)
        for _ in 0..<levels { value = .table(InfoTable(list: [value])) }
        return value
    }

    @Test("a host argument that is nested too deeply is rejected before it is traversed")
    func handedOver() throws {
        let tooDeep =
            "a table that has more than 32 levels cannot be passed between scripts and host"
        for levels in [31, 32, 2_000] {
            let ends = try onThread {
                let fixture = try RouterFixture(
                    Self.start + """
                        router.export("go", function(t) return "in" end)
                        router.registerTask("Work", "now", function(info) return 1 end)
                        router.expects { tasks = { "Host/task" } }
                        """
                )
                let router = fixture.router
                var printed = ""
                router.onEvent = { printed += "\($0)" }
                // The table around it is a level too.
                let value = Self.nested(levels - 1)
                let info: InfoTable = ["v": value]
                let open = Target("After", "open")
                var ends = [
                    router.navigate(open, info: info).error?.message ?? "",
                    router.start(info).error?.message ?? "",
                    router.doTask(Target("Work", "now"), info: info).error?.message ?? "",
                ]
                let screen = try #require(router.navigate(open).screen)
                ends.append(router.close(screen, value: Self.nested(levels)).error?.message ?? "")
                do throws(RouteError) {
                    _ = try router.call("go", info)
                    try router.setState("x", to: Self.nested(levels))
                    ends.append("")
                } catch {
                    ends.append(error.message)
                }
                let task = router.doTask(Target("Host", "task"))
                fixture.host.takeTask { _ in true }?.end(true, Self.nested(levels))
                ends.append(task.error?.message ?? "")
                #expect(!"\(value)".isEmpty && !printed.isEmpty)
                #expect(router.pending.isEmpty && router.pendingTasks.isEmpty)
                return ends
            }
            #expect(Set(ends) == [levels <= 32 ? "" : tooDeep], "\(levels) \(ends)")
        }
    }

    @Test(
        "the nesting depth of links, switches and trees is limited",
        arguments: [
            "s = router.link { find = 'A', from = s }",
            "s = router.newNav { from = s }", "s = router.newTabs { from = s }",
            "s = router.switch { { from = s }, default = 'current' }",
            "s = router.switch { { from = router.link { find = 'A', from = s } } }",
            "t = router.nav { t }", "t = router.tabs { router.nav { t } }",
            "t = router.nav { t } s = router.link { find = 'A', from = s, build = t }",
        ]
    )
    func declarations(_ statement: String) throws {
        let script = Self.repeating(statement)
        for depth in [30, 100_000] {
            let end = try Self.go(script, depth)
            #expect(end == (depth < 100 ? "nil" : Self.nestsTooDeep), "\(depth)")
        }
        let loading =
            "local s, t = 'current', { 'After', 'open' } for i = 1, 100000 do \(statement) end"
        let error = try onThread {
            #expect(throws: RouteError.self) { try RouterFixture(Self.start + loading) }
        }
        #expect(
            error?.message.contains(Self.nestsTooDeep.dropFirst(8)) == true,
            "\(String(describing: error))"
        )
    }

    /// Returns a script whose function `go` repeatedly declares something that contains the
    /// previous declaration.
    private static func repeating(_ statement: String) -> String {
        start + """
            router.export("go", function(args)
              local s, t = "current", { "After", "open" }
              for i = 1, args.n do \(statement) end
            end)
            """
    }

    private static let nestsTooDeep =
        "script: links, switches and trees are nested too deeply (at most 100 levels expected)"

    @Test(
        "the parents of nested switches and the leaves of nested trees are limited in number",
        arguments: [
            "s = router.switch { { when = function() return true end, from = s }, { from = s } }",
            "t = router.nav { t, t, t, t, t, t, t, t, t, t }",
            "t = router.nav { { 'After', 'open' }, router.nav { t, t } }",
        ]
    )
    func sharedDeclarations(_ statement: String) throws {
        let script = Self.repeating(statement)
        #expect(try Self.go(script, 2) == "nil")
        let message =
            "too many parent routes in a switch, or leaves in a tree, with nested ones counted"
        #expect(try Self.go(script, 60).contains(message))
        // Each route may be near the limit, all together may not.
        let many =
            Self.start + """
                local s, t = "current", { "After", "open" }
                while true do
                  local fine = pcall(function() \(statement) end)
                  if not fine then break end
                end
                local function build() return router.screen "A" end
                for i = 1, 3000 do
                  router.register("Many", "r" .. i, { build = type(t) == "table" and build or t,
                    from = s ~= "current" and s or nil })
                end
                """
        let error = #expect(throws: RouteError.self) { try RouterFixture(many) }
        #expect(error?.message.contains("\(message) (at most 200000 expected)") == true)
    }

    @Test("the length of a redirect chain is limited", arguments: [15, 16, 200])
    func redirects(_ count: Int) throws {
        let end = try onThread {
            let fixture = try RouterFixture(
                Self.start + """
                    for i = 1, \(count) do
                      router.register("R" .. i, "go", {
                        build = function() return router.screen "Page" end,
                        intercept = function()
                          if i < \(count) then router.redirect("R" .. i + 1, "go") end
                          router.redirect("After", "open")
                        end,
                      })
                    end
                    """
            )
            let navigation = fixture.navigate("R1", "go")
            return navigation.error?.code.rawValue ?? fixture.tree
        }
        #expect(end == (count <= 15 ? "nav[Main, After]" : "redirectLoop"))
    }

    /// The ways in which a script can enter itself again.
    enum Nesting: String, CaseIterable, Sendable {
        case exported, navigate, intercept, task, done, leaving, finder, switches, build, log
        case pcall, update, on

        var script: String {
            switch self {
            case .exported:
                "go = function(n) if n == 0 then return 0 end return again(n) end"
            case .navigate:
                """
                router.register("Again", "go", function(info)
                  go(info.n - 1) return router.screen "Page"
                end)
                go = function(n) if n > 0 then router.navigate("Again", "go", { n = n }) end end
                """
            case .intercept:
                """
                router.register("Again", "go", {
                  build = function() return router.screen "Page" end,
                  intercept = function(nav) go(nav.info.n - 1) end,
                })
                go = function(n) if n > 0 then router.navigate("Again", "go", { n = n }) end end
                """
            case .task:
                """
                router.registerTask("Again", "go", function(info) go(info.n - 1) return 1 end)
                go = function(n) if n > 0 then router.doTask("Again", "go", { n = n }) end end
                """
            case .done:
                """
                router.registerTask("Again", "go", function(info) return 1 end)
                go = function(n)
                  if n > 0 then
                    router.doTask("Again", "go", { n = n }, function() go(n - 1) end)
                  end
                end
                """
            case .leaving:
                """
                router.register("Again", "go", {
                  build = function() return router.screen "Page" end,
                  after = function() go(depth - 1) end,
                })
                go = function(n)
                  depth = n
                  if n > 0 then router.navigate("Again", "go", { n = n }) end
                end
                """
            case .finder:
                """
                router.register("Again", "go", {
                  build = function(info) go(info.n - 1) return router.screen "Page" end,
                  find = function(info) return nil end,
                })
                go = function(n) if n > 0 then router.navigate("Again", "go", { n = n }) end end
                """
            case .switches:
                """
                router.register("Again", "go", {
                  build = function() return router.screen "Page" end,
                  prepare = function(nav) go(nav.info.n - 1) end,
                })
                go = function(n) if n > 0 then router.navigate("Again", "go", { n = n }) end end
                """
            case .build:
                """
                router.register("Again", "go", function(info)
                  go(info.n - 1) return router.screen "Page"
                end)
                go = function(n)
                  if n > 0 then router.navigate("Again", "go", { n = n }, {}, function() end) end
                end
                """
            case .log:
                """
                router.register("Again", "go", function() return router.screen "Page" end)
                go = function(n)
                  if n > 0 then
                    router.navigate("Again", "go", { n = n }, {}, function() go(n - 1) end)
                  end
                end
                """
            case .pcall:
                """
                router.registerTask("Again", "go", function(info) pcall(go, info.n - 1) return 1 end)
                go = function(n)
                  if n > 0 then pcall(router.doTask, "Again", "go", { n = n }) end
                end
                """
            case .update:
                """
                router.registerTask("Again", "go", function(info)
                  ("x"):gsub("x", function() go(info.n - 1) end)
                  return 1
                end)
                go = function(n)
                  if n > 0 then
                    table.sort({ 1, 2 }, function() router.doTask("Again", "go", { n = n }) end)
                  end
                end
                """
            case .on:
                """
                router.on("task", function(event)
                  if (router.state.left or 0) > 0 then go(router.state.left - 1) end
                end)
                router.registerTask("Again", "go", function() return 1 end)
                go = function(n)
                  router.state.left = n
                  if n > 0 then router.doTask("Again", "go") end
                end
                """
            }
        }
    }

    @Test(
        "deep recursion either ends with an error or completes",
        arguments: Nesting.allCases.filter { $0 != .exported },
        [1, 5, 8, 15, 16, 20, 30, 31, 32, 33, 60, 99, 100, 101, 200, 1_000]
    )
    func nesting(_ nesting: Nesting, _ depth: Int) throws {
        let script =
            Self.start + "local go, depth\n" + nesting.script + """

                router.export("go", function(t) go(t.n) return "done" end)
                """
        let end = try Self.go(script, depth)
        #expect(!end.isEmpty)
    }

    @Test(
        "modules can require one another as deeply as calls into Lua may nest",
        arguments: [1, 10, 30, 60, 199, 1_000]
    )
    func modules(_ count: Int) throws {
        let end = try onThread {
            var modules: [String: String] = [:]
            for index in 1...count {
                modules["m\(index).lua"] =
                    index == count ? "return 0" : "return require('m\(index + 1)') + 1"
            }
            do {
                _ = try RouterFixture(Self.start + "local n = require 'm1'", modules: modules)
                return "loaded"
            } catch {
                return (error as? RouteError)?.code.rawValue ?? "\(error)"
            }
        }
        #expect(count <= 10 ? end == "loaded" : ["loaded", "script"].contains(end))
        if count == 1_000 { #expect(end == "script") }
    }

    @Test("a chain of dependencies may have sixteen elements", arguments: [1, 16, 17, 1_000])
    func dependencies(_ count: Int) throws {
        let end = try onThread {
            let fixture = try RouterFixture(
                Self.start + """
                    for i = 1, \(count) do
                      router.provide("d" .. i, function()
                        return i == \(count) and 1 or router.dependency("d" .. i + 1)
                      end)
                    end
                    router.register("Page", "open", {
                      needs = "d1",
                      build = function(_, nav) return router.screen("Page", { d = nav.deps.d1 }) end,
                    })
                    """
            )
            let code = fixture.navigate("Page", "open").error?.code.rawValue
            fixture.navigate("After", "open")
            return "\(code ?? "done") \(fixture.tree)"
        }
        #expect(
            end
                == (count <= 16
                    ? "done nav[Main, Page(d=1), After]" : "budget nav[Main, After]")
        )
    }

    @Test("a chain of fallbacks may have a thousand elements", arguments: [1, 1_000])
    func fallbacks(_ count: Int) throws {
        let end = try onThread {
            let fixture = try RouterFixture(
                Self.start + """
                    for i = 1, \(count) do
                      router.register("R" .. i, "go", {
                        enabled = function() return false end,
                        fallback = { i < \(count) and "R" .. i + 1 or "After", i < \(count) and "go" or "open" },
                        build = function() return router.screen "Page" end,
                      })
                    end
                    """
            )
            fixture.navigate("R1", "go")
            return fixture.tree
        }
        #expect(end == "nav[Main, After]")
    }

    @Test("payloads of route strings may nest 31 levels deep", arguments: [30, 31, 32, 20_000])
    func payloads(_ depth: Int) throws {
        let end = try onThread {
            let fixture = try RouterFixture(
                Self.start + """
                    router.handle("go", function() return "After", "open" end)
                    """
            )
            let inner = depth - 1
            let text =
                "go|{\"a\":" + String(repeating: "[", count: inner) + "1"
                + String(repeating: "]", count: inner) + "}"
            return fixture.router.open(text).error?.code.rawValue ?? fixture.tree
        }
        #expect(end == (depth <= 31 ? "nav[Main, After]" : "parse"))
    }

    @Test("tree notation may nest 100 levels deep", arguments: [99, 100, 101, 100_000])
    func notation(_ depth: Int) throws {
        let end = try onThread {
            let values = String(repeating: "{", count: depth) + String(repeating: "}", count: depth)
            let screens =
                String(repeating: "nav[", count: depth) + "A" + String(repeating: "]", count: depth)
            return ["A(x=\(values))", screens].map { text in
                do {
                    let notation = try TreeNotation(text)
                    return "\(notation)".isEmpty ? "empty" : "read"
                } catch {
                    return "error"
                }
            }
        }
        if depth < 99 { #expect(end == ["read", "read"]) }
        if depth > 101 { #expect(end == ["error", "error"]) }
    }

    @Test("screens can be nested and presented up to the maximum depth")
    func screens() throws {
        let end = try onThread {
            let fixture = try RouterFixture(
                Self.start + """
                    router.register("Up", "go", { build = function()
                      return router.nav { router.screen "Page" }
                    end, via = "present" })
                    """
            )
            var count = 0
            while count < 1_000 {
                let navigation = fixture.navigate("Up", "go")
                guard case .done = navigation.status else { break }
                count += 1
            }
            let text = fixture.tree
            fixture.router.dismissAll()
            return "\(count < 1_000) \(text.isEmpty) \(fixture.tree) \(fixture.brokenRules)"
        }
        #expect(end == "true false nav[Main] []")
    }

    @Test(
        "a declared tree may nest up to the maximum depth of screens",
        arguments: [10, 40, 98, 100, 200]
    )
    func declared(_ depth: Int) throws {
        let end = try onThread {
            do {
                let fixture = try RouterFixture(
                    """
                    router.class("Box", { kind = "nav", holds = "nav" })
                    router.start(function()
                      local tree = router.screen "Leaf"
                      for i = 1, \(depth) do
                        tree = i % 2 == 0 and router.tabs { tree } or router.nav { tree }
                      end
                      return tree
                    end)
                    """
                )
                return fixture.tree.isEmpty ? "none" : "shown"
            } catch {
                return "error"
            }
        }
        #expect(!end.isEmpty)
    }
}
