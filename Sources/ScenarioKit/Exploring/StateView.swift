// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The parts of a state that rules and reports use.
struct StateView: Sendable {
    /// The tree of the main window.
    let tree: String
    /// The class of the visible leaf; `nil` if the main window has no tree.
    let leaf: String?
    /// The screens of the visible stack, from the bottom.
    let stack: [String]
    /// The text of the windows, without the screens of the visible stack.
    let rest: String
    /// The levels of the main window, from the bottom.
    let levels: [String]
    /// The class of the visible leaf of the topmost level, if this level is a modal.
    let modal: String?
    /// Descriptions of the pending work.
    let pending: [String]
    /// The class of two screens in the same stack that have equal fields; `nil` if there are no
    /// such screens.
    let twin: String?
    /// The values of the conditions of `always` rules, by the index of the rule; `false` for other
    /// rules.
    let conditions: [Bool]

    init(_ session: Session, _ rules: [Exploration.Rule]) {
        let tree = session.app.router.tree
        let printer = session.printer
        var stack: [String] = []
        var main = ""
        var rest = ""
        var levels: [String] = []
        for window in tree.windows {
            let text = printer.tree(tree, window: window.name)
            guard window.name == "main" else {
                rest += " \(window.name) \(text)"
                continue
            }
            main = text
            let roots = tree.levels(of: window)
            // The text of a single level equals the text of the window, so the string is shared.
            levels = roots.count == 1 ? [text] : roots.map { printer.screen($0, in: tree) }
            var visible = ""
            if let nav = tree.nearest(.nav, from: tree.visibleLeaf(of: window)) {
                stack = (tree.children(of: nav) ?? []).map { printer.screen($0, in: tree) }
                visible = printer.screen(nav, in: tree)
            }
            let others = visible.isEmpty ? text : text.replacing(part: visible, with: "…")
            rest = rest.isEmpty ? others : rest + others
        }
        self.tree = main
        (self.stack, self.rest, self.levels) = (stack, rest, levels)
        leaf = session.visibleClass
        modal = levels.count > 1 ? leaf : nil
        pending = session.waitingWork
        twin = Self.twin(in: tree)
        conditions = rules.map { rule in
            if case .always(let step, _) = rule.property { session.holds(step) } else { false }
        }
    }

    /// Returns the class of two screens with equal fields in the same stack.
    private static func twin(in tree: ScreenTree) -> String? {
        let printer = NotationPrinter()
        var result: String?
        for window in tree.windows {
            tree.visit(window.root) { screen in
                guard screen.kind == .nav, result == nil else { return }
                var known: Set<String> = []
                for child in screen.children {
                    guard let child = tree.screen(child), !child.kind.isContainer else { continue }
                    let text = printer.screen(child.id, in: tree, deep: false)
                    if !known.insert(text).inserted { result = child.class }
                }
            }
        }
        return result
    }
}
