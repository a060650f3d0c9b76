// SPDX-License-Identifier: MIT

internal import LuaVM

/// What owns route identifiers, and says where they lead.
struct Handler {
    /// The payload that it declares; nil for any.
    let info: InfoDeclaration?
    /// `(route, from)` → service, task, info.
    let function: LuaFunction
    /// The line that declares it.
    let place: RouteError.Location?
}

/// The route string that a navigation was asked to open, and what its handler made of it.
struct HandledRoute {
    /// The text, as it came.
    let text: ByteString
    /// The payload, as its handler's declaration checks and converts it.
    let payload: Table
    /// Where it leads.
    let target: Target
    /// The parameters.
    let info: Table
    /// Whether the parameters are the payload as it came, of which a route takes what it declares.
    let passesPayload: Bool
    /// The line of the handler.
    let place: RouteError.Location?

    init(
        _ text: ByteString,
        payload: Table,
        target: Target,
        info: Table?,
        at place: RouteError.Location?
    ) {
        self.place = place
        self.text = text
        self.payload = payload
        self.target = target
        self.info = info ?? payload
        passesPayload = info == nil
    }
}

extension Navigation {
    /// The route string that it was asked to open; nil where it was asked for something else, or
    /// no handler says where it leads.
    public var routeString: String? { journey.handled?.text.displayText }

    /// Whether its target is what the route string leads to: it has one, and was not redirected.
    public var goesByRouteString: Bool { journey.handled != nil && !journey.isRedirected }
}
