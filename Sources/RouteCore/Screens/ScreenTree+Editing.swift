// SPDX-License-Identifier: MIT

extension ScreenTree {
    // MARK: Creating screens

    /// Creates a detached screen.
    ///
    /// - Throws: `composition` if the class does not allow so many children, or if a child cannot
    ///   be inserted; `badInfo` if a field contains a function, screen or host object, does not
    ///   have its declared type, or has an invalid name.
    public mutating func makeScreen(
        _ screenClass: ScreenClass,
        fields: Fields = Fields(),
        children: [ScreenID] = [],
        selection: Int = 0
    ) throws(RouteError) -> ScreenID {
        try checkCount(children.count, in: screenClass)
        var seen: Set<ScreenID> = []
        for child in children {
            try checkInsertable(child)
            try checkDepth(of: child, below: 1)
            guard seen.insert(child).inserted else { throw .insertedTwice(self[child]) }
        }
        var checked = fields
        for name in fields.names {
            try Self.checkField(name, fields[name])
            if screenClass.types.parameters.isEmpty { continue }
            checked[name] = try screenClass.checked(fields[name], for: name)
        }
        let id = insert(screenClass, fields: checked)
        replaceChildren(0..<0, of: id, with: children)
        if screenClass.shows == .selected, !children.isEmpty {
            edit(id) { $0.selection = min(max(selection, 0), children.count - 1) }
        }
        return id
    }

    /// Sets a field of a screen; nil removes the field.
    ///
    /// - Returns: Whether the value changed.
    /// - Throws: `badInfo` if the value contains a function, screen or host object, or if the name
    ///   is invalid; `composition` if the screen is gone.
    @discardableResult
    public mutating func setField(_ name: String, to value: Value, of id: ScreenID)
        throws(RouteError) -> Bool
    {
        try Self.checkField(name, value)
        try checkNotGone(id)
        if fields(of: id)?[name] == value { return false }
        edit(id) { $0.fields[name] = value }
        return true
    }

    /// Records the route that built a screen.
    package mutating func setRoute(_ route: String?, of id: ScreenID) {
        edit(id) { $0.route = route }
    }

    // MARK: Windows

    /// Sets the root of the window with the given name, and opens the window if it does not exist.
    ///
    /// The previous screens of the window are removed.
    public mutating func setRoot(_ id: ScreenID, of name: String) throws(RouteError) {
        try checkInsertable(id)
        var windows = windows
        if let index = windows.firstIndex(where: { $0.name == name }) {
            windows[index].root = id
        } else {
            Self.add(RouterWindow(name: name, root: id), to: &windows)
        }
        setWindows(windows)
        settleModals(of: id)
    }

    /// Opens a window with a root screen.
    ///
    /// The window `main` is placed before all others; any other window is placed last.
    ///
    /// - Throws: `composition` if a window with that name is open, or if the screen cannot be
    ///   inserted.
    public mutating func openWindow(_ name: String, root id: ScreenID) throws(RouteError) {
        guard window(name) == nil else { throw .windowIsOpen(name) }
        try setRoot(id, of: name)
    }

    /// Replaces all windows; screens that are not in the new windows are removed.
    ///
    /// - Throws: `composition` if a root cannot be inserted, or if two windows share a name; the
    ///   tree is then unchanged.
    public mutating func replaceWindows(_ roots: [(name: String, root: ScreenID)])
        throws(RouteError)
    {
        var windows: [RouterWindow] = []
        for (name, root) in roots {
            try checkInsertable(root)
            guard !(windows.contains { $0.name == name }) else { throw .windowIsOpen(name) }
            guard !(windows.contains { $0.root == root }) else { throw .insertedTwice(self[root]) }
            Self.add(RouterWindow(name: name, root: root), to: &windows)
        }
        setWindows(windows)
        for window in windows { settleModals(of: window.root) }
    }

    /// Adds a window at the end.
    ///
    /// The window `main` is added at the start instead, so that a reopened `main` becomes the
    /// default window again.
    private static func add(_ window: RouterWindow, to windows: inout [RouterWindow]) {
        windows.insert(window, at: window.name == RouterWindow.main ? 0 : windows.count)
    }

    /// Closes a window and removes its screens.
    public mutating func closeWindow(_ name: String) throws(RouteError) {
        guard window(name) != nil else { throw .noWindow(name, among: windows.map(\.name)) }
        setWindows(windows.filter { $0.name != name })
    }

    // MARK: Containers

    /// Pops a stack to one of its screens, removing the screens above it.
    public mutating func pop(to id: ScreenID) throws(RouteError) {
        try checkNotGone(id)
        guard let nav = self[links: id].parent, self[links: nav].kind == .nav else {
            throw .notInStack(self[id])
        }
        removeChildren(of: nav, after: id)
    }

    /// Removes the children of a container that come after the given child.
    private mutating func removeChildren(of container: ScreenID, after child: ScreenID) {
        let children = self[container].childList
        guard let index = position(of: child, in: children) else { return }
        replaceChildren(index + 1..<children.count, of: container, with: [])
    }

