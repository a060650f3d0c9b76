// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import TestSupport
import Testing

@testable import ScenarioKit

/// Tests of scenarios that reproduce recorded events.
@Suite(.serialized)
struct EventScenarioTests {
    /// Returns the scenario that reproduces an event stream, and the report of its run.
    private func reproduction(
        of stream: String,
        script: String? = nil
    ) throws -> (text: String, report: ScenarioReport?) {
        let events = try EventFile(SourceText(name: "recorded.jsonl", content: Array(stream.utf8)))
        let text = try EventScenario(script: script).file(for: events.recordings)
        let source = SourceText(name: "recorded.scenario", content: Array(text.utf8))
        let file = try ScenarioParser.parse(source).get()
        return (text, try ScenarioRunner(file, RunOptions()).run(0))
    }

    /// The scenarios that end with work that no event reports, such as a deep link that a script
    /// has queued.
    private static let silent: Set = ["Tests/Scenarios/fail/links.scenario:26"]

    /// The start of the comment with the reason why no step can reproduce a call.
    private static let loss = "# not reproduced from here on: "

    @Test(
        "each scenario of the project can be recreated from its events, and passes",
        .tags(.sweep),
        .unlessQuick,
        arguments: ["scripts", "Tests/Scenarios/pass", "Tests/Scenarios/fail"]
    )
    func corpus(_ folder: String) throws {
        #expect(FileManager.default.changeCurrentDirectoryPath(packageFolder.path()))
        var options = RunOptions()
        options.keepsEvents = true
        var losses: [String: Int] = [:]
        var count = 0
        for file in RunPlan([folder], filter: ScenarioFilter(), options: options).files {
            guard let parsed = file.parsed, let runner = try? ScenarioRunner(parsed, options) else {
                continue
            }
            for index in file.selection {
                guard let stream = try runner.run(index)?.eventStream, !stream.isEmpty else {
                    continue
                }
                let name = "\(file.path):\(parsed.scenarios[index].address)"
                if Self.silent.contains(name) { continue }
                count += 1
                do {
                    let (text, report) = try reproduction(of: stream)
                    for line in text.split(separator: "\n") {
                        guard let range = line.range(of: Self.loss) else { continue }
                        losses[String(line[range.upperBound...]), default: 0] += 1
                    }
                    let failure = report?.failures.first
                    #expect(failure == nil, "\(name)\n\(failure?.text ?? "")\n\(text)")
                } catch let error as Diagnostics {
                    Issue.record("\(name)\n\(error.list.map(\.text))")
                } catch {
                    Issue.record("\(name)\n\(error)")
                }
            }
        }
        #expect(count > 0)
        let table = losses.sorted { $0.key < $1.key }.map { "\($0.value)\t\($0.key)\n" }.joined()
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        let golden = packageFolder.appending(path: "Tests/Listings/events.\(name).tsv")
        try expectGolden("\(count)\trecordings\n" + table, golden)
    }

    private static let script = """
        router.class("Page", { fields = { "id", "secret" }, private = { "secret" } })
        router.start(function()
          return router.tabs { router.nav { router.screen "Home" }, router.nav { router.screen "Search" } }
        end)
        router.register("Page", "show", {
          info = { id = "integer", secret = "string?" }, ready = "session",
          url = "app://pages/:id(int)",
          build = function(info)
            router.delay(5, function() router.log.info("late") end)
            return router.screen("Page", { id = info.id, secret = info.secret })
          end,
        })
        router.register("Login", "show", {
          via = "presentWithNav",
          build = function() return router.screen "Login" end,
          intercept = function()
            local _, task = router.doTask("Account", "load")
            task:await()
          end,
        })
        router.expects({ tasks = { "Account/load" } })
        router.export("greet", function(info) return "hello, " .. info.name end)
        """

