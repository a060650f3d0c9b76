// SPDX-License-Identifier: MIT

import Foundation
import RouteCore
import Testing

@testable import LuaRouting

/// Every function that a script can reach, called with hostile arguments from everywhere.
///
/// The functions are found by walking tables, metatables and what functions return. Those of the
/// libraries get texts of a megabyte; those of the host get short ones, and are not timed here.
struct FunctionWalkInternalsTests {
    private static let walk = """
        local found, seen = {}, {}
        local function visit(value, path)
          if value == nil or seen[value] then return end
          if type(value) == "function" then
            seen[value] = true
            found[#found + 1] = { path = path, call = value }
          elseif type(value) == "table" then
            seen[value] = true
            for key, inner in pairs(value) do visit(inner, path .. "." .. tostring(key)) end
            visit(getmetatable(value), path .. ".metatable")
          end
        end
        local function returned(path, ...)
          for i = 1, select("#", ...) do visit((select(i, ...)), path .. "()") end
        end
        visit(_G, "_G")
        returned("ipairs", ipairs {})
        returned("pairs", pairs { 1 })
        local many = {} for i = 1, 100 do many[i] = i end
        returned("pairs of many", pairs(many))
        returned("gmatch", ("a"):gmatch "a")
        returned("codes", utf8.codes "a")
        returned("lax codes", utf8.codes("a", true))
        visit(getmetatable "", "string metatable")
        return found
        """

    private static let script = """
        local found = require "vendor.walk"
        local text, digits = ("x"):rep(SIZE), ("9"):rep(SIZE)
        local continuations = ("\\x80"):rep(SIZE)
        local big, emptied, keys, deep, circle, long = {}, {}, {}, {}, {}, {}
        for i = 1, SIZE // 10 do big[i] = i end
        for i = 1, 3e5 do emptied[i] = i end
        for i = 1, 3e5 do emptied[i] = nil end
        for i = 1, 16000 do keys["k" .. i] = i end
        for i = 1, 16000 do keys["k" .. i] = nil end
        for _ = 1, 200 do deep = { deep } end
        circle.circle = circle
        for i = 1, 6 do long[i] = text .. i end
        local proxy = setmetatable({}, { __index = pairs, __len = math.max })
        local function fail() error("x") end
        local function spin() while true do end end
        local timer
        local hostile = {
          { text }, { text, text, text }, { digits, digits, digits }, { continuations, 0, -1 },
          { big }, { big, big }, { emptied }, { emptied, 1, 9e5 }, { keys, "k1" }, { deep },
          { circle, circle }, { 0 / 0, 0 / 0 }, { math.maxinteger, math.mininteger },
          { "x", math.maxinteger }, { text, "()", text }, { text, (".-"):rep(40) .. "y" },
          { big, fail }, { fail, text }, { spin }, { long }, { long, ("").len }, { proxy, 1, 9e5 },
          { { __index = emptied }, { __gc = fail } }, { "%s%s%s", text, text, text },
          { function() return timer end, timer },
        }
        local current, arguments
        local functions = {}
        local function run()
          if not current then return end
          local call, values = current, arguments
          current = nil
          if values == "many" then
            call(table.unpack(big))
          else
            call(table.unpack(values))
          end
        end
        local function choose(info)
          timer = timer or router.delay(1e6, fail)
          timer:cancel()
          if #functions == 0 then
            for _, entry in ipairs(found) do
              local isHost = entry.path:find "^_G%.router" or entry.path:find "^_G%.os"
                or entry.path == "_G.print" or entry.path == "_G.require"
              if (isHost and "host" or "library") == KIND then functions[#functions + 1] = entry end
            end
            for _, method in ipairs { METHODS } do
              if KIND == "host" then
                functions[#functions + 1] = { path = "timer." .. method, call = timer[method] }
              end
            end
          end
          current = (functions[info.number] or {}).call
          arguments = hostile[info.arguments] or "many"
          return { count = #functions, arguments = #hostile + 1, path = (functions[info.number] or {}).path }
        end
        router.start(function() return router.nav { router.screen "Main" } end)
        router.export("choose", choose)
        found.run = run
        router.export("run", function() run() end)
        router.export("load", function(info) require("vendor.case" .. info.number) end)
        router.export("drop", function() current = nil end)
        router.export("next", function() return ("next"):upper() .. #table.pack(1, 2) end)
        router.register("Build", "show", function() run() return router.screen "A" end)
        router.register("Find", "show", {
          find = function() run() end,
          build = function() return router.screen "B" end,
        })
        router.interceptor("i", function() run() end)
        router.register("Ask", "show", {
          intercept = "i", build = function() return router.screen "C" end,
        })
        router.on("task", function() run() end)
        router.registerTask("Quiet", "run", function() end)
        router.registerTask("Task", "run", function() run() end)
        router.export("timer", function() router.delay(0.1, run) end)
        """

