// SPDX-License-Identifier: MIT

internal import LuaVM

/// The parts of a router's state that an exploration compares and reads.
extension Router {
    /// The screens whose results scripts or the host await, in the order of the tree.
    package var awaitedScreens: [ScreenID] {
        var awaited: [ScreenID] = []
        for window in tree.windows {
            tree.visit(window.root) { screen in
                if self.screens.waits[screen.id] != nil { awaited.append(screen.id) }
            }
        }
        return awaited
    }

    /// Returns whether a navigation to a route without parameters is known to be valid: the route
    /// declares its parameters, or its provider takes none.
    package func takesNoParameters(_ target: Target) -> Bool {
        guard let step = generation.declarations.routes.route(to: target) else { return false }
        if let info = step.info { return info.parameters.isEmpty }
        switch step.build {
        case .function(let function), .fallback(let function):
            return (try? generation.runtime.takes(function.lua, 1)) == false
        case .template, .blueprint, .container, nil: return true
        }
    }

    /// A text that is the same in two states exactly if everything outside of the scripts' own
    /// variables is: screens by their positions in the tree, fields, modals, selections, the
    /// shared state, gates, pending work, and timers relative to the current time.
    ///
    /// Screens that are not in the tree, and the variables of scripts, are not included.
    ///
    /// - Complexity: O(*n*) in the size of the state.
    package var stateText: String {
        // Without classes, private values are printed too.
        var writer = StateWriter(printer: NotationPrinter())
        for window in tree.windows { writer.write(window, in: self) }
        writer.line("state", writer.printer.value(.table(state)))
        writer.line("gates", openGates.joined(separator: " "))
        writer.line("applying", isApplying ? "1" : "0")
        for navigation in pending {
            let info = writer.value(.table(navigation.info))
            let target = navigation.target?.description ?? "-"
            var waiting = ""
            if case .pending(let name) = navigation.status { waiting = name ?? "" }
            let record = "\(navigation.origin.rawValue) \(waiting)"
            writer.line("navigation", "\(target) \(info) \(record)")
        }
        for task in pendingTasks { writer.line("task", task.target.description) }
        for call in pendingCalls { writer.line("call", call.name) }
        for link in queuedLinks + activeLinks { writer.line("link", "\(link.url)") }
        for (kind, time) in timers.times {
            // The clock counts microseconds.
            let left = ((time - now) * 1_000_000).rounded()
            writer.line("timer", "\(kind.rawValue) \(left)")
        }
        return writer.text
    }
}

/// Writes the parts of ``Router/stateText``.
private struct StateWriter {
    let printer: NotationPrinter
    private(set) var text = ""
    /// The positions of screens, in the order of the tree.
    private var positions: [ScreenID: Int] = [:]

    init(printer: NotationPrinter) { self.printer = printer }

    mutating func line(_ name: String, _ value: String) {
        text += name
        text += " "
        text += value
        text += "\n"
    }

    /// Returns a value, with screens by their positions.
    func value(_ value: Value) -> String {
        switch value {
        case .screen(let screen): positions[screen].map { "screen \($0)" } ?? "screen"
        case .table(let table):
            table.list.map(self.value).joined(separator: ",") + ";"
                + table.entries.map { "\($0.key)=\(self.value($0.value))" }
                .joined(separator: ",")
        default: printer.value(value)
        }
    }

    mutating func write(_ window: RouterWindow, in router: Router) {
        let tree = router.tree
        line("window", window.name)
        tree.visit(window.root) { screen in positions[screen.id] = positions.count }
        line("tree", printer.tree(tree, window: window.name))
        tree.visit(window.root) { screen in
            let position = positions[screen.id] ?? 0
            if screen.presenter != nil {
                let presentation = screen.presentation
                let kind =
                    "\(presentation.style) \(presentation.isModal) \(presentation.isContextual)"
                line("modal \(position)", kind)
            }
            if let waits = router.screens.waits[screen.id] {
                line("awaited \(position)", "\(waits.count)")
            }
            if let route = router.screens.routes[screen.id] {
                line("route \(position)", route.step.title)
            }
        }
    }
}
