// SPDX-License-Identifier: MIT

package import RouteCore

/// A handler of route identifiers, which returns the destination of a route.
package struct Handler {
    /// The declared payload; nil if any payload is accepted.
    package let info: InfoDeclaration?
    /// `(route, from)` → service, task, info.
    package let function: ScriptFunction
    /// The source location of the declaration.
    package let location: RouteError.Location?

    /// Returns the payload without undeclared keys.
    ///
    /// Servers may be newer than apps, so unknown keys are not an error.
    package func part(of payload: InfoTable) -> InfoTable { info?.part(of: payload) ?? payload }

    package init(
        info: InfoDeclaration?,
        function: ScriptFunction,
        location: RouteError.Location?
    ) {
        self.info = info
        self.function = function
        self.location = location
    }
}

/// A route string that a navigation opens, with the destination that its handler returned.
package final class HandledRoute {
    /// The original text.
    package let text: ByteString
    /// The payload, checked and converted according to the handler's declaration.
    package let payload: InfoTable
    /// The destination.
    package let target: Target
    /// The parameters.
    package let info: InfoTable
    /// Whether the parameters are the unchanged payload.
    ///
    /// If so, the route ignores parameters that it does not declare.
    package let passesPayload: Bool
    /// The source location of the handler.
    package let location: RouteError.Location?

    package init(
        _ text: ByteString,
        payload: InfoTable,
        target: Target,
        info: InfoTable?,
        at location: RouteError.Location?
    ) {
        self.location = location
        self.text = text
        self.payload = payload
        self.target = target
        self.info = info ?? payload
        passesPayload = info == nil
    }
}
