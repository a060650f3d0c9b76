// SPDX-License-Identifier: MIT

internal import LuaRouting

#if canImport(UIKit)
internal import UIKit
#else
internal import UIKitStandin
#endif

/// A change of the router that the host has not yet finished, so ``done`` has not been called.
struct ChangeInProgress {
    let tree: ScreenTree
    /// The hierarchy to show: that of the tree, except the screens that the user has removed in the
    /// meantime.
    var target: Hierarchy
    /// The screens that the target includes and that are compared; nil for all screens.
    var scope: Scope?
    let isAnimated: Bool
    /// The guards of the visible screens.
    let guards: [ScreenID: Guard]
    let done: (Result<Void, any Error>) -> Void

    init(
        _ tree: ScreenTree,
        _ target: Hierarchy,
        scope: Scope?,
        isAnimated: Bool,
        guards: [ScreenID: Guard],
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        self.tree = tree
        self.target = target
        self.scope = scope
        self.isAnimated = isAnimated
        self.guards = guards
        self.done = done
    }
}

/// The progress of the host's work on the view hierarchy.
struct Progress {
    /// Whether `settle` is running, or must run once more.
    var isSettling = false
    var mustSettleAgain = false
    /// The number of reports that the router has not applied yet.
    var pendingReports = 0
    /// The number of changes that the router has begun so far.
    var change = 0
    /// The logged reason why the tree cannot be shown; nil if none was logged.
    var failure: String?
    /// The last step, and the number of consecutive times that it was performed.
    var step: Step?
    var attempts = 0
    /// The windows that the app was asked to show.
    var askedWindows: Set<String> = []
    /// The time of the first turn in which the host could do nothing but wait.
    var waitingSince: CFAbsoluteTime?
    /// The earliest time of the next attempt to show the tree.
    var pausedUntil: CFAbsoluteTime?

    /// Forgets the attempts to show the previous tree.
    mutating func forget() {
        step = nil
        attempts = 0
        askedWindows = []
        waitingSince = nil
        pausedUntil = nil
    }
}

extension UIKitHost {
    /// The maximum number of consecutive times that a step is performed if the app undoes it each
    /// time.
    private static let maximumAttempts = 5
    /// The maximum number of steps in one turn.
    ///
    /// The largest possible tree needs fewer.
    private static let maximumRounds = 1000
    /// The time until a refused step is tried again, in seconds.
    private static let pause = 0.1
    /// The time until the host tries again to show a tree that it could not show, in seconds.
    private static let longPause = 1.0

    /// Returns the hierarchy that shows a tree, except the screens that the app has presented
    /// itself and that were already reported.
    func target(of tree: ScreenTree, in scope: Scope? = nil) -> Hierarchy {
        Hierarchy(tree, in: scope) { screen in
            screen.kind == .foreign && registry.controllers[screen.id] == nil
                && screens[screen.class] == nil
        }
    }

    /// Reports changes by the user or the app to the router, and then makes the hierarchy equal to
    /// the tree, as far as that is possible now.
    ///
    /// This function is called at the end of each turn of the run loop, so it continues when a
    /// transition has ended.
    func settle() {
        progress.mustSettleAgain = true
        // A report may make the router call `show`.
        guard !progress.isSettling else { return }
        progress.isSettling = true
        var rounds = 0
        while progress.mustSettleAgain, rounds < Self.maximumRounds {
            progress.mustSettleAgain = false
            rounds += 1
            if let router { settleOnce(router) }
        }
        progress.isSettling = false
        // If the app undoes each step of the host, this turn must still end.
        if progress.mustSettleAgain { pause(for: Self.longPause) }
    }

