// SPDX-License-Identifier: MIT

import LuaRouting
import Testing

/// Tests of idioms in libraries of plain Lua: a module under `vendor/`, and its exports.
struct LibraryIdiomTests {
    struct Idiom: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let module: String
        let use: String
        let text: String
        /// The other files of the bundle.
        let others: [String: String]

        init(
            _ name: String,
            _ module: String,
            _ use: String,
            _ text: String,
            others: [String: String] = [:]
        ) {
            testDescription = name
            self.module = module
            self.use = use
            self.text = text
            self.others = others
        }
    }

    static let idioms = [
        Idiom(
            "a class whose metamethods are defined after it is made",
            """
            local Point = {}
            setmetatable(Point, Point)
            Point.__index = Point
            function Point:__call(x) return setmetatable({ x = x }, Point) end
            function Point:__tostring() return "Point " .. self.x end
            function Point.__add(a, b) return Point(a.x + b.x) end
            return Point
            """,
            "return tostring(M(1) + M(2))",
            "Point 3"
        ),
        Idiom(
            "classes that copy metamethods to those that extend them",
            """
            local Object = {} Object.__index = Object
            function Object:extend()
              local class = {}
              for key, value in pairs(self) do if key:find("__") == 1 then class[key] = value end end
              class.__index = class
              class.super = self
              return setmetatable(class, self)
            end
            function Object:__call(...) local o = setmetatable({}, self) o:new(...) return o end
            function Object:is(T)
              local m = getmetatable(self)
              while m do if m == T then return true end m = getmetatable(m) end
              return false
            end
            return Object
            """,
            """
            local Animal = M:extend() function Animal:new(n) self.n = n end
            function Animal:__tostring() return "animal " .. self.n end
            local Dog = Animal:extend() function Dog:new(n) Dog.super.new(self, n .. "!") end
            return tostring(Dog("rex")) .. tostring(Dog("x"):is(Animal)) .. tostring(Animal("x"):is(Dog))
            """,
            "animal rex!truefalse"
        ),
        Idiom(
            "an object that is its own metatable's protection, and a list",
            """
            local unpack = unpack or table.unpack
            local List = {} List.__index = List List.__metatable = List
            return function(...)
              return setmetatable({ ... }, List), function(list) return select("#", unpack(list)), table.concat(list, "-") end
            end
            """,
            "local list, read = M(1, 2, 3) table.insert(list, 4) local n, text = read(list) return n .. ' ' .. text",
            "4 1-2-3-4"
        ),
        Idiom(
            "numerals in strings",
            "return function(s) return s + 1, s * '2', -s, s .. 1, tonumber(s), ('0x%x'):format(s) end",
            "return table.concat({ M('10') }, ' ')",
            "11 20 -10 101 10 0xa"
        ),
        Idiom(
            "what there may be is asked for",
            """
            local load = loadstring or load
            local jit, ffi = jit, package and package.loaded
            local clock = os and os.clock or function() return 0 end
            return function() return tostring(load) .. tostring(jit) .. tostring(ffi) .. clock() end
            """,
            "return M()",
            "nilnilnil0.0"
        ),
        Idiom(
            "a reader by patterns with positions",
            """
            local function read(text, at)
              local start, stop, number = text:find("^%s*(-?%d+%.?%d*)%s*", at)
              if start then return tonumber(number), stop + 1 end
              local list, position = {}, text:match("^%s*%[()", at)
              while text:sub(position, position) ~= "]" do
                list[#list + 1], position = read(text, position)
                position = text:match("^,?()", position)
              end
              return list, position + 1
            end
            return read
            """,
            "local list = M('[1, [2.5, 3], 4]') return list[1] .. list[2][1] .. list[2][2] .. list[3]",
            "12.534"
        ),
        Idiom(
            "a writer that sorts what it finds and quotes",
            """
            local function write(value, seen)
              if type(value) ~= "table" then return string.format(type(value) == "string" and "%q" or "%s", value) end
              seen = seen or {}
              if seen[value] then return "<again>" end
              seen[value] = true
              local keys, parts = {}, {}
              for key in pairs(value) do keys[#keys + 1] = key end
              table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
              for _, key in ipairs(keys) do parts[#parts + 1] = tostring(key) .. "=" .. write(value[key], seen) end
              return "{" .. table.concat(parts, ",") .. "}"
            end
            return setmetatable({}, { __call = function(_, ...) return write(...) end })
            """,
            "local t = { b = 'x\"', a = { 1 } } t.t = t return M(t)",
            #"{a={1=1},b="x\"",t=<again>}"#
        ),
        Idiom(
            "dates from the clock of the router",
            """
            return function()
              local t = os.date("!*t", os.time { year = 2026, month = 2, day = 30 })
              return ("%04d-%02d-%02d"):format(t.year, t.month, t.day)
            end
            """,
            "return M()",
            "2026-03-02"
        ),
        Idiom(
            "a registry with weak keys",
            """
            local classes = setmetatable({}, { __mode = "k" })
            return function(class) classes[class] = (classes[class] or 0) + 1 return classes[class] end
            """,
            "local c = {} M(c) return tostring(M(c))",
            "2"
        ),
        Idiom(
            "the standard libraries as modules",
            """
            local math, string, table = require "math", require("string"), require "table"
            local os, utf8 = require "os", require "utf8"
            math.randomseed(math.floor(os.clock() * 1e11))
            return string.rep(tostring(math == _G.math and utf8 == _G.utf8), table.unpack { 2 })
            """,
            "return M",
            "truetrue"
        ),
        Idiom(
            "modules of its own by their own names",
            """
            local part, again = require "module.part", require((...) .. ".part")
            return { text = part.text, isSame = part == again }
            """,
            "return M.text .. tostring(M.isSame) .. tostring(require('vendor.module.part').text == M.text) .. require 'util'",
            "vendor.module.part vendortruetruemine",
            others: [
                "vendor/module/part.lua": "return { text = ... .. ' ' .. require 'util' }",
                "vendor/util.lua": "return 'vendor'", "util.lua": "return 'mine'",
            ]
        ),
        Idiom(
            "a '__call' that is added after 'setmetatable'",
            """
            local meta = {}
            local Class = setmetatable({}, meta)
            meta.__call = function(class, x) return setmetatable({ x = x }, { __index = class }) end
            Class.first = Class(1)
            return Class
            """,
            "return tostring(M.first.x + M(2).x)",
            "3"
        ),
    ]

    @Test("weak tables in libraries cause a single warning each time the scripts load")
    func weakTables() throws {
        let files = [
            "main.lua": "require 'vendor.a' require 'vendor.b' router.start(function() end)",
            "vendor/a.lua": "\nlocal t = setmetatable({}, { __mode = 'v' })",
            "vendor/b.lua": "local t = setmetatable({}, { __mode = 'k' })",
        ]
        var warnings: [String] = []
        _ = try Router(scripts: ScriptBundle(files: files), host: HeadlessHost()) { event in
            if event.kind == .log, event["level"].text == "warn" {
                warnings.append(event["message"].text ?? "")
            }
        }
        #expect(warnings == ["'__mode' is ignored: the table keeps its keys and values"])
        let own = ScriptBundle(files: ["main.lua": "setmetatable({}, { __mode = 'v' })"])
        let error = #expect(throws: RouteError.self) {
            try Router(scripts: own, host: HeadlessHost())
        }
        #expect(error?.code == .script)
    }

    @Test("libraries in plain Lua load and work", arguments: idioms)
    func works(_ idiom: Idiom) throws {
        let files = [
            "main.lua": """
            local M = require "vendor.module"
            router.registerTask("T", "run", function() \(idiom.use) end)
            """,
            "vendor/module.lua": idiom.module,
        ]
        let bundle = ScriptBundle(files: files.merging(idiom.others) { file, _ in file })
        var configuration = Router.Configuration()
        configuration.budget.duration = .seconds(60)
        configuration.loadBudget.duration = .seconds(60)
        let router = try Router(scripts: bundle, host: HeadlessHost(), configuration: configuration)
        let task = router.doTask(Target("T", "run"))
        #expect(task.value.text == idiom.text, "\(task.status)")
    }
}
