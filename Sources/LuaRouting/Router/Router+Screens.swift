// SPDX-License-Identifier: MIT

internal import LuaVM

/// Screens outside of navigations: their fields, setting a tree, and the release of screens.
extension Router {
    // MARK: Fields

    /// Sets a field of a screen that a script references: in the transaction of the active
    /// navigation, or immediately if there is none.
    ///
    /// The host is notified when the script has returned.
    func setField(_ name: String, to value: Value, of id: ScreenID) throws(RouteError) {
        try checkEffects(of: "setting a field")
        if lending.context.isStaging, let stage = lending.stage {
            return try stage.pointee.setField(name, to: value, of: id)
        }
        let value = try classes.checked(value, for: name, of: id, in: tree)
        guard try tree.setField(name, to: value, of: id) else { return }
        forgetFields(of: [id])
        world.shared.edits += 1
        if tree.isAlive(id), !world.changed.contains(id) { world.changed.append(id) }
    }

    /// Asks the host to show, in one change, the screens whose fields were set outside of a
    /// navigation.
    func showChangedFields() {
        let screens = world.changed.filter { tree.isAlive($0) }
        world.changed = []
        guard !screens.isEmpty else { return }
        world.revision += 1
        let operations = screens.map { TreeOperation.update(screen: $0) }
        emitCommit(of: operations, nil)
        showOutsideNavigation(operations)
    }

    /// Asks the host to show a change that no navigation made.
    func showOutsideNavigation(_ operations: [TreeOperation]) {
        queue.isApplying = true
        show(operations, isAnimated: false, navigation: nil) { router, result in
            router.queue.isApplying = false
            if case .failure(let error) = result {
                router.log("error", RouteError.hostFailed(error).message)
                router.queue.mustResynchronize = true
            }
            router.pump()
        }
    }

    // MARK: Setting the tree

    /// Sets the tree of a window immediately, like `given` in a scenario.
    ///
    /// There are no operations, and `leaving` is not called. Navigations that wait for the first
    /// tree continue. All other pending navigations are cancelled, including a navigation whose
    /// change the host is applying.
    ///
    /// ``RouterHost/prepare(_:in:)`` is called for the new screens.
    ///
    /// - Returns: The new screens, containers before their children.
    /// - Throws: ``NotationError`` if the content is not valid in a tree, or if a navigation is
    ///   building screens or a URL is being explained. In these cases, nothing has changed.
    @discardableResult
    public func setTree(
        _ notation: TreeNotation,
        window: String = "main"
    ) throws(NotationError) -> [ScreenID] {
        try setTree(notation, keeping: [], window: window)
    }

    /// Sets the tree of a window to what the host shows in that window.
    ///
    /// A pending navigation is cancelled only if the host is applying its change. If the scripts do
    /// not declare a class or a field of the new screens, a warning in the log names the class or
    /// field.
    ///
    /// - Parameters:
    ///   - notation: The tree.
    ///   - screens: For each element, in the order of ``TreeNotation/screens``, the existing screen
    ///     at that position, or nil. A screen of another class or window is not kept.
    ///   - window: The name of the window.
    /// - Returns: The new screens, containers before their children.
    /// - Throws: ``NotationError`` as ``setTree(_:window:)`` does.
    @discardableResult
    package func adopt(
        _ notation: TreeNotation,
        keeping screens: [ScreenID?],
        window: String
    ) throws(NotationError) -> [ScreenID] {
        let new = try setTree(notation, keeping: screens, isAdopted: true, window: window)
        checkAdopted(new)
        return new
    }

    private func setTree(
        _ notation: TreeNotation,
        keeping kept: [ScreenID?],
        isAdopted: Bool = false,
        window: String
    ) throws(NotationError) -> [ScreenID] {
        enter()
        switch turn {
        case .staging(let navigation), .planning(let navigation?):
            throw NotationError(
                "the tree cannot be set while the navigation to '\(navigation.title)' is building screens",
                at: notation.range
            )
        case .planning(nil):
            throw NotationError(
                "the tree cannot be set while a URL is explained",
                at: notation.range
            )
        case .idle, .applying: break
        }
        var cancelled: [Navigation] = []
        if !isAdopted {
            cancelled =
                queue.active + queue.ready.filter { next in !queue.active.contains { $0 === next } }
            cancelled += queue.gated.filter { $0.record.gate != World.startGate }
        }
        var overtaken: Navigation?
        var copy = tree
        let dropped = copy.dropDraft()
        copy.openNewDraft()
        do {
            let old = copy.window(window)?.root
            let root = try notation.build(into: &copy, classes: classes, keeping: kept, below: old)
            if root != old { try copy.setRoot(root, of: window) }
        } catch {
            throw error as? NotationError ?? NotationError("\(error)", at: notation.range)
        }
        emitCall(.given(window: window, tree: eventTree(of: window, in: copy)))
        if case .applying(let navigation) = turn {
            stopAwaitingAnswer()
            queue.isOutOfSync = true
            overtaken = navigation
            if let navigation, isAdopted || !queue.active.contains(where: { $0 === navigation }) {
                cancelled.insert(navigation, at: 0)
            }
        }
        contents.failedStart = nil
        queue.active = isAdopted ? queue.active.filter { $0 !== overtaken } : []
        world.shared.edits += 1
        forgetFields(of: world.staged + tree.draftedScreens)
        world.staged = []
        if let overtaken { undo(overtaken) }
        tree = copy
        let difference = tree.draftDifference()
        settle(difference)
        for id in difference.removed {
            screens.routes[id] = nil
            screens.dependencies[id] = nil
        }
        for window in tree.windows { world.shown[window.name] = tree.visibleLeaf(of: window) }
        // The screens of a change that was undone have already been released.
        world.toRelease += (overtaken == nil ? dropped : []) + difference.removed
        queue.ready = isAdopted ? queue.ready.filter { $0 !== overtaken } : []
        admitGates()
        prepareExisting(difference.created)
        noteLeft(difference.removed, closed: nil)
        for navigation in cancelled {
            let deferred = navigation.record.deferred
            navigation.record.deferred = []
            end(navigation, .cancelled(.treeWasSet()))
            for child in deferred { end(child, .cancelled(.treeWasSet())) }
        }
        pump()
        return difference.created
    }

