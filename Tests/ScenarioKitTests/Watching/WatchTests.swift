// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// A watch of files that a test writes.
///
/// The watch updates only when the test requests it.
@Suite("Watching")
struct WatchTests {
    private final class Fixture {
        let folder: TemporaryFolder
        private(set) var output = ""
        private(set) var errors = ""
        private var watch: Watch?

        init(_ files: [String: String]) throws {
            folder = try TemporaryFolder()
            for (name, text) in files { try folder.write(name, text) }
        }

        /// Starts a watch of paths that are relative to the folder.
        func begin(
            _ paths: [String] = [""],
            _ change: (inout WatchCommand) -> Void = { _ in }
        ) -> ExitCode? {
            var command = WatchCommand(paths: paths.map { full($0) })
            command.stopwatch = { 0 }
            change(&command)
            let console = Console(
                output: { [unowned self] in output += $0 },
                errors: { [unowned self] in errors += $0 },
                save: TemporaryFolder.save
            )
            let watch = Watch(command, console)
            self.watch = watch
            return watch.begin()
        }

        func full(_ path: String) -> String {
            path.isEmpty ? folder.path : "\(folder.path)/\(path)"
        }

        func write(_ name: String, _ text: String) throws { try folder.write(name, text) }

        func remove(_ name: String) throws {
            try FileManager.default.removeItem(atPath: full(name))
        }

        /// Updates the watch until nothing is new, and returns the printed lines.
        func look(isForced: Bool = false) -> [String] {
            guard let watch else { return [] }
            if isForced { watch.update(isForced: true) }
            for _ in 0..<5 where watch.hasNews { watch.update() }
            if watch.hasNews { Issue.record("there is something new at each look") }
            return lines()
        }

        /// Returns the results that were printed since the last call.
        func lines() -> [String] {
            defer { output = "" }
            return strip(output).split(separator: "\n").map { line in
                // Locations are in a column of their own.
                line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
            }
        }

        /// Returns the diagnostics that were printed since the last call.
        func diagnostics() -> String {
            defer { errors = "" }
            return strip(errors)
        }

        var files: [String] {
            (watch?.inputs.files.sorted() ?? []).map { strip($0) }
        }

        /// Performs the request of a key, and returns the printed lines.
        func perform(_ request: WatchKeys.Request) -> [String] {
            #expect(watch?.perform(request) == nil)
            return lines()
        }

        func end(_ code: ExitCode) { watch?.end(code) }
        func reportInputs() { watch?.reportInputs() }

        private func strip(_ text: String) -> String {
            text.replacingOccurrences(of: folder.path + "/", with: "")
                .replacingOccurrences(of: folder.path, with: ".")
        }
    }

    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Show", "open", function() return router.screen "Show" end)

        """

    private static func scenario(_ script: String, _ screen: String = "Show") -> String {
        """
        use \(script)
        scenario "Opens a show"
          start
          navigate Show/open
          expect tree nav[Main, \(screen)]

