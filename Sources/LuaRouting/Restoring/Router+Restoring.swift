// SPDX-License-Identifier: MIT

internal import LuaVM

/// Bringing back what a snapshot holds.
extension Router {
    /// Brings back what a snapshot holds: its windows and screens in the place of those that stand,
    /// the state, the gates that stood open, and the links that waited.
    ///
    /// It is one change, all or nothing, which the host applies, and nobody is asked. What is held
    /// against the scripts that serve: a screen whose class is of another kind now, or may not be
    /// made, or whose `restore` gives nothing, stays out, with all that stood in and above it, and
    /// ``Restoration/losses`` tells of it. So does a container of which nothing came back, and a
    /// window whose root did not. Screens get new serials.
    ///
    /// Gates that stand open stay so, and links that wait go on waiting; one of them with the same
    /// key or URL stays in place of that of the snapshot. Navigations that are pending are planned
    /// again; those in windows that the snapshot lacks are cancelled.
    ///
    /// - Parameters:
    ///   - snapshot: What is brought back.
    ///   - options: Whether the host animates; the rest is of no account.
    ///   - completion: Called once, when all is applied or nothing is.
    /// - Returns: The navigation and what did not come back. The navigation fails with
    ///   `composition` where no window came back, with `budget` where a function of a script takes
    ///   too long, and with `host` where the host refuses; then all is as it was.
    @discardableResult
    public func restore(
        _ snapshot: Snapshot,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Restoration) -> Void)? = nil
    ) -> Restoration {
        let navigation = begin(
            .restore(snapshot),
            options,
            completion: completion.map { completion in
                { navigation in completion(Restoration(navigation: navigation)) }
            }
        )
        return Restoration(navigation: navigation)
    }

    /// Stages the windows and the state of a snapshot.
    ///
    /// - Returns: What the first window shows.
    func arrangeRestoring(_ snapshot: Snapshot, _ navigation: Navigation) throws(RouteError)
        -> ScreenID
    {
        navigation.losses = []
        // Functions of classes may look at it. It is taken back where the stage is dropped.
        state = snapshot.state
        stateBytes = state.size
        var builder = SnapshotBuilder(snapshot, router: self)
        defer {
            navigation.losses = builder.losses
            toRelease += builder.leftOver
        }
        let windows = try builder.build()
        guard let first = windows.first else { throw .nothingCameBack(builder.losses) }
        try tree.replaceWindows(windows)
        return tree.visibleLeaf(under: first.root)
    }

    /// Brings back what of a snapshot no stage holds, when its screens are applied.
    func finishRestoring(_ snapshot: Snapshot, _ navigation: Navigation) {
        for gate in snapshot.gates where gates.open.insert(gate).inserted { letPass(gate) }
        let waitingLinks = waitingLinks
        for link in snapshot.links {
            let stands = waitingLinks.contains { waiting in
                link.key.map { $0 == waiting.key } ?? (waiting.text == link.url)
            }
            guard !stands else { continue }
            let options = LinkOptions(
                timeout: link.left,
                key: link.key,
                persist: true,
                // A script could have written any origin into the data.
                origin: navigation.origin == .script ? .script : link.origin
            )
            if case .failed(let error) = begin(link.url, options, at: nil).status {
                let path = "link '\(RouteError.shortened(link.url))'"
                navigation.losses.append(.init(path: path, reason: error.message))
            }
        }
        let losses = navigation.losses
        let listed = losses.prefix(Self.lossLimit)
        emit(
            .restore,
            navigation,
            [
                ("windows", .table(Table(list: snapshot.windows.map { Value($0) }))),
                ("screens", .integer(Int64(snapshot.screenCount))),
                (
                    "lost",
                    .table(
                        Table(
                            list: listed.map {
                                ["path": Value($0.path), "reason": Value($0.reason)]
                            }
                        )
                    )
                ),
            ]
        )
        for loss in listed { log("warn", loss.description) }
        if losses.count > listed.count {
            log("warn", "\(losses.count - listed.count) more did not come back")
        }
    }

    /// How many losses an event and the log tell.
    private static let lossLimit = 100
}

/// Makes the screens of a snapshot, as detached ones.
private struct SnapshotBuilder {
    let router: Router
    private let entries: [Snapshot.Entry]
    private var children: [[Int]]
    private var modals: [Int: Int] = [:]
    private(set) var losses: [Restoration.Loss] = []
    /// The screens that functions of classes gave.
    private var given: Set<ScreenID> = []
    /// Screens that were made and did not come to stand.
    private(set) var leftOver: [ScreenID] = []

