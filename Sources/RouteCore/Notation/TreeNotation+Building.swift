// SPDX-License-Identifier: MIT

extension TreeNotation {
    /// Builds detached screens from the notation.
    ///
    /// Each level presents the next level.
    ///
    /// The kind of a screen is the declared kind of its class, otherwise the kind that the class
    /// name implies, otherwise the kind that is written in the notation, otherwise `leaf`. A
    /// container that is not declared shows its last child. In a container that shows the selected
    /// child, the first child is selected if none is marked.
    ///
    /// - Returns: The root of the first level.
    /// - Throws: An error with its location if a rule of the tree would be broken, or if the
    ///   notation is an expectation. The tree is then unchanged.
    public func build(into tree: inout ScreenTree, classes: ScreenClasses) throws(NotationError)
        -> ScreenID
    {
        for screen in levels { try screen.check(classes) }
        do throws(RouteError) {
            let root = try levels[0].build(into: &tree, classes)
            try buildModals(over: root, into: &tree, classes, isContextual: false)
            return root
        } catch {
            // Most rules are checked above. This error reports a rule that only the tree can check.
            throw NotationError(error.message, at: range)
        }
    }

    /// Builds screens like ``build(into:classes:)``, and reuses some screens that already exist.
    ///
    /// - Parameters:
    ///   - tree: The tree, with an open draft.
    ///   - classes: The declared classes.
    ///   - screens: For each element of ``screens``, the existing screen to reuse, or nil to build
    ///     a new screen.
    ///   - root: The root of the window that contains the existing screens; nil if there is none.
    ///     Screens of this window that are not reused are detached.
    /// - Returns: The root of the first level, which may be the root of the window.
    /// - Throws: The errors of ``build(into:classes:)``.
    package func build(
        into tree: inout ScreenTree,
        classes: ScreenClasses,
        keeping screens: [ScreenID?],
        below root: ScreenID?
    ) throws(NotationError) -> ScreenID {
        guard let root, screens.contains(where: { $0 != nil }) else {
            return try build(into: &tree, classes: classes)
        }
        for screen in levels { try screen.check(classes) }
        let old = Set(tree.screens(under: root))
        var kept: [Int: ScreenID] = [:]
        for (index, pair) in zip(self.screens, screens).enumerated() {
            // The root of a window has no container or presenter, so it can only be reused as the
            // root.
            guard let id = pair.1, old.contains(id), tree[id].class == pair.0.name,
                id != root || index == 0
            else { continue }
            kept[pair.0.range.lowerBound] = id
        }
        do throws(RouteError) {
            for id in old where tree[id].modal != nil { tree.dismissModal(of: id) }
            for id in old where tree[id].childCount > 0 { try tree.setChildren([], of: id) }
            let root = try levels[0].build(into: &tree, classes, keeping: kept)
            try buildModals(over: root, into: &tree, classes, isContextual: false, keeping: kept)
            return root
        } catch {
            throw NotationError(error.message, at: range)
        }
    }

    /// All screens of the tree.
    ///
    /// Each screen is listed before its children, and each level before the next level.
    package var screens: [ScreenNotation] {
        levels.flatMap { level -> [ScreenNotation] in
            let children = (level.children ?? []).flatMap { child -> [ScreenNotation] in
                if case .child(let tree, _) = child { tree.screens } else { [] }
            }
            return [level] + children
        }
    }

    fileprivate func buildModals(
        over root: ScreenID,
        into tree: inout ScreenTree,
        _ classes: ScreenClasses,
        isContextual: Bool,
        keeping kept: [Int: ScreenID] = [:]
    ) throws(RouteError) {
        var presenter = root
        for level in levels.dropFirst() {
            let modal = try level.build(into: &tree, classes, keeping: kept)
            var presentation = Screen.Presentation()
            if kept[level.range.lowerBound] != nil { presentation = tree[modal].presentation }
            presentation.isContextual = isContextual
            try tree.present(modal, from: presenter, presentation)
            presenter = modal
        }
    }
}

extension ScreenNotation {
    /// Returns the class of the screen.
    ///
    /// The written kind is used only if nothing else determines the kind.
    private func resolveClass(_ classes: ScreenClasses) -> ScreenClass {
        let isFixed = classes.declares(name) || Screen.Kind(impliedBy: name) != nil
        return isFixed ? classes[name] : ScreenClass(name, kind: kind)
    }

    fileprivate func check(_ classes: ScreenClasses) throws(NotationError) {
        guard !isAnyClass else { throw .onlyInExpectations("_", at: nameRange) }
        let screenClass = resolveClass(classes)
        let kind = screenClass.kind
        if let written = self.kind, written != kind { throw .contradictsKind(self, kind: kind) }
        for field in fields ?? [] {
            guard !field.notation.isMatcher else {
                throw .matcherOutside(field.range)
            }
            do throws(RouteError) {
                _ = try screenClass.checked(field.value, for: field.name)
            } catch {
                throw NotationError(error.message, at: field.range)
            }
        }
        guard let children, !children.isEmpty else { return }
        guard kind.isContainer else { throw .holdsNoChildren(self, kind: kind) }
        if let max = screenClass.max, children.count > max {
            throw .tooManyChildren(screenClass, children.count, at: childrenRange)
        }
        for child in children {
            switch child {
            case .rest(let range):
                throw .onlyInExpectations("...", at: range)
            case .child(let tree, let star):
                if let star, screenClass.shows != .selected {
                    throw .selectedOutsideTabs(screenClass, at: star)
                }
                for screen in tree.levels { try screen.check(classes) }
            }
        }
    }

    /// Builds the screen with its descendants, including contextual modals.
    ///
    /// `kept` contains the existing, detached screens to reuse, by the offset at which the notation
    /// of each screen starts.
    fileprivate func build(
        into tree: inout ScreenTree,
        _ classes: ScreenClasses,
        keeping kept: [Int: ScreenID] = [:]
    ) throws(RouteError) -> ScreenID {
        var fields = Fields()
        for field in self.fields ?? [] { fields[field.name] = field.value }
        var built: [(id: ScreenID, notation: TreeNotation)] = []
        var selection = 0
        for case .child(let child, let star) in children ?? [] {
            if star != nil { selection = built.count }
            built.append(
                (try child.levels[0].build(into: &tree, classes, keeping: kept), child)
            )
        }
        let id: ScreenID
        if let known = kept[range.lowerBound] {
            id = known
            for name in fields.names { try tree.setField(name, to: fields[name], of: id) }
            if !built.isEmpty { try tree.setChildren(built.map(\.id), of: id) }
            if tree[id].shows == .selected, built.indices.contains(selection) {
                try tree.select(built[selection].id)
            }
        } else {
            id = try tree.makeScreen(
                resolveClass(classes),
                fields: fields,
                children: built.map(\.id),
                selection: selection
            )
        }
        // Only a screen inside a container can present a modal contextually.
        for (child, notation) in built {
            try notation.buildModals(
                over: child,
                into: &tree,
                classes,
                isContextual: true,
                keeping: kept
            )
        }
        return id
    }
}
