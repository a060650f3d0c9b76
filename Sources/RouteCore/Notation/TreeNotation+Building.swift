// SPDX-License-Identifier: MIT

extension TreeNotation {
    /// Builds detached screens; the first level presents the others.
    ///
    /// The kind of a class is the declared one, else the one that its name implies, else the
    /// written one, else leaf. A container that is not declared shows its last child. If one child
    /// is selected and none is marked, the first is selected.
    ///
    /// - Returns: The root of the first level.
    /// - Throws: A located error if a rule of the tree would be broken, or if the notation is an
    ///   expectation; the tree is then unchanged.
    public func build(into tree: inout ScreenTree, classes: ScreenClasses) throws(NotationError)
        -> ScreenID
    {
        for screen in levels { try screen.check(classes) }
        do throws(RouteError) {
            let root = try levels[0].build(into: &tree, classes)
            try buildModals(over: root, into: &tree, classes, isContextual: false)
            return root
        } catch {
            // The rules are checked above; this reports a rule that only the tree knows.
            throw NotationError(error.message, at: range)
        }
    }

    fileprivate func buildModals(
        over root: ScreenID,
        into tree: inout ScreenTree,
        _ classes: ScreenClasses,
        isContextual: Bool
    ) throws(RouteError) {
        var presenter = root
        for level in levels.dropFirst() {
            let modal = try level.build(into: &tree, classes)
            try tree.present(modal, from: presenter, .init(isContextual: isContextual))
            presenter = modal
        }
    }
}

extension ScreenNotation {
    /// Returns the class of the screen, with the written kind if nothing else determines it.
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

    /// Builds the screen with its descendants, contextual modals included.
    fileprivate func build(into tree: inout ScreenTree, _ classes: ScreenClasses)
        throws(RouteError) -> ScreenID
    {
        var fields = Fields()
        for field in self.fields ?? [] { fields[field.name] = field.value }
        var built: [(id: ScreenID, notation: TreeNotation)] = []
        var selection = 0
        for case .child(let child, let star) in children ?? [] {
            if star != nil { selection = built.count }
            built.append((try child.levels[0].build(into: &tree, classes), child))
        }
        let id = try tree.makeScreen(
            resolveClass(classes),
            fields: fields,
            children: built.map(\.id),
            selection: selection
        )
        // Only a screen inside a container can present contextually.
        for (child, notation) in built {
            try notation.buildModals(over: child, into: &tree, classes, isContextual: true)
        }
        return id
    }
}
