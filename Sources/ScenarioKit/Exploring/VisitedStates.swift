// SPDX-License-Identifier: MIT

internal import SystemGaps

/// The states that a search has merged into its graph.
///
/// Threads that take steps share this set.
final class VisitedStates: Sendable {
    private let fingerprints = Lock<Set<StateFingerprint>>([])

    /// Returns whether the search already has a view of a state.
    func contains(_ fingerprint: StateFingerprint) -> Bool {
        fingerprints.withLock { $0.contains(fingerprint) }
    }

    /// Adds a state whose view the search has already received.
    func insert(_ fingerprint: StateFingerprint) {
        fingerprints.withLock { _ = $0.insert(fingerprint) }
    }
}