    enum Moment: Int, CaseIterable {
        case export, provider, finder, interceptor, listener, task, timer, load
    }

    /// What is walked: the functions of libraries, or those of the host.
    enum Kind: String, CaseIterable {
        case library, host

        /// The bytes of a text.
        ///
        /// The host's functions copy it as often as they like.
        var size: Int { self == .library ? 1_000_000 : 10_000 }
    }

    private static func bundle(_ kind: Kind) -> LuaRouting.Bundle {
        let methods = Set(APIFunction.timer.map(\.name)).sorted().map { "\"\($0)\"" }
        var files = ["vendor/walk.lua": walk]
        files["main.lua"] =
            script
            .replacing("METHODS", with: methods.joined(separator: ", "))
            .replacing("SIZE", with: "\(kind.size)")
            .replacing("KIND", with: "\"\(kind.rawValue)\"")
        for number in 1...400 {
            files["vendor/case\(number).lua"] = "require('vendor.walk').run()"
        }
        return LuaRouting.Bundle(files: files)
    }

    private static let limit = 0.1
    private static let memory = 64 << 20

    private static func router(_ kind: Kind) throws -> Router {
        var configuration = Router.Configuration()
        configuration.loadBudget = Budget(
            instructions: 100_000_000,
            duration: .seconds(20),
            bytes: memory
        )
        configuration.budget.bytes = memory
        configuration.budget.duration = .seconds(limit)
        let router = try Router(
            bundle: bundle(kind),
            host: HeadlessHost(),
            configuration: configuration
        )
        router.start()
        return router
    }

    private static func choose(_ number: Int, _ arguments: Int, _ router: Router) throws -> Table {
        let info: Table = [
            "number": .integer(Int64(number)), "arguments": .integer(Int64(arguments)),
        ]
        guard case .table(let answer) = try router.call("choose", info) else { return Table() }
        return answer
    }

    private static func trigger(_ moment: Moment, _ number: Int, _ router: Router) {
        switch moment {
        case .load: _ = try? router.call("load", ["number": .integer(Int64(number))])
        case .export: _ = try? router.call("run")
        case .provider: router.navigate(Target("Build", "show"))
        case .finder: router.navigate(Target("Find", "show"))
        case .interceptor: router.navigate(Target("Ask", "show"))
        case .listener: router.doTask(Target("Quiet", "run"))
        case .task: router.doTask(Target("Task", "run"))
        case .timer:
            _ = try? router.call("timer")
            router.advance(to: router.now + 1)
        }
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test(
        "every function ends in time with hostile arguments, and the next entry works",
        arguments: Kind.allCases
    )
    func walk(_ kind: Kind) throws {
        var router = try Self.router(kind)
        let known = try Self.choose(1, 1, router)
        let count = Int(known["count"].integer ?? 0)
        let sets = Int(known["arguments"].integer ?? 0)
        try #require(count > 30 && sets > 20)
        router.collectGarbage()
        let before = router.scriptMemory
        var faults: [String] = []
        for number in 1...count {
            // The host's functions change the router.
            if kind == .host { router = try Self.router(kind) }
            for arguments in 1...sets {
                guard let answer = try? Self.choose(number, arguments, router) else {
                    faults.append("\(number) cannot be chosen any more")
                    break
                }
                // A chunk is loaded once.
                let isLoad = arguments == 1 + number % sets
                let moment = isLoad ? .load : Moment(rawValue: (number + arguments) % 7) ?? .export
                let name = "\(answer["path"].text ?? "?") with \(arguments) in \(moment)"
                let start = Self.processorTime
                Self.trigger(moment, number, router)
                let time = Self.processorTime - start
                if kind == .library, time > 2.5 * Self.limit {
                    faults.append("\(name): \(Int(time * 1000)) ms")
                }
                _ = try? router.call("drop")
                if (try? router.call("next"))?.text != "NEXT2" {
                    faults.append("\(name): the next entry fails")
                }
            }
            router.collectGarbage()
            if router.scriptMemory > before + 8 << 20 {
                faults.append("\(number): \(router.scriptMemory - before) bytes are left")
            }
        }
        #expect(faults == [])
    }
}
