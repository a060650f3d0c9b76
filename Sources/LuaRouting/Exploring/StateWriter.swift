// SPDX-License-Identifier: MIT

internal import LuaVM

/// Writes ``ComparedState/text``.
struct StateWriter {
    private let printer = NotationPrinter()
    private let router: Router
    private(set) var text = ""
    /// The values and coroutines of scripts that the router references, in the order of the text.
    private(set) var roots: [FingerprintRoot] = []
    /// The positions of screens, in the order of the tree.
    private var positions: [ScreenID: Int] = [:]
    /// The positions of timers, by their numbers.
    private let timers: [Int: Int]
    private let pending: [Navigation]

    init(_ router: Router) {
        self.router = router
        pending = router.pending.filter { !$0.isRepeated }
        timers = Dictionary(
            uniqueKeysWithValues: router.timers.all.enumerated().map { ($1.number, $0) }
        )
    }

    /// Writes the state of the router.
    mutating func writeAll() {
        var screens: [ScreenID] = []
        for window in router.tree.windows {
            router.tree.visit(window.root) { screens.append($0.id) }
            line("window", "\(window.name) \(screens.count)")
        }
        for (position, screen) in screens.enumerated() { positions[screen] = position }
        for screen in screens { write(screen) }
        line("state", value(.table(router.state)))
        line("gates", router.openGates.joined(separator: " "))
        line("applying", router.isApplying ? "1" : "0")
        for navigation in pending { write(navigation) }
        for task in router.pendingTasks {
            line("task", "\(task.target) \(timer(task.timer)) \(timer(task.deadline))")
        }
        for call in router.pendingCalls { line("call", call.name) }
        for link in router.queuedLinks + router.activeLinks {
            line("link", "\(link.url) \(timer(link.timer))")
        }
        for entry in router.timers.all {
            line("timer", "\(entry.kind.rawValue) \(duration(entry.time - router.now))")
            if let function = entry.function { roots.append(.function(function)) }
        }
        for generation in router.generations { writeRoots(of: generation) }
    }

    private mutating func line(_ name: String, _ value: String) {
        text += name
        text += " "
        text += value
        text += "\n"
    }

    // MARK: Values

    /// Returns a value, with screens by their positions.
    private mutating func value(_ value: Value) -> String {
        switch value {
        case .screen(let screen): return self.screen(screen)
        case .function(let function):
            roots.append(.function(function.lua))
            return "function"
        case .table(let table):
            var text = table.list.map { self.value($0) }.joined(separator: ",") + ";"
            for entry in table.entries {
                text += "\(entry.key)=\(self.value(entry.value)),"
            }
            return text
        case .object(let object): return "\(object.base)"
        default: return printer.value(value)
        }
    }

    private func screen(_ screen: ScreenID) -> String {
        positions[screen].map { "screen \($0)" } ?? "screen"
    }

    private func optional(_ screen: ScreenID?) -> String { screen.map { self.screen($0) } ?? "-" }

    private func timer(_ number: Int?) -> String {
        number.flatMap { timers[$0] }.map(String.init) ?? "-"
    }

    /// A time in microseconds, the unit of the clock.
    private func duration(_ seconds: Double) -> String { "\((seconds * 1_000_000).rounded())" }

    private func position(of navigation: Navigation?) -> String {
        navigation.flatMap { one in pending.firstIndex { $0 === one } }.map(String.init) ?? "-"
    }

    // MARK: Parts

    private mutating func write(_ id: ScreenID) {
        let screen = router.tree[id]
        let presentation = screen.presentation
        let style = "\(presentation.style) \(presentation.isModal) \(presentation.isContextual)"
        line(
            self.screen(id),
            """
            \(screen.class) \(screen.kind.rawValue) \(screen.selection) \(optional(screen.parent)) \
            \(optional(screen.presenter)) \(screen.presenter == nil ? "-" : style) \
            \(router.screens.routes[id]?.step.title ?? "-") \(screen.route ?? "-") \
            \(router.screens.waits[id]?.count ?? 0) \(fields(of: screen))
            """
        )
    }

    private mutating func fields(of screen: Screen) -> String {
        var text = ""
        for name in screen.fields.names.sorted() {
            text += "\(name)=\(value(screen.fields[name])),"
        }
        return text
    }

