// SPDX-License-Identifier: MIT

import LuaRouting

/// Scripts that call every function that scripts can reach, with hostile arguments.
struct HostileScripts {
    /// Finds functions by walking tables, metatables and the results of functions.
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
        if coroutine then returned("wrap", coroutine.wrap(function() end)) end
        return { functions = found }
        """

    /// The arguments, each of which is made when it is first needed.
    private static let arguments = """
        local function once(make)
          local value
          return function()
            if value == nil then value = make() end
            return value
          end
        end
        local text = once(function() return ("x"):rep(1e6) end)
        local digits = once(function() return ("9"):rep(1e6) end)
        local continuations = once(function() return ("\\x80"):rep(1e6) end)
        local accents = once(function() return ("e\\u{301}"):rep(3e5) end)
        local path = once(function() return "/" .. ("a/"):rep(5e5) end)
        local big = once(function()
          local big = {}
          for i = 1, 1e5 do big[i] = i end
          return big
        end)
        local holes = once(function()
          local holes = {}
          for i = 1, 3e5 do holes[i] = i end
          for i = 1, 3e5 do holes[i] = nil end
          return holes
        end)
        local keys = once(function()
          local keys = {}
          for i = 1, 16000 do keys["k" .. i] = i end
          for i = 1, 16000 do keys["k" .. i] = nil end
          return keys
        end)
        local fields = once(function()
          local fields = {}
          for i = 1, 4000 do fields["field" .. i] = i end
          return fields
        end)
        local long = once(function()
          local long = {}
          for i = 1, 6 do long[i] = text() .. i end
          return long
        end)
        local deep = once(function()
          local deep = {}
          for _ = 1, 200 do deep = { deep } end
          return deep
        end)
        local circle = once(function()
          local circle = {}
          circle.circle = circle
          return circle
        end)
        local proxy = once(function()
          return setmetatable({}, { __index = pairs, __len = math.max })
        end)
        local function fail() error("x") end
        local function spin() while true do end end

        -- Large strings have the clock read more often, so tables come first.
        local function warm() return holes(), keys(), big(), fields() end

        return function(objects)
          return warm, {
            function() return 0 / 0, 0 / 0 end,
            function() return text() end,
            function() return text(), text(), text() end,
            function() return digits(), digits(), digits() end,
            function() return continuations(), 0, -1 end,
            function() return continuations(), continuations(), continuations() end,
            function() return accents(), accents() end,
            function() return path(), path() end,
            function() return big() end,
            function() return holes() end,
            function() return holes(), 1, 9e5 end,
            function() return keys(), "k1" end,
            function() return deep() end,
            function() return circle(), circle() end,
            function() return math.maxinteger, math.mininteger end,
            function() return "x", math.maxinteger end,
            function() return text(), "()", text() end,
            function() return text(), (".-"):rep(40) .. "y" end,
            function() return big(), fail end,
            function() return fail, text() end,
            function() return spin end,
            function() return "x", spin end,
            function() return long() end,
            function() return long(), ("").len end,
            function() return proxy(), 1, 9e5 end,
            function() return { __index = holes() }, { __gc = fail } end,
            function() return "%s%s%s", text(), text(), text() end,
            function() return "Quiet", "show", fields(), fields() end,
            function() return "Quiet", "show", { [text()] = text() }, { [text()] = 1 } end,
            function() return "x", { [continuations()] = continuations() } end,
            function() return "x", big(), big() end,
            function() return "x", { id = long(), text = text() } end,
            function() return "x", { fields = long(), from = circle(), url = path() } end,
            function() return objects.gone, objects.gone, text() end,
            function() return objects.ended, objects.done, objects.timer end,
            function() return function() return objects.timer end, objects.timer end,
            function() return table.unpack(big()) end,
          }
        end
        """

    /// Declares all contexts, and calls the chosen function in the chosen context.
    private static let main = """
        local case = require "case"
        local found = require "vendor.walk"
        local objects, declared = {}, {}
        local warm, hostile = require "vendor.arguments" (objects)
        local functions, context, call, values = {}, nil, nil, nil
        local starting
        local function run(name, nav)
          if name ~= context then return end
          context = nil
          objects.acting = nav
          router.log.debug "running"
          call(table.unpack(values, 1, values.n))
          router.log.debug "ran"
        end
        found.run = run
        local function leaf() return router.screen "A" end
        local function define(service, definition)
          definition.build = definition.build or leaf
          router.register(service, "show", definition)
        end

