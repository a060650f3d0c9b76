// SPDX-License-Identifier: MIT

import LuaRouting
import SystemGaps
import TestSupport
import Testing

/// Tests of reloads with a canary, which runs on another thread than the router.
@Suite(.failureReports)
@MainActor
final class CanaryReloadTests {
    private static let first = script("first")
    private static let second = script("second")

    private static func script(_ by: String) -> String {
        """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.class("Show", { fields = { "by" } })
        router.register("Show", "open", function() return router.screen("Show", { by = "\(by)" }) end)
        """
    }

    private let gate = CanaryGate()

    private func fixture(_ script: String = first) throws -> RouterFixture {
        var configuration = Router.Configuration.patient
        configuration.canary = { [gate] in try await gate.check($0) }
        return try RouterFixture(script, configuration: configuration)
    }

    private func bundle(_ script: String) -> ScriptBundle {
        ScriptBundle(files: ["main.lua": script])
    }

    /// Begins a reload that no Swift task awaits.
    private func begin(
        _ router: Router,
        _ script: String = second,
        completion: ((Reload) -> Void)? = nil
    ) -> Reload {
        router.reload(bundle(script), completion: completion)
    }

    /// Begins a reload that a Swift task awaits.
    private func awaited(_ router: Router, _ script: String = second) -> Task<
        Reload.Acceptance?, any Error
    > {
        let bundle = bundle(script)
        return Task { try await router.reload(bundle) }
    }

    @Test(
        "navigations continue while the canary runs, and then the reload is committed on the router's actor"
    )
    func accepted() async throws {
        let fixture = try fixture()
        let router = fixture.router
        let task = awaited(router)
        await gate.entered(1)
        fixture.navigate("Show", "open")
        #expect(fixture.tree == #"nav[Main, Show(by="first")]"#)
        gate.pass(1)
        #expect(try await task.value?.changed == ["Show/open"])
        fixture.navigate("Show", "open")
        #expect(fixture.tree == #"nav[Main, Show(by="first"), Show(by="second")]"#)
        #expect(fixture.events.count { $0.kind == .reload } == 1)
    }

    @Test("an error of the canary rejects the scripts with all its findings")
    func rejected() async throws {
        let fixture = try fixture()
        let router = fixture.router
        struct Down: Error {}
        let errors: [(any Error, String)] = [
            (
                RouteError(.script, "a bird died", at: .init(file: "a.scenario", line: 3)),
                "a bird died"
            ),
            (Down(), "the canary failed: Down()"),
        ]
        for (number, (error, text)) in errors.enumerated() {
            let reload = begin(router, Self.second + "\n-- \(number)")
            await gate.entered(number + 1)
            gate.fail(number + 1, error)
            await gate.left(number + 1)
            #expect(reload.status.name == "pending")
            router.finishTrial()
            #expect(reload.rejection?.reason == .canary)
            #expect(reload.rejection?.findings.first?.message == text)
        }
        #expect(fixture.events.last?["reason"].text == "canary")
        fixture.navigate("Show", "open")
        #expect(fixture.tree == #"nav[Main, Show(by="first")]"#)
        router.collectGarbage()
        #expect(router.generationCount == 1)
    }

    @Test("a newer reload supersedes a reload whose canary is running, and cancels the canary")
    func superseded() async throws {
        let fixture = try fixture()
        let router = fixture.router
        let older = begin(router)
        await gate.entered(1)
        let newer = awaited(router, Self.second + "\n-- newer")
        await gate.entered(2)
        #expect(older.status.name == "superseded")
        await gate.left(1)
        #expect(gate.isCancelled(1))
        gate.pass(2)
        #expect(try await newer.value?.generation == 2)
    }

    /// A way to end a reload while its canary runs.
    enum Ending: CaseIterable {
        case cancel, shutDown, release, taskCancelled, unchanged
    }

