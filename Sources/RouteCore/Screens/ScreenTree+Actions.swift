// SPDX-License-Identifier: MIT

/// What the actions of routes do to a place.
///
/// A place may be detached: trees are built by the same actions. One of another kind than the
/// action needs is a `typeMismatch`; a new screen that cannot be inserted is a `composition`.
extension ScreenTree {
    // MARK: Stacks

    /// Pushes a screen onto a stack; pops to it where it stands in that stack already.
    public mutating func push(_ id: ScreenID, onto nav: ScreenID) throws(RouteError) {
        try checkPlace(nav, needs: .nav)
        if links(of: id)?.parent == nav {
            try pop(to: id)
            return
        }
        try checkInsertable(id, into: nav)
        edit(nav) { $0.children.append(id) }
        edit(id) { $0.parent = nav }
        settleModals(of: id)
    }

    /// Makes a screen the only one of a stack; what stood in it goes.
    public mutating func pushAsRoot(_ id: ScreenID, onto nav: ScreenID) throws(RouteError) {
        try checkPlace(nav, needs: .nav)
        try setChildren([id], new: id, of: nav)
    }

    /// Puts a screen in the place of the last one of a stack; pushes it onto an empty one.
    public mutating func pushReplacingLast(_ id: ScreenID, onto nav: ScreenID)
        throws(RouteError)
    {
        try checkPlace(nav, needs: .nav)
        try setLast(id, of: nav)
    }

    // MARK: Declared containers

    /// Puts a screen in the place of the last one of a declared container; appends it to an
    /// empty one.
    public mutating func replaceLast(_ id: ScreenID, in container: ScreenID) throws(RouteError) {
        try checkPlace(container, needs: .container)
        try setLast(id, of: container)
    }

    // MARK: Tabs

    /// Adds a tab, and selects it only by the rule of tabs.
    ///
    /// - Parameters:
    ///   - id: The new tab.
    ///   - tabs: The tabs.
    ///   - position: Where it will stand, from 1 on; it becomes the last one where there is no
    ///     such tab, or where nothing is said.
    ///   - isReplacing: Whether the tab at the position goes for it.
    /// - Throws: `typeMismatch` for what are no tabs, `composition` for what cannot be inserted.
    public mutating func addTab(
        _ id: ScreenID,
        to tabs: ScreenID,
        at position: Int? = nil,
        replacing isReplacing: Bool = false
    ) throws(RouteError) {
        try checkPlace(tabs, needs: .tabs)
        var children = self[tabs].children
        if let position, (1...).contains(position), position <= children.count {
            let index = position - 1
            children.replaceSubrange(index..<(isReplacing ? position : index), with: [id])
        } else {
            children.append(id)
        }
        try setChildren(children, new: id, of: tabs)
    }

    // MARK: Splits

    /// Makes a screen the primary of a split; a detail stays.
    public mutating func setAsPrimary(_ id: ScreenID, in split: ScreenID) throws(RouteError) {
        try checkPlace(split, needs: .split)
        try setChildren([id] + self[split].children.dropFirst(), new: id, of: split)
    }

    /// Makes a screen the detail of a split, in the place of the one that it has.
    ///
    /// - Throws: Also `composition` if the split has no primary.
    public mutating func pushToDetails(_ id: ScreenID, in split: ScreenID) throws(RouteError) {
        let (primary, _) = try columns(of: split)
        try setChildren([primary, id], new: id, of: split)
    }

    /// Pushes a screen onto the stack that is the detail of a split; a split without a detail
    /// takes a stack as its detail.
    ///
    /// - Throws: Also `composition` if the split has no primary, if a stack would be pushed onto
    ///   a stack, if the detail is no stack, or if the first detail would be none.
    public mutating func pushOnToDetails(_ id: ScreenID, in split: ScreenID) throws(RouteError) {
        let (primary, detail) = try columns(of: split)
        try checkNotGone(id)
        guard let detail else {
            guard self[id].kind == .nav else { throw .detailIsNoStack(self[split], self[id]) }
            return try setChildren([primary, id], new: id, of: split)
        }
        guard self[detail].kind == .nav else { throw .detailIsNoStack(self[split], self[detail]) }
        guard self[id].kind != .nav else { throw .stackOnStack(self[id], in: self[split]) }
        try push(id, onto: detail)
    }

    private func columns(of split: ScreenID) throws(RouteError)
        -> (primary: ScreenID, detail: ScreenID?)
    {
        try checkPlace(split, needs: .split)
        let children = self[split].children
        guard let primary = children.first else { throw .detailWithoutPrimary(self[split]) }
        return (primary, children.count > 1 ? children[1] : nil)
    }

    // MARK: Windows

    /// Puts a screen in the place of the root of a window; what stood in the window goes.
    ///
    /// - Throws: Also `composition` if the place is not the root of a window.
    public mutating func replaceRoot(_ place: ScreenID, with id: ScreenID) throws(RouteError) {
        try checkNotGone(place)
        guard let window = windows.first(where: { $0.root == place }) else {
            throw .notARoot(self[place])
        }
        try setRoot(id, of: window.name)
    }

    // MARK: Parts

    private func checkPlace(_ place: ScreenID, needs kind: Screen.Kind) throws(RouteError) {
        try checkNotGone(place)
        guard self[links: place].kind == kind else { throw .wrongPlace(self[place], needs: kind) }
    }

    private mutating func setLast(_ id: ScreenID, of container: ScreenID) throws(RouteError) {
        try setChildren(self[container].children.dropLast() + [id], new: id, of: container)
    }

    /// Sets the children of a container, one of which must stand nowhere yet.
    private mutating func setChildren(
        _ children: [ScreenID],
        new id: ScreenID,
        of container: ScreenID
    ) throws(RouteError) {
        try checkInsertable(id)
        try setChildren(children, of: container)
    }
}
