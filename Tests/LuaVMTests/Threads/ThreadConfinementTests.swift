// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import LuaVM
import SystemGaps
import TestSupport
import Testing

@Suite struct ThreadConfinementTests {
    @Test("entering Lua from another thread traps with a message that explains the fix")
    func sentence() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let state = try LuaState()
            _ = state.liveHandles
            nonisolated(unsafe) let shared = state
            try onThread { _ = shared.liveHandles }
        }
        let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            error.contains(
                """
                scripts are confined to the thread of their first use, but were called from \
                another thread: use them on the main actor or on an actor that runs on a \
                ScriptExecutor, and call detachFromThread() before you hand the scripts over
                """
            )
        )
    }

    @Test("only the thread that owns a state can hand it over")
    func stolen() async {
        await #expect(processExitsWith: .failure) {
            let state = try LuaState()
            _ = state.liveHandles
            nonisolated(unsafe) let shared = state
            try onThread { shared.detachFromThread() }
        }
    }

    @Test("a callback cannot hand over its Lua state to another thread")
    func callback() async {
        await #expect(processExitsWith: .failure) {
            let script = try Script()
            try script.define("hand") { $0.state.detachFromThread() }
            _ = try script.run("hand()")
        }
    }

    @Test(
        "a state that was handed over belongs to the next thread that uses the state, and can be handed back"
    )
    func handOver() throws {
        let script = try Script()
        _ = try script.run("x = 1")
        script.state.detachFromThread()
        nonisolated(unsafe) let shared = script
        let text = try onThread {
            let text = try shared.text("x = x + 1  return x")
            shared.state.detachFromThread()
            return text
        }
        #expect(text == "2")
        #expect(try script.text("return x") == "2")
    }

    @Test("the last reference to a state may be released on any thread")
    func close() throws {
        let tracker = LifetimeTracker()
        let holder = Holder()
        try {
            let script = try Script()
            let token = tracker.track()
            try script.define("f") { _ in _ = token }
            holder.script = script
        }()
        #expect(tracker.liveCount == 1)
        try onThread { holder.script = nil }
        #expect(tracker.liveCount == 0)
    }

    /// A box for a script that one thread after another uses.
    private final class Holder: @unchecked Sendable {
        var script: Script?
    }

    /// Handles that several threads release.
    ///
    /// The lock is one that the thread sanitizer knows. It does not know `Mutex` on systems where
    /// `Mutex` is a futex.
    private final class Pile: @unchecked Sendable {
        private let lock = NSLock()
        private var handles: [any Sendable] = []
        private var isOver = false

        func add(_ handle: any Sendable) { lock.withLock { handles.append(handle) } }

        func end() { lock.withLock { isOver = true } }

        /// Releases the handles until no more are added.
        func letGo() {
            while true {
                let (handle, isLast) = lock.withLock { (handles.popLast(), isOver) }
                if handle == nil, isLast { return }
            }
        }
    }

    @Test("handles are released on four threads while the state runs, and none leaks")
    func letGo() throws {
        let waiting = try Waiting()
        let make = try waiting.script.function(
            "return function(i) return function() return i end end"
        )
        let wait = try waiting.script.function("return function() wait() end")
        _ = try waiting.script.run("return 1")
        let functions = waiting.state.liveHandles
        let pile = Pile()
        let group = DispatchGroup()
        for _ in 0..<4 {
            group.enter()
            Thread.detachNewThread {
                pile.letGo()
                group.leave()
            }
        }
        for index in 0..<5_000 {
            var reader = try waiting.state.call(make, results: 1) { $0.write(Int64(index)) }
            guard case .function(let function)? = reader.next() else {
                Issue.record("expected a function")
                break
            }
            pile.add(function)
            guard case .waits(let thread) = try waiting.state.begin(wait) else {
                Issue.record("expected a coroutine that waits")
                break
            }
            pile.add(thread)
        }
        pile.end()
        group.wait()
        // The last result is retained until the next one.
        _ = try waiting.script.run("return 1")
        #expect(waiting.state.liveHandles == functions)
        #expect(waiting.state.liveThreads == 0)
        waiting.state.collectGarbage()
        #expect(try waiting.script.text("return 1 + 1") == "2")
    }

    @Test("other threads can cancel running scripts any number of times")
    func cancel() throws {
        let script = try Script()
        let loop = try script.function("return function() while true do end end")
        let stopper = Stopper(script.state.canceller)
        stopper.start(threads: 3)
        var kinds: Set<String> = []
        for _ in 0..<50 {
            do throws(ScriptError) {
                try script.state.call(loop)
            } catch {
                kinds.insert("\(error.kind)")
            }
        }
        stopper.stop()
        #expect(kinds == ["cancelled"])
    }

    private final class Stopper: Sendable {
        private let canceller: LuaCanceller
        private let isOver = Atomic()
        private let group = DispatchGroup()

        init(_ canceller: LuaCanceller) { self.canceller = canceller }

        func start(threads: Int) {
            for _ in 0..<threads {
                group.enter()
                Thread.detachNewThread { [self] in
                    while !isOver.isSet { canceller.cancel() }
                    group.leave()
                }
            }
        }

        func stop() {
            isOver.set()
            group.wait()
        }
    }
}
