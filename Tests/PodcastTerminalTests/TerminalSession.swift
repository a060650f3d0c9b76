// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The app in a terminal of tmux, which has its own server, and a copy of an example's scripts.
final class TerminalSession {
    /// Whether tmux can be run.
    static let isPossible = (try? run(["tmux", "-V"])) != nil

    /// The time after which a test fails; only failing tests wait that long.
    private static let timeout = 600.0

    let folder: TemporaryFolder

    /// Starts the app in the folder of the copy.
    init(_ example: String = "podcast", width: Int = 80, height: Int = 20, _ options: String = "")
        throws
    {
        folder = try TemporaryFolder()
        let scripts = packageFolder.appending(path: "scripts/\(example)").path()
        try Self.run(["cp", "-r", scripts, "\(folder.path)/scripts"])
        let app = builtProduct("PodcastTerminal").path()
        let size = ["-x", "\(width)", "-y", "\(height)"]
        // The terminal remains when the app has ended, with its exit code.
        let line = "cd '\(folder.path)'; '\(app)' scripts \(options); echo ended $?; exec cat"
        try tmux(["-f", "/dev/null", "new-session", "-d"] + size + [line])
    }

    deinit { _ = try? tmux(["kill-server"]) }

    /// Types a text.
    func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

    /// Presses keys, by their names in tmux.
    func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

    func resize(width: Int, height: Int) throws {
        try tmux(["resize-window", "-x", "\(width)", "-y", "\(height)"])
    }

    /// Waits until the screen contains a text, and returns the screen.
    @discardableResult
    func wait(
        for text: String,
        without other: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws -> String {
        let end = Date.now.addingTimeInterval(Self.timeout)
        while true {
            let screen = try tmux(["capture-pane", "-p"])
            if screen.contains(text), other.map(screen.contains) != true { return screen }
            try #require(
                Date.now < end,
                "'\(text)' never came:\n\(screen)",
                sourceLocation: location
            )
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        try Self.run(["tmux", "-u", "-S", "\(folder.path)/tmux"] + arguments)
    }

    /// Runs a program of the system, and returns its output.
    ///
    /// This function replaces `Process`, whose children inherit the blocked signals of the thread,
    /// and which would wait for the server of tmux, because the server inherits the open files.
    @discardableResult
    static func run(_ arguments: [String]) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let words = arguments.map { "'\($0.replacing("'", with: "'\\''"))'" }
        let line = words.joined(separator: " ") + " </dev/null >'\(file.path())' 2>&1"
        var (none, previous) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &previous)
        let status = system("unset TMUX; " + line)
        pthread_sigmask(SIG_SETMASK, &previous, nil)
        let output = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        struct Failure: Error { let output: String }
        if status != 0 { throw Failure(output: output) }
        return output
    }
}
