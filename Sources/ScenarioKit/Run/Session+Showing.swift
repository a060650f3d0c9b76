// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The step `show`.
extension Session {
    /// Returns a part of the state as one or more lines of text.
    func text(of part: ShownPart) -> String {
        let lines =
            switch part {
            case .tree: trees
            case .state: [printer.value(state(at: []))]
            case .pending: pendingWork
            case .events: TraceWriter.lines(of: latestEvents, printer).map(\.text)
            }
        return lines.isEmpty ? "none" : lines.joined(separator: "\n")
    }

    private var trees: [String] {
        app.router.tree.windows.map { window in
            let tree = printer.tree(app.router.tree, window: window.name)
            return window.name == "main" ? tree : "\(window.name): \(tree)"
        }
    }

    private var pendingWork: [String] {
        func line(_ title: String, _ request: Request) -> String {
            "\(title): \(request.outcome.predicate)"
        }
        return app.router.pending.map { navigation in
            let target = navigation.target.map { "navigate \($0)" } ?? "navigation"
            return line("#\(navigation.id) \(target)", .navigation(navigation))
        }
            + app.router.pendingTasks.map { line("doTask \($0.target)", .task($0)) }
            + app.router.pendingCalls.map { line("call \($0.name)", .call($0)) }
            + app.router.queuedLinks.map { line("link \($0.url)", .link($0)) }
    }
}
