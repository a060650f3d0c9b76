// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LuaVM

/// Tests that a checkpoint contains the complete content of a state, and that a rewind restores
/// this content.
@Suite struct CheckpointTests {
    // MARK: Values

    @Test(
        "a rewind restores everything that a script has changed",
        arguments: [
            ("x = 1", "x = 2", "return x"),
            ("", "x = 2", "return x"),
            ("t = {1, 2, 3}", "t[2] = nil t.a = {}", "return t, t.a"),
            ("t = {} for i = 1, 2000 do t[i] = i end", "t = nil", "return #t, t[2000]"),
            ("t = {}", "for i = 1, 2000 do t[i] = {i} end", "return #t"),
            ("s = ('x'):rep(5000)", "s = s .. 'y'", "return #s, s:sub(-1)"),
            ("local n = 0 function f() n = n + 1 return n end f()", "f() f()", "return f()"),
            ("t = setmetatable({}, {__index = {a = 1}})", "setmetatable(t, nil)", "return t.a"),
            ("m = {a = 1} t = setmetatable({}, {__index = m})", "m.a = 2", "return t.a"),
            ("math.randomseed(7)", "math.random()", "return math.random()"),
            ("", "math.randomseed(1)", "return math.random(1000)"),
            ("k = {} t = {[k] = 1}", "t[{}] = 2", "local k = next(t) return next(t, k)"),
            ("", "string.upper = nil", "return ('a'):upper()"),
            ("", "for i = 1, 20000 do local garbage = {i} end", "return x"),
        ]
    )
    func values(before: String, change: String, probe: String) throws {
        let script = try Script()
        _ = try script.run(before)
        let first = try script.state.checkpoint()
        let memory = script.state.memoryUsed
        let expected = try script.text(probe, results: 3)
        try script.state.rewind(to: first)
        #expect(script.state.memoryUsed == memory)
        for _ in 1...3 {
            _ = try script.run(change)
            try script.state.rewind(to: first)
            #expect(script.state.memoryUsed == memory)
            #expect(try script.text(probe, results: 3) == expected)
            script.state.collectGarbage()
            try script.state.rewind(to: first)
            #expect(try script.text(probe, results: 3) == expected)
            try script.state.rewind(to: first)
        }
    }

    @Test("a state can be rewound to any checkpoint in a tree of checkpoints")
    func tree() throws {
        let script = try Script()
        var checkpoints: [LuaCheckpoint] = []
        _ = try script.run("t = {}")
        for number in 0..<20 {
            if number > 0 { try script.state.rewind(to: checkpoints[(number - 1) / 2]) }
            _ = try script.run("for i = 1, 300 do t[#t + 1] = \(number) end")
            checkpoints.append(try script.state.checkpoint())
        }
        for number in [3, 19, 0, 7, 19, 12, 1, 18, 18, 0] {
            try script.state.rewind(to: checkpoints[number])
            var path: [Int] = [number]
            while let last = path.last, last > 0 { path.append((last - 1) / 2) }
            let text = try script.text(
                "local s = '' for i = 1, #t, 300 do s = s .. ' ' .. t[i] end return s"
            )
            #expect(text == "\"" + path.reversed().map { " \($0)" }.joined() + "\"")
        }
    }

    @Test("equal parts of checkpoints share memory, which is freed with the last checkpoint")
    func sharing() throws {
        let script = try Script()
        _ = try script.run("t = {} for i = 1, 3000 do t[i] = {i} end n = 0")
        let state = script.state
        #expect(state.checkpointBytes == 0)
        var checkpoints = [try state.checkpoint()]
        let one = state.checkpointBytes
        for _ in 1...20 {
            _ = try script.run("n = n + 1")
            checkpoints.append(try state.checkpoint())
        }
        #expect(state.checkpointBytes < 2 * one, "\(one) and \(state.checkpointBytes) bytes")
        checkpoints.removeFirst(10)
        try state.rewind(to: checkpoints[0])
        #expect(try script.text("return n, #t", results: 2) == "10 3000")
        checkpoints = []
        #expect(state.checkpointBytes == 0)
        #expect(try script.text("return n, #t", results: 2) == "10 3000")
    }

