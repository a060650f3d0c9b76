// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The host of the terminal app.
///
/// The output depends only on the tree, so the host stores nothing else.
@MainActor
final class TerminalHost {
    /// The tree on screen.
    private(set) var tree = ScreenTree()
}

// The terminal is drawn on the main actor, which also isolates the router.
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
