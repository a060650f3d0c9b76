// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The identity of a state of a search: two states with equal fingerprints count as one.
struct StateFingerprint: Hashable, Sendable {
    private var hash: StateHash

    /// Creates the fingerprint of a router with its scripts, and of the work of its host.
    fileprivate init(_ state: ComparedState, tasks: [String], holds: Bool) {
        hash = state.router
        hash.add(tasks.count)
        for task in tasks { hash.add(task) }
        hash.add(holds)
        for script in state.scripts { hash.add(script.first, script.second) }
    }
}

/// The parts of a session's state that a search compares.
struct SessionState {
    let fingerprint: StateFingerprint
    /// The objects that scripts can reach and whose inside the fingerprint does not contain.
    let unseen: Set<String>

    init(_ session: Session, includesScripts: Bool = true) {
        let state = ComparedState(session.app.router, includesScripts: includesScripts)
        fingerprint = StateFingerprint(
            state,
            tasks: session.app.tasks.pending.map(\.description),
            holds: session.app.host.holds
        )
        unseen = state.unseen
    }
}
