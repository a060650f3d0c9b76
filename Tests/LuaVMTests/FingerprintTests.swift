// SPDX-License-Identifier: MIT

import Testing

@testable import LuaVM

/// Tests that fingerprints are equal if no script can see a difference, and different otherwise.
@Suite struct FingerprintTests {
    @Test(
        "programs that create the same data in different ways have equal fingerprints",
        arguments: [
            // Another order of creation.
            ("a = {1} b = {2}", "b = {2} a = {1}"),
            ("t = {x = {}, y = {}, z = {}}", "t = {} t.z = {} t.x = {} t.y = {}"),
            ("a = {} b = {x = a} a.y = b", "b = {} a = {y = b} b.x = a"),
            ("f = function() end g = {}", "g = {} f = function() end"),
            // The list or the other part of a table.
            ("t = {1, 2, 3}", "t = {} t[3] = 3 t[2] = 2 t[1] = 1"),
            ("t = {1, 2, 3}", "t = {1, 2, 3, 4, 5, 6, 7, 8, 9} for i = 9, 4, -1 do t[i] = nil end"),
            ("t = {{}, {}}", "t = {} t[2] = {} t[1] = {}"),
            // Traversals that a script left, and chains that were.
            ("t = {a = 1, b = 2} k = 'a'", "t = {a = 1, b = 2} k = next(t)"),
            ("t = {a = 1, b = 2}", "t = {a = 1, b = 2} for k in next, t do break end"),
            ("t = {}", "t = {x = 1} next(t) t.x = nil"),
            ("a = {} b = {}", "a = {} b = setmetatable({}, {__index = a}) setmetatable(b, nil)"),
            // Room that is left.
            (
                "t = {}",
                "t = {} for i = 1, 50 do t['k' .. i] = i end for i = 1, 50 do t['k' .. i] = nil end"
            ),
            ("t = {a = 1}", "t = {a = 1, b = 2} t.b = nil"),
            // Strings that are made in another way.
            ("s = ('x'):rep(100)", "s = ('x'):rep(60) .. ('x'):rep(40)"),
            ("s = 'abc'", "s = 'ab' .. 'c'"),
            ("t = {[('k'):rep(50)] = {}}", "t = {} t[('k'):rep(50)] = {}"),
            // Numbers that are made in another way.
            ("n = 0/0", "n = -(0/0)"), ("t = {[1] = 2}", "t = {[1.0] = 2}"),
            ("t = {[0] = 1}", "t = {[-0.0] = 1}"),
            // Garbage, and what refers to it.
            ("x = 1", "do local t = {} t.t = t end x = 1"),
            ("x = 1", "local t = setmetatable({}, {__index = function() end}) x = 1"),
            ("M = {}", "M = {} setmetatable({}, M)"),
            (
                "M = {x = 1} t = setmetatable({}, M)",
                "M = {x = 1} setmetatable({}, M) t = setmetatable({}, M)"
            ),
            // Upvalues that were variables of another register.
            (
                "local x = 1 f = function() return x end",
                "local y, x = 2, 1 f = function() return x end"
            ),
            // A traversal that has ended, and a test for an empty table.
            ("t = {a = 1}", "t = {a = 1} for k in next, t do end"),
            ("t = {}", "t = {} assert(next(t) == nil)"),
            ("t = {a = 1}", "t = {a = 1} for k in pairs(t) do end"),
            // Closures without a difference.
            ("f = function() end", "for i = 1, 3 do f = function() end end"),
            ("o = object(1)", "o = object(1) assert(o.field == 'kept')"),
            ("x = 'a' < 'b'", "x = true"), ("x = #'abc'", "x = 3"),
        ]
    )
    func equal(_ first: String, _ second: String) throws {
        #expect(try Heap(first).fingerprint() == Heap(second).fingerprint())
    }

