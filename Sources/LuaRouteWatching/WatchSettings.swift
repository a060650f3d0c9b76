// SPDX-License-Identifier: MIT

/// The times and the method of watching files.
public struct WatchSettings: Sendable {
    /// The time without a change after which files are checked.
    public var quiet: Duration = .milliseconds(100)

    /// The time without a change after which files are checked if all written files were closed or
    /// renamed.
    ///
    /// The value is limited to ``quiet``, and used only on Linux, which reports that files are
    /// closed.
    public var quietOnceClosed: Duration = .milliseconds(50)

    /// The maximum time to wait until files have settled.
    public var longest: Duration = .seconds(1)

    /// The interval between two polls of the files.
    public var pollInterval: Duration = .seconds(1)

    /// Whether to use events of the system.
    ///
    /// If false, files are polled. Polling is needed for a file system that accepts watches but
    /// reports nothing, as in some containers and virtual machines.
    public var usesEvents = true

    /// Returns whether the process is about to end.
    ///
    /// If so, a check of many files ends early, without a report.
    ///
    /// The closure is called for each file, on any thread that uses the watcher.
    public var isInterrupted: @Sendable () -> Bool = { false }

    /// Creates the default settings.
    public init() {}
}