    @Test("the calls by an app can be converted to a passing scenario")
    func app() throws {
        let folder = try TemporaryFolder()
        try folder.write("main.lua", Self.script)
        let host = HeadlessHost()
        var stream = Event.jsonHeader + "\n"
        var configuration = Router.Configuration(now: 1_790_000_000.25)
        configuration.applyTimeout = nil
        let router = try Router(
            scripts: ScriptBundle(path: "\(folder.path)/main.lua"),
            host: host,
            configuration: configuration,
            onEvent: { stream += $0.json + "\n" }
        )
        router.start()
        let page = router.navigate(Target("Page", "show"), info: ["id": 7, "secret": "x"])
        try router.ready("session")
        #expect(page.status.name == "done")
        router.advance(to: router.now + 2.5)
        router.open("app://pages/8", origin: .external)
        router.navigate(Target("Page", "nothing"))
        try router.setState("user", to: ["name": "ann"])
        router.back { _ in router.select(2) }
        router.advance(to: router.now + 10)
        let tabs = router.tree.windows[0].root
        router.report(.selected(router.tree[tabs].children[0]))
        let nav = router.tree[tabs].children[0]
        router.report(.children([router.tree[nav].children[0]], of: nav))
        router.navigate(Target("Login", "show"))
        host.takeTask { _ in true }?.end(true, ["name": "ann"])
        try router.call("greet", ["name": "ann"])
        host.holds = true
        let held = router.close(router.tree.visibleLeaf(of: router.tree.windows[0]))
        router.navigate(Target("Page", "show"), info: ["id": 9])
        host.holds = false
        _ = host.applyHeld()
        #expect(held.status.name == "done")
        #expect(router.treeNotation() == "tabs[*nav[Home, Page(id=9)], nav[Search]]")
        // The last window stays open, and a link may be opened in another one.
        #expect(router.closeWindow("main").status.name == "failed")
        try router.openWindow("second", router.nav([router.screen("Home")]))
        let link = NavigationOptions(window: "second")
        #expect(router.open("app://pages/3", options: link).status.name == "done")
        #expect(router.treeNotation(window: "second") == "nav[Home, Page(id=3)]")
        let sheet = NavigationOptions(via: .present(Screen.Presentation(style: "sheet")))
        #expect(
            router.navigate(Target("Page", "show"), info: ["id": 4], options: sheet).status.name
                == "done"
        )
        let (text, report) = try reproduction(of: stream, script: "\(folder.path)/main.lua")
        #expect(report?.failures.first == nil, "\(report?.failures.first?.text ?? "")")
        let shown = text.replacing(folder.path, with: "FOLDER")
        try expectGolden(
            shown,
            packageFolder.appending(path: "Tests/Listings/events.app.scenario.txt")
        )
    }

    /// Returns the recording of calls of an app with tabs.
    private func recording(of calls: (Router) throws -> Void) throws -> String {
        let folder = try TemporaryFolder()
        try folder.write(
            "main.lua",
            """
            router.class("Page", { fields = { "id", "token" }, private = { "token" } })
            router.start(function()
              return router.tabs { router.nav { router.screen "Home" }, router.screen "Search" }
            end)
            router.register("Page", "show", { info = { id = "integer" }, build = router.screen "Page" })
            """
        )
        let script = "\(folder.path)/main.lua"
        var stream = Event.jsonHeader + "\n"
        let router = try Router(
            scripts: ScriptBundle(path: script),
            host: HeadlessHost(),
            configuration: Router.Configuration(),
            onEvent: { stream += $0.json + "\n" }
        )
        router.start()
        try calls(router)
        let (text, report) = try reproduction(of: stream, script: script)
        #expect(report?.failures.first == nil, "\(report?.failures.first?.text ?? "")")
        return text
    }

    @Test("the options of an action are recreated from a recording")
    func actionOptions() throws {
        let text = try recording { router in
            func show(_ id: Int64, via action: Action) -> ScreenID? {
                let options = NavigationOptions(via: action)
                return router.navigate(
                    Target("Page", "show"),
                    info: ["id": .integer(id)],
                    options: options
                )
                .screen
            }
            let first = try #require(show(1, via: .addTab(at: 1)))
            _ = show(2, via: .addTab(at: 2, replacing: true))
            _ = show(3, via: .present(Screen.Presentation(style: "sheet"), start: .topmostParent))
            router.dismiss()
            let size = Screen.Presentation.Size(width: 320, height: 480)
            let sheet = Screen.Presentation(isContextual: true, size: size, isModal: true)
            router.select(1)
            _ = show(4, via: .present(sheet, start: .screen(first)))
            #expect(
                router.treeNotation() == "tabs[*Page(id=1) ^ Page(id=4), Page(id=2), Search]"
            )
        }
        let actions = text.split(separator: "\n").compactMap {
            $0.split(separator: " via ").dropFirst().first
        }
        #expect(
            actions == [
                "addTab(at=1)", "addTab(at=2, replacing=true)",
                #"present(style="sheet", start="topmostParent")"#,
                "present(start=Page(id=1), size={height=480.0, width=320.0}, modal=true, contextual=true)",
            ]
        )
        #expect(!text.contains("not reproduced"), "\(text)")
    }

    @Test("options that cannot be reproduced from a recording are named in a comment")
    func lostOptions() throws {
        let text = try recording { router in
            let sheet = Screen.Presentation(style: "sheet", options: ["token": "secret"])
            let options = NavigationOptions(via: .present(sheet))
            router.navigate(Target("Page", "show"), info: ["id": 1], options: options)
        }
        let loss =
            #"the options of 'present(style="sheet", options={token="•••"})' are not reproduced"#
        #expect(text.contains(loss), "\(text)")
        #expect(text.contains("navigate Page/show(id=1) via present\n"), "\(text)")
    }
}
