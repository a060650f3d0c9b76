// SPDX-License-Identifier: MIT

internal import LuaRouteWatching
internal import LuaRouting
internal import ScenarioKit

/// Runs the podcast app in a terminal.
@main
@MainActor
struct Launch {
    /// The path of the scripts; nil for the default.
    var scripts: String?
    /// The file of the scenario to write.
    var record: String?

    private static let usage = "usage: scripts/terminal [SCRIPTS] [--record FILE]\n"

    /// An exit of the process before the app starts.
    struct End: Error {
        let code: ExitCode
        let message: String
    }

    /// Reads the command line.
    init(_ arguments: [String]) throws(End) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": throw End(code: .success, message: Self.usage)
            case "--record":
                guard let file = rest.popFirst(), !file.isEmpty else {
                    throw Self.wrong("'--record' needs a file")
                }
                record = file
            case _ where argument.hasPrefix("-"): throw Self.wrong("unknown option '\(argument)'")
            case _ where scripts != nil: throw Self.wrong("only one path of scripts can be given")
            default: scripts = argument
            }
        }
    }

    private static func wrong(_ message: String) -> End {
        End(code: .usage, message: "error: \(message)\n\(usage)")
    }

    static func main() async {
        do {
            try await Launch(Array(CommandLine.arguments.dropFirst())).run()
        } catch {
            Terminal.end(error.code, error.message)
        }
    }

    private func run() async throws(End) {
        let app: PodcastApp
        do {
            let path = scripts ?? Terminal.variable("LUAROUTE_SCRIPTS") ?? "scripts/podcast"
            app = try PodcastApp(scripts: ScriptBundle(path: path), isRecorded: record != nil)
        } catch let error as RouteError {
            let findings = error.findings.map { "error: \($0.description)\n" }
            throw End(code: .scriptFailed, message: findings.joined())
        } catch {
            throw End(code: .inputMissing, message: "error: \(error)\n")
        }
        if let record, let problem = Recording.problem(of: record) {
            let message = "error: '\(record)' cannot be written: \(problem)\n"
            throw End(code: .outputFailed, message: message)
        }
        guard let terminal = Terminal() else {
            let message = "error: the standard input and output must be a terminal\n"
            throw End(code: .usage, message: message)
        }
        let code = await Self.show(app, terminal)
        guard let record, let recording = app.recording else { throw End(code: code, message: "") }
        let end = recording.save(to: record, app.router.bundle)
        throw End(code: max(code, end.code), message: end.message)
    }

    /// Shows the app until the user ends it.
    private static func show(_ app: PodcastApp, _ terminal: Terminal) async -> ExitCode {
        var terminal = terminal
        defer { terminal.restore() }
        let add = terminal.add
        app.onChange = { add(.changed) }
        #if DEBUG
        let watching = Task { await app.router.reloadWhenChanged() }
        defer { watching.cancel() }
        #endif
        add(.resized)
        var decoder = KeyDecoder()
        for await input in terminal.inputs {
            var keys: [Key] = []
            switch input {
            case .bytes(let bytes):
                keys = decoder.keys(bytes)
                guard decoder.isWaiting else { break }
                // The rest of an arrow key arrives within a short time; otherwise the byte is the
                // escape key.
                Task {
                    try? await Task.sleep(for: .milliseconds(50))
                    add(.idle)
                }
            case .idle: keys = decoder.finish()
            case .resized: terminal.show([], isResized: true)
            case .changed: break
            case .ended(let code): return code
            }
            guard keys.allSatisfy(app.press) else { return .success }
            let size = terminal.size
            terminal.show(app.lines(width: size.width, height: size.height))
        }
        return .success
    }
}
