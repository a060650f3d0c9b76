// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import ScenarioKit

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The file of the scenario that a session becomes.
enum RecordFile {
    /// Returns the system's reason why a file cannot be written; nil if it can.
    static func problem(of path: String) -> String? {
        var status = stat()
        let isThere = stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT == S_IFDIR { return reason(EISDIR) }
        return access(isThere ? path : folder(of: path), W_OK) == 0 ? nil : reason(errno)
    }

    /// Writes the scenario of a session, runs it, and reports both.
    ///
    /// If the file cannot be written, the scenario is printed, so that it is not lost.
    @MainActor
    static func save(_ app: PodcastApp, to path: String) -> ExitCode {
        guard let recording = app.recording else { return .success }
        let bundle = app.router.bundle
        let (script, root) = relative("\(bundle.root ?? ".")/\(bundle.entry)", to: folder(of: path))
        let (text, errors) = recording.scenario(script: script)
        report(errors)
        if let error = replace(path, with: text) {
            report("error: '\(path)' cannot be written: \(error); this is the scenario:\n\(text)")
            return .outputFailed
        }
        var command = RunCommand(paths: [path])
        var (code, failures) = run(command)
        // The scripts may be outside of the folder that the file may use.
        if code == .scenarioInvalid {
            command.options.fileRoot = root
            (code, failures) = run(command)
        }
        let option = command.options.fileRoot.map { "--file-root \($0) " } ?? ""
        let result = code == .success ? "passes" : "fails:\n\(failures)"
        report("wrote \(path): luaroute run \(option)\(path) \(result)\n")
        return code
    }

    private static func run(_ command: RunCommand) -> (ExitCode, String) {
        var text = ""
        let add = { text += $0 }
        return (command.run(output: add, errors: add).exitCode, text)
    }

    /// Writes text to stderr.
    static func report(_ text: String) { Terminal.write(text, to: STDERR_FILENO) }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns a path from a folder to a file, and the folder that both are in.
    private static func relative(_ file: String, to folder: String) -> (String, root: String) {
        guard let file = resolved(file), let folder = resolved(folder) else { return (file, "/") }
        let (to, from) = (file.split(separator: "/"), folder.split(separator: "/"))
        let shared = zip(to, from).prefix { $0 == $1 }.count
        let path = from.dropFirst(shared).map { _ in ".." } + to.dropFirst(shared).map(String.init)
        return (path.joined(separator: "/"), "/" + to.prefix(shared).joined(separator: "/"))
    }

    private static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Replaces a file; returns the system's reason if it cannot be written.
    private static func replace(_ path: String, with text: String) -> String? {
        let draft = "\(path).\(getpid()).tmp"
        guard let file = fopen(draft, "wx") else { return reason(errno) }
        let isWritten = fputs(text, file) >= 0
        let isClosed = fclose(file) == 0
        if isWritten, isClosed, rename(draft, path) == 0 { return nil }
        defer { unlink(draft) }
        return reason(errno)
    }

    private static func reason(_ error: Int32) -> String { String(cString: strerror(error)) }
}
