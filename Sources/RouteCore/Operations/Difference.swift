// SPDX-License-Identifier: MIT

/// The difference between two trees: the operations that turn the old tree into the new tree, and
/// the screens that were created and removed.
///
/// The difference depends only on the two trees, not on the edits between them.
package struct Difference: Sendable, Equatable {
    /// The operations, in the order in which a host applies them.
    package private(set) var operations: [TreeOperation] = []
    /// The screens that are only in the new tree, containers and presenters first.
    package private(set) var created: [ScreenID] = []
    /// The screens that are only in the old tree, children and modals first.
    package private(set) var removed: [ScreenID] = []

    /// Whether nothing changed.
    package var isEmpty: Bool { operations.isEmpty && created.isEmpty && removed.isEmpty }

    /// Creates the difference of equal trees.
    package init() {}

    /// Compares two trees.
    ///
    /// - Complexity: The complexity of ``ScreenTree/screens(changedSince:)``, plus O(*n* log *n*)
    ///   in the number of screens that differ.
    package init(from old: ScreenTree, to new: ScreenTree) {
        self.init(from: old, to: new, changed: new.screens(changedSince: old))
    }

    /// Compares two trees whose possible differences are known.
    ///
    /// - Parameters:
    ///   - old: The old tree.
    ///   - new: The new tree.
    ///   - changed: All screens that are in both trees and differ, each once. The sequence may also
    ///     contain other screens.
    init(
        from old: some PositionLookup,
        to new: some PositionLookup,
        changed: some Sequence<ScreenID>
    ) {
        var comparison = Comparison(old: old, new: new)
        comparison.collect(changed)
        operations = comparison.operations()
        created = comparison.created
        removed = comparison.removed.reversed()
    }
}

private struct Comparison<Old: PositionLookup, New: PositionLookup> {
    let old: Old
    let new: New

    /// A screen that is in both trees and differs.
    struct Change {
        let old: Screen
        let new: Screen
        /// The number of children in the common prefix.
        let common: Int
        var place = Place(window: 0, path: [])
    }

    /// The changes, in the order of their places.
    var changes: [Change] = []
    var created: [ScreenID] = []
    var removed: [ScreenID] = []

    mutating func collect(_ changed: some Sequence<ScreenID>) {
        var tops: [ScreenID] = []
        if !old.windows.lazy.map(\.root).elementsEqual(new.windows.lazy.map(\.root)) {
            tops = old.windows.map(\.root) + new.windows.map(\.root)
        }
        for id in changed {
            guard let before = old.screen(id), let after = new.screen(id), before != after,
                old.isAlive(id), new.isAlive(id)
            else { continue }
            // The children in the common prefix and suffix are in both trees.
            let common = before.childList.commonPrefixCount(with: after.childList)
            let (removed, added) = (before.childList[common...], after.childList[common...])
            let end = zip(removed.reversed(), added.reversed()).prefix { $0 == $1 }.count
            tops += removed.prefix(removed.count - end)
            tops += added.prefix(added.count - end)
            if before.modal != after.modal {
                tops += [before.modal, after.modal].compactMap(\.self)
            }
            changes.append(Change(old: before, new: after, common: common))
        }
        // The only change in the only window needs no place.
        if changes.count > 1 || new.windows.count > 1 {
            for index in changes.indices {
                changes[index].place = new.place(of: changes[index].new.id)
            }
            changes.sort { $0.place < $1.place }
        }
        created = Self.screens(under: tops, of: new, missingIn: old)
        removed = Self.screens(under: tops, of: old, missingIn: new)
    }

    /// Returns the screens at and under the given roots that only the first tree contains, in the
    /// order of that tree.
    private static func screens(
        under tops: [ScreenID],
        of tree: some PositionLookup,
        missingIn other: some PositionLookup
    ) -> [ScreenID] {
        let missing = tops.filter { tree.isAlive($0) && !other.isAlive($0) }
        var screens: [ScreenID] = []
        func add(_ id: ScreenID) {
            tree.visit(id) { if !other.isAlive($0.id) { screens.append($0.id) } }
        }
        guard missing.count > 1 else {
            missing.forEach(add)
            return screens
        }
        let places = missing.map { (place: tree.place(of: $0), id: $0) }
            .sorted { $0.place < $1.place }
        var visited: Place?
        for (place, id) in places where visited.map({ !place.isInside($0) }) ?? true {
            visited = place
            add(id)
        }
        return screens
    }

