// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The screens whose contents must be compared to show a tree: screens that are visible and screens
/// that differ from the tree on screen.
///
/// Screens of other tabs are included only if they differ.
struct Scope {
    private let tree: ScreenTree
    /// The screens that differ, including removed screens, and the parents of these screens.
    let touched: Set<ScreenID>

    /// Compares the tree on screen with the tree to show.
    init(from old: ScreenTree, to new: ScreenTree) {
        tree = new
        let difference = Difference(from: old, to: new)
        var touched: Set<ScreenID> = []
        for id in new.screens(changedSince: old) + difference.created + difference.removed {
            touched.insert(id)
            for tree in [old, new] {
                var holder = tree.links(of: id)?.holder
                while let id = holder {
                    touched.insert(id)
                    holder = tree.links(of: id)?.holder
                }
            }
        }
        self.touched = touched
    }

    /// Whether a screen is below a tab that is not selected, and is unchanged from the tree on
    /// screen.
    func skips(_ id: ScreenID) -> Bool {
        guard !touched.contains(id), let parent = tree.links(of: id)?.parent,
            let container = tree.links(of: parent), container.shows == .selected
        else { return false }
        return container.leadingChild != id
    }
}

extension ScreenTree {
    /// Calls a closure with a screen and the screens below it, parents first.
    ///
    /// Screens outside of the scope are skipped.
    func visit(_ id: ScreenID, in scope: Scope?, _ body: (Screen) throws -> Void) rethrows {
        let screen = self[id]
        try body(screen)
        for child in screen.children where scope?.skips(child) != true {
            try visit(child, in: scope, body)
        }
        if let modal = screen.modal { try visit(modal, in: scope, body) }
    }
}
