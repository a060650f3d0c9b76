// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Reports the progress of a watch as text or JSON lines.
struct WatchWriter {
    /// The maximum number of routes that a line names for each kind of change.
    private static let namesInLine = 4

    private let command: WatchCommand
    private let console: Console
    private let results: ConsoleReport

    init(_ command: WatchCommand, _ console: Console) {
        self.command = command
        self.console = console
        results = ConsoleReport(
            style: console.style,
            isQuiet: command.isQuiet,
            width: console.width,
            rerun: RerunCommand(command.options)
        )
    }

    private var isText: Bool { command.format == .text }

    func report(_ diagnostic: Diagnostic) { console.write(diagnostic) }

    // MARK: Runs

    func report(_ report: ScenarioReport) {
        if isText { console.output(results.text(of: report, isShort: false, after: nil)) }
        report.warnings.forEach { self.report($0) }
    }

    func report(_ report: RunReport) {
        guard !isText else { return console.output(results.end(of: report)) }
        console.output(Self.run.text(of: report))
    }

    // MARK: Attempts

    /// Reports an attempt in one line, followed by the messages that the scripts logged and the
    /// reasons for a rejection.
    func report(_ attempt: LiveScripts.Attempt, showsLog: Bool = false) {
        if isText {
            console.output(line(of: attempt))
        } else {
            console.output(Self.reload.text(of: attempt))
        }
        if isText, showsLog, !attempt.log.isEmpty { console.output(attempt.log) }
        if case .rejected(_, let diagnostics) = attempt.outcome { diagnostics.forEach(report) }
    }

    private func line(of attempt: LiveScripts.Attempt) -> PrintedText {
        let style = results.style
        let time = command.timeOfDay().map { "\($0) " } ?? ""
        let head: PrintedText =
            attempt.isRejected
            ? "\(style.red("✘")) rejected" : "\(style.green("✔")) accepted"
        let number = attempt.generation.map { "generation \($0)" }
        let text =
            switch attempt.outcome {
            case .began(_, let routes): "\(number ?? ""): \(routes.count.counted("route"))"
            case .accepted(let acceptance): "\(number ?? ""): \(Self.changes(acceptance))"
            case .asBefore: "\(number ?? ""): unchanged"
            case .rejected(let reason, _):
                "\(reason); " + (number.map { "\($0) stays active" } ?? "waiting for a fix")
            }
        return "\(time)\(head) \(path: attempt.path)  \(text)  (\(Self.milliseconds(attempt)) ms)\n"
    }

    private static func changes(_ acceptance: Reload.Acceptance) -> String {
        let parts = [
            ("added", acceptance.added), ("changed", acceptance.changed),
            ("removed", acceptance.removed),
        ]
        let texts = parts.filter { !$0.1.isEmpty }.map { "\($0.0) \(list($0.1))" }
        return texts.isEmpty ? "no route changed" : texts.joined(separator: "; ")
    }

    private static func list(_ names: [String]) -> String {
        let more = names.count - namesInLine
        // A single further name is printed, because 'and 1 more' would not be shorter.
        guard more > 1 else { return names.joined(separator: ", ") }
        return names.prefix(namesInLine).joined(separator: ", ") + " and \(more) more"
    }

    private static func milliseconds(_ attempt: LiveScripts.Attempt) -> Int {
        Int(attempt.milliseconds.rounded(.up))
    }

    // MARK: The watch itself

    func report(_ inputs: WatchedInputs, polledBecause trouble: String?) {
        guard isText else {
            return console.output(Self.watching.text(of: Inputs(inputs: inputs, trouble: trouble)))
        }
        let polling = trouble.map { ", polling (\($0))" } ?? ""
        console.errors("watching \(inputs.files.count.counted("file"))\(polling)\n")
    }

