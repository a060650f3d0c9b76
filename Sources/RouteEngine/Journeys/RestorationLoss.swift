// SPDX-License-Identifier: MIT

internal import RouteCore

/// A screen or a link of a snapshot that did not come back.
public struct RestorationLoss: Sendable, Equatable, CustomStringConvertible {
    /// Where it stood: the window, then the classes from its root on with their positions
    /// among their neighbours, such as `main/tabs/nav[2]/ShowPage[1]`; `^` before a modal.
    public let path: String
    /// Why.
    public let reason: String

    /// The loss as messages have it.
    public var description: String { "\(path) did not come back: \(reason)" }

    package init(path: String, reason: String) {
        (self.path, self.reason) = (path, reason)
    }
}
