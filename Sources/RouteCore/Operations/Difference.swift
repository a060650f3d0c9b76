// SPDX-License-Identifier: MIT

/// What changed between two trees: the operations that lead from one to the other, and the
/// screens that came and went.
///
/// It is a function of the two trees alone; which edits led there leaves no trace.
public struct Difference: Sendable, Equatable {
    /// The operations, in the order in which a host applies them.
    public private(set) var operations: [Operation] = []
    /// The screens that stand in the new tree and not in the old one, holders first.
    public private(set) var created: [ScreenID] = []
    /// The screens that stood in the old tree and not in the new one, the topmost first.
    public private(set) var removed: [ScreenID] = []

    /// Whether nothing changed.
    public var isEmpty: Bool { operations.isEmpty && created.isEmpty && removed.isEmpty }

    /// Creates the difference of equal trees.
    public init() {}

    /// Compares two trees.
    ///
    /// - Complexity: O(*n*) in the size of the trees.
    public init(from old: ScreenTree, to new: ScreenTree) {
        var changed: [ScreenID] = []
        for tree in [old, new] {
            for window in tree.windows { tree.visit(window.root) { changed.append($0.id) } }
        }
        self.init(from: old, to: new, changed: changed)
    }

    /// Compares two trees of which it is known where they may differ.
    ///
    /// - Parameters:
    ///   - old: The tree as it was.
    ///   - new: The tree as it is.
    ///   - changed: All screens that differ between the two, and perhaps others.
    init(from old: some ScreenLookup, to new: some ScreenLookup, changed: [ScreenID]) {
        var comparison = Comparison(old: old, new: new)
        comparison.collect(changed)
        operations = comparison.operations()
        created = comparison.created
        removed = comparison.removed.reversed()
    }
}

private struct Comparison<Old: ScreenLookup, New: ScreenLookup> {
    let old: Old
    let new: New

    /// The screens that stand in both trees and differ, each once.
    var kept: [(old: Screen, new: Screen)] = []
    var created: [ScreenID] = []
    var removed: [ScreenID] = []

    mutating func collect(_ changed: [ScreenID]) {
        var seen: Set<ScreenID> = []
        var tops: [ScreenID] = []
        for window in old.windows { tops.append(window.root) }
        for window in new.windows { tops.append(window.root) }
        for id in changed where seen.insert(id).inserted {
            guard let before = old.screen(id), old.isAlive(id) else { continue }
            guard let after = new.screen(id), new.isAlive(id) else { continue }
            if before != after { kept.append((before, after)) }
            // What stands first in both lists stands in both trees.
            let common = zip(before.children, after.children).prefix { $0 == $1 }.count
            tops.append(contentsOf: before.children[common...])
            tops.append(contentsOf: after.children[common...])
            if let modal = before.modal { tops.append(modal) }
            if let modal = after.modal { tops.append(modal) }
        }
        created = Self.screens(under: tops, of: new, missingIn: old)
        removed = Self.screens(under: tops, of: old, missingIn: new)
    }

    /// The screens at and under some that stand in one tree and not in the other, in the order
    /// of the tree they stand in.
    private static func screens(
        under tops: [ScreenID],
        of tree: some ScreenLookup,
        missingIn other: some ScreenLookup
    ) -> [ScreenID] {
        var tops = tops.filter { tree.isAlive($0) && !other.isAlive($0) }
        if tops.count > 1 {
            tops = tops.map { (place: tree.place(of: $0), id: $0) }
                .sorted { $0.place < $1.place }
                .map(\.id)
        }
        var screens: [ScreenID] = []
        var found: Set<ScreenID> = []
        for top in tops where !found.contains(top) {
            tree.visit(top) { screen in
                if !other.isAlive(screen.id), found.insert(screen.id).inserted {
                    screens.append(screen.id)
                }
            }
        }
        return screens
    }

