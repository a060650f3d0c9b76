// SPDX-License-Identifier: MIT

/// A report from the host: a change that the user made without the router.
///
/// ```swift
/// // The user swiped back.
/// let nav = router.tree.windows[0].root
/// router.report(.children(router.tree[nav].children.dropLast(), of: nav))
/// print(router.treeNotation())  // nav[Home]
/// ```
public enum Report: Sendable {
    /// A container now has the given children, in this order.
    case children([ScreenID], of: ScreenID)
    /// The given tab was selected.
    case selected(ScreenID)
    /// The selected tab of the given tabs was tapped again.
    ///
    /// The report itself changes nothing.
    ///
    /// A request with the origin `person` then pops the stack of the tab to its first screen,
    /// unless the class of the tabs declares `reselected`.
    case reselected(ScreenID)
    /// A modal was removed: the modal that the given screen presents or, if there is none, the
    /// modal above the screen's level.
    ///
    /// The modals above the removed modal are dismissed too.
    case dismissed(presenter: ScreenID)
    /// The host presents a screen of its own, such as an alert or a camera.
    ///
    /// In the tree, the presented screen has the kind `foreign`. The router knows only its class
    /// and the fields that the host reports. The screen is above the level of the presenter, or
    /// above the topmost modal over that level. It covers the level like any other modal, until the
    /// host reports ``dismissed(presenter:)`` or a navigation dismisses the screen.
    case presented(foreign: String, fields: Fields = Fields(), over: ScreenID)
    /// The host's own code has put a screen on top of a container, such as an existing view
    /// controller on a stack.
    ///
    /// In the tree, the screen has the kind `foreign`, and is the last child of the container.
    /// Routes can push further screens above it. The screen remains until a leaving verb or
    /// ``children(_:of:)`` removes it.
    case pushed(foreign: String, fields: Fields = Fields(), onto: ScreenID)
    /// A window was opened, and shows the given screens.
    case opened(window: String, TreeNotation)
    /// A window was closed, with all its screens.
    case closed(window: String)
}

extension Router {
    /// Applies the user's changes to the tree, without calling `leaving`.
    ///
    /// ```swift
    /// router.report(.presented(foreign: "Alert", over: root)) { results in
    ///     alert = try? results[0].get().first
    /// }
    /// router.report(.dismissed(presenter: root))
    /// ```
    ///
    /// The reports are applied together, when the current turn is over and the host has shown the
    /// change that it is applying. If the router is idle, the reports are applied before the call
    /// returns. For the screens of a window that was opened, ``RouterHost/prepare(_:in:)`` is
    /// called. Screens that the router does not know are ignored, with a warning in the log.
    ///
    /// - Parameters:
    ///   - reports: The user's actions, in order.
    ///   - completion: Called once, with a result for each report: the screens that it created,
    ///     containers before their children, or the reason why the report was ignored.
    public func report(
        _ reports: Report...,
        completion: (([Result<[ScreenID], RouteError>]) -> Void)? = nil
    ) {
        report(reports, completion: completion)
    }

    /// Applies several reports about a single user action together.
    ///
    /// See ``report(_:completion:)-(Report...,_)``.
    public func report(
        _ reports: [Report],
        completion: (([Result<[ScreenID], RouteError>]) -> Void)? = nil
    ) {
        enter()
        if queue.isShutDown {
            if let ignored = Ending.ignoring(reports, completion) { queue.endings.append(ignored) }
        } else {
            queue.reports.append((reports, completion))
        }
        pump()
    }

    /// Applies the queued reports in one change.
    ///
    /// The host is not asked to show the change.
    func applyReports() {
        let batches = queue.reports
        queue.reports = []
        // The windows are determined from the reports, because a copy of the tree would cost more.
        let windows = observers.isHeard ? windows(of: batches.flatMap(\.reports)) : []
        warnAboutGuarded(removedBy: batches.flatMap(\.reports))
        tree.openNewDraft()
        for (reports, completion) in batches {
            let results = reports.map(result(of:))
            if let completion { queue.endings.append(.reports(results, completion)) }
        }
        let difference = tree.draftDifference()
        settle(difference)
        guard !difference.isEmpty else { return }
        world.shared.edits += 1
        emit(.host, of: nil, fields: fields(of: appCall(for: batches.flatMap(\.reports), windows)))
        emitChange(nil, difference, cause: "report")
        prepareExisting(difference.created)
        reportLeft(difference.removed, nil)
        cancelWhatWaits(afterClosingBy: difference)
        admitGates()
    }