    private func settleOnce(_ router: Router) {
        guard !router.isShutDown else { return stop() }
        // While a window is being adopted, its view controllers have no screens yet.
        guard adoption == nil else { return }
        registry.bars.arrange()
        let time = CFAbsoluteTimeGetCurrent()
        if let pause = progress.pausedUntil, time < pause { return }
        // The router has not yet processed the result of the last change. If the change has failed,
        // the router returns to the previous tree, whose foreign view controllers only the app can
        // make.
        if change == nil, router.isApplying { return }
        // The tree is about to change, because a busy router applies reports later.
        if change == nil, progress.pendingReports > 0 { return }
        progress.pausedUntil = nil
        if change == nil, isAtRest(router.tree) { return }
        var target = change?.target ?? target(of: router.tree)
        registry.used.formUnion(target.roots.keys)
        if change == nil { registry.answered = Set(target.roots.keys) }
        for name in target.roots.keys.sorted()
        where registry.windows[name] == nil && registry.answered.contains(name) {
            // The app no longer has the window. The other windows continue.
            target.roots.removeValue(forKey: name)
            if registry.lost.insert(name).inserted { openWindow?(name) }
        }
        let reading = read(change?.scope)
        if reading.isInTransition, !isOverdue(reading, time) { return }

        let changes = OutsideChanges(from: last, to: reading.hierarchy, target: target)
        note(reading)
        if change?.scope != nil, !changes.isEmpty || !reading.others.isEmpty {
            // A change by the user or the app may affect any screen.
            change?.scope = nil
            if let tree = change?.tree { change?.target = self.target(of: tree) }
            progress.mustSettleAgain = true
            return
        }
        if !changes.isEmpty {
            changes.apply(to: &target)
            change?.target = target
            report(changes.reports(target), to: router) { _ in }
            progress.mustSettleAgain = change != nil || progress.pendingReports == 0
            return
        }
        if change == nil, reportUnknown(reading, router) {
            progress.mustSettleAgain = progress.pendingReports == 0
            return
        }
        let step = Step.first(from: reading.hierarchy, to: target, isAtRest: change == nil)
        guard let step else { return finish(.success(())) }
        take(step, in: change?.tree ?? router.tree, from: reading, time: time)
    }

    /// Whether a transition has exceeded its timeout.
    ///
    /// A transition that a gesture controls has no timeout.
    private func isOverdue(_ reading: Reading, _ time: CFAbsoluteTime) -> Bool {
        guard change != nil, !reading.isInteractive else {
            progress.waitingSince = nil
            return false
        }
        return hasWaited(until: time)
    }

    private func hasWaited(until time: CFAbsoluteTime) -> Bool {
        guard let start = progress.waitingSince else {
            progress.waitingSince = time
            turns?.wake(in: transitionTimeout, for: .timeout)
            return false
        }
        // The timer and the clock may differ by a rounding error.
        return time - start >= transitionTimeout - 0.001
    }

    /// Stores the hierarchy of a reading as the last known hierarchy.
    private func note(_ reading: Reading) {
        if change?.scope == nil { last = reading.hierarchy } else { last.merge(reading.hierarchy) }
    }

    private func report(
        _ reports: [Report],
        to router: Router,
        completion: @escaping ([Result<[ScreenID], RouteError>]) -> Void
    ) {
        guard !reports.isEmpty else { return }
        progress.pendingReports += 1
        router.report(reports) { [weak self] results in
            completion(results)
            self?.progress.pendingReports -= 1
            self?.settle()
        }
    }

    /// Reports the view controllers that the app has presented, or pushed on a stack, without the
    /// router.
    ///
    /// - Returns: Whether any such view controllers were found.
    private func reportUnknown(_ reading: Reading, _ router: Router) -> Bool {
        guard reading.others.isEmpty || !adoptDescribed(in: router.tree) else { return true }
        var isReported = false
        for (item, _) in reading.hierarchy.members {
            guard let id = item.screen, router.tree.isAlive(id) else { continue }
            let contents = reading.hierarchy[item]
            if case .other(let other)? = contents.modal,
                let (controller, foreign) = unknown(other, reading: reading, router: router)
            {
                isReported = true
                report(
                    [.presented(foreign: foreign.class, fields: foreign.fields, over: id)],
                    to: router
                ) { [weak self] results in
                    guard let screen = self?.register(controller, results) else { return }
                    self?.registry.reported.insert(screen)
                }
            }
            if router.tree[id].kind == .split { warnOfPushes(onColumnsOf: router.tree[id], router) }
            guard router.tree[id].kind == .nav else { continue }
            for case .other(let other) in contents.children {
                guard let (controller, foreign) = unknown(other, reading: reading, router: router)
                else { continue }
                isReported = true
                report(
                    [.pushed(foreign: foreign.class, fields: foreign.fields, onto: id)],
                    to: router
                ) { [weak self] results in
                    guard self?.register(controller, results) != nil else { return }
                    self?.reportOrder(of: id)
                }
            }
        }
        return isReported
    }

