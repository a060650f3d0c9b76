// SPDX-License-Identifier: MIT

/// The command `luaroute watch`: has scripts serve as they are saved, and runs again the
/// scenarios that use what has changed.
///
/// It does all but to wait: ``Watch`` says which files to look after, and whoever uses it tells
/// when to look. So an app that runs scenarios links nothing that watches files.
public struct WatchCommand: Sendable {
    /// What to watch: scenario files, `file:line`, scripts, and folders of both; nothing is the
    /// folder where we are.
    public var paths: [String]
    /// Which of the scenarios there.
    public var filter = ScenarioFilter()
    /// How to run each of them; the files about the host are read once.
    public var options: RunOptions
    /// The scenario files that must hold before scripts serve.
    public var canary: [String] = []
    /// How many scenarios run at the same time.
    public var jobs = 1
    /// The form of the results; as JSON, each is an object on a line of its own.
    public var format = RunCommand.Format.text
    /// Whether results are coloured.
    public var isOutputColored = false
    /// Whether all else is coloured.
    public var isErrorsColored = false
    /// The time of day, for people; nil tells none.
    public var timeOfDay: @Sendable () -> String? = { nil }
    /// The seconds since some moment, by which is told how long an attempt took.
    public var stopwatch: @Sendable () -> Double = {
        start.duration(to: .now) / .seconds(1)
    }

    private static let start = ContinuousClock.now

    /// Creates a command.
    public init(paths: [String] = [], options: RunOptions = RunOptions()) {
        self.paths = paths
        self.options = options
    }
}

/// The files on which a watch depends.
public struct WatchedInputs: Sendable, Equatable {
    /// The paths of files, also of those that are missing and may come.
    public internal(set) var files: Set<String> = []
    /// The folders in which scenario files may come.
    public internal(set) var folders: Set<String> = []
    /// How the names of these files end.
    public static var ending: String { Selection.fileExtension }
}