    /// Returns the operations, grouped by window.
    ///
    /// Within each window, dismissals come first, from the lowest up; then changes to containers,
    /// from the outer to the inner; then presentations, from the lowest up; then updates.
    func operations() -> [TreeOperation] {
        var operations: [TreeOperation] = []
        for window in old.windows where new.window(window.name) == nil {
            operations.append(.closeWindow(name: window.name))
        }
        let presenters = presenters()
        var rest = changes[...]
        for (index, window) in new.windows.enumerated() {
            let changes = rest.prefix { $0.place.window == index }
            rest = rest.dropFirst(changes.count)
            guard let before = old.window(window.name) else {
                operations.append(.openWindow(name: window.name, screen: window.root))
                continue
            }
            guard before.root == window.root else {
                operations.append(.root(window: window.name, screen: window.root))
                continue
            }
            for change in changes {
                if let modal = change.old.modal,
                    modal != change.new.modal || isPresentedAnew(modal)
                {
                    operations.append(.dismiss(screen: modal, presenter: change.new.id))
                }
            }
            for change in changes { addContainerOperations(of: change, to: &operations) }
            for (place, presenter, modal) in presenters where place.window == index {
                operations.append(
                    .present(screen: modal, presenter: presenter, new[modal].presentation)
                )
            }
            for change in changes where change.old.fields != change.new.fields {
                operations.append(.update(screen: change.new.id))
            }
        }
        return operations
    }

    /// Returns the screens that present a new modal, or the same modal with another presentation,
    /// the lowest first.
    ///
    /// New screens are included.
    private func presenters() -> [(place: Place, id: ScreenID, modal: ScreenID)] {
        var presenters: [(place: Place, id: ScreenID, modal: ScreenID)] = []
        func add(_ screen: Screen, before: ScreenID?) {
            guard let modal = screen.modal, modal != before || isPresentedAnew(modal) else {
                return
            }
            presenters.append((new.place(of: screen.id), screen.id, modal))
        }
        for change in changes { add(change.new, before: change.old.modal) }
        for id in created { add(new[id], before: nil) }
        if presenters.count > 1 { presenters.sort { $0.place < $1.place } }
        return presenters
    }

    /// Whether the presentation of a modal changed.
    ///
    /// `isContextual` is ignored, because it depends on the modal's position.
    private func isPresentedAnew(_ modal: ScreenID) -> Bool {
        guard var before = old.screen(modal)?.presentation,
            let after = new.screen(modal)?.presentation
        else { return false }
        before.isContextual = after.isContextual
        return before != after
    }

    private func addContainerOperations(of change: Change, to operations: inout [TreeOperation]) {
        let (old, new) = (change.old, change.new)
        let (removed, added) = (
            old.childList.count - change.common, new.childList.count - change.common
        )
        if new.kind == .nav, removed == 0, added == 1, let last = new.childList.last {
            operations.append(.push(screen: last, nav: new.id))
        } else if new.kind == .nav, removed > 0, added == 0 {
            operations.append(.pop(to: new.childList.last, nav: new.id))
        } else if removed > 0 || added > 0 {
            operations.append(.children(Array(new.childList), container: new.id))
        }
        if new.shows == .selected, new.selection < new.childList.count {
            let expected = ScreenTree.selection(
                after: new.childList,
                before: old.childList,
                selected: old.selection
            )
            if expected != new.selection {
                operations.append(.select(screen: new.childList[new.selection], tabs: new.id))
            }
        }
    }
}

/// The position of a screen in a tree.
///
/// Positions are ordered like the screens in the tree.
private struct Place: Comparable {
    var window: Int
    /// The indices of the children on the path from the window's root.
    ///
    /// The index of a modal is `Int.max`, because a modal comes after its presenter's children.
    var path: [Int]

    /// Whether this position equals another position, or is inside of that position.
    func isInside(_ other: Place) -> Bool {
        window == other.window && path.starts(with: other.path)
    }

    static func < (left: Place, right: Place) -> Bool {
        left.window != right.window
            ? left.window < right.window : left.path.lexicographicallyPrecedes(right.path)
    }
}

extension PositionLookup {
    fileprivate func place(of id: ScreenID) -> Place {
        var path: [Int] = []
        var links = self[links: id]
        while let holder = links.holder {
            let isModal = links.parent == nil
            path.append(isModal ? .max : position(of: links.id, in: self[holder].childList) ?? .max)
            links = self[links: holder]
        }
        path.reverse()
        return Place(window: windows.firstIndex { $0.root == links.id } ?? .max, path: path)
    }
}
