// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The step `show`.
extension Session {
    /// Returns a part of the state as text, of one or more lines.
    func text(of part: ShownPart) -> String {
        let lines =
            switch part {
            case .tree: trees
            case .state: [printer.value(state(at: []))]
            case .pending: pendingWork
            case .events: TraceWriter.lines(of: latestEvents, printer)
            }
        return lines.isEmpty ? "none" : lines.joined(separator: "\n")
    }

    private var trees: [String] {
        router.tree.windows.map { window in
            let tree = printer.tree(router.tree, window: window.name)
            return window.name == "main" ? tree : "\(window.name): \(tree)"
        }
    }

    private var pendingWork: [String] {
        router.pending.map { navigation in
            "#\(navigation.id) \(navigation.target.map { "navigate \($0)" } ?? "navigation"): "
                + Request.navigation(navigation).outcome.sentence
        }
            + router.pendingTasks.map { "doTask \($0.target): \(Request.task($0).outcome.sentence)" }
            + router.pendingCalls.map { "call \($0.name): \(Request.call($0).outcome.sentence)" }
            + router.queuedLinks.map { "link \($0.url): \(Request.link($0).outcome.sentence)" }
    }
}
