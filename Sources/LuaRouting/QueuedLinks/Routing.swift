// SPDX-License-Identifier: MIT

package import RouteURLs

extension Router {
    /// The routings of `router.routing`, by their indices in ``routingURLs``.
    public var routings: [RoutingDescription] {
        generation.declarations.routings.routings.map {
            RoutingDescription(
                pattern: $0.pattern,
                location: $0.location,
                hasAction: $0.action != nil
            )
        }
    }

    /// The patterns of the routings, compiled.
    package var routingURLs: URLTable { generation.declarations.routings.table }
}
