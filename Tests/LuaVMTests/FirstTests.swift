// SPDX-License-Identifier: MIT

import LuaVM
import Testing

@Suite struct FirstTests {
    /// A script with a type of objects that have an `id`.
    private struct Objects {
        let script: Script
        let type: ObjectType

        init(_ configuration: LuaState.Configuration = .patient) throws {
            script = try Script(configuration)
            type = try script.state.defineType(name: "Screen") { frame in
                frame.returnInteger(frame.object(at: 0)?.identifier ?? 0)
            }
        }

        func first(_ identifiers: some Sequence<Int64>, _ predicate: String) throws -> Int? {
            let predicate = try script.function("return \(predicate)")
            return try script.state.firstIndex(of: type, in: identifiers, where: predicate)
        }
    }

    @Test(
        "a search returns the first object that satisfies the predicate, and tests no later object"
    )
    func order() throws {
        let objects = try Objects()
        let predicate = "function(s) asked = (asked or '') .. s.id return s.id % 3 == 0 end"
        #expect(try objects.first([4, 5, 9, 3], predicate) == 2)
        #expect(try objects.first([4, 5], predicate) == nil)
        #expect(try objects.first([6].lazy.map { $0 }, predicate) == 0)
        #expect(try objects.first([], predicate) == nil)
        #expect(try objects.script.text("return asked") == "\"459456\"")
        #expect(try objects.first([1], "function() return nil end") == nil)
        #expect(try objects.first([1], "function() return 0 end") == 0)
        #expect(try objects.first([1], "function() end") == nil)
        #expect(try objects.first([1], "function() return false, true end") == nil)
    }

