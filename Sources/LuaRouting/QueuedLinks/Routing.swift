// SPDX-License-Identifier: MIT

package import RouteURLs

extension Router {
    /// The routings that the scripts declared with `router.routing`.
    public var routings: [RoutingDescription] {
        checkThread()
        return generation.declarations.routings.routings.map {
            RoutingDescription(
                pattern: $0.pattern,
                location: $0.location,
                hasAction: $0.action != nil
            )
        }
    }

    /// The URL table of the routings.
    package var routingURLs: URLTable { generation.declarations.routings.table }
}
