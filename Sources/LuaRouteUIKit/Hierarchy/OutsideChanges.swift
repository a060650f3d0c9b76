// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The changes that the user or the app has made without the router, computed from two hierarchies.
struct OutsideChanges {
    /// The children that were removed, each with its container.
    private(set) var removed: [(child: Item, container: ScreenID)] = []
    /// The modals that were dismissed, each with its presenter.
    private(set) var dismissed: [(modal: Item, presenter: ScreenID)] = []
    /// The children that were selected, each with its container.
    private(set) var selected: [(screen: ScreenID, container: ScreenID)] = []
    /// The containers whose children are in a different order, with the new order.
    private(set) var reordered: [(container: ScreenID, children: [Item])] = []

    var isEmpty: Bool {
        removed.isEmpty && dismissed.isEmpty && selected.isEmpty && reordered.isEmpty
    }

    /// Compares two hierarchies.
    ///
    /// A change is accepted only at positions where the target is unchanged; at other positions the
    /// router has since made its own change. If a modal that the app has presented is missing, the
    /// modal counts as dismissed. A change that would leave a container empty is not accepted, and
    /// the screens of the container are restored.
    ///
    /// - Parameters:
    ///   - last: The hierarchy after the last step of the host.
    ///   - now: The current hierarchy.
    ///   - target: The hierarchy that the router wants.
    init(from last: Hierarchy, to now: Hierarchy, target: Hierarchy) {
        for (item, _) in target.members {
            guard let before = last.contents[item], let after = now.contents[item] else { continue }
            compare(item, before: before, after: after, target: target)
        }
    }

    private mutating func compare(
        _ item: Item,
        before: Hierarchy.Contents,
        after: Hierarchy.Contents,
        target: Hierarchy
    ) {
        let wanted = target[item]
        guard let id = item.screen else { return }
        if let modal = wanted.modal, after.modal != modal,
            before.modal == modal || target.foreignModals.contains(modal)
        {
            dismissed.append((modal, id))
        }
        guard before.children != after.children || before.selection != after.selection else {
            return
        }
        let lost = before.children.filter { child in
            wanted.children.contains(child) && !after.children.contains(child)
        }
        if lost.count < wanted.children.count { removed += lost.map { ($0, id) } }
        let known = after.children.filter { $0.screen != nil }
        if lost.isEmpty, before.children == wanted.children, known != wanted.children,
            Set(known) == Set(wanted.children)
        {
            reordered.append((id, known))
        }
        if let selection = after.selection, before.selection == wanted.selection,
            selection != wanted.selection, wanted.children.contains(selection),
            let child = selection.screen
        {
            selected.append((child, id))
        }
    }

    /// Applies the changes to the target.
    func apply(to target: inout Hierarchy) {
        for (child, container) in removed { target.remove(child, from: .screen(container)) }
        for (modal, presenter) in dismissed { target.remove(modal, from: .screen(presenter)) }
        for (container, children) in reordered {
            target.contents[.screen(container)]?.children = children
        }
        for (screen, container) in selected {
            target.contents[.screen(container)]?.selection = .screen(screen)
        }
    }

    /// Returns the reports of the changes for the router.
    ///
    /// - Parameter target: The hierarchy that the router wants, including the changes.
    /// - Returns: The reports, in an order in which they can be applied.
    func reports(_ target: Hierarchy) -> [Report] {
        let shown = Set(target.members.map(\.item))
        let containers = Set(removed.map(\.container) + reordered.map(\.container))
            .filter { shown.contains(.screen($0)) }
            .sorted { $0.serial < $1.serial }
        return dismissed.filter { shown.contains(.screen($0.presenter)) }
            .map { .dismissed(presenter: $0.presenter) }
            + containers.map { container in
                .children(target[.screen(container)].children.compactMap(\.screen), of: container)
            } + selected.map { .selected($0.screen) }
    }
}