    /// Builds new screens from tree notation, for an act that follows immediately.
    ///
    /// - Throws: ``NotationError`` if the content is not valid in a tree.
    package func build(_ notation: TreeNotation) throws(NotationError) -> ScreenID {
        enter()
        let screen = try notation.build(into: &tree, classes: classes)
        // The navigation retains the screens while it is pending. If it fails, nothing references
        // them.
        world.toRelease.append(screen)
        return screen
    }

    // MARK: Releasing screens

    /// Releases the screens that were removed or never shown, and that neither a script nor an
    /// active navigation references.
    func releaseScreens() {
        eachGeneration { generation in
            guard generation.runtime.objects.hasDroppedScreens else { return }
            world.toRelease += generation.runtime.objects.takeDroppedScreens(of: tree)
        }
        if !contents.leftObjects.isEmpty { world.toRelease += takeScreensOfClosed() }
        // While the host applies a change, a rollback may restore removed screens.
        guard !world.toRelease.isEmpty, !tree.hasDraft else { return }
        // A screen in the tree will be added to the list again when it is removed.
        let candidates = world.toRelease.filter { tree.screen($0) != nil && !tree.isAlive($0) }
        world.toRelease = []
        guard !candidates.isEmpty else { return }
        let generations = generations
        var named = contents.hostScreens
        func nameScreens(of navigations: some Sequence<Navigation>) {
            for navigation in navigations { navigation.nameScreens(in: &named) }
        }
        nameScreens(of: queue.ready)
        nameScreens(of: queue.active)
        nameScreens(of: queue.gated)
        for generation in generations {
            nameScreens(of: generation.runtime.objects.heldNavigations)
        }
        for route in screens.routes.values { route.navigation.nameScreens(in: &named) }
        for task in pendingTasks {
            if let info = task.hostTask?.info { Value.table(info).nameScreens(in: &named) }
        }
        for task in pendingTasks + generations.flatMap(\.runtime.objects.heldTasks) {
            task.value.nameScreens(in: &named)
            for value in task.results { value.nameScreens(in: &named) }
        }
        for value in world.closings.values.joined() { value.nameScreens(in: &named) }
        for id in candidates {
            // Scripts release screens one by one. A navigation keeps all screens that are connected
            // with the screens that it references.
            var isNamed = false
            tree.release(id) { member in
                if named.contains(member) { isNamed = true }
                return isNamed
                    || generations.contains { $0.runtime.objects.holds(member) }
            }
            if isNamed { world.toRelease.append(id) }
        }
        guard !world.closings.isEmpty else { return }
        world.closings = world.closings.filter { tree.screen($0.key) != nil }
        world.closingBytes = world.closings.values.joined().reduce(0) { $0 + $1.size }
    }
}

extension Navigation {
    /// Adds the screens that the navigation may still need to the given set.
    fileprivate func nameScreens(in screens: inout Set<ScreenID>) {
        for id in [options.from, journey.plan?.found, screen, resultScreen] {
            if let id { screens.insert(id) }
        }
        for visit in journey.visits { screens.insert(visit.screen) }
        Value.table(info).nameScreens(in: &screens)
        switch request {
        case .close(let screen, let value):
            screens.insert(screen)
            value.nameScreens(in: &screens)
        case .vanish(let screen): screens.insert(screen)
        case .replace(let screen, let other, let value):
            screens.formUnion([screen, other])
            value.nameScreens(in: &screens)
        case .openWindow(_, let screen): screens.insert(screen)
        default: break
        }
        for child in record.deferred { child.nameScreens(in: &screens) }
    }
}

extension Value {
    fileprivate func nameScreens(in screens: inout Set<ScreenID>) {
        switch self {
        case .screen(let id): screens.insert(id)
        case .table(let table):
            for value in table.list { value.nameScreens(in: &screens) }
            for (_, value) in table.entries { value.nameScreens(in: &screens) }
        default: break
        }
    }
}