    /// Returns the names of the windows that reports are about, directly or through a screen in the
    /// tree.
    private func windows(of reports: [Report]) -> Set<String> {
        Set(reports.compactMap { $0.window(in: tree) })
    }

    /// Returns the description of applied reports for an event.
    ///
    /// - Parameters:
    ///   - reports: The reports.
    ///   - before: The windows of the reports, determined before the reports were applied.
    /// - Returns: The description.
    private func appCall(for reports: [Report], _ before: Set<String>) -> AppCall {
        let windows = before.union(windows(of: reports))
        let window = windows.count == 1 ? windows.first : nil
        let tree = window.map { eventTree(of: $0, in: self.tree) }
        return .report(reports.map(\.word), window: window, tree: tree)
    }

    /// Resumes navigations that waited for the first tree, or for the removal of a foreign screen.
    func admitGates() {
        guard !queue.gated.isEmpty else { return }
        if !tree.windows.isEmpty { admit(World.startGate) }
        admitForeign()
    }

    /// Asks the host to prepare screens that were added to the tree without a navigation.
    ///
    /// The host prepares the screens before any completion of the work that added them is called.
    func prepareExisting(_ created: [ScreenID]) {
        let screens = created.filter { tree[links: $0].kind != .foreign }
        guard !screens.isEmpty else { return }
        queue.endings.prepend(
            .work { router in
                let screens = screens.filter(router.tree.isAlive)
                guard !screens.isEmpty else { return }
                do {
                    try router.host.prepare(screens, in: router.tree)
                } catch {
                    router.log("error", RouteError.hostFailed(error).message)
                }
            }
        )
    }

    private func result(of report: Report) -> Result<[ScreenID], RouteError> {
        do throws(RouteError) {
            return .success(try apply(report))
        } catch {
            log("warn", "a report by the host is ignored: \(error.message)")
            return .failure(error)
        }
    }

    /// Returns the presenter of the modal that a report refers to.
    func holder(ofModalOver presenter: ScreenID) -> ScreenID? {
        // A foreign screen that was reported over a screen is presented by the root of that
        // screen's level.
        [presenter, tree.levelRoot(of: presenter)].first { tree[$0].modal != nil }
    }

    /// Applies a report to the draft of the tree.
    ///
    /// - Returns: The screens that the report created.
    private func apply(_ report: Report) throws(RouteError) -> [ScreenID] {
        switch report {
        case .children(let children, let container):
            try tree.checkAlive(container)
            var known: [ScreenID] = []
            for child in children {
                if tree.screen(child)?.parent == container {
                    known.append(child)
                } else {
                    log(
                        "warn",
                        "the host reports a child of '\(tree[container].class)' that the tree does not contain there; the child is ignored"
                    )
                }
            }
            try tree.setChildren(known, of: container)
        case .selected(let tab):
            try tree.checkAlive(tab)
            try tree.select(tab)
        case .reselected(let tabs):
            try checkTabs(tabs)
            // A request cannot begin before the reports are applied, and the tabs may be removed by
            // then.
            queue.endings.append(.work { router in _ = try? router.reselect(tabs) })
        case .dismissed(let presenter):
            try tree.checkAlive(presenter)
            guard let holder = holder(ofModalOver: presenter) else {
                throw .presentsNothing(tree.notation(of: presenter, classes))
            }
            tree.dismissModal(of: holder)
        case .presented(let name, let fields, let presenter):
            return [try present(foreign: name, fields, over: presenter)]
        case .pushed(let name, let fields, let container):
            try tree.checkAlive(container)
            let screen = try makeForeign(name, fields)
            try tree.setChildren(tree[container].children + [screen], of: container)
            return [screen]
        case .opened(let name, let notation):
            return try openWindow(name, reportedAs: notation)
        case .closed(let name): try tree.closeWindow(name)
        }
        return []
    }
}
