// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Writes the windows of a tree as JSON, from which the report draws them.
struct TreeDrawing {
    let tree: ScreenTree
    let printer: NotationPrinter
    /// The marks of changed screens: `+` added, `~` changed.
    let marks: [ScreenID: Character]

    /// Writes a list of windows.
    func write(to writer: inout JSONWriter) {
        writer.begin("[")
        for window in tree.windows {
            writer.begin("{")
            writer.member("name", window.name)
            writer.member("text", printer.tree(tree, window: window.name))
            writer.list("levels", elements: tree.levels(of: window)) { write($1, to: &$0) }
            writer.end("}")
        }
        writer.end("]")
    }

    private func write(_ id: ScreenID, to writer: inout JSONWriter) {
        let screen = tree[id]
        writer.begin("{")
        writer.member("class", screen.class)
        writer.member("kind", screen.kind.rawValue)
        if screen.kind == .container { writer.member("shows", screen.shows.rawValue) }
        let fields = printer.fields(screen.fields, of: screen.class)
        if !fields.isEmpty { writer.member("fields", fields) }
        let presentation = screen.presentation.attributes
        if screen.presenter != nil, !presentation.isEmpty {
            writer.member("presentation", printer.call("", with: presentation))
        }
        if let mark = marks[id] { writer.member("mark", String(mark)) }
        if screen.selection > 0 { writer.member("selected", screen.selection) }
        if screen.childCount > 0 {
            writer.list("children", elements: screen.children) { write($1, to: &$0) }
        }
        if let modal = screen.modal, tree[modal].presentation.isContextual {
            writer.name("modal")
            write(modal, to: &writer)
        }
        writer.end("}")
    }
}