    init(_ snapshot: Snapshot, router: Router) {
        self.router = router
        entries = snapshot.entries
        children = Array(repeating: [], count: entries.count)
        for (index, entry) in entries.enumerated() {
            switch entry.place {
            case .root: break
            case .child(let parent): children[parent].append(index)
            case .modal(let presenter, _): modals[presenter] = index
            }
        }
    }

    mutating func build() throws(RouteError) -> [(name: String, root: ScreenID)] {
        var windows: [(name: String, root: ScreenID)] = []
        for (index, entry) in entries.enumerated() {
            guard case .root(let name) = entry.place else { continue }
            let path = "\(name)/\(entry.class)"
            guard let root = try build(index, path) else { continue }
            try present(over: root, index, path, isContextual: false)
            windows.append((name, root))
        }
        return windows
    }

    /// Makes a screen with what stands in it, but for its own modal.
    ///
    /// - Returns: The screen, nil where it does not come back.
    private mutating func build(_ index: Int, _ path: String) throws(RouteError) -> ScreenID? {
        let entry = entries[index]
        let screenClass: ScreenClass
        var fields = entry.fields
        do throws(RouteError) {
            screenClass = try router.generation.classOfRestored(entry)
            switch try router.generation.restore(entry) {
            case .fields(let restored): fields = restored
            case .screen(let screen):
                try router.tree.checkInsertable(screen)
                guard given.insert(screen).inserted else {
                    throw .insertedTwice(router.tree[screen])
                }
                if !children[index].isEmpty {
                    lose("\(path)/…", "'restore' gave a screen of its own")
                }
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
            // What is behind the selected one that is lost takes its place, else the last.
            if position == entry.selection { selection = built.count }
            if let id = try build(child, childPath) {
                built.append((id, child, childPath))
            } else if entry.kind == .split, position == 0 {
                lose(path, "its primary did not come back")
                return nil
            }
        }
        if built.isEmpty, !children[index].isEmpty {
            lose(path, "nothing in it came back")
            return nil
        }
        let id: ScreenID
        do throws(RouteError) {
            id = try router.tree.makeScreen(
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
        // Only what stands in a container can present contextually.
        for child in built {
            try present(over: child.id, child.index, child.path, isContextual: true)
        }
        return id
    }

    /// Presents the modals that stood over a screen, each over the one before.
    private mutating func present(
        over root: ScreenID,
        _ index: Int,
        _ path: String,
        isContextual: Bool
    ) throws(RouteError) {
        var presenter = (id: root, index: index, path: path)
        while let modal = modals[presenter.index],
            case .modal(_, var presentation) = entries[modal].place
        {
            let path = "\(presenter.path)/^\(entries[modal].class)"
            guard let id = try build(modal, path) else { return }
            presentation.isContextual = isContextual
            do throws(RouteError) {
                try router.tree.present(id, from: presenter.id, presentation)
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

extension Generation {
    /// What the `restore` of a class makes of a screen.
    enum Restored {
        case fields(Fields)
        case screen(ScreenID)
    }

    /// The class that a screen of a snapshot has now.
    ///
    /// - Throws: Why there is none.
    fileprivate func classOfRestored(_ entry: Snapshot.Entry) throws(RouteError) -> ScreenClass {
        let name = entry.class
        let isFixed = classes.declares(name) || Screen.Kind(impliedBy: name) != nil
        let screenClass = isFixed ? classes[name] : ScreenClass(name, kind: entry.kind)
        if screenClass.kind == .foreign, entry.kind == .foreign { throw .restoresForeign() }
        guard screenClass.kind == entry.kind else {
            throw .wrongKind(screenClass, expected: entry.kind)
        }
        if !isFixed, entry.kind == .container { throw .containerIsNotDeclared(name) }
        if entry.kind == .leaf { try checkExpectation(ofClass: name) }
        return screenClass
    }

    /// Asks the `restore` of a class how a screen comes back.
    ///
    /// - Throws: Why it does not.
    fileprivate func restore(_ entry: Snapshot.Entry) throws(RouteError) -> Restored {
        guard let function = restorers[entry.class] else { return .fields(entry.fields) }
        var table = Table()
        for name in entry.fields.names { table[name] = entry.fields[name] }
        switch try call(function, [.value(.table(table))]) {
        case .table(let table): return .fields(try fields(from: table))
        case .screen(let screen): return .screen(screen)
        case .nil: throw .restoreGaveNothing(entry.class)
        case let other: throw .restoreGave(other.scriptKind, entry.class)
        }
    }
}
