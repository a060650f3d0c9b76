// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import ScenarioKit

/// Tests of `run --report html=FILE`.
struct HTMLReportTests {
    private static let script = """
        router.class("Page", {fields={id="integer", token="string"}, private="token"})
        router.start(function()
          return router.tabs { router.nav { router.screen "Home" }, router.nav { router.screen "Search" } }
        end)
        router.register("Page", "show", {
          info = {id = "integer", token = "string?"},
          build = function() return router.screen("Page") end,
        })
        router.register("Login", "show", { build = router.screen "Login", via = "presentWithNav" })
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("main.lua", Self.script)
    }

    private func report(_ text: String, coverage: Bool = false) throws -> String {
        try folder.write("a.scenario", "use main.lua\n" + text)
        var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        command.options.writesPages = true
        command.options.measuresCoverage = coverage
        let report = command.run(.silent)
        return try ReportFile("html=-").text(of: report)
    }

    @Test(
        "the title, the icon and the first line of the page match the exit code",
        arguments: [
            ("scenario \"S\"\n  start", 0, "✔ 1 passed, 0 failed"),
            ("scenario \"S\"\n  start\n  expect depth 9", 0, "✘ 0 passed, 1 failed"),
            ("scenario \"S\"\n  start", 100, "✘ 1 passed, 0 failed, coverage missed"),
            ("scenario \"S\"\n  strat", 0, "✘ 0 passed, 0 failed, 1 file not run"),
            ("", 0, "✘ nothing selected"),
        ]
    )
    func verdict(_ text: String, _ coverage: Int, _ sentence: String) throws {
        try folder.write("a.scenario", "use main.lua\n\(text)\n")
        var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
        command.options.measuresCoverage = coverage > 0
        command.minimumCoverage = coverage > 0 ? coverage : nil
        let report = command.run(.silent)
        let page = try ReportFile("html=-").text(of: report)
        #expect((report.exitCode == .success) == sentence.hasPrefix("✔"))
        #expect(page.contains("<title>\(sentence) – luaroute</title>"))
        let tone = sentence.hasPrefix("✔") ? "good" : "bad"
        #expect(page.contains("<span class=\"\(tone)\">\(sentence)</span>"))
        #expect(
            page.contains("font-size='16' fill='%23\(tone == "good" ? "18712f" : "b3201a")'%3E")
        )
    }

    /// Returns the data in the page, by the identifiers of the elements that contain it.
    private func data(_ page: String) throws -> [String: Any] {
        var result: [String: Any] = [:]
        for part in page.components(separatedBy: "<script type=\"application/json\" id=\"")
            .dropFirst()
        {
            let name = try #require(part.split(separator: "\"").first)
            let start = try #require(part.range(of: ">"))
            let end = try #require(part.range(of: "</script>"))
            let json = Data(part[start.upperBound..<end.lowerBound].utf8)
            result[String(name)] = try JSONSerialization.jsonObject(
                with: json,
                options: .fragmentsAllowed
            )
        }
        return result
    }

    private func steps(_ page: String, _ number: Int = 0) throws -> [[String: Any]] {
        let scenario = try #require(try data(page)["data-\(number)"] as? [String: Any])
        return try #require(scenario["steps"] as? [[String: Any]])
    }

    @Test("a step shows the windows that it changed, with changed screens marked")
    func windows() throws {
        let page = try report(
            """
            scenario "S"
              start
              navigate Page/show(id=7, token="secret")
              expect top Page
              navigate Login/show
              dismiss
              expect depth 9

