// SPDX-License-Identifier: MIT

internal import LuaVM

extension Router {
    /// Makes and places the screens of a navigation on a draft of the tree, then commits it.
    ///
    /// - Throws: Whatever stands in the way; the draft is dropped, and nothing has happened.
    func stage(_ navigation: Navigation) throws(RouteError) {
        let outer = currentNavigation
        currentNavigation = navigation
        defer { currentNavigation = outer }
        turn = .staging(navigation)
        tree.openNewDraft()
        do {
            let screen = try arrange(navigation)
            let difference = tree.draftDifference()
            if !difference.created.isEmpty { try prepare(difference.created) }
            navigation.screen = screen
            commit(navigation, difference)
        } catch let stays as Stays {
            drop(navigation)
            end(navigation, .stayed(stays.reason))
        } catch {
            drop(navigation)
            throw error as? RouteError ?? .hostFailed(error)
        }
    }

    /// Drops the stage of a navigation, and what it had put off.
    private func drop(_ navigation: Navigation) {
        let made = tree.dropDraft()
        turn = .idle
        for id in made { releaseUnlessHeld(id) }
        let putOff = navigation.putOff
        navigation.putOff = []
        for child in putOff { end(child, .cancelled(.dropped(by: navigation))) }
    }

    private func prepare(_ screens: [ScreenID]) throws {
        do {
            try host.prepare(screens, in: tree)
        } catch {
            host.discard(screens)
            throw RouteError.hostFailed(error)
        }
    }

    // MARK: Commit

    private func commit(_ navigation: Navigation, _ difference: Difference) {
        let names = difference.operations.map { Value($0.name) }
        emit(.stage, navigation, [("operations", .table(Table(list: names)))])
        turn = .applying
        if difference.operations.isEmpty {
            emit(
                .commit,
                navigation,
                [("operations", []), ("revision", .integer(Int64(revision)))]
            )
            applied(navigation, difference, .success(()))
            return
        }
        revision += 1
        emit(
            .commit,
            navigation,
            [("operations", .table(Table(list: names))), ("revision", .integer(Int64(revision)))]
        )
        apply(difference, animated: navigation.options.isAnimated, navigation: navigation.id) {
            self.applied(navigation, difference, $0)
        }
    }

    /// Hands a change to the host; its answer counts once.
    private func apply(
        _ difference: Difference,
        animated: Bool,
        navigation: Int?,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        let change = Change(
            operations: difference.operations,
            tree: tree,
            isAnimated: animated,
            revision: revision,
            navigation: navigation
        )
        var hasAnswered = false
        host.apply(change) { [self] result in
            guard !hasAnswered else {
                log("warn", "the host answered change \(change.revision) twice")
                return
            }
            hasAnswered = true
            done(result)
        }
    }

    private func applied(
        _ navigation: Navigation,
        _ difference: Difference,
        _ result: Result<Void, any Error>
    ) {
        do {
            try result.get()
        } catch {
            drop(navigation)
            end(navigation, .failed(.hostFailed(error)))
            pump()
            return
        }
        settle(difference)
        if let screen = navigation.screen, navigation.found == screen {
            emit(.reused, navigation, fields(about: screen))
        }
        if !difference.isEmpty { emitChange(navigation, difference, cause: navigation.title) }
        runAfter(navigation)
        end(navigation, .done)
        tellClosed(difference.removed, navigation)
        ready.insert(contentsOf: navigation.putOff, at: 0)
        navigation.putOff = []
        if !tree.windows.isEmpty, !waitingForStart.isEmpty {
            ready.append(contentsOf: waitingForStart)
            waitingForStart = []
        }
        pump()
    }

    /// Runs what the route does when all is applied.
    ///
    /// Its errors undo nothing.
    private func runAfter(_ navigation: Navigation) {
        guard let screen = navigation.screen, let definition = navigation.definition else { return }
        // Only `closed` is asked for later, when the screen has left.
        if definition.closed != nil || routes[screen] != nil {
            routes[screen] = definition.closed == nil ? nil : definition
        }
        guard let after = definition.after else { return }
        emit(.after, navigation, at: definition.place, fields(about: screen))
        call(after, on: screen, navigation)
    }

