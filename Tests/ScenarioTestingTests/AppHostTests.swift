// SPDX-License-Identifier: MIT

import LuaRouting
import ScenarioTesting
import Testing

/// Tests of scenarios with an app's own host.
@MainActor
final class AppHostTests {
    private var folders: [ScenarioFolder] = []

    private func scenario(_ steps: String...) throws -> Scenario {
        let lines = steps.map { "  \($0)\n" }.joined()
        let text = "use app.lua\nscenario \"A\"\n  start\n\(lines)"
        let folder = try ScenarioFolder(["a.scenario": text])
        folders.append(folder)
        return try #require(Scenarios(in: folder.url).first)
    }

    @Test("a step waits until the app's host has answered")
    func later() async throws {
        let scenario = try scenario(
            "navigate Page/open(id=1)",
            "expect done",
            "expect ops push",
            "call later",
            "advance 3s",
            "expect tree nav[Home, Page(id=1), Page(id=1), Page(id=2)]"
        )
        let host = AppHost()
        try await scenario.run(limit: .seconds(600)) { _ in host }
        #expect(host.maximum == 1, "a change came before the one before was answered")
        #expect(host.trees.last == "nav[Home, Page(id=1), Page(id=1), Page(id=2)]")
    }

    @Test("if the host refuses a change, the navigation fails and the host shows the previous tree")
    func refusing() async throws {
        let scenario = try scenario(
            "navigate Page/open(id=1)",
            #"expect error host "no room""#,
            "expect tree nav[Home]"
        )
        let host = AppHost()
        host.refused = "push"
        try await scenario.run(limit: .seconds(600)) { _ in host }
        #expect(host.trees == ["nav[Home]", "nav[Home, Page(id=1)]", "nav[Home]"])
    }

