// SPDX-License-Identifier: MIT

/// The gates of a router: which stand open, and what waits at the others.
///
/// A gate has a name and nothing else: one that nobody has opened is closed.
struct Gates {
    /// The gate that the first tree opens, and nobody else.
    static let started = "started"

    /// Those that scripts or the host opened.
    var open: Set<String> = []
    /// The navigations that wait, in the order in which they came.
    var waiting: [Navigation] = []

    /// Takes those that wait at a gate.
    mutating func takeWaiting(at gate: String) -> [Navigation] {
        let taken = waiting.filter { $0.gate == gate }
        if !taken.isEmpty { waiting.removeAll { $0.gate == gate } }
        return taken
    }
}

/// What keeps a navigation from going on: caught where it is taken through its phases.
private struct ClosedGate: Error {
    let name: String
}

extension RouteError {
    /// What has a navigation wait at a gate; no error that anybody is told.
    static func closedGate(_ name: String) -> RouteError {
        RouteError(.stopped, "gate '\(name)' is closed", cause: ClosedGate(name: name))
    }

    /// The gate that is closed, if that is what happened.
    var closedGate: String? { (cause as? ClosedGate)?.name }

    static func reservedGate() -> RouteError {
        RouteError(
            .badInfo,
            "the first tree opens the gate '\(Gates.started)' (another name of a gate expected)"
        )
    }
}
