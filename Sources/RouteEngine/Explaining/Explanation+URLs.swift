// SPDX-License-Identifier: MIT

public import RouteCore
package import RouteURLs

/// The routes that a URL matches, and those that it nearly matches.
extension Explanation {
    /// A pattern that a URL matches.
    public struct Match: Sendable {
        /// Where it leads.
        public let target: Target
        /// The pattern, as the script writes it.
        public let pattern: String
        /// The line that declares it.
        public let location: RouteError.Location?
        /// The parameters that were read from the URL.
        public let parameters: InfoTable

        /// The index of the pattern in ``URLRouteTable/entries``.
        package let index: Int
        /// The pattern as it matched.
        package let matched: URLPattern
    }

    /// A pattern that a URL comes near.
    public struct Miss: Sendable {
        /// Where it leads.
        public let target: Target
        /// The pattern, as the script writes it.
        public let pattern: String
        /// The line that declares it.
        public let location: RouteError.Location?
        /// The number of the segment that is to blame, from 1 on; nil where none is.
        public let segment: Int?
        /// The reason why it does not match: `segment 2 'abc' is no int`.
        public let reason: String

        /// The index of the pattern in ``URLRouteTable/entries``.
        package let index: Int
        /// The pattern without the optional segments that are not there.
        package let matched: URLPattern
    }

    /// A routing that `router.dispatch` finds for a URL.
    public struct RoutingMatch: Sendable {
        /// The routing.
        public let routing: RoutingDescription
        /// The parameters that were read from the URL.
        public let parameters: InfoTable

        /// The index of the routing in ``Router/routings``.
        package let index: Int
        /// The pattern as it matched.
        package let matched: URLPattern
    }

    /// A routing that a URL nearly matches.
    public struct RoutingMiss: Sendable {
        /// The routing.
        public let routing: RoutingDescription
        /// The number of the segment that differs, from 1 on; nil if none does.
        public let segment: Int?
        /// The reason why it does not match: `segment 2 'abc' is no int`.
        public let reason: String

        /// The index of the routing in ``Router/routings``.
        package let index: Int
        /// The pattern without the optional segments that are absent.
        package let matched: URLPattern
    }
}