    @Test("a reload whose canary is running can be cancelled", arguments: Ending.allCases)
    func ended(_ ending: Ending) async throws {
        var fixture: RouterFixture? = try fixture()
        var ended: [String] = []
        if ending == .taskCancelled {
            let task = awaited(try #require(fixture?.router))
            await gate.entered(1)
            task.cancel()
            let error = await #expect(throws: RouteError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        } else {
            var reload = fixture.map { begin($0.router) { ended.append($0.status.name) } }
            await gate.entered(1)
            switch ending {
            case .cancel: #expect(fixture?.router.cancel(try #require(reload)) == true)
            case .shutDown: fixture?.router.shutDown()
            case .release: (fixture, reload) = (nil, nil)
            case .unchanged:
                let newer = fixture.map { begin($0.router, Self.first) }
                #expect(newer?.status.name == "unchanged")
            case .taskCancelled: break
            }
            #expect(ended == [ending == .unchanged ? "superseded" : "cancelled"])
        }
        await gate.left(1)
        #expect(gate.isCancelled(1))
        fixture?.router.finishTrial()
        #expect(fixture?.router.bundle.isSame(as: bundle(Self.first)) ?? true)
    }

    @Test("without a driver, the next call to the router completes the reload")
    func withoutDriver() async throws {
        let fixture = try fixture()
        let reload = begin(fixture.router)
        await gate.entered(1)
        gate.pass(1)
        await gate.left(1)
        #expect(reload.status.name == "pending")
        fixture.router.catchUp(to: fixture.router.now)
        #expect(reload.isAccepted)
    }

    @Test("with a driver, the reload completes without another call", arguments: [true, false])
    func driver(isThereBefore: Bool) async throws {
        let fixture = try fixture()
        var driver: RouterDriver?
        if isThereBefore { driver = RouterDriver(fixture.router) }
        let (names, continuation) = AsyncStream.makeStream(of: String.self)
        let reload = begin(fixture.router) { continuation.yield($0.status.name) }
        await gate.entered(1)
        if !isThereBefore { driver = RouterDriver(fixture.router) }
        gate.pass(1)
        for await name in names {
            #expect(name == "accepted")
            break
        }
        #expect(reload.isAccepted)
        driver?.stop()
    }

    @Test("side effects of loading scripts happen once, when the scripts become active")
    func loading() async throws {
        let fixture = try fixture()
        let router = fixture.router
        let script = """
            router.state.loads = (router.state.loads or 0) + 1
            """
        let task = awaited(router, Self.second + "\n" + script)
        await gate.entered(1)
        #expect(router.state["loads"] == .nil)
        try router.setState("loads", to: 10)
        gate.pass(1)
        #expect(try await task.value != nil)
        #expect(router.state["loads"] == 11)
    }

    @Test("the canary does not run for scripts that do not load")
    func broken() throws {
        let fixture = try fixture()
        #expect(fixture.router.reload(bundle("return {")).rejection?.reason == .syntax)
        #expect(gate.count == 0)
    }
}

/// A canary that passes or fails when a test says so.
final class CanaryGate: Sendable {
    private struct Visit {
        var isCancelled = false
        var hasLeft = false
        var continuation: CheckedContinuation<Void, any Error>?
        var result: Result<Void, any Error>?
    }

    private struct State {
        var visits: [Visit] = []
        var waiting: [(isOver: @Sendable ([Visit]) -> Bool, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    /// The number of runs of the canary that have begun.
    var count: Int { state.withLock { $0.visits.count } }

    func check(_ bundle: ScriptBundle) async throws {
        let index = change { state in
            state.visits.append(Visit())
            return state.visits.count - 1
        }
        defer { change { $0.visits[index].hasLeft = true } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                change { state in
                    if let result = state.visits[index].result {
                        continuation.resume(with: result)
                    } else {
                        state.visits[index].continuation = continuation
                    }
                }
            }
        } onCancel: {
            change { $0.visits[index].isCancelled = true }
            end(index, .failure(CancellationError()))
        }
    }

    /// Waits until the given number of runs of the canary have begun.
    func entered(_ count: Int) async { await wait { $0.count >= count } }

    /// Waits until the run of the canary with the given number, counted from 1, has ended.
    func left(_ number: Int) async { await wait { $0[number - 1].hasLeft } }

    func pass(_ number: Int) { end(number - 1, .success(())) }

    func fail(_ number: Int, _ error: any Error) { end(number - 1, .failure(error)) }

    func isCancelled(_ number: Int) -> Bool { state.withLock { $0.visits[number - 1].isCancelled } }

    private func end(_ index: Int, _ result: Result<Void, any Error>) {
        change { state in
            guard state.visits[index].result == nil else { return }
            state.visits[index].result = result
            state.visits[index].continuation.take()?.resume(with: result)
        }
    }

    private func wait(_ isOver: @escaping @Sendable ([Visit]) -> Bool) async {
        await withCheckedContinuation { continuation in
            change { $0.waiting.append((isOver, continuation)) }
        }
    }

    @discardableResult
    private func change<Success>(_ body: (inout State) -> Success) -> Success {
        state.withLock { state in
            let result = body(&state)
            state.waiting.removeAll { isOver, continuation in
                guard isOver(state.visits) else { return false }
                continuation.resume()
                return true
            }
            return result
        }
    }
}
