// SPDX-License-Identifier: MIT

#if CommandLine
import CommandStreams
import LuaRouteWatching
import ScenarioKit

/// Waits for files and signals, and runs the watch after each.
struct WatchLoop {
    private let watch: ScenarioKit.Watch
    private let streams: Streams
    private let files: FileWatcher

    init(_ command: WatchCommand, _ streams: Streams, polls: Bool) {
        self.streams = streams
        watch = ScenarioKit.Watch(command) { text in
            streams.output(text)
            // The user waits for this text.
            streams.flush()
        } errors: { text in
            streams.errors(text)
        }
        var settings = WatchSettings()
        settings.usesEvents = !polls
        settings.isInterrupted = { Signals.isEnd }
        files = FileWatcher(settings: settings)
    }

    /// Runs until a signal arrives, until a folder of the command line is gone, or until nobody reads
    /// the results any more.
    func run() -> ScenarioKit.ExitCode {
        Signals.begin { [files] in files.wake() }
        watch.isInterrupted = { Signals.isEnd }
        if let code = watch.begin() { return code }
        var hasReported = false
        var isSettled = false
        while true {
            // First the watches, then the look: changes in between are reported.
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
                // A closed terminal sends the same signal.
                if streams.hasLostTerminal { return .terminated }
                if let code = watch.update(isForced: true) { return code }
            } else if watch.hasNews {
                guard isSettled || files.settle() else { continue }
                if let code = watch.update() { return code }
                isSettled = false
            } else {
                isSettled = files.wait() == .hint && files.settle()
            }
        }
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