    @Test(
        "programs whose data a script can distinguish have different fingerprints",
        arguments: [
            // Values.
            ("x = 1", "x = 2"), ("x = 1", "x = 1.0"), ("x = 0.0", "x = -0.0"), ("x = 0", "x = 0.0"),
            ("x = 1", "x = '1'"), ("x = true", "x = false"), ("x = false", ""),
            ("x = true", "x = 1"),
            ("x = 1.5", "x = 2.5"), ("x = 1/0", "x = -1/0"), ("x = 0/0", "x = 1/0"),
            ("x = math.maxinteger", "x = math.mininteger"), ("x = 1", "y = 1"),
            ("x = {}", "x = false"),
            ("x = ''", "x = '\\0'"), ("x = 'a\\0b'", "x = 'a\\0c'"),
            ("x = '12345678'", "x = '12345679'"),
            ("x = 'abcdefgh1'", "x = 'abcdefgh2'"), ("x = 'aabcdefgh'", "x = 'babcdefgh'"),
            ("x = ('a'):rep(16)", "x = ('a'):rep(17)"), ("x = ('a'):rep(99)", "x = ('a'):rep(100)"),
            ("x = ('a'):rep(99)", "x = ('a'):rep(50) .. 'b' .. ('a'):rep(48)"),
            ("x = ('a'):rep(5000) .. 'x'", "x = ('a'):rep(5000) .. 'y'"),
            ("x = 'ab' y = 'c'", "x = 'a' y = 'bc'"),
            // Which value is whose.
            ("x, y = 1, 2", "x, y = 2, 1"), ("t = {a = 1, b = 2}", "t = {a = 2, b = 1}"),
            ("t = {1, 2}", "t = {2, 1}"), ("t = {1, 2}", "t = {[1] = 1, [3] = 2}"),
            ("t = {x = {1}, y = {2}}", "t = {x = {2}, y = {1}}"), ("t = {{1}}", "t = {1, {}}"),
            ("t = {[1] = 2}", "t = {[2] = 1}"), ("t = {a = 'b'}", "t = {b = 'a'}"),
            ("t = {[true] = 1}", "t = {[false] = 1}"), ("t = {[1.5] = 1}", "t = {[2.5] = 1}"),
            ("t = {[1] = 1.0}", "t = {[1] = 1}"), ("t = {['1'] = 1}", "t = {[1] = 1}"),
            ("t = {1, nil, 3}", "t = {} t[1] = 1 t[3] = 3"),
            // Identity.
            ("a = {} b = a", "a = {} b = {}"), ("t = {} t.t = t", "t = {} t.t = {t = t}"),
            ("a = {} b = {a, a}", "a = {} b = {a, {}}"),
            ("a = {} b = {} c = a", "a = {} b = {} c = b"),
            ("a = {} a.a = a b = {} b.b = b b.b = a", "a = {} a.a = a b = {} b.b = b"),
            ("f = function() end g = f", "f = function() end g = function() end"),
            // Functions.
            ("f = function() end", "f = function(a) end"),
            ("f = function() end", "f = function(...) end"),
            ("f = function() return 1 end", "f = function() return 2 end"),
            ("f = function() return 'a' end", "f = function() return 'b' end"),
            (
                "f = function() return function() return 1 end end",
                "f = function() return function() return 2 end end"
            ),
            (
                "f = function() local a, b return function() return a end end",
                "f = function() local b, a return function() return a end end"
            ),
            ("f = function() end", "f =\nfunction() end"),
            ("f = function() error() end", "f = function()\nerror() end"),
            ("f = function(a) a.x = 1 end", "f = function(b) b.x = 1 end"),
            (
                "local f1, f2 = function() return x end, function() return y end f = f1",
                "local f1, f2 = function() return x end, function() return y end f = f2"
            ),
            ("f = print or type", "f = print or next"), ("f = math.max", "f = math.min"),
            ("f = string.rep", "f = string.sub"), ("f = ipairs({})", "f = utf8.codes('')"),
            // Upvalues.
            ("local x f = function() return x end", "local y f = function() return y end"),
            ("local x = 1 f = function() return x end", "local x = 2 f = function() return x end"),
            (
                "local x = 0 f = function() return x end g = function() return x end",
                "local x = 0 f = function() return x end local x = 0 g = function() return x end"
            ),
            (
                "local x = {} f = function() return x end t = x",
                "local x = {} f = function() return x end t = {}"
            ),
            (
                "local x, y = 1, 2 f = function() return x, y end",
                "local x, y = 2, 1 f = function() return x, y end"
            ),
            // The order of keys.
            ("a, b = {}, {} t = {[a] = 1, [b] = 2}", "b, a = {}, {} t = {[a] = 1, [b] = 2}"),
            ("t = {[{1}] = true, [{2}] = true}", "t = {[{2}] = true, [{1}] = true}"),
            ("a = {} t = {[a] = 1}", "a = {} t = {[{}] = 1}"),
            ("t = {[print or type] = 1}", "t = {[type] = 1, [next] = 1}"),
            ("t = {[type] = 1, [next] = 2}", "t = {[type] = 2, [next] = 1}"),
            // Metatables.
            ("t = setmetatable({}, {})", "t = {}"),
            (
                "t = setmetatable({}, {__index = {x = 1}})",
                "t = setmetatable({}, {__index = {x = 2}})"
            ),
            ("t = setmetatable({}, {x = 1})", "t = setmetatable({}, {x = 2})"),
            ("M = {} t = setmetatable({}, M)", "M = {} t = setmetatable({}, {})"),
            (
                "M = {} a, b = setmetatable({}, M), setmetatable({}, M)",
                "M = {} a, b = setmetatable({}, M), setmetatable({}, {})"
            ),
            (
                "M = {} t = setmetatable({}, M) M.__len = type",
                "M = {} M.__len = type t = setmetatable({}, M)"
            ),
            ("t = freeze({x = 1}, 'no')", "t = freeze({x = 2}, 'no')"),
            ("t = freeze({}, 'no')", "t = freeze({}, 'never')"), ("t = freeze({}, 'no')", "t = {}"),
            ("h = {} t = freeze(h, 'no')", "h = {} t = freeze({}, 'no')"),
            // Traversals.
            ("t = {a = 1, b = 2} f = pairs(t)", "t = {a = 1, b = 2} f = pairs(t) f()"),
            (
                "t = {} for i = 1, 40 do t[i] = i end f = pairs(t)",
                "t = {} for i = 1, 40 do t[i] = i end f = pairs(t) f()"
            ),
            ("f = ('a b'):gmatch('%a')", "f = ('a b'):gmatch('%a') f()"),
            // The host.
            ("f = one", "f = two"), ("f = names.one", "f = names.two"),
            ("o = object(1)", "o = object(2)"),
            ("o = object(1)", "o = other(1)"),
            ("a, b = object(1), object(1)", "a, b = object(1), object(2)"),
            ("t = {[object(1)] = 1, [object(2)] = 2}", "t = {[object(1)] = 2, [object(2)] = 1}"),
            ("names.three = 1", "names.three = 2"), ("names.one = 1", ""),
            // Random numbers.
            ("math.random()", ""), ("math.randomseed(1)", "math.randomseed(2)"),
        ]
    )
    func different(_ first: String, _ second: String) throws {
        #expect(try Heap(first).fingerprint() != Heap(second).fingerprint())
    }

