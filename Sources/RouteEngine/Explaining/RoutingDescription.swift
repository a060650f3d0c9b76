// SPDX-License-Identifier: MIT

public import RouteCore

/// The description of a routing.
///
/// ```swift
/// for routing in router.routings {
///     print(routing.pattern, routing.hasAction)  // app://orders/:id(int) false
/// }
/// ```
public struct RoutingDescription: Sendable {
    /// The pattern, as written in the script.
    public let pattern: String
    /// The source location of the declaration.
    public let location: RouteError.Location?
    /// Whether the routing has an action.
    ///
    /// If not, links that match the routing are queued.
    public let hasAction: Bool

    package init(pattern: String, location: RouteError.Location?, hasAction: Bool) {
        (self.pattern, self.location, self.hasAction) = (pattern, location, hasAction)
    }
}
