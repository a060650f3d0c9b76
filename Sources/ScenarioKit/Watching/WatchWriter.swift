// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Reports the progress of a watch to people or programs.
struct WatchWriter {
    private static let schema = "luaroute.watch/1"

    /// The maximum number of routes of a kind that a line names.
    private static let namesInLine = 4

    private let command: WatchCommand
    private let output: (PrintedText) -> Void
    private let errors: (PrintedText) -> Void
    private let results: ConsoleReport
    private let console: ConsoleReport

    init(
        _ command: WatchCommand,
        output: @escaping (PrintedText) -> Void,
        errors: @escaping (PrintedText) -> Void
    ) {
        self.command = command
        self.output = output
        self.errors = errors
        results = ConsoleReport(
            style: TerminalStyle(isColored: command.isOutputColored),
            isQuiet: command.isQuiet,
            width: command.width,
            rerun: RerunCommand(command.options)
        )
        console = ConsoleReport(style: TerminalStyle(isColored: command.isErrorsColored))
    }

    private var isText: Bool { command.format == .text }

    func report(_ diagnostic: Diagnostic) { errors(console.text(of: diagnostic)) }

    // MARK: Runs

    func report(_ report: ScenarioReport) {
        if isText { output(results.text(of: report, isShort: false, after: nil)) }
        report.warnings.forEach { self.report($0) }
    }

    func report(_ report: RunReport) {
        guard !isText else { return output(results.end(of: report)) }
        object("run") { $0.members(of: report) }
    }

    // MARK: Attempts

    /// Reports an attempt in one line; the messages that its scripts logged, and the reasons for a
    /// rejection, follow.
    func report(_ attempt: LiveScripts.Attempt, showsLog: Bool = false) {
        if isText { output(line(of: attempt)) } else { write(attempt) }
        if isText, showsLog, !attempt.log.isEmpty { output(attempt.log) }
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
            case .asBefore: "\(number ?? ""): as before"
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
        // Naming one more is as short as counting it.
        guard more > 1 else { return names.joined(separator: ", ") }
        return names.prefix(namesInLine).joined(separator: ", ") + " and \(more) more"
    }

    private static func milliseconds(_ attempt: LiveScripts.Attempt) -> Int {
        Int(attempt.milliseconds.rounded(.up))
    }

    private func write(_ attempt: LiveScripts.Attempt) {
        object("reload") { writer in
            writer.member("script", attempt.path)
            writer.member("status", attempt.isRejected ? "rejected" : "accepted")
            let generation = attempt.generation.map { Value.integer(Int64($0)) } ?? .nil
            writer.member("generation", generation)
            writer.member("milliseconds", .number(attempt.milliseconds))
            switch attempt.outcome {
            case .began(let digest, let routes):
                writer.changes(digest, added: routes, changed: [], removed: [])
            case .accepted(let acceptance):
                writer.changes(
                    acceptance.digest,
                    added: acceptance.added,
                    changed: acceptance.changed,
                    removed: acceptance.removed
                )
            case .asBefore(let digest):
                writer.changes(digest, added: [], changed: [], removed: [])
            case .rejected(let reason, let diagnostics):
                writer.member("reason", reason)
                writer.list("diagnostics", elements: diagnostics) { $0.write($1) }
            }
        }
    }

    // MARK: The watch itself

    func report(_ inputs: WatchedInputs, polledBecause trouble: String?) {
        guard isText else {
            return object("watching") { writer in
                writer.names("files", inputs.files.sorted())
                writer.names("folders", inputs.folders.sorted())
                if let trouble { writer.member("polling", trouble) }
            }
        }
        let polling = trouble.map { ", polling (\($0))" } ?? ""
        errors("watching \(inputs.files.count.counted("file"))\(polling)\n")
    }

    func report(end code: ExitCode, _ accepted: Int, _ rejected: Int) {
        guard isText else {
            return object("end") { writer in
                writer.member("accepted", accepted)
                writer.member("rejected", rejected)
                writer.member("exitCode", Int(code.rawValue))
            }
        }
        let how =
            switch code {
            case .success: "ended"
            case .terminated: "terminated"
            default: "interrupted"
            }
        errors("\(how) after \(accepted) accepted, \(rejected) rejected\n")
    }

    private func object(_ kind: String, _ members: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.begin("{")
        writer.member("schema", Self.schema)
        writer.member("kind", kind)
        members(&writer)
        writer.end("}")
        output(writer.document)
    }
}

extension JSONWriter {
    fileprivate mutating func changes(
        _ digest: String,
        added: [String],
        changed: [String],
        removed: [String]
    ) {
        member("digest", digest)
        names("added", added)
        names("changed", changed)
        names("removed", removed)
    }

    fileprivate mutating func names(_ name: String, _ names: [String]) {
        list(name, elements: names) { $0.write(.string(ByteString($1))) }
    }
}