    @Test(
        "data that only the host or the garbage collector can observe does not affect the fingerprint",
        arguments: [
            "f = names.one f = nil", "local k = object(7) k = nil", "f = {} f = nil",
            "collectgarbage('count')",
            "pcall(error, 'x')", "_ = tostring(names) _ = nil",
        ]
    )
    func invisible(_ program: String) throws {
        #expect(try Heap("").fingerprint() == Heap(program).fingerprint())
    }

    @Test("each library function has a distinct fingerprint")
    func libraries() throws {
        let heap = try Heap("", profile: .trusted)
        let names = try heap.script.text(
            """
            local names = {}
            for library, functions in pairs(_G) do
              if functions == _G or library == 'names' then goto next end
              for name, f in pairs(type(functions) == 'table' and functions or {[''] = functions}) do
                if type(f) == 'function' then root(f) names[#names + 1] = library .. '.' .. name end
              end
              ::next::
            end
            return #names
            """
        )
        let prints = try heap.roots.map { root in try heap.state.fingerprint(of: [root]) }
        #expect("\(prints.count)" == names)
        #expect(prints.count > 70)
        #expect(Set(prints).count == prints.count)
    }

    @Test("the order and the identity of the roots affect the fingerprint")
    func roots() throws {
        let heap = try Heap("root {1} root {2} root(one)")
        let roots = heap.roots
        func print(_ positions: Int...) throws -> Fingerprint {
            try heap.state.fingerprint(of: positions.map { position in roots[position] })
        }
        #expect(try print(0, 1) != print(1, 0))
        #expect(try print(0, 1) != print(0))
        #expect(try print(0, 1) != print(0, 1, 2))
        #expect(try print(0, 1) == print(0, 1))
        #expect(try print() != print(2))
    }

