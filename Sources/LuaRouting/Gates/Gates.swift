// SPDX-License-Identifier: MIT

/// The navigations that wait at closed gates.
///
/// A gate has a name and nothing else: one that nobody has opened is closed.
struct Gates {
    /// The navigations that wait, in the order in which they came.
    var waiting: [Navigation] = []

    /// Takes those that wait at a gate.
    mutating func takeWaiting(at gate: String) -> [Navigation] {
        let taken = waiting.filter { $0.record.gate == gate }
        if !taken.isEmpty { waiting.removeAll { $0.record.gate == gate } }
        return taken
    }
}
