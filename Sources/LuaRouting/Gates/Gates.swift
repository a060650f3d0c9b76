// SPDX-License-Identifier: MIT

/// The navigations that wait at closed gates.
///
/// A gate has a name and nothing else: one that nobody has opened is closed.
struct Gates {
    /// The gate that the first tree opens, and nobody else.
    static let started = "started"

    /// The navigations that wait, in the order in which they came.
    var waiting: [Navigation] = []

    /// Takes those that wait at a gate.
    mutating func takeWaiting(at gate: String) -> [Navigation] {
        let taken = waiting.filter { $0.gate == gate }
        if !taken.isEmpty { waiting.removeAll { $0.gate == gate } }
        return taken
    }
}

extension RouteError {
    static func reservedGate() -> RouteError {
        RouteError(
            .badInfo,
            "the first tree opens the gate '\(Gates.started)' (another name of a gate expected)"
        )
    }
}
