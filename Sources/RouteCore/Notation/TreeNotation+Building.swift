// SPDX-License-Identifier: MIT

extension TreeNotation {
    /// Builds the screens as detached ones: the first level, which presents the others.
    ///
    /// A class has the kind that is declared or that its name gives, else the one that is
    /// written, else it is a leaf. Where no tab is marked the first one is selected.
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
    /// The kind that the screen has, and whether the notation has a say in it.
    private func resolveKind(_ classes: ScreenClasses) -> (kind: Screen.Kind, isFixed: Bool) {
        let isFixed = classes.declares(name) || Screen.Kind(rawValue: name) != nil
        return (isFixed ? classes[name].kind : kind ?? .leaf, isFixed)
    }

    fileprivate func check(_ classes: ScreenClasses) throws(NotationError) {
        guard !isAnyClass else { throw .onlyInExpectations("_", at: nameRange) }
        let (kind, isFixed) = resolveKind(classes)
        if isFixed, let written = self.kind, written != kind {
            throw .contradictsKind(self, kind: kind)
        }
        guard let children, !children.isEmpty else { return }
        guard kind.isContainer else { throw .holdsNoChildren(self, kind: kind) }
        if kind == .split, children.count > 2 {
            throw .tooManyChildren(self, count: children.count)
        }
        for child in children {
            switch child {
            case .rest(let range):
                throw .onlyInExpectations("...", at: range)
            case .child(let tree, let star):
                if let star, kind != .tabs {
                    throw .selectedOutsideTabs(name, kind: kind, at: star)
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
        var screenClass = classes[name]
        screenClass.kind = resolveKind(classes).kind
        let id = try tree.makeScreen(
            screenClass,
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
