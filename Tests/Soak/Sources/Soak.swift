// SPDX-License-Identifier: MIT

internal import LuaRouting
import RandomNumbers

/// A test that uses all functions of a router at the same time, at random, and checks the rules of
/// the router continuously.
///
/// The seed determines the navigations, guards, dialogs, tasks, deep links, gestures of the user,
/// reloads, restored snapshots and rewinds. Every navigation ends once, and no navigation is served
/// by two generations. The same actions from the same checkpoint have the same outcome. At the end,
/// nothing of the retired generations remains.
public final class Soak {
    /// The result of a run.
    public struct Report {
        /// The number of started navigations, including those of scripts.
        public var navigations = 0
        /// The number of navigations, by how they ended.
        public var ends: [String: Int] = [:]
        /// The number of started tasks and deep links.
        public var tasks = 0
        /// The number of dispatched deep links.
        public var links = 0
        /// The number of reloads, by how they ended.
        public var reloads: [String: Int] = [:]
        /// The number of rewinds to a checkpoint.
        public var rewinds = 0
        /// The number of explored states.
        ///
        /// From each state, the same actions were performed twice.
        public var explored = 0
        /// The number of guarded removals, by the strictness of the guard.
        public var guards: [String: Int] = [:]
        /// The number of restored snapshots.
        public var restored = 0
        /// The maximum number of generations that existed at the same time.
        public var mostGenerations = 1
        /// The memory of the scripts after the first load and at the end, in bytes.
        public var memory = (start: 0, end: 0)
        /// The number of screens in the tree at the end, and how many of them were in a window.
        public var screens = (held: 0, shown: 0)
        /// The violated properties.
        public var violations: [String] = []
    }

    /// The observed properties of a navigation.
    private struct Watched {
        var generation: Int
        var speakers: Set<String> = []
        var ends = 0
        var endedAt: Double?
    }

    private let host = HeadlessHost()
    private let router: Router
    private var random: RandomNumbers
    private var report = Report()
    private var watched: [Int: Watched] = [:]
    private var pending: [Navigation] = []
    private var number = 1
    private var bundle: LuaRouting.ScriptBundle

    /// Loads the first scripts.
    public init(seed: UInt64) throws {
        random = RandomNumbers(seed: seed)
        bundle = ScriptBundle(files: ["main.lua": SoakScript.text(1)])
        let budget = Budget(duration: .seconds(60))
        let configuration = Router.Configuration(
            seed: seed,
            now: 0,
            budget: budget,
            loadBudget: budget
        )
        router = try Router(scripts: bundle, host: host, configuration: configuration)
        router.onEvent = { [unowned self] in note($0) }
        router.start()
        router.collectGarbage()
        report.memory.start = router.scriptMemory
    }

    /// Runs until the given numbers of navigations, reloads and rewinds have begun.
    public func run(navigations: Int, reloads: Int, rewinds: Int = 0) -> Report {
        let interval = max(1, navigations / max(1, reloads))
        let rewindInterval = navigations / max(1, rewinds)
        var nextReload = interval
        var nextRewind = rewinds == 0 ? Int.max : rewindInterval
        while report.navigations < navigations {
            step()
            if report.navigations >= nextRewind {
                nextRewind += rewindInterval
                turnBack()
                explore()
            }
            if report.navigations >= nextReload {
                nextReload += interval
                reload()
            }
            report.mostGenerations = max(report.mostGenerations, router.generationCount)
            forgetEnded()
        }
        finish()
        return report
    }

    // MARK: Random actions

    private func step() {
        switch random.below(100) {
        case ..<32: navigate("Fast", ["id": .integer(Int64(random.below(20)))])
        case ..<38: gesture()
        case ..<40: navigate("Draft")
        case ..<42: follow()
        case ..<43: _ = try? router.unreadyLeaving("session")
        case ..<44: restore()
        case ..<45: change()
        case ..<52: navigate("Slow")
        case ..<55: navigate("Secret")
        case ..<58: navigate("Gated")
        case ..<60: navigate("Broken")
        case ..<64:
            report.tasks += 1
            router.doTask(Target("Work", "run"))
        case ..<68:
            report.links += 1
            let url = "/promo/\(random.below(20))"
            router.dispatch(url, options: DispatchOptions(timeout: Double(random.below(60))))
        case ..<70: router.open("/fast/\(random.below(30))")
        case ..<72: _ = try? router.call(random.below(2) == 0 ? "act" : "rest")
        case ..<75: try? random.below(2) == 0 ? router.ready("session") : router.unready("session")
        case ..<80: answerDialog()
        case ..<83: router.back()
        case ..<85: pending.randomElement(using: &random).map { _ = router.cancel($0) }
        case ..<87: tidyUp()
        case ..<89:
            host.holds = true
            navigate("Fast", ["id": .integer(Int64(random.below(20)))])
            if random.below(2) == 0 { reload() }
            host.holds = false
            _ = host.applyHeld()
        default: router.advance(to: router.now + Double(random.below(80)) / 10)
        }
    }

