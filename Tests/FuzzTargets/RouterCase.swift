// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A script that calls the router with odd arguments, followed by calls of this router.
///
/// If the bytes begin with `--`, they are the text of the script. Otherwise they choose the calls
/// that the script contains.
struct RouterCase {
    private let script: String
    private var source: ByteSource

    init(_ bytes: [UInt8]) {
        if bytes.starts(with: Array("--".utf8)) {
            script = String(decoding: bytes, as: UTF8.self)
            source = ByteSource(bytes)
        } else {
            source = ByteSource(bytes)
            var writer = OddScript(source)
            script = writer.text()
            source = writer.source
        }
    }

    func faults() -> [String] {
        var faults: [String] = []
        weak var router: Router?
        do {
            var source = source
            let run = try RouterRun(script)
            router = run.router
            faults = run.faults(&source)
        } catch let error as RouteError {
            if error.message.isEmpty { faults.append("a script fails for no reason") }
        } catch {
            faults.append("a script fails otherwise: \(error)")
        }
        if router != nil { faults.append("the router leaks") }
        return faults.map { "\($0)\n\(script)" }
    }
}

private final class RouterRun {
    let router: Router
    private let host = HeadlessHost()
    private let log = Log()
    private var navigations: [Navigation] = []
    private var links: [QueuedLink] = []
    private var completions: [Int: Int] = [:]
    private var faults: [String] = []

    private final class Log {
        var events = 0
        var lastEvent = 0
        var faults: [String] = []
        var ends: [Int: Int] = [:]

        func hear(_ event: Event) {
            events += 1
            if event.json.isEmpty { faults.append("an event that says nothing") }
            switch event.kind {
            case .done, .failed, .stayed, .cancelled:
                let id = event.navigation ?? 0
                ends[id, default: 0] += 1
                if ends[id] == 2 { faults.append("navigation \(id) ends twice") }
            default: break
            }
        }
    }

