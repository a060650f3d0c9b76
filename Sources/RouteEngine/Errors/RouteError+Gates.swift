// SPDX-License-Identifier: MIT

package import RouteCore

extension RouteError {
    package static func reservedGate(_ gate: String) -> RouteError {
        let owner = gate == World.startGate ? "first tree" : "end of a foreign screen"
        return RouteError(
            .badInfo,
            "the gate '\(gate)' is reserved: only the \(owner) opens it (another gate expected)"
        )
    }
}
