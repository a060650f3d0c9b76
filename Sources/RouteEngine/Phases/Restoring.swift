// SPDX-License-Identifier: MIT

package import RouteCore

extension Stage {
    /// Builds the windows of a snapshot, and restores the script state of the snapshot.
    ///
    /// - Returns: The screen that the first window shows.
    package mutating func arrangeRestoring(of snapshot: Snapshot) throws(RouteError) -> ScreenID {
        // The `restore` functions of classes may read the state.
        world.shared.state = snapshot.state
        world.shared.stateBytes = snapshot.state.size
        var builder = SnapshotBuilder(snapshot, staging)
        let windows: [(name: String, root: ScreenID)]
        do throws(RouteError) {
            windows = try builder.build(&self)
        } catch {
            take(builder)
            throw error
        }
        take(builder)
        guard let first = windows.first else { throw .nothingCameBack(builder.losses) }
        try tree.replaceWindows(windows)
        return tree.visibleLeaf(under: first.root)
    }

    private mutating func take(_ builder: SnapshotBuilder) {
        journey.losses = builder.losses
        released += builder.leftOver
    }

    /// Returns the current class for a screen of a snapshot.
    ///
    /// - Throws: The reason why the screen cannot be restored, if the class is no longer declared
    ///   or has another kind.
    fileprivate func classOfRestored(_ entry: Snapshot.Entry) throws(RouteError) -> ScreenClass {
        let (name, classes) = (entry.class, declarations.classes)
        let isFixed = classes.declares(name) || Screen.Kind(impliedBy: name) != nil
        let screenClass = isFixed ? classes[name] : ScreenClass(name, kind: entry.kind)
        if screenClass.kind == .foreign, entry.kind == .foreign { throw .restoresForeign() }
        guard screenClass.kind == entry.kind else {
            throw .wrongKind(screenClass, expected: entry.kind)
        }
        if !isFixed, entry.kind == .container { throw .containerIsNotDeclared(name) }
        return screenClass
    }

    /// The result of a class's `restore` function.
    fileprivate enum Restored {
        case fields(Fields)
        case screen(ScreenID)
    }

    /// Calls the `restore` function of a class.
    ///
    /// - Throws: The reason why the screen cannot be restored.
    fileprivate mutating func restore(
        _ entry: Snapshot.Entry,
        _ context: CallContext
    ) throws(RouteError) -> Restored {
        guard let function = declarations.classDeclarations[entry.class]?.restorer else {
            return .fields(declarations.classes.removingHidden(entry.fields))
        }
        var table = InfoTable()
        let fields = declarations.classes.removingHidden(entry.fields)
        for name in fields.names { table[name] = fields[name] }
        switch try value(of: function, [.table(table)], in: context) {
        case .table(let table): return .fields(try Fields(ofScript: table))
        case .screen(let screen): return .screen(screen)
        case .nil: throw .restoreGaveNothing(entry.class)
        case let other: throw .restoreGave(other.scriptKind, entry.class)
        }
    }
}

/// A type that builds the screens of a snapshot without placing them in the tree.
private struct SnapshotBuilder {
    private let context: CallContext
    private let entries: [Snapshot.Entry]
    private var children: [[Int]]
    private var modals: [Int: Int] = [:]
    private(set) var losses: [RestorationLoss] = []
    /// The screens that `restore` functions returned.
    private var given: Set<ScreenID> = []
    /// The screens that were created but could not be placed.
    private(set) var leftOver: [ScreenID] = []

    init(_ snapshot: Snapshot, _ context: CallContext) {
        self.context = context
        entries = snapshot.entries
        children = Array(repeating: [], count: entries.count)
        for (index, entry) in entries.enumerated() {
            switch entry.position {
            case .root: break
            case .child(let parent): children[parent].append(index)
            case .modal(let presenter, _): modals[presenter] = index
            }
        }
    }

