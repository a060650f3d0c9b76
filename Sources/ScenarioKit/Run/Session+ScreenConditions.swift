// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The conditions about the screens of the tree.
extension Session {
    func mismatch(_ tree: TreeNotation, _ window: String) -> Mismatch? {
        let mismatch = tree.mismatch(in: app.router.tree, window: window, printer: printer, names)
        return mismatch.map { mismatch in
            Mismatch(
                range: mismatch.range,
                label: mismatch.reason,
                actual: app.router.tree.window(window) == nil
                    ? nil : printer.tree(app.router.tree, window: window)
            )
        }
    }

    func mismatch(top pattern: ScreenNotation) -> Mismatch? {
        guard let window = app.router.tree.window("main") else {
            return Mismatch(range: pattern.range, label: "the window has no tree yet")
        }
        let leaf = app.router.tree.visibleLeaf(of: window)
        var mismatch = mismatch(pattern, leaf, in: app.router.tree)
        mismatch?.actual = printer.screen(leaf, in: app.router.tree)
        return mismatch
    }

    func mismatch(topIs name: String, _ range: Range<Int>) -> Mismatch? {
        guard let window = app.router.tree.window("main") else {
            return Mismatch(range: range, label: "the window has no tree yet")
        }
        let leaf = app.router.tree.visibleLeaf(of: window)
        guard cursor.bindings[name] != .screen(leaf) else { return nil }
        var label = "'\(name)' is not a screen"
        if case .screen(let screen) = cursor.bindings[name] {
            label =
                app.router.tree.isAlive(screen)
                ? "'\(name)' is \(printer.screen(screen, in: app.router.tree, deep: false)), which is not on top"
                : "'\(name)' is no longer in the tree"
        }
        return Mismatch(
            range: range,
            label: label,
            actual: printer.screen(leaf, in: app.router.tree)
        )
    }

    // MARK: The visible stack

    /// The screens of the nearest stack at or above the visible leaf of the main window.
    var visibleStack: [ScreenID]? {
        let tree = app.router.tree
        guard let window = tree.window("main"),
            let nav = tree.nearest(.nav, from: tree.visibleLeaf(of: window))
        else { return nil }
        return tree.screen(nav)?.children
    }

    private func noStack(_ range: Range<Int>) -> Mismatch {
        let hasTree = app.router.tree.window("main") != nil
        return Mismatch(
            range: range,
            label: hasTree ? "no stack is visible" : "the window has no tree yet",
            actual: hasTree ? printer.tree(app.router.tree, window: "main") : nil
        )
    }

    func mismatch(depth count: Int, _ range: Range<Int>) -> Mismatch? {
        guard let stack = visibleStack else { return noStack(range) }
        guard stack.count != count else { return nil }
        return Mismatch(
            range: range,
            label: "the depth is \(stack.count)",
            actual: text(ofStack: stack)
        )
    }

    /// Compares the items before `...` from the bottom, and the items after `...` from the top.
    func mismatch(stack items: [StackItem], _ range: Range<Int>) -> Mismatch? {
        guard let stack = visibleStack else { return noStack(range) }
        let patterns = items.compactMap { item in
            if case .screen(let pattern) = item { pattern } else { nil }
        }
        let rest = items.firstIndex { item in
            if case .rest = item { true } else { false }
        }
        var mismatch: Mismatch?
        for (index, pattern) in patterns.enumerated() where mismatch == nil {
            let front = rest ?? patterns.count
            let location = index < front ? index : stack.count - patterns.count + index
            guard location >= min(index, front), stack.indices.contains(location) else {
                mismatch = Mismatch(range: pattern.range, label: "not in the stack")
                break
            }
            mismatch = self.mismatch(pattern, stack[location], in: app.router.tree)
        }
        if mismatch == nil, rest == nil, stack.count > patterns.count {
            let more = stack.count - patterns.count
            let label = "the stack has \(more) more screen\(more == 1 ? "" : "s")"
            mismatch = Mismatch(range: range, label: label)
        }
        mismatch?.actual = text(ofStack: stack)
        return mismatch
    }

    private func text(ofStack stack: [ScreenID]) -> String {
        let texts = stack.map { printer.screen($0, in: app.router.tree) }
        return texts.isEmpty ? "an empty stack" : texts.joined(separator: " > ")
    }

    // MARK: Modals

    func mismatch(modal pattern: ScreenNotation?, _ range: Range<Int>) -> Mismatch? {
        let tree = app.router.tree
        guard let window = tree.window("main") else {
            return Mismatch(range: range, label: "the window has no tree yet")
        }
        let levels = tree.levels(of: window)
        let modal = levels.count > 1 ? levels.last : nil
        guard let pattern else {
            return modal.map { modal in
                Mismatch(
                    range: range,
                    label: "a screen is presented",
                    actual: printer.screen(modal, in: tree)
                )
            }
        }
        guard let modal else {
            return Mismatch(range: range, label: "no screen is presented", actual: "none")
        }
        let leaf = tree.visibleLeaf(of: window)
        guard var mismatch = mismatch(pattern, modal, in: tree),
            self.mismatch(pattern, leaf, in: tree) != nil
        else { return nil }
        mismatch.actual = printer.screen(modal, in: tree)
        return mismatch
    }
}
