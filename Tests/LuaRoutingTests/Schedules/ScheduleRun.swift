// SPDX-License-Identifier: MIT

import LuaRouting
import RandomNumbers
import RouteCore
import TestSupport

/// A script, and the actions to perform on a router with this script.
struct ScheduleCase {
    var script: ScheduleNode
    var deeds: [ScheduleDeed]

    init(seed: UInt64) {
        var numbers = RandomNumbers(seed: seed)
        script = ScheduleScript.make(&numbers)
        let count = 8 + numbers.below(25)
        deeds = (0..<count).map { _ in ScheduleDeed.make(&numbers) }
        deeds.insert(.start, at: numbers.isTrue(oneIn: 4) ? numbers.below(5) : 0)
    }

    /// Creates a case with reloads, routes that wait at a gate, and navigations to existing screens.
    init(seedWithReloads seed: UInt64) {
        self.init(seed: seed)
        var numbers = RandomNumbers(seed: ~seed)
        for index in script.children.indices
        where script.children[index].head.hasPrefix("router.register(\"R")
            && numbers.isTrue(oneIn: 6)
        {
            let gate = ScheduleNode(head: "ready = { \"\(Self.gate)\" },")
            script.children[index].children.append(gate)
        }
        let navigations = deeds.filter { if case .navigate = $0 { true } else { false } }
        for _ in 0..<8 {
            let deed: ScheduleDeed =
                switch numbers.below(4) {
                case 0: .reload(without: numbers.below(60))
                case 1: .setGate(isOpen: !numbers.isTrue(oneIn: 3))
                default: navigations.isEmpty ? .start : numbers.pick(navigations)
                }
            deeds.insert(deed, at: numbers.below(deeds.count + 1))
        }
    }

    /// Adds deep links, logins for which navigations wait, and screens that ask before they are
    /// left.
    mutating func addDialogs(_ seed: UInt64) {
        var numbers = RandomNumbers(seed: seed &* 31)
        var route = 0
        for index in script.children.indices
        where script.children[index].head.hasPrefix("router.register(\"R") {
            var keys = ["url = \"/r\(route)/:n(int)\","]
            if numbers.isTrue(oneIn: 2) {
                keys.append("atDialog = \"\(numbers.pick(["leave", "wait", "join"]))\",")
            }
            let isAsked = script.children[index].children.contains {
                $0.head.hasPrefix("intercept")
            }
            if !isAsked, numbers.isTrue(oneIn: 2) { keys.append("intercept = \"login\",") }
            script.children[index].children += keys.map { ScheduleNode(head: $0) }
            route += 1
        }
        var nodes = ScheduleScript.dialogs.split(separator: "\n").map {
            ScheduleNode(head: String($0), isFixed: true)
        }
        for index in 0..<ScheduleScript.routeCount where numbers.isTrue(oneIn: 4) {
            let head = "router.class(\"P\(index)\", {"
            guard !script.children.contains(where: { $0.head == head }) else { continue }
            nodes.append(ScheduleNode(head: head + " leaving = ask })"))
        }
        let start = script.children.firstIndex { $0.head.hasPrefix("router.options") }
        script.children.insert(contentsOf: nodes, at: start ?? 0)
        for _ in 0..<12 {
            let deed: ScheduleDeed =
                switch numbers.below(8) {
                case 0: .unreadyLeaving
                case 1, 2, 3: .answerDialog(isYes: numbers.isTrue(oneIn: 2))
                default: .open(route: numbers.below(route), n: numbers.below(3))
                }
            deeds.insert(deed, at: numbers.below(deeds.count + 1))
        }
    }

    /// The gate at which routes wait.
    static let gate = "gate"

    var text: String {
        (script.lines() + ["-- deeds"] + deeds.map { "  \($0)" }).joined(separator: "\n")
    }
}

/// The transcript of a run, and the violated properties.
struct ScheduleOutcome {
    /// The events and their effects, each as one line.
    var transcript: [String] = []
    /// The violated properties, in the order in which they were found.
    var faults: [String] = []
    /// The number of events of each kind.
    var counts: [Event.Kind: Int] = [:]
}

