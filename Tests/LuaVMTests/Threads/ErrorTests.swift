// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

@Suite struct ErrorTests {
    final class Failure: Error, ScriptMessage {
        let scriptMessage = "no such screen"
        let addsPosition: Bool
        let token: LifetimeTracker.Token?

        init(addsPosition: Bool = true, token: LifetimeTracker.Token? = nil) {
            self.addsPosition = addsPosition
            self.token = token
        }
    }

    @Test(
        "scripts see a host error as a string, and the caller receives the unchanged error"
    )
    func instance() throws {
        let script = try Script()
        let failure = Failure()
        try script.define("f") { _ in throw failure }
        #expect(
            try script.text("local ok, e = pcall(function()\nf() end) return e")
                == "\"test.lua:2: no such screen\""
        )
        let error = script.error("\n\nlocal function deep() f() end deep()")
        #expect(error?.underlying as? Failure === failure)
        #expect(error?.message == "no such screen")
        #expect(error?.chunk == "test.lua")
        #expect(error?.line == 3)
        #expect(error?.description == "test.lua:3: no such screen")
        #expect(error?.traceback == "test.lua:3: in 'deep'\ntest.lua:3: in the main chunk")
        // Raised again by the script it is still the same.
        let again = script.error("local ok, e = pcall(f)\nerror(e, 0)")
        #expect(again?.underlying as? Failure === failure)
        // Another error after one that was caught is not.
        let other = script.error("pcall(f) error('mine')")
        #expect(other?.underlying == nil)
    }

    @Test("if a script catches several errors and raises one again, that error is thrown unchanged")
    func instances() throws {
        struct Numbered: Error, Equatable { let number: Int64 }
        let script = try Script()
        var thrown: [Int64: Failure] = [:]
        try script.define("f") { frame in
            let number = frame.integer(at: 0) ?? 0
            guard number < 100 else { throw Numbered(number: number) }
            let failure = Failure(addsPosition: number == 0)
            thrown[number] = failure
            throw failure
        }
        // Equal texts are one string: then the last one is meant.
        let same = script.error("local _, a = pcall(f, 1) local _, b = pcall(f, 2) error(a, 0)")
        #expect(same?.underlying as? Failure === thrown[2])
        let caught = "local e = {} for i = 100, 107 do local _, m = pcall(f, i) e[i] = m end "
        for number in Int64(100)...107 {
            let error = script.error("\(caught)\nerror(e[\(number)], 0)")
            #expect(error?.underlying as? Numbered == Numbered(number: number))
            #expect(error?.line == 2)
        }
        // It is distinguished from eight later errors, not from more.
        let late = script.error(
            "local _, e = pcall(f, 100) for i = 101, 108 do pcall(f, i) end error(e, 0)"
        )
        #expect(late?.underlying == nil)
        #expect(late?.message.contains("Numbered(number: 100)") == true)
    }

    @Test("an error message that already has a location gets no second location")
    func ownPlace() throws {
        let script = try Script()
        try script.define("f") { _ in throw Failure(addsPosition: false) }
        #expect(try script.text("local ok, e = pcall(f) return e") == "\"no such screen\"")
        #expect(script.error("\nf()")?.line == 2)
    }

    @Test(
        "an error has a message and a location",
        arguments: [
            ("\nlocal x = nil + 1", "attempt to perform arithmetic on a nil value", 2),
            ("\n\nerror('own')", "own", 3),
            ("local function f()\n error('caller', 2) end\nf()", "caller", 3),
            ("\nerror('bare', 0)", "bare", 2),
            ("\nerror({})", "error object is a table value", 2),
            ("\nerror()", "error object is a nil value", 2),
            ("\nerror(setmetatable({}, {__tostring = function() return 'text' end}))", "text", 2),
            (
                "\nerror(setmetatable({}, {__tostring = function() error('x') end}))",
                "error object is a table value", 2
            ),
            ("\nlocal ok, e = pcall(function()\nerror('first') end)\nerror(e, 0)", "first", 3),
        ]
    )
    func messages(_ chunk: String, _ message: String, _ line: Int) throws {
        let error = try Script().error(chunk)
        #expect(error?.kind == .runtime)
        #expect(error?.message == message)
        #expect(error?.line == line)
        #expect(error?.chunk == "test.lua")
    }

    @Test("a `__tostring` that never returns is stopped")
    func hostileText() throws {
        let script = try Script()
        let error = script.error(
            "error(setmetatable({}, {__tostring = function() while true do end end}))"
        )
        #expect(error?.kind == .instructions)
        #expect(try script.text("return 1") == "1")
    }

    @Test("a syntax error has the chunk name and the line, however long the name is")
    func syntax() throws {
        let script = try Script()
        for name in ["a.lua", String(repeating: "folder/", count: 20) + "a.lua", "a:1: b.lua"] {
            let error = #expect(throws: ScriptError.self) {
                try script.state.load(
                    "local x = 1\nlocal = 2",
                    chunkName: name,
                    environment: script.environment
                )
            }
            #expect(error?.kind == .syntax)
            #expect(error?.chunk == name)
            #expect(error?.line == 2)
            #expect(error?.message == "<name> expected near '='")
        }
    }

    @Test("error messages have at most 4 KiB, and tracebacks at most 22 lines")
    func bounds() throws {
        let script = try Script()
        let long = script.error("error(('x'):rep(100000))")
        #expect(long?.message.utf8.count == 4096)
        let deep = script.error(
            "local function f(n) if n == 0 then error('x') end f(n - 1) return 1 end f(90)"
        )
        #expect(deep?.traceback.split(separator: "\n").count == 22)
    }

    @Test("10,000 errors from host functions leak nothing")
    func noLeak() throws {
        let tracker = LifetimeTracker()
        let script = try Script()
        try script.define("f") { _ in
            let token = tracker.track()
            throw Failure(token: token)
        }
        _ = try script.run("for i = 1, 10000 do assert(not pcall(f)) end")
        #expect(tracker.liveCount == 0)
        let error = script.error("f()")
        #expect(error?.underlying is Failure)
        #expect(tracker.liveCount == 1)
    }

    @Test("reading an undefined global in a strict environment is an error with a hint")
    func undefined() throws {
        let script = try Script(strict: true)
        #expect(script.error("\nreturn missing")?.message == "undefined global 'missing'")
        #expect(script.error("\nreturn missing")?.line == 2)
        #expect(
            script.error("missing = 1")?.message
                == "undefined global 'missing' is assigned (use 'local')"
        )
        #expect(
            script.error("return Pairs")?.message
                == "undefined global 'Pairs', did you mean 'pairs'?"
        )
        #expect(try script.text("return rawget(_G, 'missing')") == "nil")
        let loose = try Script(strict: false)
        #expect(try loose.text("x = 1 return y, x", results: 2) == "nil 1")
    }
}
