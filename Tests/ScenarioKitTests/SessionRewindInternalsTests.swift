// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import RandomNumbers
import TestSupport
import Testing

@testable import ScenarioKit

/// Tests that a session behaves the same way after a rewind as it did before.
struct SessionRewindInternalsTests {
    /// Returns the events and failures of a run, and the statuses of its requests.
    private func record(_ session: Session) -> [String] {
        session.log.events.map(\.json) + session.log.failures.map(\.text)
            + session.requests.all.sorted { $0.key < $1.key }.map { key, request in
                "\(key) \(request.outcome.sentence) \(request.completions)"
            }
    }

    private func run(_ session: Session, atEach body: () -> Void) {
        while session.cursor.stepIndex < session.cursor.steps.count {
            body()
            do throws(Diagnostic) {
                guard try session.runNextStep() else { return }
            } catch {
                return session.fail(error)
            }
        }
    }

    @Test(
        "from each restored state, each scenario of the corpus continues as it did the first time",
        .tags(.sweep),
        .unlessQuick,
        arguments: ["scripts", "Tests/Scenarios/pass", "Tests/Scenarios/fail"]
    )
    func corpus(_ folder: String) throws {
        let root = packageFolder.path()
        var numbers = RandomNumbers(seed: 11)
        var (sessions, rewinds) = (0, 0)
        for file in RunPlan([root + folder], filter: ScenarioFilter(), options: RunOptions()).files
        {
            guard let parsed = file.parsed, let runner = try? ScenarioRunner(parsed, RunOptions())
            else { continue }
            for index in file.selection {
                guard
                    let session = try? Session(
                        parsed.scenarios[index],
                        of: parsed,
                        scripts: runner.scripts,
                        runner.options
                    )
                else { continue }
                defer { session.end() }
                sessions += 1
                var points: [() -> Void] = []
                run(session) {
                    guard numbers.isTrue(oneIn: 2), points.count < 8 else { return }
                    do {
                        points.append(try session.restoration())
                    } catch {
                        Issue.record("\(file.path): \(error)")
                    }
                }
                let expected = record(session)
                for _ in 0..<min(3, points.count) {
                    points[numbers.below(points.count)]()
                    rewinds += 1
                    run(session) {}
                    let again = record(session)
                    guard again != expected else { continue }
                    let line = zip(expected, again).first { $0 != $1 }
                    Issue.record(
                        """
                        \(file.path):\(parsed.scenarios[index].address)
                        \(line?.0 ?? "\(expected.count) lines")
                        \(line?.1 ?? "\(again.count) lines")
                        """
                    )
                    break
                }
            }
        }
        #expect(rewinds > sessions)
    }

    /// The tags of the rules for two simultaneous navigations.
    private static let rules = ["question", "dialog", "gate", "value", "joining", "window"]

    /// The tags of events that may occur while navigations wait.
    private static let circumstances = [
        "reload", "restore", "windows", "slow", "cancel", "force", "leaving",
    ]

    @Test("each rule for concurrent navigations is tested in each circumstance, including undo")
    func interplay() throws {
        let folder = packageFolder.path() + "Tests/Scenarios/pass"
        var known: Set<[String]> = []
        for file in RunPlan([folder], filter: ScenarioFilter(), options: RunOptions()).files {
            guard let parsed = file.parsed else { continue }
            let tagged = parsed.scenarios.filter { !$0.tags.filter(Self.rules.contains).isEmpty }
            guard !tagged.isEmpty else { continue }
            let runner = try ScenarioRunner(parsed, RunOptions())
            for scenario in tagged {
                for rule in Self.rules.filter(scenario.tags.contains) {
                    for tag in scenario.tags { known.insert([rule, tag]) }
                }
                let session = try Session(
                    scenario,
                    of: parsed,
                    scripts: runner.scripts,
                    runner.options
                )
                defer { session.end() }
                var points: [() -> Void] = []
                run(session) { (try? session.restoration()).map { points.append($0) } }
                #expect(points.count == session.cursor.steps.count, "\(scenario.name)")
                let expected = record(session)
                for (index, undo) in points.enumerated().reversed() {
                    undo()
                    run(session) {}
                    #expect(record(session) == expected, "\(scenario.name), step \(index + 1)")
                }
            }
        }
        for rule in Self.rules {
            for tag in Self.circumstances where !known.contains([rule, tag]) {
                Issue.record("no scenario has the tags @\(rule) @\(tag)")
            }
        }
    }

    @Test(
        "scenarios that share one run of the background have the same reports as separate runs",
        .tags(.sweep),
        .unlessQuick,
        arguments: ["scripts", "Tests/Scenarios/pass", "Tests/Scenarios/fail"]
    )
    func backgrounds(_ folder: String) throws {
        let root = packageFolder.path()
        var options = RunOptions()
        var shares = 0
        options.detail = .trace
        (options.keepsEvents, options.writesPages) = (true, true)
        for file in RunPlan([root + folder], filter: ScenarioFilter(), options: RunOptions()).files
        {
            guard let parsed = file.parsed,
                let shared = try? ScenarioRunner(parsed, options), parsed.scenarios.count > 1
            else { continue }
            // The last one runs first, so that another one begins.
            for index in file.selection.reversed() {
                shares += shared.prepared.count
                let alone = ScenarioRunner(parsed, options, scripts: shared.scripts)
                let own = Result { () throws(ScenarioRunner.Failure) in
                    let session = try alone.session(index)
                    session?.run()
                    return alone.report(of: session, index)
                }
                let other = Result { () throws(ScenarioRunner.Failure) in try shared.run(index) }
                let (expected, found) = (text(own), text(other))
                guard expected != found else { continue }
                let line = zip(
                    expected.split(separator: "\n"),
                    found.split(separator: "\n")
                ).first { $0 != $1 }
                Issue.record(
                    """
                    \(file.path):\(parsed.scenarios[index].address)
                    \(line?.0 ?? "\(expected.count) characters")
                    \(line?.1 ?? "\(found.count) characters")
                    """
                )
            }
            shared.prepared.removeAll()
            #expect(shared.prepared.count == 0)
        }
        // Most scenarios go on from the end of a background.
        #expect(shares > 20)
    }

    /// Returns all data of a report except the duration, as text.
    private func text(_ result: Result<ScenarioReport?, ScenarioRunner.Failure>) -> String {
        switch result {
        case .failure(let failure): return failure.diagnostics.map(\.text).joined(separator: "\n")
        case .success(nil): return "interrupted"
        case .success(var report?):
            report.duration = .zero
            var file = FileReport(path: report.path)
            file.scenarios = [report]
            var run = RunReport()
            run.files = [file]
            let texts = ["junit=-", "json=-", "html=-", "events=-", "github"].map { option in
                (try? ReportFile(option))?.text(of: run) ?? ""
            }
            let unused = report.unusedBackground.map(\.diagnostic.text)
            let results = ConsoleReport().text(of: report, isShort: false, after: nil).text
            return ([results] + texts + unused)
                .joined(separator: "\n")
        }
    }
}