    // MARK: Coroutines

    @Test(
        "a coroutine that waited at a checkpoint waits again after a rewind, whatever happened to the coroutine later"
    )
    func waiting() throws {
        let waiting = try Waiting()
        let body = "local n = 0 while n < 10 do n = n + wait() end return n"
        let thread = try waiting.thread(body)
        #expect(try waiting.resume(thread, 4) == "waits")
        let checkpoint = try waiting.state.checkpoint()
        for _ in 1...3 {
            #expect(try waiting.resume(thread, 6) == "10")
            #expect(!waiting.state.isWaiting(thread))
            try waiting.state.rewind(to: checkpoint)
            #expect(waiting.state.isWaiting(thread))
            #expect(waiting.state.liveThreads == 1)
            waiting.state.cancel(thread)
            try waiting.state.rewind(to: checkpoint)
            #expect(try waiting.resume(thread, 1) == "waits")
            try waiting.state.rewind(to: checkpoint)
        }
    }

    @Test("a rewind ends coroutines that were started after the checkpoint")
    func younger() throws {
        let waiting = try Waiting()
        let checkpoint = try waiting.state.checkpoint()
        let threads = try (0..<12).map { _ in try waiting.thread("return wait()") }
        try waiting.state.rewind(to: checkpoint)
        #expect(waiting.state.liveThreads == 0)
        // Others have their places.
        let others = try (0..<12).map { _ in try waiting.thread("return wait()") }
        for thread in threads {
            #expect(!waiting.state.isWaiting(thread))
            waiting.state.cancel(thread)
            #expect(throws: ScriptError.self) { try waiting.state.resume(thread) }
        }
        #expect(others.allSatisfy { waiting.state.isWaiting($0) })
    }

    @Test("a coroutine that the host released is not restored by a rewind")
    func released() throws {
        let waiting = try Waiting()
        var thread: LuaThread? = try waiting.thread("return wait()")
        #expect(thread != nil)
        let checkpoint = try waiting.state.checkpoint()
        thread = nil
        #expect(waiting.state.liveThreads == 0)
        try waiting.state.rewind(to: checkpoint)
        #expect(waiting.state.liveThreads == 0)
    }

    // MARK: Handles

    @Test("a function that Swift received after a checkpoint is invalid after a rewind")
    func deadFunction() throws {
        let script = try Script()
        let old = try script.function("return function(...) return 'old', ... end")
        let checkpoint = try script.state.checkpoint()
        let young = try script.function("return function() return 'young' end")
        try script.state.rewind(to: checkpoint)
        #expect(old.isAlive(in: script.state))
        #expect(!young.isAlive(in: script.state))
        // Another function has its place.
        let other = try script.function("return function() return 'other' end")
        var kinds: [ScriptError.Kind?] = []
        func kind(_ body: () throws -> Void) {
            do {
                try body()
                kinds.append(nil)
            } catch { kinds.append((error as? ScriptError)?.kind) }
        }
        kind { try script.state.call(young) }
        kind { try script.state.call(young, results: 1) }
        kind { _ = try script.state.call(young, with: 1, 2) }
        kind { _ = try script.state.begin(young) }
        kind { try script.state.call(old, results: 1) { $0.write(young) } }
        #expect(kinds == [.rewound, .rewound, .rewound, .rewound, .conversion])
        #expect(try script.state.parameters(of: young) == (0, false))
        var reader = try script.state.call(other, results: 1)
        #expect(reader.next().map { Script.text($0, &reader) } == "\"other\"")
    }

    @Test(
        "a function that Swift referenced at a checkpoint works again, and is freed with its handle"
    )
    func livingFunction() throws {
        let script = try Script()
        let handles = script.state.liveHandles
        var function: LuaFunction? = try script.function(
            "local n = 0 return function() n = n + 1 return n end"
        )
        let first = try script.state.checkpoint()
        let second = try script.state.checkpoint()
        if let function {
            for _ in 1...2 {
                var reader = try script.state.call(function, results: 1)
                #expect(reader.next().map { Script.text($0, &reader) } == "1")
                try script.state.rewind(to: first)
            }
        }
        #expect(script.state.liveHandles == handles + 1)
        function = nil
        #expect(script.state.liveHandles == handles)
        try script.state.rewind(to: second)
        #expect(script.state.liveHandles == handles)
        try script.state.rewind(to: first)
        #expect(script.state.liveHandles == handles)
    }

