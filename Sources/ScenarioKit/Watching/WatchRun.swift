// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Runs the scenarios of the given files with the given scripts.
struct WatchRun {
    /// A file and its selected scenarios.
    struct Piece {
        var file: RunPlan.File
        let runner: ScenarioRunner
    }

    private typealias Result = Swift.Result<ScenarioReport?, ScenarioRunner.Failure>

    var report = RunReport()

    private let pieces: [Piece]
    private let workers: Workers<Result>

    init(_ pieces: [Piece], jobs: Int) {
        self.pieces = pieces
        let work = pieces.flatMap { piece in piece.file.selection.map { (piece.runner, $0) } }
        workers = Workers(count: work.count, threads: jobs) { number in
            let (runner, index) = work[number]
            return Result { () throws(ScenarioRunner.Failure) in try runner.run(index) }
        }
    }

    mutating func run(
        onReport: (ScenarioReport) -> Void,
        onFailure: (Diagnostic) -> Void
    ) {
        var next = 0
        for piece in pieces {
            let end = next + piece.file.selection.count
            var file = FileReport(path: piece.file.path)
            while next < end {
                do throws(ScenarioRunner.Failure) {
                    guard let scenario = try workers.result(of: next).get() else {
                        file.notRun = piece.file.selection.suffix(end - next).map {
                            piece.runner.file.scenarios[$0]
                        }
                        break
                    }
                    next += 1
                    file.scenarios.append(scenario)
                    if scenario.outcome == .failed {
                        report.exitCode = max(report.exitCode, .failed)
                    }
                    onReport(scenario)
                } catch {
                    file.diagnostics += error.diagnostics
                    report.exitCode = max(report.exitCode, error.code)
                    error.diagnostics.forEach(onFailure)
                    break
                }
            }
            next = end
            workers.skip(to: next)
            file.findUnusedBackground(of: piece.runner.file)
            if !file.failures.isEmpty { report.exitCode = max(report.exitCode, .failed) }
            file.failures.forEach(onFailure)
            report.files.append(file)
        }
    }
}
