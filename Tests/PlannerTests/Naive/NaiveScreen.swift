// SPDX-License-Identifier: MIT

/// A screen with all screens inside it and above it.
///
/// This type is a plain value without shared parts, and screens are found by walking from the root.
/// A modal over the root of a level is the next level. Any other modal is contextual.
struct NaiveScreen: Sendable {
    let serial: Int
    var name: String
    var kind: NaiveKind
    var fields: Info = [:]
    var children: [NaiveScreen] = []
    /// The index of the selected child, starting at 0.
    var selected = 0
    /// The modal that the screen presents; at most one.
    var modals: [NaiveScreen] = []

    // MARK: Reading

    /// The screen, the screens inside it, and the screens that it presents, in this order.
    var all: [NaiveScreen] {
        var result: [NaiveScreen] = []
        func visit(_ screen: NaiveScreen) {
            result.append(screen)
            for child in screen.children { visit(child) }
            for modal in screen.modals { visit(modal) }
        }
        visit(self)
        return result
    }

    func screen(_ serial: Int) -> NaiveScreen? {
        if self.serial == serial { return self }
        for child in children {
            if let found = child.screen(serial) { return found }
        }
        for modal in modals {
            if let found = modal.screen(serial) { return found }
        }
        return nil
    }

    func holds(_ serial: Int) -> Bool { screen(serial) != nil }

    /// The visible children.
    var visibleChildren: [NaiveScreen] {
        switch kind.shows {
        case nil: []
        case .last: Array(children.suffix(1))
        case .selected: children.isEmpty ? [] : [children[selected]]
        case .all: children
        }
    }

    // MARK: Changing

    /// Changes one screen of the tree.
    mutating func edit(_ serial: Int, _ change: (inout NaiveScreen) throws(Failure) -> Void)
        throws(Failure)
    {
        if self.serial == serial {
            try change(&self)
            return
        }
        for index in children.indices { try children[index].edit(serial, change) }
        for index in modals.indices { try modals[index].edit(serial, change) }
    }

    /// Replaces the children by the rule of tabs: the selected child stays selected if it remains;
    /// otherwise the child now at its index is selected, or the last child.
    mutating func setChildren(_ list: [NaiveScreen]) throws(Failure) {
        if let limit = kind.limit, list.count > limit { throw Failure("composition") }
        let before = children.isEmpty ? nil : children[selected].serial
        children = list
        guard kind.shows == .selected, let before else {
            selected = 0
            return
        }
        if let place = list.firstIndex(where: { $0.serial == before }) {
            selected = place
        } else {
            selected = max(0, min(selected, list.count - 1))
        }
    }

    /// The screen as a template.
    var template: Template {
        var template = Template(name: name, fields: fields)
        template.children = children.map(\.template)
        template.selected = selected
        template.modals = modals.map(\.template)
        return template
    }

    // MARK: Text

    /// Returns the tree in tree notation.
    func notation(_ world: World) -> String {
        var text = name
        if world.declaration(of: name).kind != kind { text += ":\(kind.word)" }
        text += written(fields, of: world.declaration(of: name))
        if kind.shows != nil {
            let list = children.enumerated().map { index, child in
                (kind.shows == .selected && index == selected ? "*" : "") + child.notation(world)
            }
            text += "[" + list.joined(separator: ", ") + "]"
        }
        return text + modals.map { " ^ " + $0.notation(world) }.joined()
    }

    private func written(_ fields: Info, of declaration: ClassDeclaration) -> String {
        if fields.isEmpty { return "" }
        let declared = declaration.fields.filter { fields[$0] != nil }
        let others = fields.keys.filter { !declared.contains($0) }.sorted()
        let list = (declared + others).map { "\($0)=\(fields[$0]?.written ?? "")" }
        return "(" + list.joined(separator: ", ") + ")"
    }
}