    mutating func build(_ stage: inout Stage) throws(RouteError) -> [(
        name: String, root: ScreenID
    )] {
        var windows: [(name: String, root: ScreenID)] = []
        for (index, entry) in entries.enumerated() {
            guard case .root(let name) = entry.position else { continue }
            let path = "\(name)/\(entry.class)"
            guard let root = try build(index, path: path, in: &stage) else { continue }
            try present(over: root, index: index, path: path, isContextual: false, in: &stage)
            windows.append((name, root))
        }
        return windows
    }

    /// Builds a screen with its descendants, but without the modal that it presents.
    ///
    /// - Returns: The screen; nil if it cannot be restored.
    private mutating func build(
        _ index: Int,
        path: String,
        in stage: inout Stage
    ) throws(RouteError) -> ScreenID? {
        let entry = entries[index]
        let screenClass: ScreenClass
        var fields = entry.fields
        do throws(RouteError) {
            screenClass = try stage.classOfRestored(entry)
            switch try stage.restore(entry, context) {
            case .fields(let restored):
                // A `restore` function may return a screen to replace a screen whose class the host
                // no longer supports.
                if entry.kind == .leaf {
                    try stage.declarations.checkExpectation(ofClass: entry.class)
                }
                fields = restored
            case .screen(let screen):
                try stage.tree.checkInsertable(screen)
                guard given.insert(screen).inserted else {
                    throw .insertedTwice(stage.tree[screen])
                }
                if !children[index].isEmpty {
                    lose("\(path)/…", "'restore' returned a screen instead of fields")
                }
                stage.tree.setRoute(entry.route, of: screen)
                return screen
            }
        } catch {
            guard error.code != .budget else { throw error }
            lose(path, error.message)
            return nil
        }
        var built: [(id: ScreenID, index: Int, path: String)] = []
        var selection = 0
        for (position, child) in children[index].enumerated() {
            let childPath = "\(path)/\(entries[child].class)[\(position + 1)]"
            // If the selected child cannot be restored, the next child is selected, or otherwise
            // the last one.
            if position == entry.selection { selection = built.count }
            if let id = try build(child, path: childPath, in: &stage) {
                built.append((id, child, childPath))
            } else if entry.kind == .split, position == 0 {
                lose(path, "the primary screen was not restored")
                return nil
            }
        }
        if built.isEmpty, !children[index].isEmpty {
            lose(path, "no child was restored")
            return nil
        }
        let id: ScreenID
        do throws(RouteError) {
            id = try stage.tree.makeScreen(
                screenClass,
                fields: fields,
                children: built.map(\.id),
                selection: selection
            )
        } catch {
            lose(path, error.message)
            leftOver += built.map(\.id)
            return nil
        }
        if entry.route != nil { stage.tree.setRoute(entry.route, of: id) }
        // Only a screen inside a container can present a modal contextually.
        for child in built {
            try present(
                over: child.id,
                index: child.index,
                path: child.path,
                isContextual: true,
                in: &stage
            )
        }
        return id
    }

    /// Presents the modals of a screen, each over the previous modal.
    private mutating func present(
        over root: ScreenID,
        index: Int,
        path: String,
        isContextual: Bool,
        in stage: inout Stage
    ) throws(RouteError) {
        var presenter = (id: root, index: index, path: path)
        while let modal = modals[presenter.index],
            case .modal(_, var presentation) = entries[modal].position
        {
            let path = "\(presenter.path)/^\(entries[modal].class)"
            guard let id = try build(modal, path: path, in: &stage) else { return }
            presentation.isContextual = isContextual
            do throws(RouteError) {
                try stage.tree.present(id, from: presenter.id, presentation)
            } catch {
                lose(path, error.message)
                leftOver.append(id)
                return
            }
            presenter = (id, modal, path)
        }
    }

    private mutating func lose(_ path: String, _ reason: String) {
        losses.append(.init(path: path, reason: reason))
    }
}
