// SPDX-License-Identifier: MIT

package import RouteCore

extension RouteError {
    package static func reservedGate() -> RouteError {
        RouteError(
            .badInfo,
            "the first tree opens the gate '\(World.startGate)' (another name of a gate expected)"
        )
    }
}
