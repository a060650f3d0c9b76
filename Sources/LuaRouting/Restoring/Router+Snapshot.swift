// SPDX-License-Identifier: MIT

extension Router {
    /// Returns a snapshot of the current screens and state, from which they can be restored later.
    ///
    /// While the host applies a change, the snapshot already contains this change. Within
    /// ``RouterHost/prepare(_:in:)``, the snapshot contains the staged tree, which may still be
    /// rolled back.
    ///
    /// - Parameter includesPrivate: Whether the snapshot contains the values of fields that scripts
    ///   declare private. If false, these values are `•••` in the snapshot, and absent in restored
    ///   screens.
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
                    // A link that is due at this moment must not become a link without a time
                    // limit.
                    left: link.deadline.map { max($0 - now, 0.000_001) }
                )
            )
        }
        return snapshot
    }
}