            """
        )
        let steps = try steps(page)
        #expect(steps.map { $0["line"] as? String } == ["3", "4", "5", "6", "7", "8"])
        #expect(steps.map { $0["windows"] != nil } == [true, true, false, true, true, false])
        #expect(steps.map { $0["failed"] as? Bool ?? false }.firstIndex(of: true) == 5)
        #expect((steps[4]["removed"] as? [String]) == ["nav", "Login"])
        let texts = steps.compactMap { ($0["windows"] as? [[String: Any]])?[0]["text"] as? String }
        #expect(
            texts == [
                "tabs[*nav[Home], nav[Search]]",
                "tabs[*nav[Home, Page(id=7, token=\"•••\")], nav[Search]]",
                "tabs[*nav[Home, Page(id=7, token=\"•••\")], nav[Search]] ^ nav[Login]",
                "tabs[*nav[Home, Page(id=7, token=\"•••\")], nav[Search]]",
            ]
        )
        let window = try #require((steps[3]["windows"] as? [[String: Any]])?.first)
        let screens = try #require(steps[3]["screens"] as? [[String: Any]])
        let levels = try #require(window["levels"] as? [Int])
        #expect(levels == [screens[0]["id"] as? Int] && window["kept"] as? Int == 1)
        #expect(screens.map { $0["class"] as? String } == ["nav", "Login", "tabs"])
        #expect(screens.map { $0["mark"] as? String } == ["+", "+", nil])
    }

    @Test("without scripts, the page lists the scenarios with their outcomes and failures")
    func plain() throws {
        let page = try report(
            "scenario \"<b>\"\n  start\nscenario \"Fails\"\n  start\n  expect depth 9\n"
        )
        let parts = page.components(separatedBy: "<noscript>\n")
        let plain = try #require(parts.last?.components(separatedBy: "</noscript>").first)
        #expect(parts.count == 2)
        #expect(plain.contains("<li>passed: &lt;b&gt; <code>"))
        #expect(plain.contains("<li>failed: Fails <code>"))
        #expect(plain.contains("<pre>error[S") && plain.contains("expect depth 9"))
    }

    @Test("the trace and the page grow in proportion to the steps, whatever the size of the stack")
    func size() throws {
        for (before, step) in [
            ("given nav[Home]", "navigate Page/show(id=7)"),
            ("given nav[\((0..<500).map { "P\($0)" }.joined(separator: ", "))]", "back"),
            ("given nav[Home]", "navigate Login/show"),
        ] {
            // At most 100 screens are above each other.
            let longest = step.contains("Login") ? 80 : 100
            let sizes = try [longest / 2, longest].map { count in
                let steps = [String](repeating: "  \(step)\n", count: count).joined()
                let text = "scenario \"S\"\n  \(before)\n\(steps)"
                let data = try #require(try data(report(text))["data-0"] as? [String: Any])
                let trace = try #require(data["trace"] as? String)
                let lists = (data["steps"] as? [[String: Any]] ?? []).dropFirst()
                let json = try JSONSerialization.data(withJSONObject: Array(lists))
                return (steps: json.count, trace: trace.split(separator: "\n").dropFirst(12))
            }
            let bytes = sizes.map { $0.trace.reduce(0) { $0 + $1.utf8.count } }
            #expect(Double(sizes[1].steps) < 2.2 * Double(sizes[0].steps), "\(step)")
            #expect(Double(bytes[1]) < 2.2 * Double(bytes[0]), "\(step)")
        }
    }

    @Test("a signal stops the writing of reports, and no report is written partially")
    func interruption() throws {
        let scenarios = (0..<10).map { "scenario \"S\($0)\"\n  start\n" }
        try folder.write("a.scenario", "use main.lua\n" + scenarios.joined())
        let reports = [
            try ReportFile("json=a"), try ReportFile("html=b"), try ReportFile("html=c"),
        ]
        // The number of questions that are answered before the signal.
        for (count, files) in [(0, ["a", "b", "c"]), (1, []), (2, []), (3, ["a"]), (9, ["a"])] {
            let asked = Monitor(0)
            var command = RunCommand(paths: ["\(folder.path)/a.scenario"])
            command.options.writesPages = true
            let report = command.run(.silent)
            command.interruption = {
                asked.withLock {
                    $0 += 1
                    return $0 > count ? .interrupted : nil
                }
            }
            var written: [String] = []
            var errors = ""
            let code = command.write(
                reports,
                of: report,
                to: Console(
                    output: { _ in },
                    errors: { errors += $0 },
                    save: { text, path in
                        written.append(path)
                        return text.isEmpty ? "empty" : nil
                    }
                )
            )
            #expect(code == .interrupted)
            #expect(written == files, "\(count)")
            #expect(errors.contains("interrupted") == (count > 0), "\(errors)")
        }
    }

    @Test(
        "names and texts cannot break out of the data or add elements, and the page loads no other file"
    )
    func escaping() throws {
        let name = "</script><img src=x onerror=alert(1)>"
        let page = try report("scenario \"\(name)\"\n  start\n  note \"\(name)\"\n")
        #expect(!page.contains("<img") && !page.contains("http:") && !page.contains("https:"))
        let index = try #require(try data(page)["index"] as? [String: Any])
        let files = try #require(index["files"] as? [[String: Any]])
        let scenarios = try #require(files[0]["scenarios"] as? [[String: Any]])
        #expect(scenarios[0]["name"] as? String == name)
    }

    @Test("files that do not parse, skipped and known scenarios, and coverage are in the page")
    func others() throws {
        let page = try report(
            "skip \"A\"\n  start\nknown \"#1\" \"B\"\n  start\n  expect depth 3\n",
            coverage: true
        )
        let index = try #require(try data(page)["index"] as? [String: Any])
        let files = try #require(index["files"] as? [[String: Any]])
        let scenarios = try #require(files[0]["scenarios"] as? [[String: Any]])
        #expect(scenarios.map { $0["outcome"] as? String } == ["skipped", "known"])
        #expect((index["coverage"] as? [String: Any])?["rows"] != nil)
        let broken = try report("scenario \"A\"\n  strat\n")
        let other = try #require(try data(broken)["index"] as? [String: Any])
        let texts = (other["files"] as? [[String: Any]])?[0]["diagnostics"] as? [String]
        #expect(texts?.first?.contains("unknown step") == true, "\(texts ?? [])")
    }

    @Test("failures show their cause, expected and actual value; the page shows its date and seed")
    func causes() throws {
        let page = try report(
            """
            set seed = 7
            scenario "A"
              start
              expect depth 9
            scenario "B"
              start
              expect depth 12
            scenario "C"
              start
              expect top Other

