// SPDX-License-Identifier: MIT

public import RouteCore
package import RouteURLs

/// The routes and routings whose patterns a URL matches or nearly matches.
extension Explanation {
    /// A pattern that a URL matches.
    public struct Match: Sendable {
        /// The target of the route.
        public let target: Target
        /// The pattern, as written in the script.
        public let pattern: String
        /// The source location of the declaration.
        public let location: RouteError.Location?
        /// The parameters that the URL contains.
        public let parameters: InfoTable

        /// The index of the pattern in ``URLRouteTable/entries``.
        package let index: Int
        /// The form of the pattern that matched.
        package let matched: URLPattern
    }

    /// A pattern that a URL nearly matches.
    public struct Miss: Sendable {
        /// The target of the route.
        public let target: Target
        /// The pattern, as written in the script.
        public let pattern: String
        /// The source location of the declaration.
        public let location: RouteError.Location?
        /// The position, counted from 1, of the segment that differs; nil if no segment differs.
        public let segment: Int?
        /// The reason why the URL does not match, such as `segment 2 'abc' is not a valid int`.
        public let reason: String

        /// The index of the pattern in ``URLRouteTable/entries``.
        package let index: Int
        /// The pattern, without the optional segments that the URL omits.
        package let matched: URLPattern
    }

    /// A routing that `router.dispatch` would find for a URL.
    public struct RoutingMatch: Sendable {
        /// The routing.
        public let routing: RoutingDescription
        /// The parameters that the URL contains.
        public let parameters: InfoTable

        /// The index of the routing in ``Router/routings``.
        package let index: Int
        /// The form of the pattern that matched.
        package let matched: URLPattern
    }

    /// A routing that a URL nearly matches.
    public struct RoutingMiss: Sendable {
        /// The routing.
        public let routing: RoutingDescription
        /// The position, counted from 1, of the segment that differs; nil if no segment differs.
        public let segment: Int?
        /// The reason why the URL does not match, such as `segment 2 'abc' is not a valid int`.
        public let reason: String

        /// The index of the routing in ``Router/routings``.
        package let index: Int
        /// The pattern, without the optional segments that the URL omits.
        package let matched: URLPattern
    }
}