    /// Sets the children of a container.
    ///
    /// Screens in the list that are already children remain; all others must be insertable. In a
    /// container that shows the selected child, the selected child stays selected if it remains in
    /// the container.
    ///
    /// - Throws: `composition` if a child cannot be inserted, or if there are more children than
    ///   the container allows.
    public mutating func setChildren(_ children: [ScreenID], of id: ScreenID) throws(RouteError) {
        try checkNotGone(id)
        let container = self[id]
        try checkCount(children.count, in: ScreenClass(of: container))
        var (from, rest) = (container.childList[...], children[...])
        while let child = rest.first, child == from.first {
            (from, rest) = (from.dropFirst(), rest.dropFirst())
        }
        while let child = rest.last, child == from.last {
            (from, rest) = (from.dropLast(), rest.dropLast())
        }
        var seen: Set<ScreenID> = []
        for child in rest {
            guard seen.insert(child).inserted else { throw .insertedTwice(self[child]) }
            if links(of: child)?.parent != id {
                try checkInsertable(child, into: id)
            } else if !from.indices.contains(position(of: child, in: container.childList) ?? -1) {
                throw .insertedTwice(self[child])
            }
        }
        replaceChildren(from.indices, of: id, with: rest)
    }

    /// Replaces a range of children with other screens, which may be the same screens in another
    /// order.
    mutating func replaceChildren(
        _ range: Range<Int>,
        of id: ScreenID,
        with new: some Collection<ScreenID>
    ) {
        if range.isEmpty, new.isEmpty { return }
        let container = self[id]
        var children = container.childList
        children.replaceSubrange(range, with: new)
        edit(id) { screen in
            screen.childList = children
            guard screen.shows == .selected else { return }
            screen.selection = Self.selection(
                after: children,
                before: container.childList,
                selected: container.selection
            )
        }
        notePositions(of: new, from: range.lowerBound)
        for child in new where self[links: child].parent != id {
            edit(child) { $0.parent = id }
            settleModals(of: child)
        }
        let end = range.lowerBound + new.count
        for child in container.childList[range] {
            let position = notedPosition(of: child)
            let isKept = position < end && children[position] == child
            if !isKept { edit(child) { $0.parent = nil } }
        }
    }

    /// Selects a tab, or a child of any other container that shows its selected child.
    ///
    /// - Throws: `composition` if the screen is not a child of such a container.
    public mutating func select(_ id: ScreenID) throws(RouteError) {
        try checkNotGone(id)
        guard let tabs = self[links: id].parent, self[links: tabs].shows == .selected else {
            throw .notATab(self[id])
        }
        select(id, in: tabs)
    }

    private mutating func select(_ id: ScreenID, in container: ScreenID) {
        guard let index = position(of: id, in: self[container].childList),
            self[container].selection != index
        else { return }
        edit(container) { $0.selection = index }
    }

    /// Returns the index of the selected tab after the tabs have changed.
    ///
    /// The selected child stays selected as long as it remains in the container. If it was removed,
    /// the child that is now at the same index is selected, or the last child if no child is at
    /// that index. If the tabs were empty, the first child is selected.
    static func selection(
        after: ChunkedArray<ScreenID>,
        before: ChunkedArray<ScreenID>,
        selected: Int
    ) -> Int {
        guard selected < before.count else { return 0 }
        if selected < after.count, after[selected] == before[selected] { return selected }
        if let index = after.firstIndex(of: before[selected]) { return index }
        return max(0, min(selected, after.count - 1))
    }

    // MARK: Modals

    /// Presents a screen as a modal.
    ///
    /// A contextual modal covers only the presenter; any other modal covers the presenter's whole
    /// level.
    ///
    /// If the presenter is not in a container, the two kinds of modals do not differ, and the modal
    /// is the root of a new level.
    ///
    /// - Throws: `composition` if the presenter already presents a modal, or if the screen cannot
    ///   be inserted; `badInfo` if an option of the presentation contains a function, screen or
    ///   host object.
    public mutating func present(
        _ id: ScreenID,
        from place: ScreenID,
        _ presentation: Screen.Presentation = .init()
    ) throws(RouteError) {
        try checkNotGone(place)
        if let path = Value.table(presentation.options).pathToReference {
            throw .optionHoldsReference(path)
        }
        let presenter = presentation.isContextual ? place : levelRoot(of: place)
        if let modal = self[presenter].modal {
            throw .isPresentingAlready(self[presenter], modal: self[modal])
        }
        try checkInsertable(id, into: presenter)
        edit(presenter) { $0.modal = id }
        edit(id) {
            $0.presenter = presenter
            $0.presentation = presentation
        }
        settleModals(of: presenter)
    }

    /// Updates the modals over a screen that was moved: inside a container they become contextual,
    /// otherwise they become roots of levels.
    mutating func settleModals(of id: ScreenID) {
        guard var modal = self[links: id].modal else { return }
        let isInside = levelRoot(of: id) != id
        while true {
            if self[links: modal].isContextual != isInside {
                edit(modal) { $0.links.isContextual = isInside }
            }
            guard let next = self[links: modal].modal else { return }
            modal = next
        }
    }