    /// Tells the routes of screens that have left, then lets go of the screens.
    private func tellClosed(_ removed: [ScreenID], _ navigation: Navigation) {
        for id in removed {
            guard let definition = routes.removeValue(forKey: id), let closed = definition.closed
            else {
                releaseUnlessHeld(id)
                continue
            }
            endings.append { [self] in
                var left = Value.nil
                if case .close(id, let value) = navigation.request { left = value }
                call(closed, on: id, navigation, value: left)
                releaseUnlessHeld(id)
            }
        }
    }

    private func call(
        _ function: LuaFunction,
        on screen: ScreenID,
        _ navigation: Navigation,
        value: Value? = nil
    ) {
        let outer = currentNavigation
        currentNavigation = navigation
        outsidePump {
            do throws(RouteError) {
                try generation.call(function, screen, navigation, value: value)
            } catch {
                log("error", error.message, at: error.location)
            }
        }
        currentNavigation = outer
    }

    /// Makes the draft the tree that stands.
    private func settle(_ difference: Difference) {
        tree.closeDraft(difference)
        turn = .idle
    }

    /// Forgets a screen that has left or was never shown, unless a script holds it.
    func releaseUnlessHeld(_ id: ScreenID) {
        let generation = generation
        tree.release(id) { generation.lua.holds(generation.objects.screen, $0.identifier) }
    }

    /// Forgets the screens that scripts have let go of since the last time.
    func releaseDroppedScreens() {
        for id in generation.objects.takeDroppedScreens() { releaseUnlessHeld(id) }
    }

    // MARK: Edits outside a navigation

    /// Sets a field of a screen that a script holds: on the stage of the navigation under
    /// way, else at once, telling the host.
    func setField(_ name: String, to value: Value, of id: ScreenID) throws(RouteError) {
        switch turn {
        case .staging:
            try tree.setField(name, to: value, of: id)
        case .applying:
            throw .hostIsApplying(name)
        case .idle:
            tree.openNewDraft()
            do {
                try tree.setField(name, to: value, of: id)
            } catch {
                tree.dropDraft()
                throw error
            }
            let difference = tree.draftDifference()
            guard !difference.operations.isEmpty else {
                tree.closeDraft(difference)
                return
            }
            revision += 1
            turn = .applying
            emit(
                .commit,
                currentNavigation,
                [("operations", ["update"]), ("revision", .integer(Int64(revision)))]
            )
            apply(difference, animated: false, navigation: nil) { [self] result in
                if case .failure(let error) = result {
                    tree.dropDraft()
                    turn = .idle
                    log("error", "\(RouteError.hostFailed(error))")
                } else {
                    settle(difference)
                }
                pump()
            }
        }
    }

    /// Sets the tree of a window at once, as a scenario's `given` does.
    ///
    /// There are no operations, and nobody is asked. Navigations that wait for the first tree
    /// go on, others that are pending are cancelled.
    ///
    /// - Throws: ``NotationError`` for what cannot stand in a tree; nothing has changed.
    public func setTree(_ notation: TreeNotation, window: String = "main") throws(NotationError) {
        tree.openNewDraft()
        do {
            try tree.setRoot(try notation.build(into: &tree, classes: classes), of: window)
        } catch {
            for id in tree.dropDraft() { releaseUnlessHeld(id) }
            throw error as? NotationError ?? NotationError("\(error)", at: notation.range)
        }
        let difference = tree.draftDifference()
        settle(difference)
        for id in difference.removed { routes[id] = nil }
        for window in tree.windows { shown[window.name] = tree.visibleLeaf(of: window) }
        for id in difference.removed { releaseUnlessHeld(id) }
        let cancelled = ready
        ready = waitingForStart
        waitingForStart = []
        for navigation in cancelled { end(navigation, .cancelled(.treeWasSet())) }
        pump()
    }
}
