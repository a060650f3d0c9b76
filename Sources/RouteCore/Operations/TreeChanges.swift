// SPDX-License-Identifier: MIT

/// The screens that differ between two states of a tree, and texts that show the difference.
///
/// The cost of finding and printing the screens depends on the size of the change, not on the size
/// of the trees.
package struct TreeChanges: Sendable {
    /// The maximum number of screens in a window that is printed in full.
    private static let wholeSize = 32

    /// The tree before the change.
    package let old: ScreenTree
    private let new: ScreenTree
    /// The screens of either tree that may differ between the trees.
    private let candidates: [ScreenID]
    /// The screens that are in both trees, and differ.
    private let changed: [ScreenID]
    /// The removed screens, children and modals first.
    package let removed: [ScreenID]
    /// The new screens, containers and presenters first.
    private let created: [ScreenID]

    /// Compares two trees.
    package init(from old: ScreenTree, to new: ScreenTree) {
        (self.old, self.new) = (old, new)
        candidates = new.screens(changedSince: old)
        changed = candidates.filter { old.isAlive($0) && new.isAlive($0) && old[$0] != new[$0] }
        let difference = Difference(from: old, to: new, changed: changed)
        (removed, created) = (difference.removed, difference.created)
    }

    /// Whether the trees are equal.
    package var isEmpty: Bool {
        changed.isEmpty && removed.isEmpty && created.isEmpty && old.windows == new.windows
    }

    /// The marks of screens in the new tree: `+` for a new screen, `~` for a screen whose fields
    /// changed.
    package var marks: [ScreenID: Character] {
        var marks: [ScreenID: Character] = [:]
        for id in created { marks[id] = "+" }
        for id in changed where old[id].fields != new[id].fields { marks[id] = "~" }
        return marks
    }

    /// The screens of the new tree that are new or changed, containers and presenters first.
    package var screens: [ScreenID] { created + changed }

    /// Compares the children of a screen of the new tree with its children in the old tree.
    ///
    /// - Returns: The first index at which the children differ, the number of old children that are
    ///   replaced there, and the new children that replace them; nil if the children are the same.
    package func children(
        of id: ScreenID
    ) -> (position: Int, replaced: Int, children: [ScreenID])? {
        let children = new[id].childList
        let before = old.isAlive(id) ? old[id].childList : []
        let common = children.commonPrefixCount(with: before)
        let (added, removed) = (children[common...], before[common...])
        let end = zip(added.reversed(), removed.reversed()).prefix { $0 == $1 }.count
        let replaced = removed.count - end
        return added.count == end && replaced == 0
            ? nil : (common, replaced, Array(added.dropLast(end)))
    }

    // MARK: Texts

    /// Returns the windows that either tree contains, each with its text before and after the
    /// change.
    ///
    /// The texts are in tree notation, with `-` before each removed screen, and with the marks of
    /// ``marks``.
    ///
    /// In a large window, children and modals that are far from any difference are printed as
    /// `...`.
    package func texts(
        _ printer: NotationPrinter
    ) -> [(window: String, before: String, after: String)] {
        let opened = new.windows.map(\.name).filter { old.window($0) == nil }
        let before = text(of: old, printer.marking(Dictionary(removed.map { ($0, "-") }) { $1 }))
        let after = text(of: new, printer.marking(marks))
        return (old.windows.map(\.name) + opened).map { ($0, before($0), after($0)) }
    }

    /// Returns the text of a window in the new tree, without marks.
    package func text(ofWindow name: String, _ printer: NotationPrinter) -> String {
        text(of: new, printer)(name)
    }

    private func text(of tree: ScreenTree, _ printer: NotationPrinter) -> (String) -> String {
        return { name in
            guard let window = tree.window(name) else { return "" }
            var left = Self.wholeSize
            let isLarge = tree.hasMore(than: &left, under: window.root)
            let focused = isLarge ? printer.focusing(on: focus(in: tree)) : printer
            return focused.tree(tree, window: name)
        }
    }

    /// Returns the children and modals of a tree that differ or contain a difference.
    private func focus(in tree: ScreenTree) -> NotationPrinter.Focus {
        var focus = NotationPrinter.Focus()
        for id in candidates where tree.isAlive(id) {
            if old.isAlive(id), new.isAlive(id) {
                let common = old[id].childList.commonPrefixCount(with: new[id].childList)
                let count = tree[id].childCount
                let around = [common - 1, common].filter { (0..<count).contains($0) }
                if count > 0 { focus.children[id, default: []].formUnion(around) }
            }
            focus.levels.insert(id)
            var links = tree[links: id]
            while let holder = links.holder {
                // A modal is not a child of the screen that presents it.
                if links.parent != nil {
                    let position = tree.position(of: links.id, in: tree[holder].childList)
                    if let position,
                        !focus.children[holder, default: []].insert(position).inserted
                    {
                        break
                    }
                    focus.levels.insert(holder)
                }
                links = tree[links: holder]
            }
        }
        return focus
    }
}

extension ScreenTree {
    /// Returns the screens that differ between this tree and another tree, and the screens that
    /// only one of the trees contains, including detached and removed screens.
    ///
    /// - Complexity: O(*k* + *n* / 1024), where *n* is the number of screens in the trees, and *k*
    ///   the number of screens in pages that the trees do not share. Trees share pages if one is a
    ///   copy of the other, or if both are copies of a third tree.
    package func screens(changedSince old: ScreenTree) -> [ScreenID] {
        var screens: [ScreenID] = []
        let (books, before) = (storage.books, old.storage.books)
        for book in 0..<max(books.count, before.count) {
            let pages = book < books.count ? books[book] : []
            let pagesBefore = book < before.count ? before[book] : []
            if pages.isShared(with: pagesBefore) { continue }
            for page in 0..<max(pages.count, pagesBefore.count) {
                let slots = page < pages.count ? pages[page] : []
                let slotsBefore = page < pagesBefore.count ? pagesBefore[page] : []
                if slots.isShared(with: slotsBefore) { continue }
                for slot in 0..<max(slots.count, slotsBefore.count) {
                    let screen = slot < slots.count ? slots[slot].screen : nil
                    let screenBefore = slot < slotsBefore.count ? slotsBefore[slot].screen : nil
                    if screen == screenBefore { continue }
                    if let screenBefore { screens.append(screenBefore.id) }
                    if let screen, screen.id != screenBefore?.id { screens.append(screen.id) }
                }
            }
        }
        return screens
    }

    /// Whether both trees are copies of the same tree, and neither has changed since.
    package func isShared(with other: ScreenTree) -> Bool { storage === other.storage }

    /// Whether there are more than `left` screens, counting the given screen and all screens in and
    /// above it.
    ///
    /// The number of visited screens is subtracted from `left`.
    fileprivate func hasMore(than left: inout Int, under id: ScreenID) -> Bool {
        let screen = self[id]
        left -= 1
        if screen.childCount > left { return true }
        for position in 0..<screen.childCount
        where hasMore(than: &left, under: screen.child(position)) { return true }
        return screen.modal.map { hasMore(than: &left, under: $0) } ?? (left < 0)
    }
}

extension ContiguousArray {
    /// Whether both arrays are copies of the same array, and neither has changed since.
    fileprivate func isShared(with other: Self) -> Bool {
        count == other.count
            && withUnsafeBufferPointer { elements in
                other.withUnsafeBufferPointer { elements.baseAddress == $0.baseAddress }
            }
    }
}