    @Test(
        "a closure of the host is released when neither the scripts nor a checkpoint reference it"
    )
    func closures() throws {
        let tracker = LifetimeTracker()
        let script = try Script()
        try script.define("make") { frame in
            let token = tracker.track()
            try frame.returnFunction(
                frame.state.makeFunction(name: "made") { _ in _ = token }
            )
        }
        let empty = try script.state.checkpoint()
        _ = try script.run("a = make()")
        var one: LuaCheckpoint? = try script.state.checkpoint()
        #expect(tracker.liveCount == 1)
        _ = try script.run("a = nil b = make()")
        script.state.collectGarbage()
        #expect(tracker.liveCount == 2)
        try script.state.rewind(to: empty)
        #expect(tracker.liveCount == 1)
        if let one { try script.state.rewind(to: one) }
        #expect(try script.text("a() return b") == "nil")
        one = nil
        #expect(script.state.checkpointBytes > 0)
        #expect(tracker.liveCount == 1)
        _ = try script.run("a = nil")
        script.state.collectGarbage()
        #expect(tracker.liveCount == 0)
    }

    @Test(
        "after a rewind, scripts reference the objects of the checkpoint again, without a notice to the host"
    )
    func objects() throws {
        var released: [Int64] = []
        do {
            let script = try Script()
            let type = try script.state.defineType(
                name: "Screen",
                released: { released.append($0) }
            )
            try script.define("object") { $0.returnObject(type, $0.integer(at: 0) ?? 0) }
            _ = try script.run("a = object(1)")
            let checkpoint = try script.state.checkpoint()
            _ = try script.run("b = object(2)")
            try script.state.rewind(to: checkpoint)
            #expect(script.state.liveObjects == 1)
            #expect(!script.state.holds(type, 2))
            _ = try script.run("a = nil")
            script.state.collectGarbage()
            #expect(released == [1])
            try script.state.rewind(to: checkpoint)
            #expect(script.state.holds(type, 1))
            #expect(try script.text("return a == object(1)") == "true")
        }
        #expect(released == [1, 1])
    }

    @Test("an error of the host that a script had caught is the same instance after a rewind")
    func errors() throws {
        final class Failure: Error {}
        let waiting = try Waiting()
        var failures: [Failure] = []
        try waiting.script.define("fail") { _ in
            failures.append(Failure())
            throw failures[failures.count - 1]
        }
        let thread = try waiting.thread("local _, e = pcall(fail) wait() error(e, 0)")
        let checkpoint = try waiting.state.checkpoint()
        for _ in 1...20 { _ = waiting.script.error("fail()") }
        try waiting.state.rewind(to: checkpoint)
        #expect(failures.count == 21)
        do {
            _ = try waiting.resume(thread)
            Issue.record("no error")
        } catch {
            #expect((error as? ScriptError)?.underlying as? Failure === failures[0])
        }
    }

    // MARK: Where it is refused

    @Test(
        "no checkpoint can be made while a script runs, but the changes made by a closure can be undone"
    )
    func running() throws {
        let script = try Script()
        var outer: LuaCheckpoint?
        try script.define("try") { frame in
            let state = frame.state
            #expect(throws: ScriptError.self) { _ = try state.checkpoint() }
            if let outer {
                #expect(throws: ScriptError.self) { try state.rewind(to: outer) }
            }
            guard let function = frame.function(at: 0) else { return }
            var answers: [Int64] = []
            for _ in 1...3 {
                answers.append(
                    try state.undoing {
                        var reader = try? state.call(function, results: 1)
                        guard case .integer(let value)? = reader?.next() else { return -1 }
                        return value
                    }
                )
            }
            frame.returnString("\(answers)")
        }
        outer = try script.state.checkpoint()
        // A state that keeps its own checkpoint would never close.
        defer { outer = nil }
        let text = try script.text(
            """
            local t, n = {}, 0
            local answer = try(function()
              n = n + 1
              for i = 1, 500 do t[i] = {i} end
              return n + #t
            end)
            local inner = try(function()
              n = n + 1
              try(function() n = n + 10 return 0 end)
              return n
            end)
            return answer, inner, n + #t
            """,
            results: 3
        )
        #expect(text == "\"[501, 501, 501]\" \"[1, 1, 1]\" 0")
    }