        if KIND == "host" then
          for kind, methods in pairs { METHODS } do
            for _, name in ipairs(methods) do
              functions[#functions + 1] = {
                path = kind .. ":" .. name,
                call = function(...)
                  local object = kind == "nav" and objects.acting or objects[kind]
                  object[name](object, ...)
                end,
              }
            end
          end
          for _, kind in ipairs { "screen", "gone", "nav", "ended", "task", "timer", "routing",
            "group", "ticket", "state", "router", "log" } do
            functions[#functions + 1] = {
              path = kind .. "[key]", call = function(key) return objects[kind][key] end,
            }
            functions[#functions + 1] = {
              path = kind .. "[key] = value",
              call = function(key, value) objects[kind][key] = value end,
            }
          end
          for _, kind in ipairs { "screen", "gone", "state" } do
            functions[#functions + 1] = {
              path = kind .. ".field = value",
              call = function(value) objects[kind].field = value end,
            }
          end
          for _, name in ipairs { "done", "proceed" } do
            functions[#functions + 1] = {
              path = name, call = function(...) objects[name](...) end,
            }
          end
        end
        for _, entry in ipairs(found.functions) do
          local isHost = entry.path:find "^_G%.router" or entry.path:find "^_G%.os"
            or entry.path == "_G.print" or entry.path == "_G.require"
          if (isHost and "host" or "library") == KIND then functions[#functions + 1] = entry end
        end

        local function choose(info)
          local chosen = functions[info.fn]
          values = table.pack(hostile[info.arguments]())
          call, context = chosen.call, info.context
          return {
            functions = #functions, arguments = #hostile, path = chosen.path,
            works = ("next"):upper() == "NEXT" and #table.pack(1, 2) == 2,
          }
        end
        if case.context then
          choose(case)
          run "loading"
        end

        router.options { policy = "parallel" }
        local routing = router.routing "/links/run"
        local group = router.group { url = "/group", intercept = {} }
        define("Quiet", {})
        define("Given", {
          info = { screen = "screen" }, build = function(info) return info.screen end,
        })
        define("Held", { intercept = function(nav, proceed) objects.proceed = proceed end })
        router.registerTask("Quiet", "run", function() return true end)
        router.registerTask("Held", "run", function(info, done) objects.done = done end)
        router.export("choose", choose)
        router.export("warm", warm)
        router.export("prepare", function()
          objects.gone = leaf()
          router.navigate("Given", "show", { screen = objects.gone })
          objects.nav = router.navigate("Held", "show")
          objects.ended = router.navigate("Quiet", "show")
          objects.task = select(2, router.doTask("Held", "run"))
          objects.timer = router.delay(1e6, leaf)
          objects.timer:cancel()
          router.routing "/links/wait"
          objects.ticket = router.dispatch "/links/wait"
          objects.screen, objects.routing, objects.group = router.root(), routing, group
          objects.state, objects.router, objects.log = router.state, router, router.log
        end)
        DECLARATIONS
        router.start(function()
          if starting then run(starting) end
          return router.nav { router.screen "Main" }
        end)
        """

    /// The functions to call: those of Lua's libraries, or those of the host.
    enum Kind: String, CaseIterable {
        case library, host
    }

    /// A context, and the numbers of the function that is called in it and of the arguments.
    struct Case {
        let context: String
        let function: Int
        let arguments: Int
    }

    /// The number of modules in a bundle that call the chosen function.
    static let moduleCount = 400

    private let files: [String: String]

    /// Creates the scripts.
    ///
    /// - Parameters:
    ///   - kind: The functions that the scripts call.
    ///   - contexts: The contexts that the scripts declare.
    ///   - methods: The names of the functions of objects, by the kind of object.
    init(
        _ kind: Kind,
        contexts: [ScriptContext],
        methods: [(object: String, names: [String])]
    ) {
        let methods = methods.map { object, names in
            "\(object) = { \(names.map { "\"\($0)\"" }.joined(separator: ", ")) }"
        }
        files = [
            "vendor/walk.lua": Self.walk,
            "vendor/arguments.lua": Self.arguments,
            "main.lua": Self.main
                .replacing("METHODS", with: methods.joined(separator: ", "))
                .replacing("KIND", with: "\"\(kind.rawValue)\"")
                .replacing(
                    "DECLARATIONS",
                    with: contexts.map(\.declaration).joined(separator: "\n")
                ),
        ]
    }

    /// Returns the bundle of a router whose host chooses the calls of the scripts.
    func bundle() -> LuaRouting.ScriptBundle {
        var files = files
        files["case.lua"] = "return {}"
        var later = "router.export(\"later\", function()\n"
        for number in 0..<Self.moduleCount {
            files["vendor/case\(number).lua"] = "require(\"vendor.walk\").run \"module\""
            later += "require \"vendor.case\(number)\"\n"
        }
        files["main.lua", default: ""] += "\n\(later)end)"
        return LuaRouting.ScriptBundle(files: files)
    }

    /// Returns the bundle of scripts that call a function before the host can choose one.
    func bundle(calling chosen: Case) -> LuaRouting.ScriptBundle {
        var files = files
        files["case.lua"] = """
            return {
              context = "\(chosen.context)", fn = \(chosen.function), arguments = \(chosen.arguments),
            }
            """
        return LuaRouting.ScriptBundle(files: files)
    }
}