            """
        )
        let data = try data(page)
        let index = try #require(data["index"] as? [String: Any])
        let files = try #require(index["files"] as? [[String: Any]])
        let scenarios = try #require(files[0]["scenarios"] as? [[String: Any]])
        let causes = scenarios.map { $0["cause"] as? String }
        #expect(causes[0] == "expect depth does not hold: the depth is …")
        #expect(causes[1] == causes[0] && causes[2] != causes[0] && causes[2] != nil)
        #expect(scenarios.allSatisfy { $0["seconds"] is Double })
        #expect(index["version"] as? String == Release.version)
        let scenario = try #require(data["data-2"] as? [String: Any])
        let failure = try #require((scenario["failures"] as? [[String: Any]])?.first)
        #expect(failure["expected"] as? String == "expect top Other")
        #expect(failure["actual"] as? String == "Home")
        #expect(scenario["seed"] as? String == "7")
    }

    // MARK: In a browser

    private static let browser = [
        "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome",
    ]
    .first(where: FileManager.default.isExecutableFile(atPath:))

    /// A script that performs the actions of a reader, and checks their results.
    private static let reader = """
        <script>
        const failures = [];
        const claim = (text, isTrue) => { if (!isTrue) failures.push(text); };
        const seen = () => [...document.querySelectorAll('.scenario')].filter(row => row.checkVisibility());
        const opened = () => seen().filter(row => row.open);
        const choose = name => document.querySelector(`input[value=${name}]`).click();
        const unfold = async row => {
          row.querySelector('summary').click();
          await new Promise(resolve => setTimeout(resolve, 50));
        };
        (async () => {
          await new Promise(resolve => setTimeout(resolve, 200));
          claim('the failed ones are shown first', seen().length === 50);
          claim('the first failed one is open', opened().length === 1 && opened()[0] === seen()[0]);
          claim('its failing step is marked', opened()[0].querySelectorAll('.failed').length === 1);
          claim('counts', document.getElementById('counts').textContent.includes('950 passed, 50 failed'));
          claim('the cause is there once', document.querySelectorAll('#causes li').length === 1);
          claim('five are slow', document.querySelectorAll('#slowest li').length === 5);
          claim('expected and actual', opened()[0].querySelectorAll('.pair dd').length === 2);
          location.hash = seen()[3].querySelector('summary') && '#' + encodeURIComponent(seen()[3].id);
          await new Promise(resolve => setTimeout(resolve, 50));
          claim('a link opens its scenario', seen()[3].open);
          choose('all');
          claim('all are shown', seen().length === 1000);
          choose('passed');
          claim('passed are shown', seen().length === 950);
          choose('all');
          const field = document.getElementById('search');
          field.value = 'nothing @even';
          field.dispatchEvent(new Event('input'));
          claim('words and tags are searched', seen().length === 0);
          field.value = 'n778 @even';
          field.dispatchEvent(new Event('input'));
          claim('one is found', seen().length === 1);
          await unfold(seen()[0]);
          const phones = seen()[0].querySelectorAll('.phone');
          claim('a phone for each act', phones.length === 3);
          claim('phones have names', phones[1].getAttribute('aria-label') === 'tabs[*nav[Home, Page(id=778)], nav[Search]]');
          claim('a card behind', phones[1].querySelector('.behind').textContent.trim() === 'Home');
          claim('a tab bar', phones[1].querySelector('.bar .on').textContent === 'Home');
          claim('a sheet', phones[2].querySelector('.sheet .card b').textContent === 'Login');
          claim('marks', phones[2].querySelectorAll('.plus').length === 1);
          claim('the page is not wider than the window', document.documentElement.scrollWidth <= innerWidth);
          const fold = seen()[0].querySelector('.fold');
          fold.querySelector('summary').click();
          claim('events are folded, and open', fold.open && fold.textContent.includes('commit push'));
          claim('summaries take the focus', seen()[0].querySelector('summary').tabIndex === 0);
          claim('the strip takes the focus', seen()[0].querySelector('.strip').tabIndex === 0);
          const ground = getComputedStyle(document.body).backgroundColor;
          document.body.textContent = 'RES' + 'ULT ' + ground + ' ' + (failures.join('; ') || 'fine');
        })();
        </script>
        """

    @Test(
        "a reader finds, filters and opens scenarios, on a phone, a tablet and a desktop",
        .enabled(if: browser != nil, "no Chromium is here"),
        arguments: [(390, 844, true), (820, 1180, false), (1440, 900, true)]
    )
    func reading(_ width: Int, _ height: Int, _ isDark: Bool) throws {
        let scenarios = (0..<1_000).map { number in
            """
            scenario "Number n\(number)"  @\(number % 2 == 0 ? "even" : "odd")
              start
              navigate Page/show(id=\(number))
              navigate Login/show
              expect depth \(number % 20 == 7 ? 9 : 1)

            """
        }
        let page = try report(scenarios.joined())
            .replacingOccurrences(of: "</body>", with: Self.reader + "</body>")
        try folder.write("r.html", page)
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.browser))
        process.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
            "--user-data-dir=\(folder.path)/profile", "--window-size=\(width),\(height)",
            "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
            "--virtual-time-budget=20000", "file://\(folder.path)/r.html",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        let start = try #require(text.range(of: "RESULT "), "\(text.suffix(500))")
        let result = text[start.upperBound...].prefix { $0 != "<" }
        let ground = isDark ? "rgb(22, 22, 24)" : "rgb(255, 255, 255)"
        #expect(result == "\(ground) fine")
    }
}
