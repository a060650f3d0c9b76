// SPDX-License-Identifier: MIT

/// A tree in which the index of a child among many can be found quickly.
protocol PositionLookup: ScreenLookup {
    /// Returns the stored index of a child in its container. Later edits may have moved the child.
    func notedPosition(of id: ScreenID) -> Int
}

extension PositionLookup {
    /// Returns the index of a screen among the children of its container; nil if the screen is not
    /// among the children.
    ///
    /// - Complexity: O(*m*) in the number *m* of positions by which later edits have moved the
    ///   screen.
    func position(of id: ScreenID, in children: ChunkedArray<ScreenID>) -> Int? {
        let noted = notedPosition(of: id)
        var (lower, upper) = (min(noted, children.count - 1), max(noted + 1, 0))
        while lower >= 0 || upper < children.count {
            if lower >= 0, children[lower] == id { return lower }
            if upper < children.count, children[upper] == id { return upper }
            lower -= 1
            upper += 1
        }
        return nil
    }
}

/// The tree as it was when the draft was opened.
struct TreeBefore: PositionLookup {
    let windows: [RouterWindow]
    private let journal: [ScreenTree.Draft.Entry]
    private let after: ScreenTree

    init(draft: ScreenTree.Draft, after: ScreenTree) {
        windows = draft.windows ?? after.windows
        journal = draft.journal
        self.after = after
    }

    /// Returns the index of the journal entry of a screen.
    private func entry(of id: ScreenID) -> Int? {
        guard id.slot < after.storage.count else { return nil }
        let index = Int(after.storage[id.slot].entry)
        return index < journal.count && journal[index].id == id ? index : nil
    }

    func screen(_ id: ScreenID) -> Screen? {
        guard let entry = entry(of: id) else { return after.screen(id) }
        return journal[entry].before
    }

    func links(of id: ScreenID) -> ScreenLinks? {
        guard let entry = entry(of: id) else { return after.links(of: id) }
        return journal[entry].before?.links
    }

    func notedPosition(of id: ScreenID) -> Int { after.notedPosition(of: id) }
}
