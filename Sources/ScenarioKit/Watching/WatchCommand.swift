// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The command `luaroute watch`: reloads scripts when they are saved, and runs the scenarios that
/// use changed files.
///
/// It does everything except waiting: ``Watch`` provides the files to watch, and its user calls it
/// after changes. So an app that runs scenarios links no code that watches files.
package struct WatchCommand: Sendable {
    /// The scenario files, `file:line`, scripts and folders to watch; empty for the current folder.
    package var paths: [String]
    /// The selection among the scenarios of the paths.
    package var filter = ScenarioFilter()
    /// The options for running the scenarios; the files about the host are read once.
    package var options: RunOptions
    /// The scenario files that must pass before scripts become active.
    package var canary: [String] = []
    /// The number of scenarios that run in parallel.
    package var jobs = 1
    /// The form of the results; as JSON, each result is an object on a separate line.
    package var format = RunCommand.Format.text
    /// Whether text leaves out scenarios that did not fail.
    package var isQuiet = false
    /// Returns the time of day to print; nil prints none.
    package var timeOfDay: @Sendable () -> String? = { nil }
    /// Returns the seconds since some moment, to measure the duration of attempts.
    package var stopwatch: @Sendable () -> Double = {
        start.duration(to: .now) / .seconds(1)
    }

    private static let start = ContinuousClock.now

    /// Creates a command.
    package init(paths: [String] = [], options: RunOptions = RunOptions()) {
        self.paths = paths
        self.options = options
    }
}

/// The files on which a watch depends.
package struct WatchedInputs: Sendable, Equatable {
    /// The paths of files; they need not exist yet.
    package internal(set) var files: Set<String> = []
    /// The folders in which scenario files may be created.
    package internal(set) var folders: Set<String> = []
    /// The folders in which the files of bundles must stay: links that lead out of them are not
    /// followed.
    package private(set) var roots: [String: String] = [:]
    /// The ending of the names of these files.
    package static var ending: String { Selection.fileExtension }

    /// Adds the files that the scripts of a bundle have requested, and the entry.
    mutating func add(_ bundle: ScriptBundle) {
        for file in bundle.files.keys + [bundle.entry] {
            let path = bundle.displayPath(of: file)
            files.insert(path)
            roots[path] = bundle.root
        }
    }

    /// Adds the paths of a file, or of a folder with its entry, either of which may be created
    /// later.
    mutating func add(scriptsAt path: String) {
        files.formUnion([path, Paths.path("main.lua", from: path)])
    }
}