    @Test(
        "the changes made by a closure can be undone in a coroutine, even if another coroutine waits in the closure"
    )
    func undoingInCoroutine() throws {
        let waiting = try Waiting()
        try waiting.script.define("try") { frame in
            guard let function = frame.function(at: 0) else { return }
            let state = frame.state
            let hasWaited = try state.undoing {
                if case .waits? = try? state.begin(function) { true } else { false }
            }
            frame.returnBoolean(hasWaited)
        }
        let thread = try waiting.thread(
            """
            local n = 1
            local function change() for i = 1, 300 do n = n .. i end wait() end
            local first, second = try(change), try(change)
            local x = wait()
            return first, second, n + x, try(change), n
            """
        )
        #expect(waiting.state.liveThreads == 1)
        #expect(try waiting.resume(thread, 4, results: 5) == "true true 5 true 1")
        #expect(waiting.state.liveThreads == 0)
    }

    @Test("undoing work does not restore the budget that the work has used")
    func budget() throws {
        var configuration = LuaState.Configuration.patient
        configuration.budget.instructions = 100_000
        let script = try Script(configuration)
        try script.define("try") { frame in
            guard let function = frame.function(at: 0) else { return }
            _ = try frame.state.undoing { try? frame.state.call(function) }
        }
        let function = try script.function(
            "return function() for i = 1, 100 do try(function() for i = 1, 10000 do end end) end end"
        )
        #expect {
            try script.state.call(function)
        } throws: {
            ($0 as? ScriptError)?.kind == .instructions
        }
        #expect(try script.text("return 1") == "1")
    }

    @Test("a checkpoint of another state is rejected")
    func foreign() throws {
        let script = try Script()
        let other = try Script().state.checkpoint()
        #expect(throws: ScriptError.self) { try script.state.rewind(to: other) }
    }

    @Test("running out of memory during a checkpoint is an error, and changes nothing")
    func refused() throws {
        let script = try Script()
        _ = try script.run("t = {} for i = 1, 500 do t[i] = {i} end")
        let first = try script.state.checkpoint()
        _ = try script.run("for i = 1, 500 do t[i] = {i, i} end t.f = function() return #t end")
        let bytes = script.state.checkpointBytes
        var refusals = 0
        while true {
            script.state.refuse(.from(refusals + 1))
            defer { script.state.refuse(.none) }
            guard (try? script.state.checkpoint()) == nil else { break }
            #expect(script.state.checkpointBytes == bytes)
            refusals += 1
        }
        #expect(refusals > 3)
        #expect(try script.text("return t.f(), t[500][2]", results: 2) == "500 500")
        try script.state.rewind(to: first)
        #expect(try script.text("return t.f, t[500][2]", results: 2) == "nil nil")
    }

    @Test("a rewind removes types of objects that were defined after the checkpoint")
    func types() throws {
        let script = try Script()
        let checkpoint = try script.state.checkpoint()
        var others: [(name: String, checkpoint: LuaCheckpoint)] = []
        for name in ["A", "B"] {
            let type = try script.state.defineType(
                name: name,
                description: { $0.returnString(name) }
            )
            try script.define("object") { $0.returnObject(type, 1) }
            #expect(try script.text("return tostring(object())") == "\"\(name)\"")
            others.append((name, try script.state.checkpoint()))
            try script.state.rewind(to: checkpoint)
        }
        #expect(try script.text("return object") == "nil")
        for other in others {
            try script.state.rewind(to: other.checkpoint)
            #expect(try script.text("return tostring(object())") == "\"\(other.name)\"")
        }
    }
}