    private mutating func write(_ navigation: Navigation) {
        var waiting = ""
        if case .pending(let name) = navigation.status { waiting = name ?? "" }
        let target = navigation.target?.description ?? navigation.title
        let record = navigation.record
        let left = record.deadlineTimer == nil ? record.timeout.map(duration) : nil
        var asked: ScreenID?
        if case .leaving(let screen)? = record.asked?.interception.interceptor { asked = screen }
        let removed = asked == nil ? [] : navigation.journey.removal.touched
        line(
            "navigation",
            """
            \(target) \(optional(navigation.request.screen)) \
            \(value(.table(navigation.info))) \(navigation.origin.rawValue) \(waiting) \
            \(timer(record.deadlineTimer?.number)) \(left ?? "-") \(timer(record.asked?.timer)) \
            \(position(of: record.waitsFor?.navigation)) \(optional(asked)) \
            \(removed.map(screen).sorted().joined(separator: ","))
            """
        )
    }

    /// Writes what the scripts of a generation may declare at any time, and the functions that wait,
    /// the oldest first: that is the order of their coroutines.
    ///
    /// Other declarations, such as routes, count by their functions only.
    private mutating func writeRoots(of generation: Generation) {
        for kind in generation.listeners.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            let listeners = generation.listeners[kind] ?? []
            line("listeners", "\(kind.rawValue) \(listeners.count)")
            roots += listeners.map { .function($0) }
        }
        let declarations = generation.declarations
        for routing in declarations.routings.routings {
            line("routing", "\(routing.pattern) \(routing.action == nil ? "-" : "set")")
            if let action = routing.action { roots.append(.function(action.lua)) }
        }
        for (name, export) in declarations.exports.sorted(by: { $0.key < $1.key }) {
            line("export", name)
            roots.append(.function(export.function.lua))
        }
        let dependencies = generation.dependencies.living.sorted()
        line("dependencies", dependencies.joined(separator: " "))
        roots += dependencies.compactMap { name in
            generation.dependencies[name].map { .reference($0.value) }
        }
        let completions = generation.lease.completions
        line("completions", "\(completions.count)")
        roots += completions.map { .function($0) }
        let waiting = generation.lease.activities.filter { $0.thread != nil }
        for activity in waiting.sorted(by: { ($0.thread?.serial ?? 0) < ($1.thread?.serial ?? 0) })
        {
            if let thread = activity.thread { roots.append(.thread(thread)) }
            let wait = activity.wait
            // While its time runs, the timer shows how much is left.
            let left = wait?.isCounted == true ? nil : duration(activity.timeout)
            let timers = wait?.timers.map { timer($0) }.joined(separator: ",") ?? ""
            line(
                "waiting",
                """
                \(activity.title) \(position(of: activity.navigation)) \(left ?? "-") \(timers) \
                \(optional(wait?.screen)) \(position(of: wait?.navigation))
                """
            )
        }
    }

    // MARK: Objects of scripts

    /// Returns a text for a screen that a script refers to, which may have left the tree.
    mutating func text(of id: ScreenID) -> String {
        if positions[id] != nil { return screen(id) }
        guard let screen = router.tree.screen(id) else { return "gone" }
        return "\(screen.class) \(fields(of: screen))"
    }

    /// Returns a text with all that scripts can read of an object.
    mutating func text(of owner: Arguments.Owner) -> String {
        switch owner {
        case .navigation(let navigation):
            return """
                \(position(of: navigation)) \(navigation.target?.description ?? "-") \
                \(value(.table(navigation.info))) \(navigation.origin.rawValue) \
                \(optional(navigation.options.from)) \
                \(navigation.journey.opened?.text.displayText ?? "-") \(navigation.status.name) \
                \(value(.table(InfoTable(list: navigation.results))))
                """
        case .task(let task):
            let position = router.pendingTasks.firstIndex { $0 === task }
            let results = value(.table(InfoTable(list: task.results)))
            return "\(position ?? -1) \(task.target) \(task.status.name) \(results)"
        case .link(let link):
            let position = router.queuedLinks.firstIndex { $0 === link }
            return "\(position ?? -1) \(link.text.displayText) \(link.status.name)"
        case .routing(let routing): return "\(routing.pattern) \(routing.isBusy)"
        case .timer(let number): return timer(number)
        case .group(let group): return "\(group)"
        }
    }
}

extension Navigation {
    /// Whether it ends as the pending one with which it is coalesced, and no script or deadline
    /// depends on it: any number of such requests counts as one state.
    fileprivate var isRepeated: Bool {
        record.leader != nil && !isOfScript && record.deadlineTimer == nil
    }
}
