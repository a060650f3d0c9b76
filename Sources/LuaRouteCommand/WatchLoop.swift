// SPDX-License-Identifier: MIT

#if CommandLine
import CommandStreams
import LuaRouteWatching
import ScenarioKit

/// A loop that waits for changed files, signals and keys, and then updates the watch.
struct WatchLoop {
    private let watch: ScenarioKit.Watch
    private let streams: Streams
    private let files: FileWatcher
    private let line: KeyLine?

    init(_ command: WatchCommand, _ streams: Streams, to console: Console, polls: Bool) {
        self.streams = streams
        let line = command.format == .text && streams.takesKeys ? KeyLine() : nil
        self.line = line
        var console = console
        console.output = { text in
            streams.output(text)
            // The user is waiting for this text.
            streams.flush()
        }
        watch = ScenarioKit.Watch(command, console.calling { line?.clear() })
        var settings = WatchSettings()
        settings.usesEvents = !polls
        settings.isInterrupted = { Signals.isEnd }
        files = FileWatcher(settings: settings)
    }

    /// Runs the loop until a signal or the key `q` ends the watch, a folder on the command line no
    /// longer exists, or the output is closed.
    func run() -> ScenarioKit.ExitCode {
        Signals.begin { [files] in files.wake() }
        if line != nil { TerminalKeys.begin { [files] in files.wake() } }
        defer { line?.end() }
        watch.isInterrupted = { Signals.isEnd }
        if let code = watch.begin() { return code }
        var hasReported = false
        var isSettled = false
        while true {
            // Files are watched before they are read, so that changes in between are reported.
            files.watch(WatchedFiles(watch.inputs))
            if !hasReported, !Signals.isEnd {
                hasReported = true
                if case .polling(let why) = files.mode {
                    watch.reportInputs(polledBecause: why)
                } else {
                    watch.reportInputs()
                }
            }
            if streams.isClosed || streams.hasFailed { return .success }
            if let code = Signals.end {
                watch.end(code)
                return code
            }
            if Signals.takeReload() {
                // `SIGHUP` requests a reload, but is also sent when the terminal is closed.
                if streams.hasLostTerminal { return .terminated }
                if let code = watch.update(isForced: true) { return code }
            } else if let request = line?.next() {
                if let code = watch.perform(request) {
                    if request == .quit { watch.end(code) }
                    return code
                }
            } else if watch.hasNews {
                guard isSettled || files.settle() else { continue }
                if let code = watch.update() { return code }
                isSettled = false
            } else {
                isSettled = wait() && files.settle()
            }
        }
    }

    /// Waits for a changed file, a signal or a key that requests an action.
    ///
    /// Meanwhile, the line shows the typed text.
    ///
    /// - Returns: Whether a file may have changed.
    private func wait() -> Bool {
        while true {
            line?.show()
            if files.wait() == .hint { return true }
            guard let line, line.take(), !Signals.hasArrived else { return false }
        }
    }
}

/// The last line of the terminal, which shows the available keys and the typed text.
private final class KeyLine {
    private var keys = WatchKeys()
    private var requests: [WatchKeys.Request] = []
    private var isShown = false

    /// Removes the line, and restores the mode of the terminal.
    func end() {
        clear()
        TerminalKeys.end()
    }

    /// Shows the line, if the process is in the foreground.
    func show() {
        guard TerminalKeys.resume() else { return }
        // Line wrapping is turned off, because a wrapped line could not be removed.
        Streams.write("\r\u{1B}[K\u{1B}[?7l\(keys.line.text)\u{1B}[?7h")
        isShown = true
    }

    func clear() {
        if isShown { Streams.write("\r\u{1B}[K") }
        isShown = false
    }

    /// Handles typed input.
    ///
    /// - Returns: Whether input was read that does not complete a request.
    func take() -> Bool {
        let bytes = TerminalKeys.take()
        requests += keys.take(bytes)
        return !bytes.isEmpty && requests.isEmpty
    }

    /// Removes and returns the next request; nil if there is none.
    func next() -> WatchKeys.Request? {
        _ = take()
        return requests.isEmpty ? nil : requests.removeFirst()
    }
}

extension WatchedFiles {
    fileprivate init(_ inputs: WatchedInputs) {
        let folders = inputs.folders.map { Folder($0, ending: WatchedInputs.ending) }
        self.init(files: inputs.files, folders: Set(folders))
        roots = inputs.roots
    }
}
#endif
