// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A member of a view hierarchy.
enum Item: Hashable {
    /// The view controller of a screen.
    case screen(ScreenID)
    /// A view controller that the router does not know, such as an alert of the app.
    case other(ObjectIdentifier)

    var screen: ScreenID? {
        if case .screen(let id) = self { id } else { nil }
    }
}

/// The contents of windows as a value, read from view controllers or derived from a tree.
struct Hierarchy: Equatable {
    /// The children and the modal of an item.
    struct Contents: Equatable {
        var children: [Item] = []
        /// The selected child of an item that shows only one child.
        var selection: Item?
        var modal: Item?
        /// Whether only the last child is visible.
        var showsLast = false
        /// The children that are covered by view controllers of the app that are not screens.
        var covered: Set<Item> = []
    }

    /// The root of each window; nil if the window has none.
    var roots: [String: Item?] = [:]
    /// The contents of each item, including items that no window shows.
    var contents: [Item: Contents] = [:]

    /// The modals that the app has presented, and that the host cannot present itself.
    var foreignModals: Set<Item> = []

    init() {}

    /// Derives the hierarchy that shows a tree.
    ///
    /// - Parameters:
    ///   - tree: The tree.
    ///   - scope: The screens whose contents are included; nil for all.
    ///   - isAbsent: Whether there is nothing to show for a screen. The modal of such a screen is
    ///     presented by the screen's own presenter.
    init(
        _ tree: ScreenTree,
        in scope: Scope? = nil,
        without isAbsent: (Screen) -> Bool = { _ in false }
    ) {
        for window in tree.windows {
            roots.updateValue(.screen(window.root), forKey: window.name)
            tree.visit(window.root, in: scope) { screen in
                var contents = Contents()
                contents.children = screen.children.filter { !isAbsent(tree[$0]) }.map(Item.screen)
                if screen.shows == .selected, screen.children.indices.contains(screen.selection) {
                    contents.selection = .screen(screen.children[screen.selection])
                }
                var modal = screen.modal
                while let id = modal, isAbsent(tree[id]) { modal = tree[id].modal }
                contents.modal = modal.map(Item.screen)
                if let modal, tree[modal].kind == .foreign { foreignModals.insert(.screen(modal)) }
                contents.showsLast = screen.shows == .last
                self.contents[.screen(screen.id)] = contents
            }
        }
    }

    subscript(item: Item) -> Contents { contents[item] ?? Contents() }

    /// Calls a closure with each item below a root and the item that contains it.
    ///
    /// Parents come before their children, and children before modals.
    func visit(
        _ item: Item,
        in holder: Item? = nil,
        _ body: (_ item: Item, _ holder: Item?) -> Void
    ) {
        body(item, holder)
        let contents = self[item]
        for child in contents.children { visit(child, in: item, body) }
        if let modal = contents.modal { visit(modal, in: item, body) }
    }

    /// Replaces the roots with those of another hierarchy, and the contents of each item that the
    /// other hierarchy contains.
    ///
    /// The other hierarchy was read or derived only for a scope.
    mutating func merge(_ other: Hierarchy) {
        roots = other.roots
        for (item, contents) in other.contents { self.contents[item] = contents }
    }

    /// The items that windows show, in a fixed order, each with the item that contains it.
    var members: [(item: Item, holder: Item?)] {
        var members: [(item: Item, holder: Item?)] = []
        for case let (_, root?) in roots.sorted(by: { $0.key < $1.key }) {
            visit(root) { members.append(($0, $1)) }
        }
        return members
    }

    /// Removes a child or a modal from its container or presenter.
    mutating func remove(_ item: Item, from holder: Item) {
        guard var contents = contents[holder] else { return }
        if contents.modal == item { contents.modal = nil }
        if let index = contents.children.firstIndex(of: item) {
            contents.children.remove(at: index)
            if contents.selection == item {
                contents.selection =
                    contents.children.indices.contains(index)
                    ? contents.children[index] : contents.children.last
            }
        }
        self.contents[holder] = contents
    }
}