    func report(end code: ExitCode, _ accepted: Int, _ rejected: Int) {
        guard isText else {
            return console.output(
                Self.end.text(of: End(accepted: accepted, rejected: rejected, code: code))
            )
        }
        let how =
            switch code {
            case .success: "ended"
            case .terminated: "terminated"
            default: "interrupted"
            }
        console.errors("\(how) after \(accepted) accepted and \(rejected) rejected reloads\n")
    }

    // MARK: Fields

    /// The possible objects in the lines of the JSON output.
    static var objects: [DocumentObject] {
        [reload.object, run.object, watching.object, end.object]
    }

    private struct Inputs {
        let inputs: WatchedInputs
        let trouble: String?
    }

    private struct End {
        let accepted: Int
        let rejected: Int
        let code: ExitCode
    }

    private static func line<Root>(
        _ kind: String,
        @DocumentFieldsBuilder<Root> _ list: () -> [DocumentField<Root>]
    ) -> DocumentFields<Root> {
        let own = list()
        return DocumentFields(kind) {
            DocumentField<Root>.schema("watch")
            DocumentField<Root>.kind(kind)
            own
        }
    }

    private static let reload: DocumentFields<LiveScripts.Attempt> = line("reload") {
        DocumentField<LiveScripts.Attempt>("script", \.path, help: "The path of the scripts.")
        DocumentField("status", Status.init, help: "Whether the reload was accepted or rejected.")
        DocumentField("generation", \.generation, help: "The active generation.")
        DocumentField(
            "milliseconds",
            \.milliseconds,
            help: "The time that the reload took, in milliseconds."
        )
        DocumentField(optional: "digest", \.digest, help: "The digest of the scripts.")
        DocumentField(optional: "added", { $0.changes?.added }, help: "The new routes.")
        DocumentField(optional: "changed", { $0.changes?.changed }, help: "The changed routes.")
        DocumentField(
            optional: "removed",
            { $0.changes?.removed },
            help: "The removed routes."
        )
        DocumentField(
            optional: "reason",
            { $0.rejection?.reason },
            help: "The reason why the reload was rejected."
        )
        DocumentField(
            optional: "diagnostics",
            { $0.rejection?.diagnostics },
            help: "The errors, if the reload was rejected."
        )
    }

    private enum Status: String, CaseIterable, DocumentValue {
        case accepted, rejected

        init(_ attempt: LiveScripts.Attempt) { self = attempt.isRejected ? .rejected : .accepted }
    }

    private static let run: DocumentFields<RunReport> = line("run") {
        RunReport.results(hasCoverage: false)
    }

    private static let watching: DocumentFields<Inputs> = line("watching") {
        DocumentField<Inputs>(
            "files",
            { $0.inputs.files.sorted() },
            help: "The paths of the watched files."
        )
        DocumentField(
            "folders",
            { $0.inputs.folders.sorted() },
            help: "The paths of the watched folders."
        )
        DocumentField(
            optional: "polling",
            \.trouble,
            help: "The reason why the files are polled every second."
        )
    }

    private static let end: DocumentFields<End> = line("end") {
        DocumentField<End>("accepted", \.accepted, help: "The number of accepted reloads.")
        DocumentField("rejected", \.rejected, help: "The number of rejected reloads.")
        DocumentField<End>.exitCode(\.code)
    }
}

extension LiveScripts.Attempt {
    fileprivate var digest: String? {
        switch outcome {
        case .began(let digest, _), .asBefore(let digest): digest
        case .accepted(let acceptance): acceptance.digest
        case .rejected: nil
        }
    }

    fileprivate var changes: (added: [String], changed: [String], removed: [String])? {
        switch outcome {
        case .began(_, let routes): (routes, [], [])
        case .accepted(let acceptance): (acceptance.added, acceptance.changed, acceptance.removed)
        case .asBefore: ([], [], [])
        case .rejected: nil
        }
    }

    fileprivate var rejection: (reason: String, diagnostics: [Diagnostic])? {
        guard case .rejected(let reason, let diagnostics) = outcome else { return nil }
        return (reason, diagnostics)
    }
}