    @Test("a search creates the other arguments once, and passes them after the object")
    func arguments() throws {
        let objects = try Objects()
        let predicate = try objects.script.function(
            """
            return function(s, t, wanted, ...)
                t.count = (t.count or 0) + 1
                calls = t.count
                assert(select('#', ...) == 0 and tables == nil or tables == t)
                tables = t
                return s.id == wanted
            end
            """
        )
        let index = try objects.script.state.firstIndex(
            of: objects.type,
            in: 1...200,
            where: predicate
        ) {
            $0.beginTable(list: 0, entries: 0)
            $0.write(Int64(150))
        }
        #expect(index == 149)
        #expect(try objects.script.text("return calls") == "150")
        let many = try objects.script.function(
            "return function(...) return select('#', ...) == 301 end"
        )
        #expect(
            try objects.script.state.firstIndex(of: objects.type, in: [1], where: many) { writer in
                for value in 1...300 { writer.write(Int64(value)) }
            } == 0
        )
        let error = #expect(throws: ScriptError.self) {
            try objects.script.state.firstIndex(of: objects.type, in: [1], where: many) { writer in
                writer.beginTable(list: 0, entries: 1)
            }
        }
        #expect(error?.kind == .conversion)
        #expect(try objects.first([1], "function() return true end") == 0)
    }

    @Test("an error in the predicate ends the search, with the location and traceback of a call")
    func error() throws {
        let objects = try Objects()
        struct Failure: Error {}
        try objects.script.define("fail") { _ in throw Failure() }
        let predicate = try objects.script.function(
            "return function(s)\n last = s.id\n if last == 3 then fail() end end"
        )
        let error = #expect(throws: ScriptError.self) {
            try objects.script.state.firstIndex(of: objects.type, in: 1...9, where: predicate)
        }
        let called = #expect(throws: ScriptError.self) {
            try objects.script.state.call(predicate) { $0.write(objects.type, 3) }
        }
        #expect(error?.underlying is Failure)
        #expect(error?.line == 3)
        #expect(error?.kind == called?.kind)
        #expect(error?.traceback == called?.traceback)
        #expect(error?.traceback != "")
        #expect(try objects.script.text("return last") == "3")
        let other = try Objects()
        let refused = #expect(throws: ScriptError.self) {
            try other.script.state.firstIndex(of: other.type, in: [1], where: predicate)
        }
        #expect(refused?.kind == .conversion)
    }

    @Test("a 'ScriptEnd' inside the predicate ends the call into Lua that contains the search")
    func end() throws {
        let objects = try Objects()
        try objects.script.define("stop") { _ in throw EndTests.Stop() }
        let predicate = try objects.script.function(
            "return function(s) last = s.id pcall(stop) last = 'on' end"
        )
        let type = objects.type
        try objects.script.define("find") { frame in
            do {
                _ = try frame.state.firstIndex(of: type, in: 5...9, where: predicate)
            } catch {
                frame.returnString((error as? ScriptError)?.kind.rawValue ?? "")
            }
        }
        #expect(try objects.script.text("return find(), last", results: 2) == "\"ended\" 5")
    }

    @Test(
        "all calls to the predicate of a search share one budget, including calls to host functions"
    )
    func budget() throws {
        var configuration = LuaState.Configuration.patient
        configuration.budget.instructions = 20_000
        let objects = try Objects(configuration)
        #expect(try objects.first(1...9, "function() for i = 1, 1000 do end end") == nil)
        let loop = try objects.script.function("return function() for i = 1, 1000 do end end")
        // A predicate of the host's runs no instruction of its own.
        let host = try objects.script.state.makeFunction(name: "never") { _ in }
        for predicate in [loop, host] {
            let error = #expect(throws: ScriptError.self) {
                try objects.script.state.firstIndex(
                    of: objects.type,
                    in: 1...100_000,
                    where: predicate
                )
            }
            #expect(error?.kind == .instructions)
        }
        #expect(try objects.first(1...9, "function(s) return s.id == 9 end") == 8)
    }

    @Test("searches may be nested, and share the remaining budget")
    func nested() throws {
        let objects = try Objects()
        let type = objects.type
        try objects.script.define("find") { frame in
            guard let function = frame.function(at: 0) else { return }
            let index = try frame.state.firstIndex(of: type, in: 1...5, where: function) {
                $0.write("inner")
            }
            if let index { frame.returnInteger(Int64(index)) } else { frame.returnNil() }
        }
        let predicate = """
            function(s)
                local i = find(function(t, text) return text == 'inner' and t.id == s.id end)
                return i == 3
            end
            """
        #expect(try objects.first(1...9, predicate) == 3)
        var configuration = LuaState.Configuration.patient
        configuration.loadBudget.instructions = 10_000
        let small = try Objects(configuration)
        let smallType = small.type
        try small.script.define("find") { frame in
            guard let function = frame.function(at: 0) else { return }
            _ = try frame.state.firstIndex(of: smallType, in: 1...5, where: function)
        }
        #expect(
            small.script.error("pcall(find, function() while true do end end)")?.kind
                == .instructions
        )
    }

    @Test("a search releases the tested objects")
    func released() throws {
        let objects = try Objects()
        _ = try objects.first(1...300, "function(s) if s.id == 7 then held = s end end")
        objects.script.state.collectGarbage()
        #expect(objects.script.state.liveObjects == 1)
        #expect(objects.script.state.holds(objects.type, 7))
    }

    @Test("if any allocation fails, the error is correct and the next call into Lua works")
    func refusedMemory() throws {
        var failures = 0
        for request in 1...300 {
            let objects = try Objects()
            let predicate = try objects.script.function(
                "return function(s, t) t[#t + 1] = {s} return #t == 20 end"
            )
            objects.script.state.refuse(.only(request))
            func first() throws -> Int? {
                try objects.script.state.firstIndex(of: objects.type, in: 1...30, where: predicate)
                { $0.beginTable(list: 0, entries: 0) }
            }
            do {
                #expect(try first() == 19)
            } catch let error as ScriptError {
                #expect(error.kind == .memory)
                failures += 1
            }
            let isOver = objects.script.state.requests < request
            objects.script.state.refuse(.none)
            #expect(try first() == 19)
            if isOver { break }
        }
        #expect(failures > 10)
    }
}
