// SPDX-License-Identifier: MIT

extension Navigation {
    /// The route string that it was asked to open; nil where it was asked for something else, or
    /// no handler says where it leads.
    public var routeString: String? { journey.handled?.text.displayText }

    /// Whether its target is what the route string leads to: it has one, and was not redirected.
    public var goesByRouteString: Bool { journey.handled != nil && !journey.isRedirected }
}