    init(_ script: String) throws {
        let log = log
        // A router hears of nothing while it loads; nothing but instructions ends what is long.
        let budget = Budget(instructions: 20_000, duration: .seconds(86_400))
        router = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: host,
            configuration: Router.Configuration(now: 0, budget: budget, loadBudget: budget)
        ) { log.hear($0) }
    }

    func faults(_ source: inout ByteSource) -> [String] {
        navigations.append(router.start(completion: complete))
        check("after the start")
        for number in 1...12 {
            guard faults.isEmpty else { break }
            perform(&source, number)
            check("after deed \(number)")
        }
        if faults.isEmpty { rest() }
        return faults
    }

    private func complete(_ navigation: Navigation) {
        completions[navigation.id, default: 0] += 1
        if navigation.isPending { faults.append("a navigation completes pending") }
        if completions[navigation.id] == 2 { faults.append("a navigation completes twice") }
    }

    private func complete(_ link: QueuedLink) {
        if link.isPending { faults.append("a link completes pending") }
        if link.completions != 1 { faults.append("a link completes \(link.completions) times") }
    }

    private func perform(_ source: inout ByteSource, _ number: Int) {
        switch source.below(21) {
        case 0, 1, 2:
            let services = router.services
            guard !services.isEmpty else { return }
            let service = source.pick(services)
            guard !service.tasks.isEmpty else { return }
            navigate(Target(service.name, source.pick(service.tasks)), &source)
        case 3, 4, 5, 6: _ = try? router.call("f\(source.below(4))", info(&source))
        case 7: router.advance(to: router.now + Double(source.below(60)) / 2)
        case 8: if let time = router.nextDeadline { router.advance(to: time) }
        case 9: navigations.append(router.back(source.below(4), completion: complete))
        case 10: navigations.append(router.dismiss(completion: complete))
        case 11: report(&source)
        case 12:
            host.holds = source.below(3) == 0
            if !host.holds { host.applyHeld() }
        case 13: host.refuse(source.pick(["push", "present", "pop", "root", "children", "update"]))
        case 14:
            if let task = host.takeTask(where: { _ in true }) {
                task.end(source.below(2) == 0, .table(info(&source)))
            }
        case 15:
            let pending = router.pending
            if !pending.isEmpty { router.cancel(source.pick(pending)) }
        case 16:
            router.doTask(Target(source.pick(["T", "U", "H", "A"]), "do"), info: info(&source))
        case 17:
            let url = source.pick(["/r/1", "/r", "/q?x=1", "/none"])
            let options = DispatchOptions(
                timeout: Double(source.below(3)),
                key: source.pick([nil, "k"])
            )
            links.append(router.dispatch(url, options: options, completion: complete))
        case 18:
            let gate = source.pick(["g", "h"])
            if source.below(3) == 0 { try? router.unready(gate) } else { try? router.ready(gate) }
        case 19: if source.below(3) == 0 { router.cancelLinks() } else { router.rematchLinks() }
        default:
            let screens = screens
            guard !screens.isEmpty else { return }
            navigations.append(router.close(source.pick(screens), completion: complete))
        }
    }

    /// Explains the next navigation, which must not change anything.
    ///
    /// The explanation consumes no bytes of the source, so that the meaning of existing inputs does
    /// not change.
    private func explain(_ target: Target, _ info: InfoTable, _ options: NavigationOptions) {
        let (events, before) = (log.events, trees)
        if let explanation = try? router.explain(target, info: info, options: options) {
            if explanation.json.isEmpty { faults.append("an explanation that says nothing") }
        }
        if log.events != events { faults.append("an explanation posts events") }
        if trees != before { faults.append("an explanation changes the tree") }
    }

    /// The trees of the windows, as text.
    private var trees: [String] {
        router.tree.windows.map { router.treeNotation(window: $0.name) }
    }

    private func navigate(_ target: Target, _ source: inout ByteSource) {
        let screens = screens
        let isOdd = source.below(4) == 3
        let options = NavigationOptions(
            via: isOdd ? source.pick([nil, .push, .present, .presentWithNav]) : nil,
            from: isOdd && !screens.isEmpty ? source.pick(screens) : nil,
            policy: isOdd ? source.pick([nil, .queue, .latest, .reject, .parallel]) : nil
        )
        let info = info(&source)
        explain(target, info, options)
        navigations.append(
            router.navigate(target, info: info, options: options, completion: complete)
        )
    }

    private func info(_ source: inout ByteSource) -> InfoTable {
        let values: [Value] = [
            .nil, 1, 1.5, "x", true, [1, 2], ["x": ["y": [1]]], .number(.nan), .integer(.min),
            .object(HostObject(1)),
        ]
        var table = InfoTable()
        for key in ["x", "n"] { table[key] = source.pick(values) }
        if let screen = screens.first, source.below(4) == 3 { table["s"] = .screen(screen) }
        return table
    }

    private var screens: [ScreenID] {
        var screens: [ScreenID] = []
        for window in router.tree.windows {
            router.tree.visit(window.root) { screens.append($0.id) }
        }
        return screens
    }

    private func report(_ source: inout ByteSource) {
        let screens = screens
        guard !screens.isEmpty else { return }
        let screen = source.pick(screens)
        let children = router.tree.screen(screen)?.children ?? []
        switch source.below(5) {
        case 0: router.report(.children(Array(children.dropLast()), of: screen))
        case 1: router.report(.children(children.reversed(), of: screen))
        case 2: router.report(.children(children + screens.prefix(2), of: screen))
        case 3: router.report(.selected(screen))
        default: router.report(.dismissed(presenter: screen))
        }
    }

    private func check(_ when: String) {
        faults += log.faults
        for rule in router.tree.checkInvariants() { faults.append("\(when): \(rule)") }
        // A tree that can be printed can be read.
        for window in router.tree.windows {
            let text = router.treeNotation(window: window.name)
            if hasReference(window.root) { continue }
            if (try? TreeNotation(text)) == nil { faults.append("'\(text)' cannot be read") }
        }
    }

    /// Whether a field of a screen contains a value that cannot be written as text.
    private func hasReference(_ root: ScreenID) -> Bool {
        var has = false
        router.tree.visit(root) { screen in
            for name in screen.fields.names {
                let value = screen.fields[name]
                if value.pathToReference != nil || NotationPrinter().value(value).contains("0/0") {
                    has = true
                }
            }
        }
        return has
    }

    /// Cancels all pending work, so that the scripts hold no more references.
    private func rest() {
        host.holds = false
        host.applyHeld()
        for _ in 0..<40 where !router.pending.isEmpty || !router.pendingTasks.isEmpty {
            for navigation in router.pending { router.cancel(navigation) }
            for task in router.pendingTasks { router.cancel(task) }
        }
        router.cancelLinks()
        for link in links where !link.isPending && link.completions != 1 {
            faults.append("the completion of link \(link.id) runs \(link.completions) times")
        }
        // A handler may always start another one. Only reported navigations must have ended.
        let pending = Set(router.pending.map(\.id))
        for navigation in navigations where !pending.contains(navigation.id) {
            if completions[navigation.id] != 1 {
                faults.append(
                    "the completion of navigation \(navigation.id) runs "
                        + "\(completions[navigation.id] ?? 0) times"
                )
            }
        }
        check("at rest")
        router.collectGarbage()
        check("after a collection")
    }
}
