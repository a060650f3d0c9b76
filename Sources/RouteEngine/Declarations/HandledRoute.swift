// SPDX-License-Identifier: MIT

package import RouteCore

/// The owner of route identifiers, which says where they lead.
package struct Handler {
    /// The payload that it declares; nil for any.
    package let info: InfoDeclaration?
    /// `(route, from)` → service, task, info.
    package let function: ScriptFunction
    /// The line that declares it.
    package let location: RouteError.Location?

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

/// The route string that a navigation was asked to open, and what its handler made of it.
package final class HandledRoute {
    /// The text, as it came.
    package let text: ByteString
    /// The payload, as its handler's declaration checks and converts it.
    package let payload: InfoTable
    /// Where it leads.
    package let target: Target
    /// The parameters.
    package let info: InfoTable
    /// Whether the parameters are the payload as it came, of which a route takes what it declares.
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
