// SPDX-License-Identifier: MIT

public import RouteCore

/// A routing that the scripts declare, for lists.
public struct RoutingDescription: Sendable {
    /// The pattern, as the script writes it.
    public let pattern: String
    /// The line that declares it.
    public let location: RouteError.Location?
    /// Whether it has an action.
    public let hasAction: Bool

    package init(pattern: String, location: RouteError.Location?, hasAction: Bool) {
        (self.pattern, self.location, self.hasAction) = (pattern, location, hasAction)
    }
}
