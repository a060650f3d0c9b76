// SPDX-License-Identifier: MIT

extension Router {
    /// Returns the current screens and state, to be restored later.
    ///
    /// While the host applies a change, the snapshot contains that change already; within
    /// ``RouterHost/prepare(_:in:)`` it contains the staged tree, which may still be rolled back.
    ///
    /// - Parameter includesPrivate: Whether it has the values of fields that scripts declare
    ///   private, which are otherwise `•••`, and absent from the screens that are restored from it.
    /// - Returns: The snapshot.
    /// - Complexity: O(*n*) in the number of screens.
    public func snapshot(includingPrivate includesPrivate: Bool = false) -> Snapshot {
        enter()
        var snapshot = Snapshot()
        for window in tree.windows {
            snapshot.add(
                window.root,
                at: .root(window: window.name),
                of: tree,
                hidingBy: includesPrivate ? ScreenClasses() : classes
            )
        }
        snapshot.state = state
        snapshot.gates = openGates
        for link in queuedLinks where link.isPersistent {
            snapshot.links.append(
                Snapshot.Link(
                    url: link.text,
                    key: link.key,
                    origin: link.origin,
                    // One that is due at this very time is not one that waits for ever.
                    left: link.deadline.map { max($0 - now, 0.000_001) }
                )
            )
        }
        return snapshot
    }
}
