// SPDX-License-Identifier: MIT

/// The times and the means of watching files.
public struct WatchSettings: Sendable {
    /// The time without a change after which files are looked at.
    public var quiet: Duration = .milliseconds(100)

    /// The same once each written file is closed or renamed, at most ``quiet``; used where the system
    /// reports that, on Linux.
    public var quietOnceClosed: Duration = .milliseconds(50)

    /// The maximum time to wait for that.
    public var longest: Duration = .seconds(1)

    /// The time between two looks at the files if they are polled.
    public var pollInterval: Duration = .seconds(1)

    /// Whether to use the system's events.
    ///
    /// Otherwise files are polled. Polling is needed where a file system accepts watches but
    /// reports nothing, as in some containers and virtual machines.
    public var usesEvents = true

    /// Whether the process is about to end: a look at many files then ends early, and what it would
    /// have found is not reported.
    ///
    /// Called on any thread that uses the watcher, for each file.
    public var isInterrupted: @Sendable () -> Bool = { false }

    /// Creates the default settings.
    public init() {}
}