    @Test(
        "if the host never answers a change, the waiting step fails, and the error names the change"
    )
    func silent() async throws {
        let scenario = try scenario("navigate Page/open(id=1)", "expect done")
        let host = AppHost()
        host.ignored = "push"
        let issues = try await issues {
            try await scenario.run(limit: .milliseconds(20)) { _ in host }
        }
        #expect(issues.map(\.file) == [folders[0].path("a.scenario")])
        #expect(issues.map(\.line) == [4])
        let text = try #require(issues.first?.text)
        #expect(
            text.contains("the app's host did not complete change 2 (push) within 0.02 s"),
            "\(text)"
        )
        #expect(text.contains("the host must call 'done' once for each change"), "\(text)")
    }

    @Test("the host performs the tasks that the scenario neither stubs nor completes")
    func tasks() async throws {
        let done = try scenario(
            "doTask App/work(id=1)",
            "expect done",
            #"expect result "by the app""#,
            "expect called App/work(id=1)"
        )
        let host = AppHost()
        try await done.run(limit: .seconds(600)) { _ in host }
        #expect(host.tasks == ["App/work"])

        let stubbed = try scenario(
            #"stub App/work ("by the scenario")"#,
            "doTask App/work",
            #"expect result "by the scenario""#
        )
        let other = AppHost()
        try await stubbed.run(limit: .seconds(600)) { _ in other }
        #expect(other.tasks.isEmpty)

        let endless = try scenario("doTask App/work", "expect done")
        let silent = AppHost()
        silent.endsTasks = false
        let issues = try await issues {
            try await endless.run(limit: .milliseconds(20)) { _ in silent }
        }
        #expect(issues.map(\.line) == [4])
        let text = try #require(issues.first?.text)
        #expect(
            text.contains("the app's host did not end the task 'App/work' within 0.02 s"),
            "\(text)"
        )
        #expect(text.contains("'stub App/work' or 'complete App/work'"), "\(text)")
    }

    @Test(
        "the host receives a tree that a step sets, or that a user action changes, as a resynchronization"
    )
    func person() async throws {
        let scenario = try scenario(
            "given nav[Home, Page(id=1), Page(id=2)]",
            "user back",
            "expect tree nav[Home, Page(id=1)]",
            "navigate Page/open(id=3)",
            "restart",
            "start"
        )
        var hosts: [AppHost] = []
        try await scenario.run(limit: .seconds(600)) { _ in
            hosts.append(AppHost())
            return hosts[hosts.count - 1]
        }
        try #require(hosts.count == 2)
        #expect(
            hosts[0].trees == [
                "nav[Home]", "nav[Home, Page(id=1), Page(id=2)]", "nav[Home, Page(id=1)]",
                "nav[Home, Page(id=1), Page(id=3)]",
            ]
        )
        #expect(hosts[0].changes.map(\.isResynchronization) == [false, true, true, false])
        #expect(hosts[1].trees == ["nav[Home]"])
    }

    @Test(
        "a held change reaches the host at 'host applies'; a refused change never reaches the host"
    )
    func held() async throws {
        let scenario = try scenario(
            "host holds",
            "navigate Page/open(id=1) as page",
            "expect page pending host",
            "host applies",
            "expect page done",
            "host refuses pop",
            "back as leave",
            "expect leave error host"
        )
        let host = AppHost()
        try await scenario.run(limit: .seconds(600)) { _ in host }
        #expect(host.trees == ["nav[Home]", "nav[Home, Page(id=1)]", "nav[Home, Page(id=1)]"])
        #expect(host.changes.map(\.isResynchronization) == [false, false, true])
    }

    @Test("the host can report a screen that the router did not present")
    func reporting() async throws {
        let scenario = try scenario(
            "given nav[Home, Page(id=1)]",
            "navigate Page/open(id=2)",
            "expect tree nav[Home, Page(id=1), Page(id=2)] ^ Alert:foreign"
        )
        let host = AppHost()
        try await scenario.run(limit: .seconds(600)) { router in
            host.onShow = { [unowned router] tree, change in
                guard change.operations.contains(where: { $0.name == "push" }) else { return }
                router.report(.presented(foreign: "Alert", over: tree.windows[0].root))
            }
            return host
        }
    }

    @Test("a cancelled test ends even if the host never answers")
    func cancelled() async throws {
        let scenario = try scenario("navigate Page/open(id=1)", "expect done")
        let host = AppHost()
        host.ignored = "push"
        let run = Task { try await scenario.run(limit: .seconds(600)) { _ in host } }
        await host.isIgnoring()
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }
}

/// The host of an app, which completes changes later, refuses them, or never completes them.
@MainActor
private final class AppHost {
    /// The name of an operation; the first change that contains it is refused.
    var refused: String?
    /// The name of an operation; a change that contains it is never completed.
    var ignored: String?
    var endsTasks = true
    var onShow: ((ScreenTree, Change) -> Void)?

    private(set) var trees: [String] = []
    private(set) var changes: [Change] = []
    private(set) var tasks: [String] = []
    /// The maximum number of changes that were not completed at the same time.
    private(set) var maximum = 0
    private var unanswered = 0
    private var waiter: CheckedContinuation<Void, Never>?

    struct NoRoom: Error, CustomStringConvertible {
        var description: String { "no room" }
    }

    /// Waits until a change is ignored.
    func isIgnoring() async { await withCheckedContinuation { waiter = $0 } }
}

extension AppHost: @MainActor RouterHost {
    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        trees.append(NotationPrinter(classes: ScreenClasses()).tree(tree, window: "main"))
        changes.append(change)
        unanswered += 1
        maximum = max(maximum, unanswered)
        let names = change.operations.map(\.name)
        if let ignored, names.contains(ignored) {
            waiter.take()?.resume()
            return
        }
        let isRefused = refused.map(names.contains) ?? false
        if isRefused { refused = nil }
        Task {
            unanswered -= 1
            onShow?(tree, change)
            done(isRefused ? .failure(NoRoom()) : .success(()))
        }
    }

    func doTask(_ task: HostTask) {
        tasks.append("\(task.service)/\(task.task)")
        guard endsTasks else { return }
        Task { task.end(true, "by the app") }
    }
}
