// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Draws a screen tree as lines of a terminal, depending only on the tree and the size.
struct Drawing {
    let tree: ScreenTree
    /// The name of the window that receives the keys.
    var window = "main"
    /// The leaf screen that receives the keys.
    var focus: ScreenID?
    /// The index of the chosen item of each screen.
    var choices: [ScreenID: Int] = [:]
    /// The texts below the windows.
    ///
    /// Long texts are wrapped.
    var messages: [String] = []
    /// The text of the last line; no line is drawn if it is empty.
    var help = ""
    /// Returns the content of a leaf screen.
    let page: (Screen) -> Page

    /// The minimum width of windows that are drawn side by side.
    private static let narrowest = 30
    private var canvas = Canvas(width: 0, height: 0)

    init(_ tree: ScreenTree, page: @escaping (Screen) -> Page) {
        self.tree = tree
        self.page = page
    }

    /// Returns the lines of the drawing.
    ///
    /// Each line has the width of the terminal.
    func lines(width: Int, height: Int) -> [String] {
        var drawing = self
        drawing.canvas = Canvas(width: width, height: height)
        let messages = messages.flatMap { Canvas.wrapped($0, width: width) }
        let footer = (messages + (help.isEmpty ? [] : [help])).suffix(height / 2)
        var rest = Area(width: width, height: height)
        var area = rest.takeTop(height - footer.count)
        for (row, line) in footer.enumerated() { drawing.canvas.put(line, in: rest, row: row) }
        let isSplit = width >= Self.narrowest * tree.windows.count
        let windows = tree.windows.filter { isSplit || $0.name == window }
        for (index, shown) in windows.enumerated() {
            let frame = area.takeLeft(area.width / (windows.count - index))
            let isCurrent = shown.name == window && tree.windows.count > 1
            drawing.canvas.box(frame, (isCurrent ? "▶ " : "") + shown.name)
            drawing.level(shown.root, frame.inset(1, 1))
        }
        return drawing.canvas.lines
    }

    /// Draws a level of the tree, and the levels that cover it.
    private mutating func level(_ root: ScreenID, _ area: Area) {
        screen(root, area)
        guard let modal = tree[root].modal, !tree[modal].presentation.isContextual else { return }
        cover(area, with: modal) { $0.level(modal, $1) }
    }

    /// Draws a modal in a box that leaves the edges of the covered area visible.
    private mutating func cover(
        _ area: Area,
        with modal: ScreenID,
        _ draw: (inout Drawing, Area) -> Void
    ) {
        let frame = area.inset(area.width > 20 ? 2 : 0, area.height > 6 ? 1 : 0)
        let style = tree[modal].presentation.style
        canvas.box(frame, style == "fullScreen" ? "" : style)
        draw(&self, frame.inset(1, 1))
    }

    /// Draws a screen, its visible children, and a contextual modal over it.
    private mutating func screen(_ id: ScreenID, _ area: Area, hasTitle: Bool = true) {
        let screen = tree[id]
        var area = area
        switch screen.kind {
        case .leaf, .foreign: leaf(screen, area, hasTitle: hasTitle)
        case .nav: stack(screen, area)
        case .tabs:
            var rest = area
            area = rest.takeTop(area.height - 2)
            for child in screen.visibleChildren { self.screen(child, area) }
            canvas.put(String(repeating: "─", count: max(0, rest.width)), in: rest)
            let titles = screen.children.enumerated().map { index, tab in
                let title = "\(index + 1) \(self.title(of: tab))"
                return index == screen.selection ? "[\(title)]" : " \(title) "
            }
            canvas.put(titles.joined(separator: " "), in: rest, row: 1)
        case .split:
            guard let primary = screen.children.first else { break }
            guard let detail = screen.children.dropFirst().first else {
                self.screen(primary, area)
                break
            }
            var rest = area
            self.screen(primary, rest.takeLeft(rest.width * 2 / 5))
            let border = rest.takeLeft(1)
            for row in 0..<max(0, border.height) { canvas.put("│", in: border, row: row) }
            self.screen(detail, rest)
        case .container:
            var rest = area
            canvas.put("〔 \(title(of: id)) 〕", in: rest.takeTop(1))
            let children = screen.visibleChildren
            for (index, child) in children.enumerated() {
                self.screen(child, rest.takeTop(rest.height / (children.count - index)))
            }
        }
        guard let modal = screen.modal, tree[modal].presentation.isContextual else { return }
        cover(area, with: modal) { $0.screen(modal, $1) }
    }

    /// Draws a stack with a bar that contains the titles of the visible screen and of the previous
    /// screen.
    private mutating func stack(_ screen: Screen, _ area: Area) {
        guard let top = screen.children.last else { return }
        var rest = area
        let previous = screen.children.dropLast().last
        let back = previous.map { "‹ \(title(of: $0)) │ " } ?? ""
        canvas.put(back + title(of: top), in: rest.takeTop(1))
        let rule = rest.takeTop(1)
        canvas.put(String(repeating: "─", count: max(0, rule.width)), in: rule)
        self.screen(top, rest, hasTitle: false)
    }

    private mutating func leaf(_ screen: Screen, _ area: Area, hasTitle: Bool) {
        let page = page(screen)
        var rest = area
        for line in (hasTitle ? [page.title] : []) + page.lines {
            canvas.put(line, in: rest.takeTop(1))
        }
        if rest.height > page.items.count { _ = rest.takeTop(1) }
        let choice = choices[screen.id] ?? 0
        // The chosen item is always visible.
        let first = max(0, choice - max(0, rest.height - 1))
        for (row, item) in page.items.dropFirst(first).enumerated() {
            let isChosen = screen.id == focus && row + first == choice
            canvas.put((isChosen ? "▸ " : "  ") + item.label, in: rest, row: row)
        }
    }

    /// The title of a leaf, or the title of the visible leaf if a container has none.
    private func title(of id: ScreenID) -> String {
        let screen = tree[id]
        if let title = screen.fields["title"].text { return title }
        guard let child = screen.leadingChild else { return page(screen).title }
        return title(of: child)
    }
}