    /// Dismisses the modal of a screen, with all screens in and above the modal.
    ///
    /// Does nothing if the screen presents no modal or was released.
    public mutating func dismissModal(of presenter: ScreenID) {
        guard let modal = links(of: presenter)?.modal else { return }
        edit(presenter) { $0.modal = nil }
        edit(modal) { $0.presenter = nil }
    }

    // MARK: Visibility

    /// Dismisses the modals that cover a screen.
    ///
    /// - Parameters:
    ///   - id: The screen.
    ///   - keeps: A closure that returns whether to keep a covering modal. The function stops at
    ///     the first modal that is kept. By default, no modal is kept.
    public mutating func uncover(
        _ id: ScreenID,
        unless keeps: (ScreenLinks, ScreenTree) -> Bool = { _, _ in false }
    ) {
        while let modal = coveringModal(of: id), let presenter = self[links: modal].presenter,
            !keeps(self[links: modal], self)
        {
            dismissModal(of: presenter)
        }
    }

    /// Makes a screen visible in all its containers, from the innermost to the outermost.
    ///
    /// A container that shows its last child pops to the screen, and a container that shows its
    /// selected child selects the screen.
    ///
    /// - Parameters:
    ///   - id: The screen.
    ///   - pops: Whether to pop containers that show their last child. If false, these containers
    ///     do not change.
    /// - Throws: `composition` if the screen is gone.
    public mutating func makeVisible(_ id: ScreenID, popping pops: Bool = true) throws(RouteError) {
        try checkNotGone(id)
        var child = id
        while true {
            let links = self[links: child]
            if let parent = links.parent {
                let container = self[links: parent]
                switch container.shows {
                case _ where container.leadingChild == child: break
                case .last: if pops { removeChildren(of: parent, after: child) }
                case .selected: select(child, in: parent)
                case .all: break
                }
            }
            guard let surrounding = links.surrounding else { return }
            child = surrounding
        }
    }

    // MARK: Rules

    /// Checks that a screen can be inserted: it was created in this tree, was not removed, and is
    /// detached.
    ///
    /// If a place is given, the function also checks that the screen would not be inside of itself
    /// or nested too deeply.
    public func checkInsertable(_ id: ScreenID, into place: ScreenID? = nil) throws(RouteError) {
        try checkNotGone(id)
        let screen = self[id]
        guard screen.parent == nil, screen.presenter == nil,
            !windows.contains(where: { $0.root == id })
        else { throw .isInTree(screen) }
        guard let place else { return }
        var holder: ScreenID? = place
        var depth = 0
        while let current = holder {
            guard current != id else { throw .insideItself(screen) }
            holder = self[links: current].holder
            depth += 1
        }
        try checkDepth(of: id, below: depth)
    }

    /// The maximum depth of nested containers and modals.
    ///
    /// This bounds the stack space that recursion over a tree uses.
    public static let depthLimit = 100

    private func checkDepth(of id: ScreenID, below depth: Int) throws(RouteError) {
        guard !reaches(id, depth + 1) else { throw .tooDeep(self[id]) }
    }

    /// Whether a screen, or any screen in or above it, would exceed the limit if the screen were
    /// inserted at the given depth.
    private func reaches(_ id: ScreenID, _ depth: Int) -> Bool {
        if depth > Self.depthLimit { return true }
        let screen = self[id]
        return screen.childList.contains { reaches($0, depth + 1) }
            || screen.modal.map { reaches($0, depth + 1) } ?? false
    }

    /// Checks that a screen can be changed: it belongs to this tree and was not removed.
    func checkNotGone(_ id: ScreenID) throws(RouteError) {
        guard id.tree == number else { throw .isOfAnotherRouter(id) }
        guard !isGone(id) else { throw .isGone(id, screen(id)) }
    }

    /// Checks that all screens in a value belong to this tree.
    ///
    /// - Throws: `composition` for a screen of another router.
    package func checkOrigin(of value: Value) throws(RouteError) {
        switch value {
        case .screen(let id): guard id.tree == number else { throw .isOfAnotherRouter(id) }
        case .table(let table):
            for value in table.list { try checkOrigin(of: value) }
            for entry in table.entries { try checkOrigin(of: entry.value) }
        default: break
        }
    }

    private static func checkField(_ name: String, _ value: Value) throws(RouteError) {
        guard Name.isValid(name) else { throw .badFieldName(name) }
        if let path = value.pathToReference { throw .fieldHoldsReference(name, path: path) }
    }

    /// Checks that a screen of a class may have the given number of children.
    func checkCount(_ count: Int, in screenClass: ScreenClass) throws(RouteError) {
        if !screenClass.kind.isContainer, count > 0 {
            throw .holdsNoChildren(screenClass.name, screenClass.kind)
        }
        if let max = screenClass.max, count > max { throw .tooManyChildren(screenClass, count) }
    }
}
