// SPDX-License-Identifier: MIT

package import RouteCore

/// The handler of route identifiers, which returns their destinations.
package struct Handler {
    /// The declared payload; nil for any.
    package let info: InfoDeclaration?
    /// `(route, from)` → service, task, info.
    package let function: ScriptFunction
    /// The line that declares the handler.
    package let location: RouteError.Location?

    /// Returns the payload without undeclared keys, because servers may be newer than apps.
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

/// A route string that a navigation opens, with the result of its handler.
package final class HandledRoute {
    /// The original text.
    package let text: ByteString
    /// The payload, as checked and converted by the handler's declaration.
    package let payload: InfoTable
    /// The destination.
    package let target: Target
    /// The parameters.
    package let info: InfoTable
    /// Whether the parameters are the unchanged payload, from which a route takes the parameters
    /// that it declares.
    package let passesPayload: Bool
    /// The line of the handler.
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
