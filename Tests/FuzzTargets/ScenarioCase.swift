// SPDX-License-Identifier: MIT

internal import Foundation
internal import LuaRouting
internal import ScenarioKit

/// A scenario file, optionally followed by NUL and a table file, and by NUL and a file to include.
///
/// The other files are named `rows.csv` and `shared.scenario`. A scenario file that parses and is
/// short is run with a script that uses most of the API.
struct ScenarioCase {
    private let files: [[UInt8]]

    init(_ bytes: [UInt8]) {
        files = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            .map { Array($0) }
    }

    func faults() -> [String] {
        do {
            return try ScenarioFolder.shared.get().faults(of: files)
        } catch {
            return ["no folder for scenarios: \(error)"]
        }
    }
}

/// The folder into which one process writes its scenario files.
private final class ScenarioFolder: Sendable {
    static let shared = Result { try ScenarioFolder() }

    private let path: String

    init() throws {
        path =
            NSTemporaryDirectory() + "/luaroute-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try write("main.lua", Array(Self.script.utf8))
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    func faults(of files: [[UInt8]]) throws -> [String] {
        if files.count > 1 { try write("rows.csv", files[1]) }
        if files.count > 2 { try write("shared.scenario", files[2]) }
        let main = "\(path)/main.scenario"
        let source = SourceText(name: main, content: files[0])
        switch ScenarioParser.parse(source) {
        case .failure(let diagnostics):
            return faults(of: diagnostics.list, in: source)
        case .success(let file):
            let steps = file.background.count
            let count = file.scenarios.reduce(0) { $0 + steps + $1.steps.count }
            if count > ScenarioFile.stepLimit * 2 { return ["\(count) steps are too many"] }
            var faults = faults(of: file)
            // The steps alone are bounded, but not what a long file of them would take here.
            guard count <= 40, file.scenarios.count <= 2 else { return faults }
            try write("main.scenario", files[0])
            faults += run(main, scenarios: file.scenarios.count)
            return faults
        }
    }

    private func faults(of diagnostics: [Diagnostic], in source: SourceText) -> [String] {
        var faults: [String] = []
        if diagnostics.isEmpty { faults.append("a file fails for no reason") }
        for diagnostic in diagnostics {
            if diagnostic.message.isEmpty { faults.append("an error says nothing") }
            let spans = [diagnostic.span].compactMap(\.self) + diagnostic.related.map(\.span)
            if diagnostic.span == nil { faults.append("'\(diagnostic.message)' has no place") }
            for span in spans {
                let range = span.range
                guard range.upperBound <= span.source.bytes.count, span.line >= 1,
                    span.line <= max(1, span.source.lineCount + 1), span.column >= 1,
                    span.length >= 1
                else {
                    faults.append("'\(diagnostic.message)' has a location outside of its file")
                    continue
                }
            }
        }
        return faults
    }

    private func faults(of file: ScenarioFile) -> [String] {
        var faults: [String] = []
        for step in file.background + file.scenarios.flatMap(\.steps) {
            if step.word.isEmpty { faults.append("a step without its word") }
        }
        for scenario in file.scenarios where scenario.line > scenario.lastLine {
            faults.append("a scenario ends before it begins")
        }
        return faults
    }

    /// Runs a file twice, and checks that both runs have the same result.
    private func run(_ file: String, scenarios: Int) -> [String] {
        var command = RunCommand(paths: [file])
        command.options.script = "\(path)/main.lua"
        var texts: [String] = []
        for _ in 0..<2 {
            var text = ""
            let report = command.run(Console { text += $0 })
            texts.append(text)
            let count = report.files.reduce(0) { $0 + $1.scenarios.count }
            if count > scenarios { return ["\(count) of \(scenarios) scenarios were run"] }
        }
        return texts[0] == texts[1] ? [] : ["a second run has another result"]
    }

    private static let script = """
        router.class("A", { fields = { "x", "y" } })
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("A", "show", {
          info = { x = "any?", y = "any?" },
          find = { class = "A", by = "x" },
          build = function(info) return router.screen("A", { x = info.x }) end,
        })
        router.register("B", "show", {
          build = function() return router.tabs { router.screen "B", router.screen "C" } end,
          via = "presentWithNav",
          intercept = { "wait" },
        })
        router.interceptor("wait", { timeout = 5 }, function(nav)
          local n = router.navigate("A", "show", { x = "login" }, { via = "present" })
          local ok = n:result()
          if not ok then router.stop "no" end
        end)
        router.registerTask("T", "do", function(info, done)
          router.delay(2, function() done(true, info) end)
        end)
        router.expects { tasks = { "H/do" } }
        router.export("f", function(t)
          router.state.n = (router.state.n or 0) + 1
          return t
        end)
        router.export("later", function() router.delay(1, function() router.back() end) end)
        """
}