    @Test(
        "functions of a different chunk, or of a chunk that was loaded later, are compared by source text"
    )
    func chunks() throws {
        func print(_ chunks: (name: String, text: String)...) throws -> Fingerprint {
            let heap = try Heap("")
            for (name, text) in chunks {
                let environment = heap.script.environment
                try heap.state.run(
                    heap.state.load(text, chunkName: name, environment: environment)
                )
            }
            return try heap.fingerprint()
        }
        let first = ("a.lua", "a = function() return 1 end")
        let second = ("b.lua", "b = function() return 2 end")
        #expect(try print(first, second) == print(second, first))
        #expect(try print(first) == print(first, first))
        #expect(try print(first) != print(("b.lua", first.1)))
        #expect(try print(first) != print(("a.lua", "a = function() return 2 end")))
    }

    @Test("the host translates identifiers of objects")
    func objects() throws {
        let first = try Heap("a, b = object(1), object(2)")
        let second = try Heap("a, b = object(11), object(12)")
        #expect(try first.fingerprint() != second.fingerprint())
        #expect(
            try first.fingerprint { _, identifier in UInt64(identifier % 10) }
                == second.fingerprint { _, identifier in UInt64(identifier % 10) }
        )
        // A number is not an identifier.
        #expect(
            try first.fingerprint() != first.fingerprint { _, identifier in UInt64(identifier) }
        )
        // Two objects stay two, whatever they are called.
        let one = try Heap("a, b = object(1), object(1)")
        #expect(try first.fingerprint { _, _ in 7 } != one.fingerprint { _, _ in 7 })
        // Their order as keys is that of their identifiers.
        let ascending = try Heap("a, b = object(1), object(2) t = {[a] = true, [b] = true}")
        let descending = try Heap("a, b = object(2), object(1) t = {[a] = true, [b] = true}")
        func number(_ type: ObjectType, _ identifier: Int64) -> UInt64? { 7 }
        #expect(try ascending.fingerprint(number: number) != descending.fingerprint(number: number))
    }

    @Test("objects that are not included in fingerprints are listed")
    func unseen() throws {
        let heap = try Heap("a = object(1) f = names.two root({one, a}) one = nil")
        #expect(try heap.state.unseen(from: heap.roots) == ["Thing", "one"])
        let all = try heap.state.unseen(from: heap.environment)
        #expect(all == ["Thing", "object", "other", "root", "two"])
    }

    @Test("computing a fingerprint changes nothing and uses no memory of the state")
    func changesNothing() throws {
        let heap = try Heap(
            "t = {1, nil, 3, x = {}} for i = 1, 100 do t[i * 7] = {i} end k = next(t)"
        )
        #expect(heap.state.liveHandles > 0)  // frees those that were let go of
        let before = heap.state.memoryUsed
        heap.state.refuse(.none)
        let print = try heap.fingerprint()
        #expect(heap.state.requests == 0)
        #expect(heap.state.memoryUsed == before)
        heap.state.collectGarbage()
        #expect(try heap.fingerprint() == print)
        #expect(
            try heap.script.text("return #t, next(t, k)", results: 3)
                == Heap(
                    "t = {1, nil, 3, x = {}} for i = 1, 100 do t[i * 7] = {i} end k = next(t)"
                ).script.text("return #t, next(t, k)", results: 3)
        )
    }

    @Test("a fingerprint does not depend on functions of another heap at the same addresses")
    func rewoundChunks() throws {
        let programs = (1...3).map { "f = function() return \($0), 'text' end" }
        let heap = try Heap("")
        let start = try heap.state.checkpoint()
        var ends: [(heap: LuaCheckpoint, fingerprint: Fingerprint)] = []
        for program in programs {
            try heap.state.rewind(to: start)
            _ = try heap.script.run(program)
            let fingerprint = try heap.fingerprint()
            #expect(try fingerprint == Heap(program).fingerprint())
            ends.append((try heap.state.checkpoint(), fingerprint))
        }
        for end in ends {
            try heap.state.rewind(to: end.heap)
            #expect(try heap.fingerprint() == end.fingerprint)
        }
    }

    @Test("a fingerprint fails without memory, while a script runs, and for a different state")
    func errors() throws {
        let heap = try Heap("t = {} for i = 1, 2000 do t[i] = {function() return i end} end")
        func kind(_ limit: Int) -> ScriptError.Kind? {
            do throws(ScriptError) {
                _ = try heap.state.fingerprint(of: heap.environment, limit: limit)
                return nil
            } catch {
                return error.kind
            }
        }
        var limit = 0
        var kinds: Set<ScriptError.Kind> = []
        while limit < 1 << 22, let kind = kind(limit) {
            kinds.insert(kind)
            limit = limit * 5 / 4 + 100
        }
        #expect(kinds == [.memory] && limit > 10000 && limit < 1 << 22)
        let environment = heap.environment
        try heap.script.define("look") { (frame: inout CallFrame) throws in
            _ = try frame.state.fingerprint(of: environment)
        }
        let message = "a fingerprint cannot be taken while a script runs"
        #expect(heap.script.error("look()")?.message == message)
        #expect(throws: ScriptError.self) { try Heap("").state.fingerprint(of: heap.environment) }
    }

    @Test("data of any depth is included in a fingerprint")
    func depth() throws {
        let program = """
            local a, b = {}, {}
            t, f = a, function() return b end
            for i = 1, 100000 do t = {t} end
            for i = 1, 1000 do local g = f f = function() return g end end
            """
        let fingerprint = try Heap(program).fingerprint()
        #expect(try Heap(program).fingerprint() == fingerprint)
        for innermost in ["a", "b"] {
            let changed = try Heap(program + " \(innermost).x = 1").fingerprint()
            #expect(changed != fingerprint, "the table \(innermost) was not visited")
        }
    }

    @Test("states on two threads have equal fingerprints")
    func threads() async throws {
        let program =
            "t = {x = {1, 2.5}, f = function() return t end} t.y = setmetatable({t.x}, {__index = t})"
        async let first = Task.detached { try Heap(program).fingerprint() }.value
        async let second = Task.detached { try Heap("local a = {} " + program).fingerprint() }.value
        let prints = try await (first, second)
        #expect(prints.0 == prints.1)
    }
}

