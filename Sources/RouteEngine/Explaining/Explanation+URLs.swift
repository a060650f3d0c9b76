// SPDX-License-Identifier: MIT

public import RouteCore
package import RouteURLs

/// The routes that a URL matches, and the routes that it nearly matches.
extension Explanation {
    /// A pattern that a URL matches.
    public struct Match: Sendable {
        /// The destination.
        public let target: Target
        /// The pattern, as written in the script.
        public let pattern: String
        /// The source location of the declaration.
        public let location: RouteError.Location?
        /// The parameters read from the URL.
        public let parameters: InfoTable

        /// The index of the pattern in ``URLRouteTable/entries``.
        package let index: Int
        /// The form of the pattern that matched.
        package let matched: URLPattern
    }

    /// A pattern that a URL nearly matches.
    public struct Miss: Sendable {
        /// The destination.
        public let target: Target
        /// The pattern, as written in the script.
        public let pattern: String
        /// The source location of the declaration.
        public let location: RouteError.Location?
        /// The number of the segment that differs, from 1; nil if no segment differs.
        public let segment: Int?
        /// The reason why the URL does not match: `segment 2 'abc' is not a valid int`.
        public let reason: String

        /// The index of the pattern in ``URLRouteTable/entries``.
        package let index: Int
        /// The pattern without omitted optional segments.
        package let matched: URLPattern
    }

    /// A routing that `router.dispatch` finds for a URL.
    public struct RoutingMatch: Sendable {
        /// The routing.
        public let routing: RoutingDescription
        /// The parameters read from the URL.
        public let parameters: InfoTable

        /// The index of the routing in ``Router/routings``.
        package let index: Int
        /// The form of the pattern that was compared.
        package let matched: URLPattern
    }

    /// A routing that a URL nearly matches.
    public struct RoutingMiss: Sendable {
        /// The routing.
        public let routing: RoutingDescription
        /// The number of the segment that differs, from 1; nil if no segment differs.
        public let segment: Int?
        /// The reason why the URL does not match: `segment 2 'abc' is not a valid int`.
        public let reason: String

        /// The index of the routing in ``Router/routings``.
        package let index: Int
        /// The pattern without omitted optional segments.
        package let matched: URLPattern
    }
}
