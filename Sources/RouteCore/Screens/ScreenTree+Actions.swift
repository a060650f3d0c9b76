// SPDX-License-Identifier: MIT

/// The actions of routes, performed at a screen of the tree, which is called the *place*.
///
/// The place may be detached, so the same actions can build trees. An action throws `typeMismatch`
/// if the place is of the wrong kind, and `composition` if a new screen cannot be inserted.
extension ScreenTree {
    // MARK: Stacks

    /// Pushes a screen onto a stack, or pops to the screen if the stack already contains it.
    public mutating func push(_ id: ScreenID, onto nav: ScreenID) throws(RouteError) {
        try checkPlace(nav, needs: .nav)
        if links(of: id)?.parent == nav {
            try pop(to: id)
            return
        }
        try put(id, in: nav) { $0.suffix(0) }
    }

    /// Makes a screen the only screen of a stack, and removes all others.
    public mutating func pushAsRoot(_ id: ScreenID, onto nav: ScreenID) throws(RouteError) {
        try checkPlace(nav, needs: .nav)
        try put(id, in: nav) { $0 }
    }

    /// Replaces the last screen of a stack, or pushes the screen if the stack is empty.
    public mutating func pushReplacingLast(_ id: ScreenID, onto nav: ScreenID)
        throws(RouteError)
    {
        try checkPlace(nav, needs: .nav)
        try put(id, in: nav) { $0.suffix(1) }
    }

    // MARK: Declared containers

    /// Replaces the last screen of a declared container, or adds the screen if the container is
    /// empty.
    public mutating func replaceLast(_ id: ScreenID, in container: ScreenID) throws(RouteError) {
        try checkPlace(container, needs: .container)
        try put(id, in: container) { $0.suffix(1) }
    }

    // MARK: Tabs

    /// Adds a tab.
    ///
    /// The selected tab stays selected unless it is replaced. The first tab in empty tabs is
    /// selected.
    ///
    /// - Parameters:
    ///   - id: The new tab.
    ///   - tabs: The container of the tabs.
    ///   - position: The position of the new tab, from 1. By default, or if there is no tab at this
    ///     position, the new tab is the last.
    ///   - isReplacing: Whether to replace the tab at the position.
    /// - Throws: `typeMismatch` if `tabs` is of another kind; `composition` if the screen cannot be
    ///   inserted.
    public mutating func addTab(
        _ id: ScreenID,
        to tabs: ScreenID,
        at position: Int? = nil,
        replacing isReplacing: Bool = false
    ) throws(RouteError) {
        try checkPlace(tabs, needs: .tabs)
        try put(id, in: tabs) { tabs in
            guard let position, position > 0, position <= tabs.count else { return tabs.suffix(0) }
            return position - 1..<(isReplacing ? position : position - 1)
        }
    }

    // MARK: Splits

    /// Makes a screen the primary of a split; the detail does not change.
    public mutating func setAsPrimary(_ id: ScreenID, in split: ScreenID) throws(RouteError) {
        try checkPlace(split, needs: .split)
        try put(id, in: split) { $0.prefix(1) }
    }

    /// Makes a screen the detail of a split, replacing the existing detail.
    ///
    /// - Throws: The errors that every action can throw, and `composition` if the split has no
    ///   primary.
    public mutating func pushToDetails(_ id: ScreenID, in split: ScreenID) throws(RouteError) {
        _ = try detail(of: split)
        try put(id, in: split) { $0.dropFirst() }
    }

    /// Pushes a screen onto the stack that is the detail of a split.
    ///
    /// If the split has no detail, the screen must be a stack, and becomes the detail.
    ///
    /// - Throws: The errors that every action can throw, and `composition` if the split has no
    ///   primary, if a stack would be pushed onto a stack, or if the existing or new detail is not
    ///   a stack.
    public mutating func pushOnToDetails(_ id: ScreenID, in split: ScreenID) throws(RouteError) {
        let detail = try detail(of: split)
        try checkNotGone(id)
        guard let detail else {
            guard self[id].kind == .nav else { throw .detailIsNoStack(self[split], self[id]) }
            return try put(id, in: split) { $0.dropFirst() }
        }
        guard self[detail].kind == .nav else { throw .detailIsNoStack(self[split], self[detail]) }
        guard self[id].kind != .nav else { throw .stackOnStack(self[id], in: self[split]) }
        try push(id, onto: detail)
    }

    /// Returns the detail of a split, or nil if it has none.
    ///
    /// - Throws: `composition` if the split has no primary.
    private func detail(of split: ScreenID) throws(RouteError) -> ScreenID? {
        try checkPlace(split, needs: .split)
        let children = self[split].childList
        guard !children.isEmpty else { throw .detailWithoutPrimary(self[split]) }
        return children.dropFirst().first
    }

    // MARK: Windows

    /// Replaces the root of a window; all other screens of the window are removed.
    ///
    /// - Throws: The errors that every action can throw, and `composition` if the first argument is
    ///   not the root of a window.
    public mutating func replaceRoot(_ place: ScreenID, with id: ScreenID) throws(RouteError) {
        try checkNotGone(place)
        guard let window = windows.first(where: { $0.root == place }) else {
            throw .notARoot(self[place])
        }
        try setRoot(id, of: window.name)
    }

    // MARK: Parts

    /// Adds a detached screen to a container of any kind, after its other children.
    ///
    /// - Throws: `composition` if the screen cannot be inserted, or if the container would have too
    ///   many children.
    package mutating func append(_ id: ScreenID, to container: ScreenID) throws(RouteError) {
        guard links(of: id)?.parent != container else { throw .insertedTwice(self[id]) }
        try put(id, in: container) { $0.suffix(0) }
    }

    private func checkPlace(_ place: ScreenID, needs kind: Screen.Kind) throws(RouteError) {
        try checkNotGone(place)
        guard self[links: place].kind == kind else { throw .wrongPlace(self[place], needs: kind) }
    }

    /// Puts a detached screen into a container, replacing a range of children.
    ///
    /// - Parameters:
    ///   - id: The screen.
    ///   - container: The container.
    ///   - removed: A closure that returns the indices of the children to remove, given all
    ///     indices. The screen is inserted at the start of the returned range.
    /// - Throws: `composition` if the screen cannot be inserted, or if the container would have too
    ///   many children.
    private mutating func put(
        _ id: ScreenID,
        in container: ScreenID,
        replacing removed: (Range<Int>) -> Range<Int>
    ) throws(RouteError) {
        let holder = self[container]
        let range = removed(holder.childList.indices)
        try checkInsertable(id, into: container)
        try checkCount(holder.childList.count - range.count + 1, in: ScreenClass(of: holder))
        replaceChildren(range, of: container, with: CollectionOfOne(id))
    }
}