    private func navigate(_ service: String, _ info: InfoTable = InfoTable()) {
        var options = NavigationOptions()
        if random.below(10) == 0 { options.policy = .latest }
        if random.below(4) == 0 { options.policy = .parallel }
        if random.below(6) == 0 { options.timeout = Double(random.below(20)) }
        let navigation = router.navigate(Target(service, "show"), info: info, options: options)
        if navigation.isPending { pending.append(navigation) }
        pending.removeAll { !$0.isPending }
    }

    /// Closes the visible login or question with a random answer.
    private func answerDialog() {
        let leaf = router.tree.visibleLeaf(of: router.tree.windows[0])
        switch router.tree[leaf].class {
        case "Login": router.close(leaf, value: random.below(2) == 0 ? "ann" : .nil)
        case "Question": router.close(leaf, value: .boolean(random.below(2) == 0))
        default: break
        }
    }

    /// Opens a deep link from outside of the app, which may arrive while a dialog is open.
    private func follow() {
        report.links += 1
        let rule = ["leave", "wait", "join"][random.below(3)]
        let options = NavigationOptions(origin: random.below(2) == 0 ? .url : .external)
        let navigation = router.open("/linked/\(rule)/\(random.below(9))", options: options)
        if navigation.isPending { pending.append(navigation) }
    }

    /// Handles a gesture of the user as a host does.
    ///
    /// Screens that are not guarded are removed and reported. For guarded screens, a request
    /// begins.
    private func gesture() {
        let window = router.tree.windows[0]
        let tabs = window.root
        switch random.below(5) {
        case 0: router.report(.reselected(tabs))
        case 1:
            let children = router.tree[tabs].children
            guard !children.isEmpty else { return }
            router.report(.selected(children[random.below(children.count)]))
        case 2:
            let top = router.tree.topmost(of: window)
            if router.tree[top].kind == .foreign {
                guard let presenter = router.tree[top].parent else { return }
                router.report(.dismissed(presenter: presenter))
            } else {
                router.report(.presented(foreign: "Alert", over: top))
            }
        default:
            let leaf = router.tree.visibleLeaf(of: window)
            guard let nav = router.tree[leaf].parent, router.tree[nav].kind == .nav,
                router.tree[nav].children.count > 1
            else { return }
            let guarded = router.guard(of: [leaf])
            report.guards["\(guarded)", default: 0] += 1
            switch guarded {
            case .free: router.report(.children(router.tree[nav].children.dropLast(), of: nav))
            case .asks: router.back(options: NavigationOptions(origin: .person))
            case .never: break
            }
        }
    }

    /// Restores a snapshot of the current screens, as after the process has ended.
    private func restore() {
        guard random.below(4) == 0 else { return }
        report.restored += 1
        router.restore(router.snapshot())
    }

    /// Replaces the visible screen, with a value.
    private func change() {
        let leaf = router.tree.visibleLeaf(of: router.tree.windows[0])
        guard let nav = router.tree[leaf].parent, router.tree[nav].kind == .nav,
            let other = try? router.screen("Other")
        else { return }
        router.replace(leaf, with: other, value: "replaced") { [unowned self] navigation in
            guard case .done = navigation.status else { return router.release(other) }
        }
    }

    /// Takes a checkpoint, and then performs the same random actions twice, which must have the
    /// same outcome.
    private func explore() {
        guard let checkpoint = try? router.checkpoint() else { return }
        let before = observed
        let beginning = random
        var outcomes: [String] = []
        for _ in 0..<2 {
            random = beginning
            for _ in 0..<10 { step() }
            outcomes.append(
                "\(router.now) \(router.treeNotation()) \(router.pending.count) pending"
            )
            do { try router.rewind(to: checkpoint) } catch {
                violate("a rewind is refused: \(error)")
            }
            observed = carrying(before)
        }
        report.explored += 1
        if outcomes[0] != outcomes[1] {
            violate("the same acts led to \(outcomes[0]), then to \(outcomes[1])")
        }
    }

    /// Leaves all modals and pops the visible stack.
    ///
    /// If the tree has become large, guarded screens are not asked.
    private func tidyUp(force: Bool = false) {
        let options = NavigationOptions(force: force || router.tree.heldCount > 60)
        router.dismissAll(options: options)
        guard options.isForced else { return _ = router.popToRoot() }
        for tab in router.tree[router.tree.windows[0].root].children.indices {
            router.select(tab + 1, options: options)
            router.popToRoot(options: options)
        }
    }

    private func reload() {
        let kind = random.below(10)
        let next: LuaRouting.ScriptBundle
        switch kind {
        case 0:
            next = ScriptBundle(files: [
                "main.lua": SoakScript.text(number + 1, ending: "error 'no'")
            ])
        case 1:
            next = ScriptBundle(files: [
                "main.lua": SoakScript.text(number + 1, ending: "local x =")
            ])
        case 2: next = bundle
        default:
            number += 1
            next = ScriptBundle(files: ["main.lua": SoakScript.text(number)])
        }
        router.reload(next) { [unowned self] reload in
            report.reloads[reload.status.name, default: 0] += 1
            if reload.isAccepted { bundle = reload.bundle }
            switch (kind, reload.status) {
            // A rewind cancels the reload that waits.
            case (_, .superseded), (_, .cancelled), (0...1, .rejected), (3..., .accepted): break
            case (2, .unchanged), (2, .accepted): break
            default: violate("reload \(kind) ended \(reload.status)")
            }
        }
    }

