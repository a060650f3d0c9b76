// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import SystemGaps
import TestSupport
import Testing

/// Tests of the thread that runs the jobs of an actor.
@Suite(.timeLimit(.minutes(10)), .failureReports)
struct ThreadExecutorTests {
    actor Counter {
        let executor: ScriptExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }
        private(set) var count = 0
        private(set) var threads: Set<String> = []
        private let token: LifetimeTracker.Token?

        init(_ executor: ScriptExecutor = ScriptExecutor(), _ token: LifetimeTracker.Token? = nil) {
            self.executor = executor
            self.token = token
        }

        func add() {
            count += 1
            threads.insert("\(Unmanaged.passUnretained(Thread.current).toOpaque())")
        }

        func deep(_ levels: Int) -> Int { Self.recurse(levels) }

        /// Recurses, using several KiB of stack per level.
        @inline(never)
        private static func recurse(_ levels: Int) -> Int {
            withUnsafeTemporaryAllocation(byteCount: 1_000, alignment: 8) { bytes in
                bytes[0] = UInt8(truncatingIfNeeded: levels)
                return levels == 0 ? 0 : recurse(levels - 1) + 1
            }
        }

        nonisolated func addAssumingIsolation() { assumeIsolated { $0.add() } }

        func callNonisolated() -> Int {
            addAssumingIsolation()
            return count
        }

        var hasOwnThread: Bool { executor.isCurrent }

        #if os(Linux)
        var threadName: String {
            ((try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "")
                .filter { $0 != "\n" }
        }
        #endif
    }

    @Test("all jobs of all tasks run on one thread")
    func jobs() async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    for _ in 0..<100 { await counter.add() }
                }
            }
        }
        #expect(await counter.count == 10_000)
        #expect(await counter.threads.count == 1)
        #expect(await counter.hasOwnThread)
        #expect(!counter.executor.isCurrent)
    }

    @Test("the executor's thread has the requested stack size and name")
    func stack() async {
        let counter = Counter(ScriptExecutor(name: "routes of the app"))
        // 8 MB at the least; debug builds need some more.
        #expect(await counter.deep(8_000) == 8_000)
        #if os(Linux)
        #expect(await counter.threadName == "routes of the a")
        #endif
    }

    @Test("code on the executor's thread can assume isolation")
    func assume() async {
        let counter = Counter()
        #expect(await counter.callNonisolated() == 1)
    }

    @Test("assuming isolation on another thread traps")
    func assumeWrongly() async {
        await #expect(processExitsWith: .failure) {
            Counter().addAssumingIsolation()
        }
    }

    @Test("an executor that is released by its last job ends its thread after that job")
    func release() async throws {
        let tracker = LifetimeTracker()
        for _ in 0..<200 {
            let counter = Counter(ScriptExecutor(), tracker.track())
            // The task may be the last to hold the actor.
            Task { await counter.add() }
            Task { await counter.add() }
        }
        await until { tracker.liveCount == 0 }
        #if os(Linux)
        let threads = {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.count
                ?? 0
        }
        await until { threads() < 100 }
        #endif
    }

    @Test(
        "reading a router on another thread traps with the same message as using it",
        arguments: 0..<28
    )
    func wrongThreadOfRead(_ number: Int) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [number] in
            let fixture = try RouterFixture("router.start(print)", starts: false)
            nonisolated(unsafe) let router = fixture.router
            let reads: [(Router) -> Void] = [
                { _ = $0.tree }, { _ = $0.state }, { _ = $0.metrics }, { _ = $0.flightRecording() },
                { _ = $0.crashRecording() }, { _ = $0.pending }, { _ = $0.queuedLinks },
                { _ = $0.nextDeadline }, { _ = $0.services }, { _ = $0.treeNotation() },
                { _ = $0.now }, { _ = $0.classes }, { _ = $0.pendingTasks },
                { _ = $0.pendingCalls }, { _ = $0.bundle }, { _ = $0.apiLevel },
                { _ = $0.checkpointBytes }, { _ = $0.isSuspended }, { _ = $0.openGates },
                { _ = $0.isShutDown }, { _ = $0.routings }, { _ = $0.hasFallback },
                { _ = $0.hasStart }, { _ = $0.host }, { _ = $0.onEvent },
                { _ = $0.events() }, { _ = $0.shown }, { $0.onEvent = nil },
            ]
            nonisolated(unsafe) let read = reads[number]
            try onThread { read(router) }
        }
        let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(error.contains("an actor that runs on a ScriptExecutor, and call"))
    }

    @Test("using a router on another thread traps with a message that explains the fix")
    func wrongThread() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let fixture = try RouterFixture("router.start(print)", starts: false)
            nonisolated(unsafe) let router = fixture.router
            try onThread { router.report() }
        }
        let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(error.contains("an actor that runs on a ScriptExecutor, and call"))
    }

    @Test("a router, its navigations and its tasks may be released on any thread")
    func letGo() throws {
        let holder = Holder()
        try fill(holder)
        #expect(!holder.things.isEmpty)
        try onThread { holder.things = [] }
    }

    /// Adds a router and its pending work to the holder, which then has the last references to
    /// them.
    private func fill(_ holder: Holder) throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Slow", "open", {
              build = function() return router.screen "Slow" end,
              intercept = function() router.sleep(2) end,
            })
            router.registerTask("Work", "later", function() return nil, router.later end)
            """
        )
        for _ in 0..<50 {
            holder.things.append(fixture.navigate("Slow", "open"))
            holder.things.append(fixture.doTask("Work", "later"))
        }
        fixture.router.advance(to: 1)
        holder.things.append(fixture)
    }

    private final class Holder: @unchecked Sendable {
        var things: [AnyObject] = []
    }
}