    /// Logs view controllers that the app has pushed on the navigation controller that UIKit puts
    /// around a column of a split view.
    ///
    /// The tree has no stack there.
    private func warnOfPushes(onColumnsOf split: Screen, _ router: Router) {
        for column in split.children {
            guard let controller = registry.controllers[column],
                let stack = controller.parent as? UINavigationController,
                registry.identities[ObjectIdentifier(stack)] == nil
            else { continue }
            let detail = stack.collapsedDetail
            for pushed in stack.viewControllers where pushed !== controller && pushed !== detail {
                guard registry.item(of: pushed).screen == nil,
                    let foreign = describeForeign(pushed), registry.note(pushed)
                else { continue }
                let name = router.tree[column].class
                router.log(
                    "warn",
                    "the app has pushed '\(foreign.class)' over '\(name)', a column of a split view without a stack: the tree does not contain '\(foreign.class)', which is removed together with '\(name)' (declare the column as 'router.nav { … }')"
                )
            }
        }
    }

    /// Returns a view controller that was not reported yet, with its description; nil if it was
    /// already reported or is ignored.
    private func unknown(
        _ id: ObjectIdentifier,
        reading: Reading,
        router: Router
    ) -> (UIViewController, ScreenDescription)? {
        guard let controller = reading.others[id], var foreign = describeForeign(controller),
            registry.note(controller)
        else { return nil }
        // The scripts may have a class with the same name as the type of the view controller.
        let classes = router.classes
        if classes.declares(foreign.class), classes[foreign.class].kind != .foreign {
            let name = foreign.class
            foreign.class = Screen.Kind.foreign.rawValue
            if registry.foreignNames.insert(name).inserted {
                router.log(
                    "warn",
                    "the app shows '\(name)' without the router, and the scripts declare this class with the kind '\(classes[name].kind)': the screen is named 'foreign' (navigate to a route of '\(name)', call 'adopt' after the screen is shown, or give the screen another name in 'describeForeign')"
                )
            }
        }
        return (controller, foreign)
    }

    private func register(
        _ controller: UIViewController,
        _ results: [Result<[ScreenID], RouteError>]
    ) -> ScreenID? {
        guard case .success(let screens)? = results.first, let screen = screens.first else {
            return nil
        }
        registry.add(controller, as: screen)
        return screen
    }

    /// Reports the contents of a stack if the app has pushed a view controller that is not on top,
    /// or that has replaced other view controllers.
    private func reportOrder(of stack: ScreenID) {
        guard let router, let screen = router.tree.screen(stack),
            let controller = registry.controllers[stack]
        else { return }
        let shown = children(of: controller).compactMap { registry.item(of: $0).screen }
        let missing = Set(screen.children).subtracting(shown)
        // Children that a change has not shown yet do not count as missing.
        guard shown != screen.children, missing.isEmpty || change == nil && !router.isApplying
        else {
            return
        }
        report([.children(shown, of: stack)], to: router) { _ in }
    }

    private func take(
        _ step: Step,
        in tree: ScreenTree,
        from reading: Reading,
        time: CFAbsoluteTime
    ) {
        if !reading.isInTransition, progress.step != step { progress.waitingSince = nil }
        switch step {
        case .open(let name) where change != nil && !progress.askedWindows.contains(name):
            progress.askedWindows.insert(name)
        case .wait, .open:
            // Without a change, there is nothing to wait for.
            guard change != nil else { return }
            progress.step = step
            if hasWaited(until: time) { fail(step, reading) }
            return
        default: break
        }
        if change == nil { warnOfRoot(replacedIn: step) }
        progress.attempts = progress.step == step ? progress.attempts + 1 : 1
        progress.step = step
        guard progress.attempts <= Self.maximumAttempts else { return fail(step, reading) }
        do {
            let number = progress.change
            try prepareContents(of: tree, in: change?.scope)
            // The update of a view controller may have started a navigation.
            guard progress.change == number else { return }
            try perform(step, tree, from: reading, isAnimated: change?.isAnimated ?? false)
        } catch {
            return finish(.failure(error))
        }
        let after = read(change?.scope)
        note(after)
        let hasEffect =
            after.hierarchy != reading.hierarchy || after.isInTransition && !reading.isInTransition
        if hasEffect {
            progress.waitingSince = nil
        } else {
            progress.attempts = 0
            guard !hasWaited(until: time) else { return fail(step, after) }
            pause(for: Self.pause)
        }
        progress.mustSettleAgain = true
    }

