// SPDX-License-Identifier: MIT

extension TreeNotation {
    /// Builds the screens as detached ones: the first level, which presents the others.
    ///
    /// A class has the kind that is declared or that its name gives, else the one that is
    /// written, else it is a leaf. A container that is not declared shows the last child. Where
    /// one child is selected and none is marked, it is the first.
    ///
    /// - Returns: The root of the first level.
    /// - Throws: An error with its place if a rule of the tree would be broken, or if the
    ///   notation is an expectation. The tree then holds what it held before.
    public func build(into tree: inout ScreenTree, classes: ScreenClasses) throws(NotationError)
        -> ScreenID
    {
        for screen in levels { try screen.check(classes) }
        do throws(RouteError) {
            let root = try levels[0].build(into: &tree, classes)
            try buildModals(over: root, into: &tree, classes, isContextual: false)
            return root
        } catch {
            // What the tree asks for is checked above; should it ask for more, this is its text.
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
    /// The class that the screen has; its kind is as written where nothing else says it.
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

    /// Builds the screen with what stands in it, contextual modals included.
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
        // Only what stands in a container can present contextually.
        for (child, notation) in built {
            try notation.buildModals(over: child, into: &tree, classes, isContextual: true)
        }
        return id
    }
}
