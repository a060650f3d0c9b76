// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The command `luaroute watch`: reloads scripts when they are saved, and runs the scenarios that
/// use changed files.
///
/// This module does everything except waiting for changes. ``Watch`` lists the files to watch, and
/// the caller of ``Watch`` updates the watch after changes. An app that runs scenarios therefore
/// does not link code that watches files.
package struct WatchCommand: Sendable {
    /// The scenario files, `file:line`, scripts and folders to watch; empty for the current folder.
    package var paths: [String]
    /// The filter that selects scenarios in the files.
    package var filter = ScenarioFilter()
    /// The options for running the scenarios.
    ///
    /// The files that describe the host are read only once.
    package var options: RunOptions
    /// The scenario files that must pass before scripts become active.
    package var canary: [String] = []
    /// The number of scenarios that run in parallel.
    package var jobs = 1
    /// The format of the results.
    ///
    /// In JSON output, each result is an object on a separate line.
    package var format = RunCommand.Format.text
    /// Whether text output omits scenarios that did not fail.
    package var isQuiet = false
    /// Returns the time of day to print; nil to print none.
    package var timeOfDay: @Sendable () -> String? = { nil }
    /// Returns the seconds since a fixed point in time, to measure the duration of attempts.
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
    /// The paths of the files, including files that do not exist yet.
    package internal(set) var files: Set<String> = []
    /// The folders in which scenario files may be created.
    package internal(set) var folders: Set<String> = []
    /// The root folder of the bundle of each script file, by the path of the file.
    ///
    /// Symbolic links that lead out of the folder are not followed.
    package private(set) var roots: [String: String] = [:]
    /// The file name extension of scenario files.
    package static var ending: String { Selection.fileExtension }

    /// Adds the entry of a bundle and the files that its scripts have requested.
    mutating func add(_ bundle: ScriptBundle) {
        for file in bundle.files.keys + [bundle.entry] {
            let path = bundle.displayPath(of: file)
            files.insert(path)
            roots[path] = bundle.root
        }
    }

    /// Adds a path that may be a script file or a folder with a `main.lua`; either may be created
    /// later.
    mutating func add(scriptsAt path: String) {
        files.formUnion([path, Paths.path("main.lua", from: path)])
    }
}
