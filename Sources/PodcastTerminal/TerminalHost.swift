// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The host.
///
/// Its output is a function of the tree, so it keeps only the tree.
@MainActor
final class TerminalHost {
    /// The shown screens.
    private(set) var tree = ScreenTree()
}

// The terminal is drawn on the main actor, where the router lives too.
extension TerminalHost: @MainActor RouterHost {
    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        self.tree = tree
        done(.success(()))
    }
}