/// A state with functions of the host, in which a program has run.
final class Heap {
    let script: Script
    var roots: [FingerprintRoot] = []
    var state: LuaState { script.state }
    var environment: [FingerprintRoot] { [.environment(script.environment)] }

    init(_ program: String, profile: ScriptProfile = .strict) throws {
        var configuration = LuaState.Configuration.patient
        configuration.profile = profile
        configuration.budget.bytes = 256 << 20
        configuration.loadBudget.bytes = 256 << 20
        script = try Script(configuration)
        let things = [
            "object": try state.defineType(
                name: "Thing",
                index: { frame in
                    frame.returnString("kept")
                    frame.keepResult()
                }
            ),
            "other": try state.defineType(name: "Other"),
        ]
        for (name, type) in things.sorted(by: { $0.key < $1.key }) {
            try script.define(name) { frame in frame.returnObject(type, frame.integer(at: 0) ?? 0) }
        }
        try script.define("one") { _ in }
        try script.define("two") { _ in }
        try script.define("root") { [unowned self] frame in
            guard let reference = frame.reference(at: 0) else { return }
            roots.append(.reference(reference))
        }
        try state.setGlobal("freeze", in: script.environment, to: state.makeFreezer())
        let names = try state.makeFunctions(FunctionNames(["two", "one"])) { _ in
        } _: { _, _ in
        }
        try state.setGlobal("names", in: script.environment) { $0.write(names) }
        _ = try script.run(program)
    }

    func fingerprint(
        number: @escaping LuaState.ObjectNumber = { _, _ in nil }
    ) throws -> Fingerprint {
        try state.fingerprint(of: environment, number: number)
    }
}
