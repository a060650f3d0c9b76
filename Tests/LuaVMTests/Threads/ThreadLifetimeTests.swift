// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import LuaVM
import SystemGaps
import TestSupport
import Testing

@Suite struct ThreadLifetimeTests {
    @Test("a waiting coroutine lives as long as its handle")
    func handle() throws {
        let tracker = LifetimeTracker()
        let waiting = try Waiting()
        try waiting.script.define("make") { frame in
            let token = tracker.track()
            try frame.returnFunction(frame.state.makeFunction(name: "made") { _ in _ = token })
        }
        var thread: LuaThread? = try waiting.thread("local f = make() wait() f()")
        waiting.state.collectGarbage()
        #expect(tracker.liveCount == 1)
        #expect(waiting.state.liveThreads == 1)
        _ = thread
        thread = nil
        #expect(waiting.state.liveThreads == 0)
        waiting.state.collectGarbage()
        #expect(tracker.liveCount == 0)
    }

    @Test("a handle may be released on another thread, and while a script runs")
    func elsewhere() throws {
        let waiting = try Waiting()
        let handed = Handed(try waiting.thread("wait() note('on')"))
        let gone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            handed.letGo()
            gone.signal()
        }
        gone.wait()
        #expect(waiting.state.liveThreads == 0)
        try waiting.script.define("drop") { [unowned waiting] _ in waiting.threads = [:] }
        let outer = try waiting.thread(
            "start('b', function() wait() note('on') end) drop() wait() start('b', wait) return 1"
        )
        #expect(waiting.state.liveThreads == 1)
        #expect(try waiting.resume(outer) == "1")
        #expect(waiting.notes == [])
    }

    @Test("a coroutine that releases its own handle while running continues to run")
    func ownHandle() throws {
        let waiting = try Waiting()
        try waiting.script.define("drop") { [unowned waiting] frame in
            waiting.threads = [:]
            _ = frame.state.liveThreads
        }
        waiting.threads["a"] = try waiting.thread("wait() drop() return probe()")
        #expect(try waiting.script.text("return go('a')") == "\"true\"")
        #expect(waiting.state.liveThreads == 0)
    }

    @Test("a state that closes while coroutines are waiting leaks nothing")
    func close() throws {
        let tracker = LifetimeTracker()
        var threads: [LuaThread] = []
        do {
            let waiting = try Waiting()
            let type = try waiting.state.defineType(name: "Screen")
            try waiting.script.define("make") { frame in
                let token = tracker.track()
                frame.returnObject(type, frame.integer(at: 0) ?? 0)
                try frame.returnFunction(frame.state.makeFunction(name: "made") { _ in _ = token })
            }
            for number in 0..<20 {
                threads.append(
                    try waiting.thread(
                        "local o, f = make(\(number)) pcall(function() wait(o, f) end)"
                    )
                )
            }
            try waiting.state.cancel(#require(threads.first))
            #expect(tracker.liveCount == 20)
        }
        #expect(tracker.liveCount == 0)
        threads = []
    }

    @Test("10,000 coroutines leak nothing, however they end")
    func noLeak() throws {
        let tracker = LifetimeTracker()
        let waiting = try Waiting()
        try waiting.script.define("fail") { _ in
            let token = tracker.track()
            throw ErrorTests.Failure(token: token)
        }
        let function = try waiting.script.function(
            "return function(n) wait() if n % 4 == 0 then fail() end if n % 4 == 1 then wait() end end"
        )
        func round(_ count: Int) throws {
            for number in 0..<count {
                let progress = try waiting.state.begin(function) { $0.write(Int64(number)) }
                guard case .waits(let thread) = progress else { throw Waiting.NoWait() }
                if number % 4 == 3 { waiting.state.cancel(thread) }
                _ = try? waiting.state.resume(thread)
            }
            waiting.state.collectGarbage()
        }
        try round(100)
        let used = waiting.state.memoryUsed
        let handles = waiting.state.liveHandles
        try round(10_000)
        #expect(waiting.state.liveThreads == 0)
        #expect(waiting.state.memoryUsed <= used + 1024)
        #expect(waiting.state.liveHandles == handles)
        #expect(tracker.liveCount == 0)
    }

    @Test("many coroutines wait at the same time, and each resumes at its own position")
    func many() throws {
        let waiting = try Waiting()
        let function = try waiting.script.function(
            "return function(n) local sum = n + wait() return pcall(function() return sum + wait() end) end"
        )
        var threads: [LuaThread] = []
        for number in 0..<300 {
            let progress = try waiting.state.begin(function) { $0.write(Int64(number)) }
            if case .waits(let thread) = progress { threads.append(thread) }
        }
        #expect(waiting.state.liveThreads == 300)
        for thread in threads.reversed() { #expect(try waiting.resume(thread, 1000) == "waits") }
        waiting.state.collectGarbage()
        for (number, thread) in threads.enumerated() {
            #expect(try waiting.resume(thread, 1, results: 2) == "true \(number + 1001)")
        }
        #expect(waiting.state.liveThreads == 0)
    }

    @Test("a release handler may start, resume or cancel coroutines")
    func releaseEnters() throws {
        let waiting = try Waiting()
        let function = try waiting.script.function("return function() end")
        let thread = try waiting.thread("return wait()")
        let other = try waiting.thread("return wait()")
        var messages: [String] = []
        let type = try waiting.state.defineType(
            name: "Screen",
            released: { [unowned state = waiting.state] _ in
                for body in [{ _ = try state.begin(function) }, { _ = try state.resume(thread) }] {
                    do { try body() } catch { messages.append("\(error)") }
                }
                state.cancel(other)
            }
        )
        try waiting.script.define("object") { $0.returnObject(type, 1) }
        _ = try waiting.script.run("object()")
        waiting.state.collectGarbage()
        let message = "the script cannot be called while an object is being released"
        #expect(messages == [message, message])
        #expect(try waiting.resume(thread, 4) == "4")
        #expect(!waiting.state.isWaiting(other))
    }

    @Test("nothing leaks if any allocation fails during the life of a coroutine")
    func refusedMemory() throws {
        let tracker = LifetimeTracker()
        var failures = 0
        var request = 0
        while true {
            let (texts, requests) = try Self.life(tracker, refused: request)
            #expect(tracker.liveCount == 0)
            if texts.contains("memory") {
                failures += 1
            } else {
                #expect(texts == ["4950 {\"y\"}", "cancelled", "wxyz", "x"])
            }
            guard request <= requests || request == 0 else { break }
            request += 1
        }
        #expect(failures > 100)
    }

    /// Begins, resumes and cancels coroutines while one memory allocation fails, and returns the
    /// outcome of each coroutine.
    private static func life(
        _ tracker: LifetimeTracker,
        refused: Int
    ) throws -> ([String], Int) {
        let waiting = try Waiting()
        let state = waiting.state
        let token = tracker.track()
        try waiting.script.define("hold") { frame in
            _ = token
            frame.returnString((frame.string(at: 0) ?? "") + "!")
        }
        let source = """
            return function(...)
              local t, sum = {...}, 0
              local ok, e = pcall(function()
                for i = 1, #t do local s = hold('n' .. i) sum = sum + t[i] end
                return {wait(('x'):rep(300))}
              end)
              if not ok then error(e, 0) end
              local inner = start('b', function(...) wait() local l = {} for i = 1, 9 do l[i] = {i} end end)
              local list = {wait(inner)}
              go('b')
              local function deep(n) if n == 0 then return wait() end local x = deep(n - 1) return x end
              deep(30)
              return sum, {e[1].name .. 'y'}
            end
            """
        let main = try waiting.script.function(source)
        let failing = try waiting.script.function(
            "return function() wait() error('w' .. ('x'):rep(1) .. 'yz', 0) end"
        )
        let objecting = try waiting.script.function(
            "return function() wait() error(setmetatable({}, {__tostring = function() return 'x' end})) end"
        )
        var texts: [String] = []
        func follow(_ function: LuaFunction, cancelling: Bool = false) {
            do {
                var progress = try state.begin(function, results: 2) { writer in
                    for value in 0..<100 { writer.write(Int64(value)) }
                }
                while case .waits(let thread) = progress {
                    if cancelling {
                        state.cancel(thread)
                        texts.append("cancelled")
                        return
                    }
                    progress = try state.resume(thread, results: 2) { writer in
                        writer.beginTable(list: 0, entries: 1)
                        writer.write("name")
                        writer.write("")
                        for value in 0..<60 { writer.write(Int64(value)) }
                    }
                }
                texts.append(Waiting.text(progress))
            } catch {
                texts.append(error.kind == .memory ? "memory" : error.message)
            }
        }
        state.refuse(.only(refused))
        follow(main)
        follow(main, cancelling: true)
        follow(failing)
        follow(objecting)
        let requests = state.requests
        state.refuse(.none)
        waiting.threads = [:]
        #expect(state.liveThreads == 0)
        #expect(try waiting.script.text("return hold('x')") == "\"x!\"")
        #expect(Waiting.text(try waiting.begin("return hold('x')")) == "\"x!\"")
        return (texts, requests)
    }
}

/// A box for a handle that another thread releases.
private final class Handed: Sendable {
    private let thread: Lock<LuaThread?>

    init(_ thread: LuaThread) {
        self.thread = Lock(thread)
    }

    func letGo() { thread.withLock { $0 = nil } }
}
