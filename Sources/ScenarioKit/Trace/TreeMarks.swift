// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The screens that differ between two trees, each with a sign: `-` removed, `+` added, `~` changed.
struct TreeMarks {
    /// The removed screens.
    private(set) var before: [ScreenID: Character] = [:]
    /// The added and changed screens.
    private(set) var after: [ScreenID: Character] = [:]

    init(from old: ScreenTree, to new: ScreenTree) {
        for window in old.windows {
            old.visit(window.root) { screen in
                if !new.isAlive(screen.id) {
                    before[screen.id] = "-"
                } else if new[screen.id].fields != screen.fields {
                    after[screen.id] = "~"
                }
            }
        }
        for window in new.windows {
            new.visit(window.root) { screen in
                if !old.isAlive(screen.id) { after[screen.id] = "+" }
            }
        }
    }
}