/// Runs a case, and checks the properties that must always be true.
final class ScheduleRun {
    private let host = ScheduleHost()
    private let router: Router
    private let log: Log
    private let script: ScheduleNode
    private let tracker = LifetimeTracker()
    private var navigations: [Navigation] = []
    private var tasks: [RouteTask] = []
    private var completed: [Int] = []
    private var screens: [ScreenID] = []
    private var isResting = false
    /// Whether each route is explained before each action.
    private var explains = false
    /// The random numbers of detours, which are actions that are undone; nil if there are no
    /// detours.
    private var detours: RandomNumbers?
    private var faults: [String] = []

    /// The listener of a run's events.
    enum Listener {
        /// Checks the events, and writes them to the transcript.
        case checker
        /// Counts the events.
        case counter
        /// Nobody listens to the events.
        case nobody
    }

    private final class Log {
        let listener: Listener
        var lines: [String] = []
        var begun: [Int] = []
        var ends: [Int: Int] = [:]
        var counts: [Event.Kind: Int] = [:]
        var begunCalls: Set<String> = []
        var endedCalls: [String: Int] = [:]
        var parents: [Int: Int] = [:]
        /// The child navigations that were pending when their parent ended with a status other than
        /// `done`.
        var orphans: Set<Int> = []
        var entered = 0
        var left = 0
        var errors = 0
        /// The navigations whose completion handlers were called after the run.
        var late: [Int] = []

        init(_ listener: Listener) { self.listener = listener }

        /// Returns a closure that restores the current state of the log.
        func saved() -> () -> Void {
            let own = (lines, begun, ends, counts, begunCalls, endedCalls)
            let others = (parents, orphans, entered, left, errors)
            return { [self] in
                (lines, begun, ends, counts, begunCalls, endedCalls) = own
                (parents, orphans, entered, left, errors) = others
            }
        }

        func hear(_ event: Event) {
            counts[event.kind, default: 0] += 1
            guard listener == .checker else { return }
            // The message about a removed screen depends on when garbage is collected.
            let line = event.json.replacing(
                /screen '\w+' is in no window/,
                with: "screen is in no window"
            )
            if lines.count < 20_000 { lines.append(line) }
            switch event.kind {
            case .navigate:
                begun.append(event.navigation ?? 0)
                parents[event.navigation ?? 0] = event.parent
            case .done, .failed, .stayed, .cancelled:
                let id = event.navigation ?? 0
                ends[id, default: 0] += 1
                parents[id] = nil
                orphans.remove(id)
                if event.kind != .done { orphans.formUnion(parents.filter { $0.value == id }.keys) }
            case .log:
                if event["level"].text == "error" { errors += 1 }
                let words = (event["message"].text ?? "").split(separator: " ")
                guard event["level"].text == "info", words.count == 2 else { return }
                switch words[0] {
                case "begun": begunCalls.insert(String(words[1]))
                case "ended": endedCalls[String(words[1]), default: 0] += 1
                case "entered": entered += 1
                case "left": left += 1
                default: break
                }
            default: break
            }
        }
    }

    /// Runs a case.
    ///
    /// - Parameters:
    ///   - test: The case.
    ///   - explains: Whether each route is explained before each action.
    ///   - detours: The seed of detours, which are undone by rewinds; nil if there are no detours.
    ///   - listener: The listener of the events; only the checker checks them.
    /// - Returns: The transcript of the run, and the violated properties.
    static func run(
        _ test: ScheduleCase,
        explains: Bool = false,
        detours: UInt64? = nil,
        listener: Listener = .checker
    ) -> ScheduleOutcome {
        var outcome = ScheduleOutcome()
        weak var router: Router?
        weak var host: ScheduleHost?
        var log: Log?
        do {
            let run = try ScheduleRun(test, listener: listener)
            run.explains = explains
            run.detours = detours.map { RandomNumbers(seed: $0) }
            outcome = run.run(test)
            (router, host, log) = (run.router, run.host, run.log)
        } catch {
            outcome.faults = ["the script does not load: \(error)"]
        }
        if router != nil { outcome.faults.append("the router leaks") }
        if host != nil { outcome.faults.append("the host leaks") }
        // A run that ends at a fault leaves work behind.
        if outcome.faults.isEmpty, let late = log?.late, !late.isEmpty {
            outcome.faults.append("navigations \(late) complete when the router ends")
        }
        return outcome
    }

