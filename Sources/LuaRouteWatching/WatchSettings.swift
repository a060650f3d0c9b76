// SPDX-License-Identifier: MIT

/// How files are watched.
public struct WatchSettings: Sendable {
    /// How long nothing may change before files are looked at.
    public var quiet: Duration = .milliseconds(100)

    /// How long to wait for that at the most.
    public var longest: Duration = .seconds(1)

    /// The time between two looks at files where the system tells of no changes.
    public var pollInterval: Duration = .seconds(1)

    /// Whether the system is asked to tell of changes.
    ///
    /// Without, files are polled: where a file system takes the watches and tells nothing, as
    /// some of containers and virtual machines do.
    public var usesEvents = true

    /// Creates the usual settings.
    public init() {}
}