    /// Logs that the host replaces a root view controller that the app has set in a window.
    private func warnOfRoot(replacedIn step: Step) {
        guard case .root(let item, let name) = step, item != nil,
            let root = registry.windows[name]?.rootViewController,
            registry.item(of: root).screen == nil, registry.note(root)
        else { return }
        router?.log(
            "warn",
            "the app has set '\(ScreenDescription(root).class)' as the root of the window '\(name)', and the host restores the root of the tree (call 'adopt' with the window, or navigate with 'replaceRoot')"
        )
    }

    private func fail(_ step: Step, _ reading: Reading) {
        finish(.failure(HostError(description(of: step, reading))))
    }

    /// Finishes the active change, if any.
    ///
    /// The idle host then shows the router's tree.
    private func finish(_ result: Result<Void, any Error>) {
        progress.forget()
        if let change {
            if case .success = result {
                let number = progress.change
                do {
                    try prepareContents(of: change.tree, in: change.scope)
                } catch {
                    return answer(.failure(error))
                }
                guard progress.change == number else { return }
                if let scope = change.scope {
                    rest = Rest(change.tree, marks, touched: scope.touched)
                }
                registry.answered = Set(change.tree.windows.map(\.name))
                guards = change.guards
                keepGuarded()
            }
            return answer(result)
        }
        switch result {
        case .success:
            progress.failure = nil
            // A split view has a different back button after it has collapsed.
            if !guards.isEmpty, kept != last { keepGuarded() }
            guard let router else { return }
            registry.removeAll(except: router.tree)
            looked = CFAbsoluteTimeGetCurrent()
            rest = Rest(router.tree, marks)
        case .failure(let error):
            let message = "the host does not show the tree: \(error)"
            if progress.failure != message { router?.log("error", message) }
            progress.failure = message
            pause(for: Self.longPause)
        }
    }

    private func pause(for seconds: Double) {
        progress.pausedUntil = CFAbsoluteTimeGetCurrent() + seconds
        turns?.wake(in: seconds, for: .pause)
    }

    /// Releases a router that was shut down, and its view controllers, which retain the app and
    /// therefore this host.
    private func stop() {
        turns = nil
        driver = nil
        change = nil
        guards = [:]
        keepGuarded()
        rest = nil
        registry.removeAll()
        (screens, dependencies, tabItem, describeForeign) = ([:], [:], { _ in nil }, { _ in nil })
        (notificationLink, shortcutLink) = ({ _ in nil }, { _ in nil })
        (openWindow, closeWindow, popoverSource, onTask, onCancelTask) = (nil, nil, nil, nil, nil)
    }

    private func answer(_ result: Result<Void, any Error>) {
        let done = change?.done
        change = nil
        progress.mustSettleAgain = true
        done?(result)
    }

    /// A sentence about a step that UIKit ignored.
    private func description(of step: Step, _ reading: Reading) -> String {
        func name(_ item: Item?) -> String {
            switch item {
            case .screen(let id)?: "'\(change?.tree.screen(id)?.class ?? "#\(id.serial)")'"
            case .other(let id)?:
                reading.others[id].map { "'\(ScreenDescription($0).class)'" } ?? "a view controller"
            case nil: "nothing"
            }
        }
        switch step {
        case .open(let window): return "window '\(window)' was not opened"
        case .close(let window): return "window '\(window)' cannot be closed"
        case .root(let item, let window):
            return "\(name(item)) cannot be the root of window '\(window)'"
        case .dismiss(let item):
            return
                "UIKit does not dismiss \(name(reading.hierarchy[item].modal)) over \(name(item))"
        case .detach(_, let id), .children(_, let id):
            return "UIKit did not change the view controllers of \(name(.screen(id)))"
        case .select(let item, let id):
            return "UIKit does not select \(name(item)) in \(name(.screen(id)))"
        case .present(let id, let item):
            return "UIKit does not present \(name(.screen(id))) over \(name(item))"
        case .wait(let item):
            return
                "the app presents \(name(item)), which the router does not know, where a screen must be presented"
        }
    }
}
