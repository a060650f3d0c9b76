// SPDX-License-Identifier: MIT

import LuaRouting
import RandomNumbers
import TestSupport
import Testing

@testable import ScenarioKit

/// Tests of scenarios that reproduce flight recordings.
struct FlightRecordingScenarioTests {
    private static let script = """
        router.class("Page", { fields = { "id", "token" }, private = "token" })
        router.start(function()
          return router.tabs { router.nav { router.screen "Home" }, router.nav { router.screen "Search" } }
        end)
        router.register("Page", "show", {
          info = { id = "integer", token = "string?" }, url = "app://pages/:id(int)",
          build = function(info)
            return router.screen("Page", { id = info.id, token = info.token })
          end,
        })
        router.register("Page", "same", { reuse = "class", build = router.screen "Page" })
        router.register("Page", "gated", { ready = "open", build = router.screen "Gated" })
        router.register("Login", "show", {
          via = "presentWithNav",
          build = function() return router.screen "Login" end,
          intercept = function()
            local _, task = router.doTask("Account", "load")
            task:await()
          end,
        })
        router.register("Profile", "show", function()
          return router.screen("Page", { id = router.state.user.id })
        end)
        router.expects({ tasks = { "Account/load" } })
        router.export("count", function() router.state.count = (router.state.count or 0) + 1 end)
        """

    /// An app with its own host.
    private final class Host: RouterHost {
        private var tasks: [HostTask] = []
        private(set) var changes = 0

        func show(
            _ tree: ScreenTree,
            _ change: Change,
            done: @escaping (Result<Void, any Error>) -> Void
        ) {
            changes += 1
            done(.success(()))
        }

        func doTask(_ task: HostTask) { tasks.append(task) }
        func cancelTask(_ task: HostTask) { tasks.removeAll { $0.id == task.id } }

        func endTask() {
            guard !tasks.isEmpty else { return }
            tasks.removeFirst().end(true, ["name": "ann"])
        }
    }

    private let folder: TemporaryFolder
    private let host = Host()
    private let router: Router

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("main.lua", Self.script)
        router = try Router(
            scripts: ScriptBundle(path: "\(folder.path)/main.lua"),
            host: host,
            configuration: Router.Configuration(now: 1_790_000_000.25)
        )
    }

    /// Returns the scenario of the recording, and the report of its run.
    private func reproduction(
        isFailing: Bool = false,
        script: String = script
    ) throws -> (text: String, report: ScenarioReport?) {
        let stream = Array(router.flightRecording().utf8)
        let events = try EventFile(SourceText(name: "recorded.jsonl", content: stream))
        try folder.write("main.lua", script)
        let text = try EventScenario(script: "\(folder.path)/main.lua", isFailing: isFailing)
            .file(for: events.recordings)
        let source = SourceText(name: "recorded.scenario", content: Array(text.utf8))
        let file = try ScenarioParser.parse(source).get()
        return (text, try ScenarioRunner(file, RunOptions()).run(0))
    }

    /// Performs a random operation of an app.
    private func act(_ numbers: inout RandomNumbers, _ number: Int) throws {
        switch Int.random(in: 0..<14, using: &numbers) {
        case 0, 1: router.navigate(Target("Page", "show"), info: ["id": .integer(Int64(number))])
        case 2, 3: router.navigate(Target("Page", "same"))
        case 4: router.open("app://pages/\(number)", origin: .external)
        case 5, 6: router.back()
        case 7: router.select(number % 2 + 1)
        case 8: router.navigate(Target("Page", "nothing"))
        case 9: try router.setState("last", to: .integer(Int64(number)))
        case 10: _ = try router.call("count")
        case 11:
            router.navigate(Target("Login", "show"))
            host.endTask()
            router.dismiss()
        case 12: router.advance(to: router.now + 1.5)
        default:
            router.navigate(Target("Page", "gated"))
            try router.ready("open")
            try router.unready("open")
        }
    }

    @Test("a session of any length is saved as a scenario that reproduces it", arguments: 1...8)
    func sessions(seed: UInt64) throws {
        var numbers = RandomNumbers(seed: seed)
        router.start()
        for number in 1...(seed.isMultiple(of: 2) ? 500 : 60) { try act(&numbers, number) }
        #expect(router.flightRecording().hasPrefix(Event.jsonHeader) != seed.isMultiple(of: 2))
        let (text, report) = try reproduction()
        #expect(report?.failures.first == nil, "\(report?.failures.first?.text ?? "")\n\(text)")
        #expect(!text.contains("not reproduced"))
        #expect(text.split(separator: "\n").count > 60)
    }

    @Test(
        "a session that fails is saved as a scenario that fails until the script is fixed",
        arguments: [10, 600]
    )
    func failing(length: Int) throws {
        var numbers = RandomNumbers(seed: 7)
        router.start()
        for number in 1...length { try act(&numbers, number) }
        let navigation = router.navigate(Target("Profile", "show"))
        guard case .failed(let error) = navigation.status else {
            Issue.record("\(navigation.status)")
            return
        }
        #expect(host.changes > 1)
        let same = try reproduction()
        #expect(same.report?.failures.first == nil)
        #expect(same.text.hasSuffix("navigate Profile/show\n  expect error script\n"))

        let failing = try reproduction(isFailing: true)
        let failures = try #require(failing.report?.failures)
        #expect(failures.count == 1)
        #expect(failures[0].text.contains(error.message), "\(failures[0].text)")

        let fixed = Self.script.replacing("router.state.user.id", with: "0")
        let report = try reproduction(isFailing: true, script: fixed).report
        #expect(report?.failures.first == nil, "\(report?.failures.first?.text ?? "")")
    }

    @Test("pending work that began before the recording becomes a comment")
    func pending() throws {
        router.start()
        let first = router.doTask(Target("Account", "load"))
        router.doTask(Target("Account", "load"))
        for number in 1...600 {
            router.navigate(Target("Page", "show"), info: ["id": .integer(Int64(number))])
            router.back()
        }
        router.cancel(first)
        host.endTask()
        router.navigate(Target("Page", "nothing"))
        let (text, report) = try reproduction()
        #expect(text.contains("# work that was pending at that time is not reproduced (count: 2)"))
        #expect(text.contains("# the app cancelled work that began before the first event"))
        #expect(text.contains("# the host ended a task that may have begun before the first event"))
        #expect(text.hasSuffix("expect error notFound\n"))
        #expect(report?.failures.first == nil, "\(report?.failures.first?.text ?? "")\n\(text)")
    }

    @Test("a tree that is too long for a step becomes a comment")
    func longTree() throws {
        router.start()
        for number in 1...600 {
            router.navigate(Target("Page", "show"), info: ["id": .integer(Int64(number))])
        }
        let text = try reproduction().text
        #expect(
            text.contains(
                "# not reproduced from here on: a tree that is too long for one line"
            )
        )
    }

    @Test("private values are omitted from the scenario, and a comment says so")
    func privateValues() throws {
        router.start()
        router.navigate(Target("Page", "show"), info: ["id": 1, "token": "hunter2"])
        for _ in 1...600 { router.navigate(Target("Page", "same")) }
        let (text, report) = try reproduction()
        #expect(!text.contains("hunter2"))
        #expect(text.contains(#"Page(id=1, token="•••")"#))
        #expect(text.contains("# a private value is not recorded"))
        #expect(report?.failures.first == nil)
    }
}
