// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import ScenarioKit
internal import SystemGaps

/// The events of a session, from which a scenario is written.
struct Recording {
    private var lines: [String] = [Event.jsonHeader]
    private var isReloaded = false

    /// Adds an event.
    ///
    /// Reloads are omitted: the scripts that they loaded are no longer on disk, and the scenario
    /// runs with the current scripts.
    mutating func add(_ event: Event) {
        let isReload = event.kind == .reload || event["act"].text == "reload"
        if isReload { isReloaded = true } else { lines.append(event.json) }
    }

    /// Writes a scenario that reproduces the session, and runs it.
    ///
    /// If the file cannot be written, the message contains the scenario so that the recording is
    /// not lost.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - bundle: The scripts.
    /// - Returns: The exit code, and the message for the user.
    func save(to path: String, _ bundle: ScriptBundle) -> Launch.End {
        let (script, root) = Self.relative(
            "\(bundle.root ?? ".")/\(bundle.entry)",
            to: Self.folder(of: path)
        )
        var (code, text, message) = scenario(script: script)
        guard code == .success else { return Launch.End(code: code, message: message) }
        if let problem = SourceFiles.replace(path, with: text.utf8) {
            message += "error: '\(path)' cannot be written: \(problem); the scenario is:\n\(text)"
            return Launch.End(code: .outputFailed, message: message)
        }
        var command = RunCommand(paths: [path])
        var output = ""
        code = command.run(.silent).exitCode
        // The scripts may be outside of the folder to which the scenario file is limited.
        if code == .scenarioInvalid { command.options.fileRoot = root }
        code = command.run(Console(output: { output += $0 }, errors: { message += $0 })).exitCode
        let option = command.options.fileRoot.map { "--file-root \($0) " } ?? ""
        message += "wrote \(path): luaroute run \(option)\(path) "
        message += code == .success ? "passes\n" : "fails\n\(output)"
        return Launch.End(code: code, message: message)
    }

    /// Returns the text of the scenario, and messages.
    func scenario(script: String) -> (ExitCode, text: String, errors: String) {
        var command = EventsCommand(file: "-")
        command.format = .scenario
        command.script = script
        var rest = lines[...]
        var text =
            isReloaded
            ? "# The scripts were reloaded. This scenario uses the last loaded scripts.\n" : ""
        var errors = ""
        let code = command.run(
            input: { rest.popFirst().map { Array("\($0)\n".utf8) } },
            Console(output: { text += $0 }, errors: { errors += $0 })
        )
        return (code, text, errors)
    }

    // MARK: Files

    /// Returns the system's reason why a file cannot be written; nil if it can.
    static func problem(of path: String) -> String? {
        var status = stat()
        let isThere = stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT == S_IFDIR { return reason(EISDIR) }
        return access(isThere ? path : folder(of: path), W_OK) == 0 ? nil : reason(errno)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastSlash else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the path from a folder to a file, and the folder that contains both.
    private static func relative(_ file: String, to folder: String) -> (String, root: String) {
        let to = resolved(file).pathNames
        let from = resolved(folder).pathNames
        let shared = zip(to, from).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        let path = from.dropFirst(shared).map { _ in ".." } + to.dropFirst(shared)
        return (path.joined(separator: "/"), "/" + to.prefix(shared).joined(separator: "/"))
    }

    private static func resolved(_ path: String) -> String {
        guard let text = realpath(path, nil) else { return path }
        defer { free(text) }
        return String(cString: text)
    }

    private static func reason(_ error: Int32) -> String { String(cString: strerror(error)) }
}
