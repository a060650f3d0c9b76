// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A change of a view hierarchy that takes one call of UIKit.
enum Step: Hashable {
    /// Asks the app for a window.
    case open(window: String)
    /// Removes the contents of a window, and asks the app to close the window.
    case close(window: String)
    /// Sets the root of a window.
    ///
    /// If the item is nil, the current root is removed so that it can be used elsewhere.
    case root(Item?, window: String)
    /// Dismisses the modal of an item, with all modals above.
    case dismiss(over: Item)
    /// Removes children that have a different position in the target.
    case detach([Item], from: ScreenID)
    /// Sets the children of a container.
    case children([Item], of: ScreenID)
    /// Selects a child.
    case select(Item, in: ScreenID)
    /// Presents a screen.
    case present(ScreenID, over: Item)
    /// Waits until a view controller that the router does not know is gone, because a screen must
    /// be presented at its position.
    case wait(for: Item)

    /// Returns the first step from one hierarchy to another; nil if no step is needed or possible.
    ///
    /// Items that the router does not know are left where they are, unless the item that contains
    /// them is removed. A modal inside a container is not presented while its presenter is
    /// invisible, because UIKit would refuse the presentation.
    ///
    /// - Parameters:
    ///   - now: The current hierarchy.
    ///   - target: The hierarchy to show.
    ///   - isAtRest: Whether no change of the router is being shown. If so, a selection that is not
    ///     a screen, such as the More list of tabs, is kept.
    /// - Returns: The step; nil if no step is needed or possible.
    /// - Complexity: O(*n*) in the number of items.
    static func first(
        from now: Hierarchy,
        to target: Hierarchy,
        isAtRest: Bool = false
    ) -> Step? {
        StepSearch(now, target, isAtRest: isAtRest).first()
    }
}

private struct StepSearch {
    private let now: Hierarchy
    private let target: Hierarchy
    private let isAtRest: Bool
    /// The members of the current hierarchy and of the target.
    private let shown: [(item: Item, holder: Item?)]
    private let wanted: [(item: Item, holder: Item?)]
    private let isShown: Set<Item>
    /// The item that contains each item of the target; nil for the roots of windows.
    private let holders: [Item: Item?]

    init(_ now: Hierarchy, _ target: Hierarchy, isAtRest: Bool) {
        self.now = now
        self.target = target
        self.isAtRest = isAtRest
        shown = now.members
        wanted = target.members
        isShown = Set(shown.map(\.item))
        holders = Dictionary(wanted.map { ($0.item, $0.holder) }, uniquingKeysWith: { $1 })
    }

    func first() -> Step? {
        dismissal ?? detachment ?? windowStep ?? presentation ?? opening ?? closing
    }

    /// The step that asks the app for a window.
    ///
    /// Steps in other windows do not wait for the window.
    private var opening: Step? {
        target.roots.keys.sorted().first { now.roots[$0] == nil }.map { .open(window: $0) }
    }

    /// The step that closes a window.
    ///
    /// It is the last step, because the host cannot undo it.
    private var closing: Step? {
        now.roots.keys.sorted().first { target.roots[$0] == nil }.map { .close(window: $0) }
    }

    /// The step that dismisses the lowest modal that must be dismissed.
    private var dismissal: Step? {
        for (item, _) in shown {
            guard let modal = now[item].modal, target[item].modal != modal else { continue }
            // The app's own view controllers, and their modals, are removed together with the item
            // that contains or presents them.
            if case .other = item { continue }
            if case .other = modal, holders[item] != nil { continue }
            return .dismiss(over: item)
        }
        return nil
    }

    /// The step that removes an item whose position in the target is different.
    private var detachment: Step? {
        for (window, root) in now.roots.sorted(by: { $0.key < $1.key }) {
            guard let root, let holder = holders[root], target.roots[window] != root else {
                continue
            }
            if holder != nil || target.roots.contains(where: { $0.value == root }) {
                return .root(nil, window: window)
            }
        }
        let containers = now.contents.compactMap { $0.value.children.isEmpty ? nil : $0.key.screen }
        for id in containers.sorted(by: { $0.serial < $1.serial }) {
            let (container, contents) = (Item.screen(id), now[.screen(id)])
            let moved = contents.children.filter { child in
                guard let holder = holders[child] else { return false }
                return holder != container || target[container].modal == child
            }
            if !moved.isEmpty { return .detach(moved, from: id) }
        }
        return nil
    }

    private var windowStep: Step? {
        for (name, root) in target.roots.sorted(by: { $0.key < $1.key }) {
            guard let root else { continue }
            guard let current = now.roots[name] else { continue }
            if let step = arrangement(of: root) { return step }
            if current != root { return .root(root, window: name) }
            if let step = arrangementOfModals(under: root) { return step }
        }
        return nil
    }

    /// The first step that arranges the contents of an item.
    ///
    /// New contents are completed before they are shown.
    private func arrangement(of item: Item) -> Step? {
        let contents = target[item]
        for child in contents.children where !isShown.contains(child) {
            if let step = arrangement(of: child) { return step }
        }
        if let step = change(of: item) { return step }
        for child in contents.children where isShown.contains(child) {
            if let step = arrangement(of: child) { return step }
        }
        return nil
    }

    /// The first step that arranges the contents of a modal above an item.
    private func arrangementOfModals(under root: Item) -> Step? {
        for (item, holder) in wanted where holder.map({ target[$0].modal == item }) ?? false {
            if let step = arrangement(of: item) { return step }
        }
        return nil
    }

    private func change(of item: Item) -> Step? {
        guard case .screen(let id) = item else { return nil }
        let contents = target[item]
        let current = now[item]
        if current.children.filter({ $0.screen != nil }) != contents.children {
            return .children(withOthers(contents.children, from: current.children), of: id)
        }
        if case .other? = current.selection, isAtRest { return nil }
        if let selection = contents.selection, selection != current.selection {
            return .select(selection, in: id)
        }
        return nil
    }

    /// Returns the children of a container, each with the children above it that the router does
    /// not know.
    private func withOthers(_ children: [Item], from current: [Item]) -> [Item] {
        let isOther: (Item) -> Bool = { $0.screen == nil }
        var all = Array(current.prefix(while: isOther))
        for child in children {
            all.append(child)
            guard let index = current.firstIndex(of: child) else { continue }
            all += current[(index + 1)...].prefix(while: isOther)
        }
        return all
    }

    /// The step that presents the lowest missing modal.
    private var presentation: Step? {
        for (item, holder) in wanted {
            guard let modal = target[item].modal, now[item].modal != modal, let id = modal.screen,
                isShown.contains(item)
            else { continue }
            let isInside = holder.map { target[$0].modal != item } ?? false
            if isInside, !isVisible(item) { continue }
            if let other = now[item].modal { return .wait(for: other) }
            return .present(id, over: item)
        }
        return nil
    }

    /// Whether an item is visible: all containers around the item show it, and no modal covers it.
    private func isVisible(_ item: Item) -> Bool {
        var item = item
        while case let holder?? = holders[item] {
            let contents = target[holder]
            if contents.modal != item {
                if let selection = contents.selection, selection != item { return false }
                // The target does not say whether a split view is collapsed.
                let showsLast = contents.showsLast || now[holder].showsLast
                if showsLast, contents.children.last != item { return false }
                if now[holder].covered.contains(item) { return false }
                // The app has pushed its own view controller over the item.
                if contents.showsLast, case .other? = now[holder].children.last { return false }
            }
            if let modal = now[holder].modal, modal != item { return false }
            item = holder
        }
        return true
    }
}
