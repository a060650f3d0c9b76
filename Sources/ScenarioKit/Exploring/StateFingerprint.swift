// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The fingerprint of a state in a search.
///
/// States with equal fingerprints count as one state.
struct StateFingerprint: Hashable, Sendable {
    private var hash: StateHash

    /// Creates the fingerprint of a router with its scripts and the pending work of its host.
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
    /// The objects that scripts can reach, but whose contents are not part of the fingerprint.
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