        """
    }

    private static let first = [
        "accepted . generation 1: 1 route (0 ms)", "Opens a show a.scenario:2",
        "1 passed, 0 failed",
    ]

    private func plain(_ lines: [String]) -> [String] {
        lines.map { line in
            line.hasPrefix("✔ ") || line.hasPrefix("✘ ") ? String(line.dropFirst(2)) : line
        }
    }

    private func fixture() throws -> Fixture {
        try Fixture(["main.lua": Self.script, "a.scenario": Self.scenario("main.lua")])
    }

    // MARK: Reloading

    @Test(
        "the scripts are loaded and the scenarios run, then nothing is printed until a file changes"
    )
    func begins() throws {
        let fixture = try fixture()
        #expect(fixture.begin() == nil)
        #expect(plain(fixture.lines()) == Self.first)
        #expect(fixture.look().isEmpty)
        #expect(fixture.files == ["a.scenario", "main.lua"])
        #expect(fixture.diagnostics() == "")
    }

    @Test(
        "saving a script prints its changes in one line, and runs the scenarios that use the script"
    )
    func accepted() throws {
        let fixture = try fixture()
        _ = fixture.begin()
        _ = fixture.lines()
        try fixture.write(
            "main.lua",
            Self.script.replacingOccurrences(of: "screen \"Show\"", with: "screen \"Other\"")
                + "router.register('New', 'show', function() return router.screen 'New' end)\n"
        )
        let lines = fixture.look()
        #expect(
            lines.first
                == "✔ accepted . generation 2: added New/show; changed Show/open (0 ms)"
        )
        #expect(lines.contains { $0.hasPrefix("✘ Opens a show") })
        #expect(lines.last == "0 passed, 1 failed")
        // The same bytes are no change.
        try fixture.write("main.lua", try #require(try? text(fixture, "main.lua")))
        #expect(fixture.look().isEmpty)
    }

    private func text(_ fixture: Fixture, _ name: String) throws -> String {
        try String(contentsOf: URL(filePath: fixture.full(name)), encoding: .utf8)
    }

    @Test("a rejection is reported once, and scenarios use the last good generation")
    func rejected() throws {
        let fixture = try fixture()
        _ = fixture.begin()
        _ = fixture.lines()
        try fixture.write("main.lua", Self.script + "router.register(\n")
        #expect(
            fixture.look() == ["✘ rejected . syntax; generation 1 stays active (0 ms)"]
        )
        #expect(fixture.diagnostics().hasPrefix("error[L0301]: "))
        #expect(fixture.look().isEmpty)
        // A scenario file that changes meanwhile uses the last good generation.
        try fixture.write("a.scenario", "# changed\n" + Self.scenario("main.lua"))
        #expect(fixture.look().last == "1 passed, 0 failed")
        // A forced update reports it again.
        #expect(fixture.look(isForced: true).count == 1)
        // The active scripts are back: nothing is loaded, and the error is over.
        try fixture.write("main.lua", Self.script)
        #expect(fixture.look() == ["✔ accepted . generation 1: unchanged (0 ms)"])
        #expect(fixture.look(isForced: true).isEmpty)
    }

    @Test("if scripts fail to load, the scripts and the files that they require are watched")
    func firstLoad() throws {
        let fixture = try Fixture([
            "main.lua": Self.script + "require 'gone'\n",
            "a.scenario": Self.scenario("main.lua"),
        ])
        #expect(fixture.begin() == nil)
        #expect(fixture.lines() == ["✘ rejected . script; waiting for a fix (0 ms)"])
        #expect(fixture.diagnostics().contains("module 'gone' not found"))
        #expect(fixture.files == ["a.scenario", "gone.lua", "main.lua"])
        try fixture.write("gone.lua", "this is no Lua\n")
        #expect(fixture.look() == ["✘ rejected . syntax; waiting for a fix (0 ms)"])
        try fixture.write("gone.lua", "local x = 1\n")
        #expect(plain(fixture.look()) == Self.first)
    }

    @Test(
        "if the entry file is deleted, or replaced by a folder, one line reports the rejection",
        arguments: [("", "."), ("main.lua", "main.lua"), ("app.lua", "app.lua")]
    )
    func entryGoes(_ path: String, _ name: String) throws {
        let entry = path.isEmpty ? "main.lua" : path
        let fixture = try Fixture([entry: Self.script])
        #expect(fixture.begin([path]) == nil)
        #expect(fixture.lines() == ["✔ accepted \(name) generation 1: 1 route (0 ms)"])
        try fixture.remove(entry)
        try FileManager.default.createDirectory(
            atPath: fixture.full(entry),
            withIntermediateDirectories: false
        )
        _ = fixture.diagnostics()
        #expect(
            fixture.look()
                == ["✘ rejected \(name) unreadable; generation 1 stays active (0 ms)"]
        )
        #expect(
            fixture.diagnostics() == "error[S0201]: cannot read '\(entry)' (not a regular file)\n\n"
        )
        #expect(fixture.look().isEmpty)
        try fixture.remove(entry)
        try fixture.write("other-\(entry)", "")
        #expect(
            fixture.look() == ["✘ rejected \(name) missing; generation 1 stays active (0 ms)"]
        )
        let message =
            entry == "main.lua" ? "the folder '.' has no 'main.lua'" : "no such file '\(entry)'"
        #expect(fixture.diagnostics().hasPrefix("error[S0201]: \(message)"))
        try fixture.write(entry, Self.script)
        #expect(fixture.look() == ["✔ accepted \(name) generation 1: unchanged (0 ms)"])
        try fixture.write(entry, Self.script + "-- again\n")
        #expect(fixture.look() == ["✔ accepted \(name) generation 2: no route changed (0 ms)"])
    }

    @Test("scripts that a scenario file marks as trusted are loaded as trusted")
    func trusted() throws {
        let fixture = try Fixture([
            "main.lua": Self.script + "local wrap = coroutine.wrap\n",
            "a.scenario": "set profile = trusted\n" + Self.scenario("main.lua"),
        ])
        #expect(fixture.begin() == nil)
        #expect(fixture.lines().first == "✔ accepted . generation 1: 1 route (0 ms)")
    }

    @Test("if the scripts of a scenario file are missing, the watch waits for them")
    func missingScript() throws {
        let fixture = try Fixture(["a.scenario": Self.scenario("app.lua")])
        #expect(fixture.begin() == nil)
        #expect(fixture.lines() == ["✘ rejected app.lua missing; waiting for a fix (0 ms)"])
        #expect(fixture.diagnostics().contains("--> a.scenario:1:5"))
        try fixture.write("app.lua", Self.script)
        #expect(
            fixture.look().first == "✔ accepted app.lua generation 1: 1 route (0 ms)"
        )
        try fixture.remove("app.lua")
        #expect(
            fixture.look() == ["✘ rejected app.lua missing; generation 1 stays active (0 ms)"]
        )
    }

    // MARK: Repeated runs

    @Test("only scenario files that have changed, or that use a changed file, run again")
    func dependencies() throws {
        let table = Self.scenario("main.lua").replacingOccurrences(
            of: "nav[Main, Show]\n",
            with: "nav[Main, <screen>]\n  each from rows.csv\n"
        )
        let fixture = try Fixture([
            "main.lua": Self.script,
            "a.scenario": Self.scenario("main.lua"),
            "b.scenario": "include shared.scenario\n"
                + Self.scenario("main.lua").replacingOccurrences(
                    of: "  start\n",
                    with: "  do begin\n"
                ),
            "lib/unused.txt": "",
            "shared.scenario": "macro begin\n  start\n",
            "c.scenario": table,
            "rows.csv": "screen\nShow\n",
        ])
        #expect(fixture.begin(["a.scenario", "b.scenario", "c.scenario"]) == nil)
        #expect(fixture.lines().last == "3 passed, 0 failed", "\(fixture.diagnostics())")
        #expect(fixture.files.contains("rows.csv") && fixture.files.contains("shared.scenario"))
        try fixture.write("rows.csv", "screen\nShow\nOther\n")
        #expect(fixture.look().last == "1 passed, 1 failed")
        try fixture.write("shared.scenario", "macro begin\n  start\n  note \"begun\"\n")
        let lines = fixture.look()
        #expect(lines.first?.contains("b.scenario:3") == true)
        #expect(lines.last == "1 passed, 0 failed")
        try fixture.write("lib/unused.txt", "more\n")
        #expect(fixture.look().isEmpty)
    }

    @Test("scripts that a step loads are watched, even while they are missing")
    func reloadStep() throws {
        let text = Self.scenario("main.lua") + "  reload next.lua\n"
        let fixture = try Fixture(["main.lua": Self.script, "a.scenario": text])
        #expect(fixture.begin() == nil)
        #expect(fixture.lines().last == "0 passed, 1 failed")
        try fixture.write("next.lua", Self.script)
        #expect(fixture.look().last == "1 passed, 0 failed")
        // The file exists now, but is not valid.
        try FileManager.default.removeItem(atPath: fixture.full("next.lua"))
        try Data([0xFF]).write(to: URL(filePath: fixture.full("next.lua")))
        #expect(fixture.look().last == "0 passed, 1 failed")
        #expect(fixture.look().isEmpty)
        try fixture.write("next.lua", Self.script)
        #expect(fixture.look().last == "1 passed, 0 failed")
        try fixture.write("next.lua", "error 'no'\n")
        #expect(fixture.look().last == "0 passed, 1 failed")
        // A file that cannot run now is not tried again and again.
        try fixture.write("a.scenario", text + "  bogus\n")
        #expect(fixture.look().last == "0 passed, 0 failed, 1 file not run")
        try fixture.write("next.lua", Self.script)
        #expect(fixture.look().isEmpty)
        try fixture.write("a.scenario", text)
        #expect(fixture.look().last == "1 passed, 0 failed")
    }

    @Test("a file that does not parse is reported once, and runs when it is fixed")
    func invalidScenario() throws {
        let fixture = try fixture()
        _ = fixture.begin()
        _ = fixture.lines()
        try fixture.write("a.scenario", Self.scenario("main.lua") + "  bogus\n")
        #expect(fixture.look() == ["0 passed, 0 failed, 1 file not run"])
        #expect(fixture.diagnostics().hasPrefix("error[S0107]: unknown step 'bogus'"))
        #expect(fixture.look().isEmpty)
        try fixture.write("main.lua", Self.script + "-- more\n")
        #expect(fixture.look().count == 1)
        try fixture.write("a.scenario", Self.scenario("main.lua"))
        #expect(fixture.look().last == "1 passed, 0 failed")
    }

    @Test("scripts are still watched while the file that uses them does not parse")
    func usedByInvalid() throws {
        let fixture = try fixture()
        _ = fixture.begin(["a.scenario"])
        _ = fixture.lines()
        try fixture.write("a.scenario", Self.scenario("main.lua") + "  bogus\n")
        _ = fixture.look()
        try fixture.write("main.lua", Self.script + "-- more\n")
        #expect(fixture.look().first?.hasPrefix("✔ accepted main.lua generation 2") == true)
    }

    @Test("scenario files that are added to a folder run, and deleted files no longer run")
    func folder() throws {
        let fixture = try fixture()
        _ = fixture.begin()
        _ = fixture.lines()
        try fixture.write("deep/b.scenario", Self.scenario("../main.lua"))
        #expect(fixture.look().last == "1 passed, 0 failed")
        try fixture.remove("deep")
        #expect(fixture.look().isEmpty)
        try fixture.write("main.lua", Self.script + "-- more\n")
        #expect(fixture.look().last == "1 passed, 0 failed")
    }

    @Test("scripts can be watched without scenarios, and a line in a path selects one scenario")
    func kinds() throws {
        let fixture = try fixture()
        #expect(fixture.begin(["main.lua"]) == nil)
        #expect(fixture.lines() == ["✔ accepted main.lua generation 1: 1 route (0 ms)"])
        try fixture.write(
            "a.scenario",
            Self.scenario("main.lua") + "scenario \"Other\"\n  start\n"
        )
        #expect(fixture.look().isEmpty)
        let other = try self.fixture()
        try other.write("a.scenario", Self.scenario("main.lua") + "scenario \"Other\"\n  start\n")
        #expect(other.begin(["a.scenario:7"]) == nil)
        #expect(other.lines().last == "1 passed, 0 failed")
    }

    // MARK: Keys

    /// Creates a watch of two files: one with a passing scenario, and one with two scenarios, of
    /// which one fails.
    private func filtered() throws -> Fixture {
        let more = """
            scenario "Fails" @slow
              start
              expect tree nav[Main, Show]