    /// The operations: by window, and in it dismissals from the lowest up, containers from the
    /// outer to the inner, presentations from the lowest up, then updates.
    func operations() -> [Operation] {
        var operations: [Operation] = []
        for window in old.windows where new.window(window.name) == nil {
            operations.append(.closeWindow(name: window.name))
        }
        let ordered = kept.map { (place: new.place(of: $0.new.id), $0.old, $0.new) }
            .sorted { $0.place < $1.place }
        let presenters = presenters()
        for (index, window) in new.windows.enumerated() {
            guard let before = old.window(window.name) else {
                operations.append(.openWindow(name: window.name, screen: window.root))
                continue
            }
            guard before.root == window.root else {
                operations.append(.root(window: window.name, screen: window.root))
                continue
            }
            let changes = ordered.filter { $0.place.window == index }
            for (_, old, new) in changes {
                if let modal = old.modal, modal != new.modal || isPresentedAnew(modal) {
                    operations.append(.dismiss(screen: modal, presenter: new.id))
                }
            }
            for (_, old, new) in changes { operations += containerOperations(old, new) }
            for (place, presenter, modal) in presenters where place.window == index {
                operations.append(
                    .present(screen: modal, presenter: presenter, new[modal].presentation)
                )
            }
            for (_, old, new) in changes where old.fields != new.fields {
                operations.append(.update(screen: new.id))
            }
        }
        return operations
    }

    /// The screens that hold a modal which they did not hold before, new ones included, the
    /// lowest first.
    private func presenters() -> [(place: Place, id: ScreenID, modal: ScreenID)] {
        var presenters: [(place: Place, id: ScreenID, modal: ScreenID)] = []
        func add(_ screen: Screen, before: ScreenID?) {
            guard let modal = screen.modal, modal != before || isPresentedAnew(modal) else {
                return
            }
            presenters.append((new.place(of: screen.id), screen.id, modal))
        }
        for (old, new) in kept { add(new, before: old.modal) }
        for id in created { add(new[id], before: nil) }
        return presenters.sorted { $0.place < $1.place }
    }

    /// Whether a modal is shown otherwise than before: whether it is contextual follows from
    /// where it stands.
    private func isPresentedAnew(_ modal: ScreenID) -> Bool {
        guard var before = old.screen(modal)?.presentation,
            let after = new.screen(modal)?.presentation
        else { return false }
        before.isContextual = after.isContextual
        return before != after
    }

    private func containerOperations(_ old: Screen, _ new: Screen) -> [Operation] {
        var operations: [Operation] = []
        if old.children != new.children {
            if new.kind == .nav, new.children.count == old.children.count + 1,
                new.children.starts(with: old.children), let last = new.children.last
            {
                operations.append(.push(screen: last, nav: new.id))
            } else if new.kind == .nav, old.children.starts(with: new.children) {
                operations.append(.pop(to: new.children.last, nav: new.id))
            } else {
                operations.append(.children(new.children, container: new.id))
            }
        }
        if new.shows == .selected, new.selection < new.children.count {
            let expected = ScreenTree.selection(
                after: new.children,
                before: old.children,
                selected: old.selection
            )
            if expected != new.selection {
                operations.append(.select(screen: new.children[new.selection], tabs: new.id))
            }
        }
        return operations
    }
}

/// Where a screen stands: what comes first in one tree compares as less.
private struct Place: Comparable {
    var window: Int
    /// From the window's root: the position of each child, or one past all for a modal.
    var path: [Int]

    static func < (left: Place, right: Place) -> Bool {
        left.window != right.window
            ? left.window < right.window : left.path.lexicographicallyPrecedes(right.path)
    }
}

extension ScreenLookup {
    fileprivate func place(of id: ScreenID) -> Place {
        var path: [Int] = []
        var screen = self[id]
        while let holder = screen.parent ?? screen.presenter {
            let parent = self[holder]
            path.append(parent.children.firstIndex(of: screen.id) ?? Int.max)
            screen = parent
        }
        let window = windows.firstIndex { $0.root == screen.id }
        return Place(window: window ?? Int.max, path: path.reversed())
    }
}
