// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Writes the changes that a step made to the windows of a tree, as JSON.
///
/// The HTML report draws the windows from these changes.
struct TreeDrawing {
    private let tree: ScreenTree
    private let changes: TreeChanges
    private let printer: NotationPrinter

    init(tree: ScreenTree, _ changes: TreeChanges, _ printer: NotationPrinter) {
        (self.tree, self.changes, self.printer) = (tree, changes, printer)
    }

    /// Writes the windows, the new and changed screens, and the texts of the removed screens.
    func write(to writer: inout JSONWriter) {
        writer.list("windows", elements: tree.windows) { writer, window in
            writer.begin("{")
            writer.member("name", window.name)
            writer.member("text", changes.text(ofWindow: window.name, printer))
            // The page already has the levels of the window before the step.
            let levels = tree.levels(of: window)
            let before = changes.old.window(window.name).map { changes.old.levels(of: $0) } ?? []
            let kept = zip(levels, before).prefix { $0 == $1 }.count
            if kept > 0 { writer.member("kept", kept) }
            writer.list("levels", elements: Array(levels.dropFirst(kept))) { write($1, to: &$0) }
            writer.end("}")
        }
        let marks = changes.marks
        writer.list("screens", elements: changes.screens) { writer, id in
            write(id, marked: marks[id], to: &writer)
        }
        guard !changes.removed.isEmpty else { return }
        writer.list("removed", elements: changes.removed.reversed()) { writer, id in
            let text = printer.screen(id, in: changes.old, deep: false)
            writer.write(.string(ByteString(text)))
        }
    }

    private func write(_ id: ScreenID, to writer: inout JSONWriter) {
        writer.write(.integer(Int64(id.serial)))
    }

    private func write(_ id: ScreenID, marked mark: Character?, to writer: inout JSONWriter) {
        let screen = tree[id]
        writer.begin("{")
        writer.name("id")
        write(id, to: &writer)
        writer.member("class", screen.class)
        writer.member("kind", screen.kind.rawValue)
        if screen.kind == .container { writer.member("shows", screen.shows.rawValue) }
        let fields = printer.fields(screen.fields, of: screen.class)
        if !fields.isEmpty { writer.member("fields", fields) }
        let presentation = screen.presentation.attributes
        if screen.presenter != nil, !presentation.isEmpty {
            writer.member("presentation", printer.call("", with: presentation))
        }
        if let mark { writer.member("mark", String(mark)) }
        if screen.selection > 0 { writer.member("selected", screen.selection) }
        if let (position, replaced, children) = changes.children(of: id) {
            writer.member("position", position)
            writer.member("replaced", replaced)
            writer.list("children", elements: children) { write($1, to: &$0) }
        }
        if let modal = screen.modal, tree[modal].presentation.isContextual {
            writer.name("modal")
            write(modal, to: &writer)
        }
        writer.end("}")
    }
}
