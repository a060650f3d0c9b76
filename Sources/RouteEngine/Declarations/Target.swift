// SPDX-License-Identifier: MIT

internal import RouteCore

/// The target of a navigation or a task: a task of a service.
public struct Target: Sendable, Hashable, CustomStringConvertible {
    /// The name of the service, such as `ShowPage`.
    public let service: String
    /// The name of the task, such as `open`.
    public let task: String

    // Made once: looking a route up would else hash both names each time.
    private let hash: Int

    /// Creates a target.
    public init(_ service: String, _ task: String) {
        self.service = service
        self.task = task
        var hasher = Hasher()
        hasher.combine(service)
        hasher.combine(task)
        hash = hasher.finalize()
    }

    /// Compares both names.
    public static func == (left: Target, right: Target) -> Bool {
        left.hash == right.hash && left.service == right.service && left.task == right.task
    }

    /// Feeds both names into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// The target as messages and scenarios write it: `ShowPage/open`.
    public var description: String { service + "/" + task }
}