    /// The record of the observations, which a rewind restores together with the router.
    private var observed: (Report, [Int: Watched], [Navigation], Int, LuaRouting.ScriptBundle) {
        get { (report, watched, pending, number, bundle) }
        set { (report, watched, pending, number, bundle) = newValue }
    }

    /// Takes checkpoints, continues from each for a while, and rewinds to them in any order.
    private func turnBack() {
        typealias Saved = (checkpoint: Router.Checkpoint, tree: String, time: Double)
        var saved: [Saved] = []
        let before = observed
        var records: [(Report, [Int: Watched], [Navigation], Int, LuaRouting.ScriptBundle)] = []
        for _ in 0..<3 {
            guard let checkpoint = try? router.checkpoint() else { break }
            saved.append((checkpoint, router.treeNotation(), router.now))
            records.append(observed)
            for _ in 0..<random.below(20) { step() }
            if random.below(3) == 0 { reload() }
        }
        guard !saved.isEmpty else { return }
        var rewinds = 0
        for index in [random.below(saved.count), random.below(saved.count), 0] {
            let (checkpoint, tree, time) = saved[index]
            do {
                try router.rewind(to: checkpoint)
                rewinds += 1
                observed = carrying(records[index])
                if router.treeNotation() != tree { violate("a rewind has another tree") }
                if router.now != time { violate("a rewind has another time") }
            } catch {
                violate("a rewind is refused: \(error)")
            }
            guard index > 0 else { continue }
            for _ in 0..<random.below(20) { step() }
        }
        observed = carrying(before)
        report.rewinds += rewinds
    }

    /// Returns an earlier record that also contains the violations found until now.
    private func carrying(
        _ earlier: (Report, [Int: Watched], [Navigation], Int, LuaRouting.ScriptBundle)
    ) -> (Report, [Int: Watched], [Navigation], Int, LuaRouting.ScriptBundle) {
        var earlier = earlier
        earlier.0.violations = report.violations
        return earlier
    }

    // MARK: Properties

    private func note(_ event: Event) {
        guard let id = event.navigation else { return }
        switch event.kind {
        case .navigate:
            report.navigations += 1
            watched[id] = Watched(generation: event.generation)
            if let parent = event.parent, let outer = watched[parent], outer.ends == 0,
                outer.generation != event.generation
            {
                violate("\(id) goes by \(event.generation), its parent by \(outer.generation)")
            }
        case .log:
            guard let text = event["message"].text, text.hasPrefix("by ") else { break }
            watched[id]?.speakers.insert(text)
            if let speakers = watched[id]?.speakers, speakers.count > 1 {
                violate("\(id) was served by \(speakers.sorted())")
            }
        case .done, .failed, .stayed, .cancelled:
            report.ends[event.kind.rawValue, default: 0] += 1
            watched[id]?.ends += 1
            watched[id]?.endedAt = router.now
            if watched[id]?.ends != 1 { violate("\(id) ended again: \(event.kind)") }
        default: break
        }
        if let expected = watched[id]?.generation, expected != event.generation {
            violate("\(event.kind) of \(id) is reported by \(event.generation), not \(expected)")
        }
    }

    private func forgetEnded() {
        // A headless host keeps every change, and with it the tree of its time.
        host.forgetChanges()
        guard watched.count > 1_000 else { return }
        let limit = router.now - 60
        watched = watched.filter { ($0.value.endedAt ?? .infinity) > limit }
    }

    private func finish() {
        router.reload(ScriptBundle(files: ["main.lua": SoakScript.text(1, ending: "-- the last")]))
        answerDialog()
        tidyUp(force: true)
        try? router.ready("session")
        router.advance(to: router.now + 200)
        router.cancelLinks()
        tidyUp(force: true)
        router.advance(to: router.now + 200)
        for (id, watched) in watched.sorted(by: { $0.key < $1.key }) where watched.ends != 1 {
            violate("\(id) ended \(watched.ends) times")
        }
        if !router.pending.isEmpty { violate("\(router.pending.count) navigations go on") }
        if !router.pendingTasks.isEmpty { violate("\(router.pendingTasks.count) tasks go on") }
        if router.generationCount != 1 { violate("\(router.generationCount) generations are left") }
        if let due = router.nextDeadline { violate("something is due at \(due)") }
        let broken = router.tree.checkInvariants()
        if !broken.isEmpty { violate("\(broken)") }
        pending = []
        router.collectGarbage()
        report.memory.end = router.scriptMemory
        var shown = 0
        for window in router.tree.windows { router.tree.visit(window.root) { _ in shown += 1 } }
        report.screens = (router.tree.heldCount, shown)
    }

    private func violate(_ what: String) {
        if report.violations.count < 20 { report.violations.append(what) }
    }
}
