// SPDX-License-Identifier: MIT

/// The times and the means of watching files.
public struct WatchSettings: Sendable {
    /// The time without a change after which files are checked.
    public var quiet: Duration = .milliseconds(100)

    /// The time without a change after all written files were closed or renamed.
    ///
    /// It is at most ``quiet`` and only used on Linux, which reports these events.
    public var quietOnceClosed: Duration = .milliseconds(50)

    /// The maximum time to wait for that.
    public var longest: Duration = .seconds(1)

    /// The polling interval of files.
    public var pollInterval: Duration = .seconds(1)

    /// Whether to use the system's events.
    ///
    /// Otherwise files are polled. Polling is needed where a file system accepts watches but
    /// reports nothing, as in some containers and virtual machines.
    public var usesEvents = true

    /// Whether the process is about to end: a check of many files then ends early, without a
    /// report.
    ///
    /// Called on any thread that uses the watcher, for each file.
    public var isInterrupted: @Sendable () -> Bool = { false }

    /// Creates the default settings.
    public init() {}
}