            """
        let fixture = try Fixture([
            "main.lua": Self.script,
            "a.scenario": Self.scenario("main.lua"),
            "b.scenario": Self.scenario("main.lua") + more,
        ])
        _ = fixture.begin(["a.scenario", "b.scenario"])
        #expect(fixture.lines().last == "2 passed, 1 failed")
        return fixture
    }

    @Test("keys run all scenarios again, or only the failed scenarios")
    func runsAgain() throws {
        let fixture = try filtered()
        #expect(fixture.perform(.all).last == "2 passed, 1 failed")
        #expect(fixture.perform(.failed).last == "0 passed, 1 failed")
        // A changed file runs as well, whether it failed or not.
        try fixture.write("a.scenario", "# changed\n" + Self.scenario("main.lua"))
        #expect(fixture.perform(.failed).last == "1 passed, 1 failed")
        try fixture.write("b.scenario", Self.scenario("main.lua"))
        #expect(fixture.look().last == "1 passed, 0 failed")
        #expect(fixture.perform(.failed).isEmpty)
        #expect(fixture.diagnostics() == "no scenario failed in its last run\n")
        try fixture.write("b.scenario", Self.scenario("main.lua") + "  bogus\n")
        _ = fixture.look()
        #expect(fixture.perform(.failed) == ["0 passed, 0 failed, 1 file not run"])
    }

    @Test(
        "a name or tags entered with keys override the command line until all scenarios run again"
    )
    func runsSome() throws {
        let fixture = try filtered()
        #expect(fixture.perform(.name("fail")).last == "0 passed, 1 failed")
        // It stays in place when files change; the scripts are those of before.
        try fixture.write("main.lua", Self.script + "-- more\n")
        let lines = fixture.look()
        #expect(lines.first?.hasPrefix("✔ accepted main.lua generation 2") == true)
        #expect(lines.last == "0 passed, 1 failed")
        #expect(fixture.perform(.tags("!slow")).isEmpty)
        #expect(fixture.diagnostics().hasPrefix(Self.nothing))
        #expect(fixture.perform(.name("")).last == "2 passed, 0 failed")
        #expect(fixture.perform(.tags("slw")).isEmpty)
        #expect(
            fixture.diagnostics().contains("no scenario has the tag 'slw', did you mean 'slow'?")
        )
        #expect(fixture.perform(.all).last == "2 passed, 1 failed")
        #expect(fixture.look().isEmpty)
    }

    @Test("scripts that a step loads are watched while a key selects other scenarios")
    func filteredReload() throws {
        let fixture = try Fixture([
            "main.lua": Self.script, "next.lua": Self.script,
            "a.scenario": Self.scenario("main.lua") + "  reload next.lua\n"
                + "scenario \"Other\"\n  start\n  expect top Show\n",
        ])
        _ = fixture.begin()
        #expect(fixture.lines().last == "1 passed, 1 failed")
        #expect(fixture.perform(.failed).last == "0 passed, 1 failed")
        try fixture.write("next.lua", "error 'no'\n")
        #expect(fixture.look().last == "0 passed, 2 failed")
        #expect(fixture.perform(.name("other")).last == "0 passed, 1 failed")
        try fixture.write("next.lua", Self.script)
        _ = fixture.look()
        #expect(fixture.perform(.all).last == "1 passed, 1 failed")
    }

    @Test("a key updates the expectations of the selected scenarios and runs the scenarios again")
    func update() throws {
        let fixture = try filtered()
        _ = fixture.begin(["a.scenario", "b.scenario"])
        _ = fixture.lines()
        _ = fixture.perform(.name("opens"))
        #expect(fixture.perform(.update).isEmpty)
        #expect(fixture.diagnostics() == "there is no expectation to write\n")
        _ = fixture.perform(.all)
        let lines = fixture.perform(.update)
        #expect(lines.contains("+ expect tree nav[Main]"))
        #expect(lines.last == "2 passed, 0 failed")
        #expect(fixture.diagnostics() == "b.scenario: 1 expectation written\n")
    }

    // MARK: The command line

    @Test("a missing path on the command line ends the watch", arguments: ["a.scenaro", "x/y"])
    func missing(_ path: String) throws {
        let fixture = try fixture()
        #expect(fixture.begin([path]) == .inputMissing)
        #expect(fixture.diagnostics().hasPrefix("error[S0203]: no file or folder '\(path)'"))
        #expect(fixture.begin([""]) { $0.options.script = fixture.full("no.lua") } == .inputMissing)
    }

    private static let nothing =
        "warning[C0101]: no scenario is selected; waiting for scripts and scenarios to be created\n"

    @Test("a filter that selects nothing is reported, and so is an empty folder")
    func nothing() throws {
        let fixture = try fixture()
        #expect(fixture.begin([""]) { $0.filter.names = ["no such"] } == nil)
        #expect(fixture.diagnostics().hasPrefix(Self.nothing))
        let empty = try Fixture([:])
        #expect(empty.begin() == nil)
        #expect(empty.diagnostics().hasPrefix(Self.nothing))
        try empty.write("main.lua", Self.script)
        #expect(empty.look() == ["✔ accepted . generation 1: 1 route (0 ms)"])
    }

    @Test("the JSON output has one object per line")
    func json() throws {
        let fixture = try fixture()
        #expect(fixture.begin([""]) { $0.format = .json } == nil)
        fixture.reportInputs()
        try fixture.write("main.lua", "no Lua")
        var lines = fixture.lines() + fixture.look()
        fixture.end(.interrupted)
        lines += fixture.lines()
        let objects = try lines.map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            )
        }
        #expect(objects.allSatisfy { $0["schema"] as? String == "luaroute.watch/1" })
        #expect(
            objects.map { $0["kind"] as? String } == ["reload", "run", "watching", "reload", "end"]
        )
        #expect(objects[0]["status"] as? String == "accepted")
        #expect(objects[0]["added"] as? [String] == ["Show/open"])
        #expect((objects[1]["counts"] as? [String: Int])?["passed"] == 1)
        #expect(objects[3]["reason"] as? String == "syntax")
        #expect((objects[3]["diagnostics"] as? [Any])?.count == 1)
        #expect(objects[4]["exitCode"] as? Int == 130)
    }

    @Test("scripts that fail the canary are rejected, and the failures are reported")
    func canary() throws {
        let fixture = try fixture()
        try fixture.write("smoke/smoke.scenario", Self.scenario("nowhere.lua"))
        let smoke = fixture.full("smoke/smoke.scenario")
        #expect(fixture.begin(["main.lua"]) { $0.canary = [smoke] } == nil)
        #expect(fixture.lines().count == 1)
        let other = Self.script.replacingOccurrences(of: "screen \"Show\"", with: "screen \"No\"")
        try fixture.write("main.lua", other)
        #expect(
            fixture.look() == [
                "✘ rejected main.lua canary; generation 1 stays active (0 ms)"
            ]
        )
        #expect(fixture.diagnostics().contains("--> smoke/smoke.scenario:5:25"))
        // They do not become the first active scripts either.
        #expect(fixture.begin(["main.lua"]) { $0.canary = [smoke] } == nil)
        #expect(fixture.lines() == ["✘ rejected main.lua canary; waiting for a fix (0 ms)"])
    }

    private static let rejectedByCanary =
        "✘ rejected main.lua canary; generation 1 stays active (0 ms)"
    private static let asBefore = "✔ accepted main.lua generation 1: unchanged (0 ms)"

    private func fixture(withCanary path: String) throws -> Fixture {
        let fixture = try fixture()
        try fixture.write("smoke/smoke.scenario", Self.scenario("nowhere.lua"))
        let canary = fixture.full(path)
        #expect(fixture.begin(["main.lua"]) { $0.canary = [canary] } == nil)
        #expect(fixture.lines().count == 1)
        return fixture
    }

    @Test(
        "a changed canary is read again, and checks the active scripts",
        arguments: ["smoke/smoke.scenario", "smoke", "smoke/smoke.scenario:2"]
    )
    func canaryChanged(_ path: String) throws {
        let fixture = try fixture(withCanary: path)
        let name = "smoke/smoke.scenario"
        #expect(fixture.look() == [])
        try fixture.write(name, Self.scenario("nowhere.lua", "No"))
        #expect(fixture.look() == [Self.rejectedByCanary])
        #expect(fixture.diagnostics().contains("--> \(name):5:25"))
        #expect(fixture.look() == [])
        try fixture.write(name, Self.scenario("nowhere.lua", "Show") + "# once more\n")
        #expect(fixture.look() == [Self.asBefore])
    }

    @Test("while a canary is invalid or missing, all scripts are rejected")
    func canaryBroken() throws {
        let name = "smoke/smoke.scenario"
        let fixture = try fixture(withCanary: name)
        try fixture.write(name, "scenario \"Broken\"\n  bogus\n")
        #expect(fixture.look() == [Self.rejectedByCanary])
        #expect(fixture.diagnostics().contains("error[S0107]: unknown step 'bogus'"))
        // Even good scripts are not accepted without it.
        try fixture.write("main.lua", Self.script + "-- changed")
        #expect(fixture.look() == [Self.rejectedByCanary])
        try fixture.remove(name)
        #expect(fixture.look() == [Self.rejectedByCanary])
        #expect(fixture.diagnostics().contains("no file or folder '\(name)'"))
        #expect(fixture.look(isForced: true) == [Self.rejectedByCanary])
        try fixture.write(name, Self.scenario("nowhere.lua"))
        #expect(
            fixture.look() == [
                "✔ accepted main.lua generation 2: no route changed (0 ms)"
            ]
        )
    }

    @Test("the files that a canary includes, and the folders that it names, are watched")
    func canaryInputs() throws {
        let fixture = try fixture(withCanary: "smoke")
        try fixture.write(
            "smoke/more.scenario",
            "include macros.inc\nscenario \"More\"\n  do begin\n"
        )
        try fixture.write("smoke/macros.inc", "macro begin\n  start\n")
        #expect(fixture.look() == [Self.asBefore])
        #expect(fixture.files.contains("smoke/macros.inc"))
        #expect(fixture.files.contains("smoke/more.scenario"))
        try fixture.write("smoke/macros.inc", "macro begin\n  start\n  expect top No\n")
        #expect(fixture.look() == [Self.rejectedByCanary])
        try fixture.remove("smoke/more.scenario")
        #expect(fixture.look() == [Self.asBefore])
    }
}
