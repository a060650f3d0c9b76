// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of the globals of scripts other than Lua's own libraries.
@Suite(.failureReports)
struct EnvironmentTests {
    /// Modules under `vendor/`, where absent globals are nil, each with the expected result as
    /// text.
    static let modules: [(module: String, text: String)] = [
        ("return tostring(os.getenv)", "nil"),
        ("return os.time()", "1767225600"),
        ("return os.time { year = 2026, month = 1, day = 1, hour = 0 }", "1767225600"),
        ("return os.time { year = 2026, month = 14, day = 1 }", "1801483200"),
        ("return os.date('%Y-%m-%d %H:%M:%S')", "2026-01-01 00:00:00"),
        ("return os.date('!%d.%m.%y %%', 86400)", "02.01.70 %"),
        (
            "local t = os.date('*t', 0) return t.year .. '-' .. t.yday .. tostring(t.isdst)",
            "1970-1false"
        ),
        (
            "local ok, why = pcall(os.date, '%Ez') return why",
            "bad argument #1 to 'date' (invalid conversion specifier in '%Ez')"
        ),
        (
            "local ok, why = pcall(os.time, { year = 2026 }) return why",
            "field 'month' missing in date table"
        ),
        ("return os.clock()", "0.0"), ("return os.difftime(7, 5)", "2.0"),
        ("local ok, why = pcall(os.difftime, 1) return tostring(ok)", "false"),
        (
            "return tostring(io) .. tostring(debug) .. tostring(load) .. tostring(coroutine)",
            "nilnilnilnil"
        ),
        ("defined = 7 return _G.defined", "7"),
        (
            "return select(2, pcall(require, 'io'))",
            "module 'io' not found (no file 'io.lua' in the bundle)"
        ),
        (
            "return tostring(require 'os' == os and require 'string' == string)", "true"
        ),
    ]

    @Test("a module has exactly the documented globals", arguments: modules)
    func module(_ row: (module: String, text: String)) throws {
        let bundle = ScriptBundle(files: [
            "main.lua": """
            local text = tostring(require "vendor.chunk")
            router.registerTask("Test", "run", function() return text end)
            """,
            "vendor/chunk.lua": row.module,
        ])
        var configuration = Router.Configuration.patient
        configuration.now = 1_767_225_600
        let router = try Router(scripts: bundle, host: HeadlessHost(), configuration: configuration)
        #expect(router.doTask(Target("Test", "run")).value == .string(ByteString(row.text)))
    }

    @Test("a script that fills the log is stopped, and the next call into Lua can log again")
    func logQuota() throws {
        let fixture = try RouterFixture(
            """
            router.registerTask("Log", "lines", function() for i = 1, 1e6 do print(i) end end)
            router.registerTask("Log", "bytes", function()
              for i = 1, 1e6 do router.log.warn(("x"):rep(1000)) end
            end)
            router.registerTask("Log", "line", function() print "fine" return true end)
            """,
            starts: false
        )
        #expect(fixture.doTask("Log", "lines").error?.code == .budget)
        #expect(fixture.doTask("Log", "bytes").error?.code == .budget)
        #expect(fixture.doTask("Log", "line").value == true)
        #expect(fixture.log.count == 1_000 + 65 + 1)
        #expect(fixture.log.last == "info fine")
    }

    @Test("chunks under 'vendor/' share globals with each other, and not with other chunks")
    func globals() throws {
        let bundle = ScriptBundle(files: [
            "main.lua": """
            require "vendor.first"
            local second = require "vendor.second"
            router.export("seen", function() return second() .. tostring(rawget(_G, "shared")) end)
            router.export("read", function() return shared end)
            """,
            "vendor/first.lua": "shared = 7",
            "vendor/second.lua": "return function() return shared end",
        ])
        let router = try Router(scripts: bundle, host: HeadlessHost(), configuration: .patient)
        #expect(try router.call("seen") == "7nil")
        let error = #expect(throws: RouteError.self) { try router.call("read") }
        #expect(error?.message == "undefined global 'shared'")
    }

    @Test(
        "reading an undefined field of '_G' returns nil",
        arguments: [
            "_G.own", "_G['own']", "rawget(_G, 'own')", "_G._G.own", "_ENV._G.own",
            "(function(g) return g.own end)(_G)",
            "(function(_ENV) return own end)(_G)", "setmetatable({}, { __index = _G }).own",
            "next({}, _G.own)", "_G[1]", "(require 'string').own",
        ]
    )
    func globalField(_ expression: String) throws {
        #expect(throws: Never.self) {
            let chunk = "assert((\(expression)) == nil and _G.print) router.start(print)"
            _ = try RouterFixture(chunk, starts: false)
        }
    }

    @Test(
        "reading an undefined global by its bare name is an error, however '_G' is used",
        arguments: [
            ("print(own)", "undefined global 'own'"), ("print(_ENV.own)", "undefined global 'own'"),
            ("_G.own = 1", "undefined global 'own' is assigned (use 'local')"),
            ("local g = _G g.own = 1", "undefined global 'own' is assigned (use 'local')"),
            ("own = _G.own", "undefined global 'own' is assigned (use 'local')"),
            ("rawset(_G, 'own', nil) print(own)", "undefined global 'own'"),
        ]
    )
    func bareName(_ chunk: String, _ message: String) throws {
        let error = #expect(throws: RouteError.self) { try RouterFixture(chunk) }
        #expect(error?.message == message)
    }

    @Test(
        "the error for an undefined global with the name of a router function suggests that function",
        arguments: ["screen", "log", "state", "navigate"]
    )
    func forgottenRouter(_ name: String) {
        let error = #expect(throws: RouteError.self) { try RouterFixture("print(\(name))") }
        #expect(
            error?.message == "undefined global '\(name)', did you mean 'router.\(name)'?",
            "\(error?.message ?? "")"
        )
    }

    @Test("two routers share no library tables and no state")
    func apart() throws {
        let script = """
            string.upper = nil
            router.registerTask("Test", "upper", function()
              router.state.n = (router.state.n or 0) + 1
              return tostring(string.upper) .. ("x"):upper() .. router.state.n
            end)
            """
        let fixtures = try [
            RouterFixture(script, starts: false),
            RouterFixture(script.replacing("string.upper = nil", with: ""), starts: false),
        ]
        #expect(fixtures[0].doTask("Test", "upper").value == "nilX1")
        #expect(fixtures[1].doTask("Test", "upper").value.text?.hasPrefix("function") == true)
        #expect(fixtures[1].doTask("Test", "upper").value.text?.hasSuffix("X2") == true)
    }
}
