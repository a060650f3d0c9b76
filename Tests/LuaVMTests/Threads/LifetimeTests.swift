// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import LuaVM
import SystemGaps
import TestSupport
import Testing

@Suite struct LifetimeTests {
    @Test("a closure that scripts reference lives until its state closes")
    func close() throws {
        let tracker = LifetimeTracker()
        do {
            let script = try Script()
            let token = tracker.track()
            let function = try script.state.makeFunction(name: "f") { _ in _ = token }
            try script.state.setGlobal("f", in: script.environment, to: function)
            #expect(tracker.liveCount == 1)
        }
        #expect(tracker.liveCount == 0)
    }

    @Test("an unreachable closure is released by the garbage collector")
    func collect() throws {
        let tracker = LifetimeTracker()
        let script = try Script()
        let before = script.state.liveBoxes
        try {
            let token = tracker.track()
            _ = try script.state.makeFunction(name: "f") { _ in _ = token }
        }()
        #expect(script.state.liveBoxes == before + 1)
        _ = script.state.liveHandles  // the slot is freed at the next use
        script.state.collectGarbage()
        #expect(tracker.liveCount == 0)
        #expect(script.state.liveBoxes == before)
    }

    @Test("garbage is collected more often while scripts load")
    func loading() throws {
        func garbage(isLoading: Bool) throws -> Int {
            let state = try LuaState(.patient)
            state.setLoading(isLoading)
            let environment = try state.makeEnvironment(strict: false)
            let chunk = try state.load(
                "for i = 1, 1000 do most = math.max(most or 0, count()); local _ = { i } end  return most",
                chunkName: "test.lua",
                environment: environment
            )
            let count = try state.makeFunction(name: "count") { frame in
                frame.returnInteger(Int64(frame.state.memoryUsed))
            }
            try state.setGlobal("count", in: environment, to: count)
            let before = state.memoryUsed
            var reader = try state.run(chunk, results: 1)
            guard case .integer(let most)? = reader.next() else { return 0 }
            return Int(most) - before
        }
        #expect(try 2 * garbage(isLoading: true) < garbage(isLoading: false))
    }

    @Test("handles are freed the next time the state is used, even if another thread released them")
    func handles() throws {
        let script = try Script()
        let before = script.state.liveHandles
        let handed = Handed(try script.function("return function() end"))
        #expect(script.state.liveHandles > before)
        // The test stays on its thread, as the state must.
        let gone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            handed.letGo()
            gone.signal()
        }
        gone.wait()
        // The last result is retained until the next one.
        _ = try script.run("return 1")
        #expect(script.state.liveHandles == before)
    }

    @Test("a function that is passed twice is the same Lua value")
    func identity() throws {
        let script = try Script()
        let function = try script.function("f = function() end  return f")
        var reader = try script.run("return f", results: 1)
        guard case .function(let again)? = reader.next() else {
            Issue.record("expected a function")
            return
        }
        #expect(again == function)
    }

    @Test("a handle may outlive its Lua state")
    func outlive() throws {
        var function: LuaFunction?
        do {
            let script = try Script()
            function = try script.function("return function() end")
        }
        #expect(function != nil)
        function = nil
    }

    @Test("if any allocation fails, the error is correct and the next call into Lua works")
    func refusedMemory() throws {
        let tracker = LifetimeTracker()
        let source = """
            local t = {}
            for i = 1, 20 do t[i] = {name = 'n' .. i, f = function() return i end} end
            local ok = pcall(function() return ('x'):rep(100) .. #t end)
            local s = f(t, 'abc')
            for k, v in pairs(t) do s = s .. tostring(k) end
            return s, t
            """
        let expected = try Self.result(source, tracker, refused: 0).0
        #expect(expected != nil)
        var failures = 0
        var request = 1
        while true {
            let (result, requests) = try Self.result(source, tracker, refused: request)
            #expect(tracker.liveCount == 0)
            if result == nil { failures += 1 } else { #expect(result == expected) }
            guard request <= requests else { break }
            request += 1
        }
        #expect(failures > 50)
    }

    /// Loads and calls a script while one memory allocation fails, then calls it again, which must
    /// succeed.
    private static func result(
        _ source: String,
        _ tracker: LifetimeTracker,
        refused: Int
    ) throws -> (String?, Int) {
        let script = try Script()
        let token = tracker.track()
        try script.define("f") { frame in
            _ = token
            _ = try frame.read(at: 0)
            frame.returnString((frame.string(at: 1) ?? "") + "!")
        }
        script.state.refuse(.only(refused))
        var text: String?
        do {
            text = try script.text(source, results: 2)
        } catch let error as ScriptError {
            #expect(error.kind == .memory)
        }
        let requests = script.state.requests
        script.state.refuse(.none)
        #expect(try script.text("return f({}, 'x')") == "\"x!\"")
        return (text, requests)
    }

    @Test("creating a state without enough memory throws an error")
    func refusedOpening() throws {
        var request = 1
        while true {
            var configuration = LuaState.Configuration.patient
            configuration.refusal = .only(request)
            do {
                let state = try LuaState(configuration)
                if state.requests < request { break }
            } catch {
                #expect(error.kind == .memory)
            }
            request += 1
        }
        #expect(request > 50)
    }
}

/// A box for a handle that another thread releases.
private final class Handed: Sendable {
    private let function: Lock<LuaFunction?>

    init(_ function: sending LuaFunction) {
        self.function = Lock(function)
    }

    func letGo() { function.withLock { $0 = nil } }
}