    private init(_ test: ScheduleCase, listener: Listener) throws {
        self.script = test.script
        let script = test.script.lines().joined(separator: "\n")
        let log = Log(listener)
        self.log = log
        router = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: host,
            configuration: .patient,
            onEvent: listener == .nobody ? nil : { log.hear($0) }
        )
    }

    private func run(_ test: ScheduleCase) -> ScheduleOutcome {
        for (index, deed) in test.deeds.enumerated() {
            if detours?.isTrue(oneIn: 2) == true { makeDetour() }
            perform(deed)
            noteEffects()
            check("after deed \(index + 1)")
            if !faults.isEmpty { break }
        }
        if faults.isEmpty { rest() }
        noteEffects()
        noteEnds()
        if faults.isEmpty { checkEnds() }
        if faults.isEmpty { checkLeaks() }
        noteNextEvent()
        return ScheduleOutcome(
            transcript: log.lines,
            faults: faults,
            counts: log.counts
        )
    }

    // MARK: Transcript

    /// Records the calls of the host, the trees and the state.
    private func noteEffects() {
        log.lines += host.calls
        host.calls = []
        log.lines += router.treeWithSerials
        log.lines.append("state \(router.state)")
    }

    /// Records the ends of the navigations that the script of the active generation has begun.
    private func noteEndsInScript() {
        log.lines.append("ends in the script: \((try? router.call("ends"))?.text ?? "unknown")")
    }

    /// Records the ends of all navigations.
    private func noteEnds() {
        for navigation in navigations {
            let parts = [
                navigation.status.name, navigation.error?.code.rawValue,
                navigation.screen.map { "at \($0.serial)" },
                "completions: \(navigation.completions)",
            ]
            log.lines.append("\(navigation.id) \(parts.compactMap(\.self).joined(separator: " "))")
        }
        log.lines.append("completions \(completed)")
        noteEndsInScript()
    }

    /// Records the number of the next event.
    ///
    /// Later events of listeners are not part of the run.
    private func noteNextEvent() {
        var next: Event?
        let heard = router.onEvent
        router.onEvent = {
            next = next ?? $0
            heard?($0)
        }
        let count = log.counts.values.reduce(0, +)
        router.navigate(Target("Nowhere", "show"))
        router.onEvent = heard
        guard let next else { return faults.append("an event is not heard") }
        log.lines.append("next event \(next.sequence)")
        if heard != nil, next.sequence != count + 1 {
            faults.append("event \(next.sequence) comes after \(count) events")
        }
    }

    // MARK: Detours

    /// Performs other actions, rewinds the router, and possibly repeats this from the same
    /// checkpoint.
    private func makeDetour(depth: Int = 0) {
        guard var numbers = detours else { return }
        let checkpoint: Router.Checkpoint
        do {
            checkpoint = try router.checkpoint(whole: true)
        } catch {
            return faults.append("no checkpoint: \(error)")
        }
        let own = (navigations, tasks, completed, screens, faults)
        let (log, host) = (log.saved(), host.saved())
        for _ in 0...numbers.below(2) {
            for _ in 0...numbers.below(4) {
                let deed = ScheduleDeed.make(&numbers)
                detours = numbers
                perform(numbers.isTrue(oneIn: 12) ? .reload(without: numbers.below(60)) : deed)
                if depth < 3, numbers.isTrue(oneIn: 4) { makeDetour(depth: depth + 1) }
                numbers = detours ?? numbers
            }
            do {
                try router.rewind(to: checkpoint, whole: true)
            } catch {
                return faults.append("no way back: \(error)")
            }
            (navigations, tasks, completed, screens, faults) = own
            log()
            host()
        }
        detours = numbers
    }

    // MARK: Deeds

    private func perform(_ deed: ScheduleDeed) {
        if explains { explainAll() }
        switch deed {
        case .start: hold(router.start(completion: completion()))
        case .navigate(let route, let n, let options, let then):
            hold(
                router.navigate(
                    Target("R\(route)", "show"),
                    info: ["n": .integer(Int64(n))],
                    options: self.options(options),
                    completion: completion(then)
                )
            )
        case .open(let route, let n):
            hold(router.open("/r\(route)/\(n)", completion: completion()))
        case .unreadyLeaving:
            let gate = ScheduleCase.gate
            if let leave = try? router.unreadyLeaving(gate, completion: completion()) {
                hold(leave)
            }
        case .answerDialog(let isYes):
            let dialog = alive.last { ["Login", "Ask"].contains(router.tree.screen($0)?.class) }
            guard let dialog else { return }
            let value: Value = isYes ? .boolean(true) : .nil
            hold(router.close(dialog, value: value, completion: completion()))
        case .doTask(let name, let then):
            let token = tracker.track()
            tasks.append(
                router.doTask(Target(name, "do")) { [weak self] _ in
                    withExtendedLifetime(token) { if let then { self?.perform(then) } }
                }
            )
        case .back(let count, let force):
            hold(router.back(count, options: forced(force), completion: completion()))
        case .popTo(let index):
            guard let screen = screen(index) else { return }
            hold(router.pop(to: screen, completion: completion()))
        case .popToRoot: hold(router.popToRoot(completion: completion()))
        case .dismiss(let force):
            hold(router.dismiss(options: forced(force), completion: completion()))
        case .dismissAll: hold(router.dismissAll(completion: completion()))
        case .close(let index, let value, let force):
            guard let screen = screen(index) else { return }
            hold(
                router.close(
                    screen,
                    value: value.map { .integer(Int64($0)) } ?? .nil,
                    options: forced(force),
                    completion: completion()
                )
            )
        case .select(let index):
            guard let screen = screen(index) else { return }
            hold(router.select(screen, completion: completion()))
        case .cancelNavigation(let index):
            if !navigations.isEmpty { router.cancel(navigations[index % navigations.count]) }
        case .cancelPending(let index):
            let pending = router.pending
            if !pending.isEmpty { router.cancel(pending[index % pending.count]) }
        case .cancelTask(let index):
            let pending = router.pendingTasks
            if !pending.isEmpty { router.cancel(pending[index % pending.count]) }
        case .hold(let holds):
            host.holds = holds && !isResting
        case .refuseNext: host.refusesNext = !isResting
        case .refusePreparation: host.refusesPreparation = !isResting
        case .answer(let refuses): host.answer(refuses: refuses)
        case .answerLate: host.answerLate()
        case .endHostTask(let index, let finished, let twice):
            host.endTask(index, finished: finished, twice: twice)
        case .reportChildren, .reportSelected, .reportDismissed: report(deed)
        case .setTree(let index):
            // It is refused where a script makes screens; else no change is on its way after it.
            host.overtakingChange {
                (try? router.setTree(TreeNotation(ScheduleDeed.trees[index]))) != nil
            }
        case .advance(let seconds): router.advance(to: router.now + seconds)
        case .advanceToDeadline: if let time = router.nextDeadline { router.advance(to: time) }
        case .call(let index): _ = try? router.call("call\(index)")
        case .collectGarbage:
            router.collectGarbage()
        case .setState(let value):
            try? router.setState("x", to: .integer(Int64(value)))
        case .setGate(let isOpen):
            let gate = ScheduleCase.gate
            _ = isOpen ? try? router.ready(gate) : try? router.unready(gate)
        case .reload(let piece): reload(without: piece)
        case .duringNextChange(let deed):
            host.duringNextChange = { [unowned self] in perform(deed) }
        }
    }

    private func reload(without piece: Int) {
        noteEndsInScript()
        let pieces = script.children.indices.filter { !script.children[$0].isFixed }
        let other = piece < pieces.count ? script.without([pieces[piece]]) : script
        let text = other.lines().joined(separator: "\n") + "\n-- \(piece)"
        router.reload(ScriptBundle(files: ["main.lua": text])) { [log] reload in
            log.lines.append("reload \(reload.status.name)")
        }
    }

    /// Explains each route.
    ///
    /// While a script makes screens, explanations are refused.
    private func explainAll() {
        for route in 0..<ScheduleScript.routeCount {
            let target = Target("R\(route)", "show")
            guard let explanation = try? router.explain(target, info: ["n": 1]) else { continue }
            if explanation.json.isEmpty { faults.append("an explanation that says nothing") }
        }
    }

    private func report(_ deed: ScheduleDeed) {
        let tree = router.tree
        let alive = alive
        switch deed {
        case .reportChildren(let index, let edit):
            let containers = alive.filter { !tree.isLeaf($0) }
            guard !containers.isEmpty else { return }
            let container = containers[index % containers.count]
            var children = Array(tree.screen(container)?.children ?? [])
            switch edit {
            case 0: _ = children.popLast()
            case 1: children = Array(children.dropFirst())
            case 2: children.reverse()
            case 3: children = []
            default: children += alive.prefix(1)
            }
            router.report(.children(children, of: container))
        case .reportSelected(let index):
            guard let screen = screen(index) else { return }
            router.report(.selected(screen))
        case .reportDismissed(let index):
            let presenters = alive.filter { tree.screen($0)?.modal != nil }
            guard !presenters.isEmpty else { return }
            router.report(.dismissed(presenter: presenters[index % presenters.count]))
        default: break
        }
    }

    private func hold(_ navigation: Navigation) { navigations.append(navigation) }

    private func completion(_ then: ScheduleDeed? = nil) -> (Navigation) -> Void {
        let token = tracker.track()
        return { [weak self, log] navigation in
            withExtendedLifetime(token) {
                guard let self else { return log.late.append(navigation.id) }
                self.completed.append(navigation.id)
                if navigation.isPending { self.faults.append("\(navigation.id) completes pending") }
                if let then { self.perform(then) }
            }
        }
    }

    private func forced(_ isForced: Bool) -> NavigationOptions {
        NavigationOptions(force: isForced)
    }

    private func options(_ options: ScheduleDeed.Options) -> NavigationOptions {
        NavigationOptions(
            via: options.via.map {
                switch $0 {
                case "present": .present
                case "presentWithNav": .presentWithNav
                default: .push
                }
            },
            from: options.from.flatMap(screen),
            origin: options.origin,
            timeout: options.timeout,
            policy: options.policy,
            again: options.isAgain,
            force: options.isForced
        )
    }

    // MARK: Screens

    private var alive: [ScreenID] {
        var alive: [ScreenID] = []
        for window in router.tree.windows {
            router.tree.visit(window.root) { alive.append($0.id) }
        }
        return alive
    }

    /// Returns a screen of the tree, or sometimes a screen that has been removed.
    private func screen(_ index: Int) -> ScreenID? {
        let alive = alive
        screens += alive.filter { !screens.contains($0) }
        if index % 7 == 6, !screens.isEmpty { return screens[index % screens.count] }
        return alive.isEmpty ? nil : alive[index % alive.count]
    }

    // MARK: Checks

    private func check(_ when: String) {
        screens += alive.filter { !screens.contains($0) }
        for rule in router.tree.checkInvariants() { faults.append("\(when): \(rule)") }
        // A change that the host applies cannot be cancelled.
        for id in log.orphans.sorted() where !host.holdsChange {
            faults.append("\(when): navigation \(id) outlives its parent")
        }
        for mistake in host.mistakes { faults.append("\(when): \(mistake)") }
        for (id, count) in log.ends.sorted(by: { $0.key < $1.key }) where count > 1 {
            faults.append("\(when): navigation \(id) ends \(count) times")
        }
        for (call, count) in log.endedCalls.sorted(by: { $0.key < $1.key }) where count > 1 {
            faults.append("\(when): the completion of call \(call) runs \(count) times")
        }
    }

    /// Completes changes, ends tasks, advances the clock and leaves screens until no work is
    /// pending.
    private func rest() {
        isResting = true
        host.holds = false
        host.refusesNext = false
        host.refusesPreparation = false
        host.duringNextChange = nil
        perform(.setGate(isOpen: true))
        if router.tree.windows.isEmpty { hold(router.start(completion: completion())) }
        for round in 0..<60 {
            // Without a first tree everybody waits at its gate.
            if round > 0, router.tree.windows.isEmpty { perform(.setTree(0)) }
            host.answer(refuses: false)
            while !host.tasks.isEmpty { host.endTask(0, finished: true, twice: false) }
            router.advance(to: router.now + 10_000)
            check("at rest, round \(round)")
            if !faults.isEmpty { return }
            let isAtRest =
                router.pending.isEmpty && router.pendingTasks.isEmpty && host.tasks.isEmpty
                && !host.holdsChange && router.nextDeadline == nil && log.entered == log.left
            if isAtRest, round > 1 { return }
            // Results are waited for until their screens have left.
            leaveAll()
        }
    }

    private func leaveAll() {
        for window in router.tree.windows {
            var root = router.tree.screen(window.root)
            if root?.modal != nil { router.report(.dismissed(presenter: window.root)) }
            root = router.tree.screen(window.root)
            for id in alive.reversed() where router.tree.isAlive(id) {
                guard let screen = router.tree.screen(id) else { continue }
                if screen.modal != nil { router.report(.dismissed(presenter: id)) }
                guard screen.kind == .nav || screen.kind == .tabs, !screen.children.isEmpty else {
                    continue
                }
                router.report(.children([], of: id))
            }
        }
        // A root goes by nothing but another one.
        let options = NavigationOptions(policy: .parallel, again: true, force: true)
        hold(router.navigate(Target("End", "show"), options: options, completion: completion()))
    }

    private func checkEnds() {
        for navigation in router.pending {
            faults.append("navigation \(navigation.id) never ends: \(navigation.status)")
        }
        for task in router.pendingTasks { faults.append("task '\(task.target)' never ends") }
        if let time = router.nextDeadline {
            faults.append("a timer is left, due \(time - router.now) s from now")
        }
        for id in log.begun where log.ends[id] != 1 {
            faults.append("navigation \(id) ends \(log.ends[id] ?? 0) times")
        }
        for navigation in navigations {
            let count = completed.count { $0 == navigation.id }
            if count != 1 || navigation.completions != 1 {
                faults.append(
                    "navigation \(navigation.id) completes \(count) times, says \(navigation.completions)"
                )
            }
        }
        for task in tasks where task.completions != 1 {
            faults.append("task '\(task.target)' completes \(task.completions) times")
        }
        for call in log.begunCalls.sorted() where log.endedCalls[call] != 1 {
            faults.append("the completion of call \(call) runs \(log.endedCalls[call] ?? 0) times")
        }
        if log.entered - log.left > log.errors {
            faults.append("\(log.entered - log.left) functions never go on")
        }
    }

    private func checkLeaks() {
        _ = try? router.call("forget")
        let references = navigations.map { Weak($0) }
        (navigations, tasks) = ([], [])
        host.dropLate()
        for _ in 0..<3 { router.collectGarbage() }
        for reference in references {
            if let navigation = reference.navigation {
                faults.append("navigation \(navigation.id) leaks: \(navigation.status.name)")
            }
        }
        if tracker.liveCount > 0 { faults.append("\(tracker.liveCount) completions leak") }
        let count = alive.count
        if router.tree.heldCount != count {
            faults.append(
                "\(router.tree.heldCount) screens are held where \(count) stand, by \(router.generationCount) generations"
            )
            for id in screens where router.tree.screen(id) != nil && !router.tree.isAlive(id) {
                faults.append("\(router.notation(of: id)) \(id.serial) is held")
            }
        }
    }

    private final class Weak {
        weak var navigation: Navigation?
        init(_ navigation: Navigation) { self.navigation = navigation }
    }
}

extension ScreenTree {
    fileprivate func isLeaf(_ id: ScreenID) -> Bool { screen(id)?.kind == .leaf }
}

extension Optional {
    /// Sets this value to nil, and returns the previous value.
    mutating func takeValue() -> Wrapped? {
        defer { self = nil }
        return self
    }
}
