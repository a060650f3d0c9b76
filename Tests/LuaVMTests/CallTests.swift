// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

@Suite struct CallTests {
    @Test("a script function can take two integers and return one")
    func integers() throws {
        let script = try Script()
        let add = try script.function("return function(a, b) return a + b end")
        #expect(try script.state.call(add, with: 2, 3) == 5)
    }

    @Test(
        "a result that is not an integer is a conversion error",
        arguments: ["'1'", "1.5", "nil"]
    )
    func noInteger(_ result: String) throws {
        let script = try Script()
        let function = try script.function("return function() return \(result) end")
        let error = #expect(throws: ScriptError.self) {
            try script.state.call(function, with: 1, 2)
        }
        #expect(error?.kind == .conversion)
    }

    @Test("a function keeps its identity after a round trip")
    func identity() throws {
        let script = try Script()
        var seen: [LuaFunction] = []
        let host = try script.state.makeFunction(name: "host") { frame in
            if let function = frame.function(at: 0) { seen.append(function) }
        }
        try script.state.setGlobal("host", in: script.environment, to: host)
        _ = try script.run(
            "local f = function() end host(f) host(f) host(host) host(print or type)"
        )
        #expect(seen[0] == seen[1])
        #expect(seen[2] == host)
        #expect(seen[0] != host)
        #expect(seen[3] != host)
    }

    @Test(
        "the error for an argument of the wrong type names the declared type",
        arguments: [
            ("function() end", 0, false), ("function(a, b) end", 2, false),
            ("function(...) end", 0, true), ("function(a, b, c, ...) end", 3, true),
            ("(function(self) return function(x) return self end end)(1)", 1, false),
            ("host", 0, true), ("type", 0, true), ("string.rep", 0, true),
        ]
    )
    func parameters(_ text: String, _ count: Int, _ isVariadic: Bool) throws {
        let script = try Script()
        try script.define("host") { _ in }
        let parameters = try script.state.parameters(of: script.function("return \(text)"))
        #expect(parameters == (count, isVariadic))
        // In the middle of a script, with the stack of a callback.
        let function = try script.function("return \(text)")
        try script.define("count") { frame in
            frame.returnInteger(Int64(try frame.state.parameters(of: function).count))
        }
        #expect(try script.text("return count(1, 2, 3)") == "\(count)")
        #expect(throws: ScriptError.self) { try Script().state.parameters(of: function) }
    }

    @Test("a function of another state is rejected")
    func otherState() throws {
        let first = try Script()
        let second = try Script()
        let function = try first.function("return function() end")
        let error = #expect(throws: ScriptError.self) { try second.state.call(function) }
        #expect(error?.kind == .conversion)
        #expect(throws: ScriptError.self) {
            try second.state.call(second.function("return type")) { $0.write(function) }
        }
    }

    @Test("host and script can call each other 32 levels deep")
    func nesting() throws {
        let script = try Script()
        var deepest = 0
        try script.define("down") { frame in
            let level = Int(frame.integer(at: 0) ?? 0)
            deepest = max(deepest, level)
            guard let function = frame.function(at: 1) else { return }
            try frame.state.call(function) { $0.write(Int64(level + 1)) }
        }
        let error = script.error("local function f(n) down(n, f) end f(1)")
        #expect(deepest == 32)
        #expect(error?.kind == .runtime)
        #expect(
            error?.message == "calls between host and script are nested more than 32 levels deep"
        )
        #expect(try script.text("return 1") == "1")
    }

    @Test("host and script can call each other as deeply as the stack allows")
    func smallStack() throws {
        let messages = try onThread(stackSize: 192 * 1024) {
            let script = try Script()
            try script.define("down") { frame in
                guard let function = frame.function(at: 0) else { return }
                try frame.state.call(function)
            }
            let error = script.error(
                "local function f() ('x'):gsub('x', function() down(f) end) end f()"
            )
            return [error?.message, try script.text("return 1")]
        }
        #expect(
            messages == [
                "the stack of the thread has no room for another call between host and script", "1",
            ]
        )
    }

    @Test("arguments are read by their kind, and a string is not converted to a number")
    func arguments() throws {
        let script = try Script()
        try script.define("kinds") { frame in
            var texts: [String] = []
            for position in 0...frame.count { texts.append(frame.kind(at: position).rawValue) }
            frame.returnString(texts.joined(separator: ","))
        }
        try script.define("integer") { frame in
            guard let value = frame.integer(at: 0) else { throw frame.mismatch(at: 0, "integer") }
            frame.returnInteger(value)
        }
        #expect(
            try script.text("return kinds(nil, true, 1, 1.5, 'a', {}, type)")
                == "\"nil,boolean,integer,number,string,table,function,no value\""
        )
        #expect(try script.text("return integer(2.0)") == "2")
        #expect(
            script.error("integer('2')")?.message
                == "bad argument #1 to 'integer' (integer expected, got string)"
        )
    }

    @Test("a callback can find the line of its caller")
    func location() throws {
        let script = try Script()
        var lines: [Int?] = []
        try script.define("here") { frame in
            lines.append(frame.location()?.line)
            lines.append(frame.location(level: 2)?.line)
            lines.append(frame.location(level: 9)?.line)
            #expect(frame.location()?.chunk == "test.lua")
        }
        _ = try script.run("local function f()\n here()\nend\nf()\nreturn 1")
        #expect(lines == [2, 4, nil])
    }

    @Test("a function can return many results")
    func manyResults() throws {
        let script = try Script()
        try script.define("many") { frame in
            for value in 1...200 { frame.returnInteger(Int64(value)) }
        }
        #expect(
            try script.text("return select('#', many()), (select(200, many()))", results: 2)
                == "200 200"
        )
    }
}
