// SPDX-License-Identifier: MIT

internal import RouteCore

/// The target of a navigation or a task: a task of a service.
public struct Target: Sendable, Hashable, CustomStringConvertible {
    /// The name of the service, such as `ShowPage`.
    public let service: String
    /// The name of the task, such as `open`.
    public let task: String

    /// Creates a target.
    public init(_ service: String, _ task: String) {
        self.service = service
        self.task = task
    }

    /// The target as messages and scenarios write it: `ShowPage/open`.
    public var description: String { service + "/" + task }
}
