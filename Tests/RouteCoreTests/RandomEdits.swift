// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import Testing

extension RandomNumbers {
    /// Returns some screens that are in the windows of a tree.
    func alive(in tree: ScreenTree) -> [ScreenID] {
        var screens: [ScreenID] = []
        for window in tree.windows { tree.visit(window.root) { screens.append($0.id) } }
        return screens
    }

    /// Makes one random edit, possibly against the rules.
    ///
    /// The edit may insert one of the detached screens. Screens that it removes are added to the
    /// detached screens.
    mutating func edit(_ tree: inout ScreenTree, detached: inout [ScreenID]) throws {
        let screens = alive(in: tree)
        let some = element(of: screens)
        func insertable(_ random: inout RandomNumbers) throws -> ScreenID {
            if !detached.isEmpty, random.isTrue(oneIn: 2) { return random.element(of: detached) }
            return random.isTrue(oneIn: 10)
                ? random.element(of: screens) : try random.screen(in: &tree, depth: 2)
        }
        defer { detached = Array(Set(detached + screens)).filter { !tree.isAlive($0) } }
        switch below(15) {
        case 0, 1: try tree.push(try insertable(&self), onto: some)
        case 2: try tree.pop(to: some)
        case 3: try tree.select(some)
        case 4, 5: try tree.setChildren(try children(of: some, in: tree, insertable), of: some)
        case 6:
            let modal = try insertable(&self)
            let style = element(of: ["fullScreen", "sheet"])
            let isContextual = isTrue(oneIn: 2)
            try tree.present(modal, from: some, .init(isContextual: isContextual, style: style))
        case 7: tree.dismissModal(of: some)
        case 8:
            try tree.setField(element(of: ["id", "a"]), to: isTrue(oneIn: 2) ? nil : 1, of: some)
        case 9:
            tree.uncover(some)
            try tree.makeVisible(some)
        case 10:
            guard isTrue(oneIn: 3) else { return }
            try tree.setRoot(try insertable(&self), of: element(of: ["main", "second", "third"]))
        case 11:
            let nav = tree.container(at: some) { $0.kind == .nav } ?? some
            let screen = try insertable(&self)
            if isTrue(oneIn: 2) {
                try tree.pushAsRoot(screen, onto: nav)
            } else {
                try tree.pushReplacingLast(screen, onto: nav)
            }
        case 12:
            let tabs = tree.container(at: some) { $0.kind == .tabs } ?? some
            let (position, isReplacing) = (below(4), isTrue(oneIn: 2))
            let screen = try insertable(&self)
            try tree.addTab(screen, to: tabs, at: position, replacing: isReplacing)
        case 13:
            let place = tree.container(at: some) { [.split, .container].contains($0.kind) } ?? some
            let screen = try insertable(&self)
            switch below(4) {
            case 0: try tree.setAsPrimary(screen, in: place)
            case 1: try tree.pushToDetails(screen, in: place)
            case 2: try tree.pushOnToDetails(screen, in: place)
            default: try tree.replaceLast(screen, in: place)
            }
        default:
            guard tree.windows.count > 1 else { return }
            try tree.closeWindow(element(of: tree.windows).name)
        }
    }

    private mutating func children(
        of id: ScreenID,
        in tree: ScreenTree,
        _ insertable: (inout RandomNumbers) throws -> ScreenID
    ) throws -> [ScreenID] {
        var children = tree.screen(id)?.children ?? []
        if isTrue(oneIn: 2) { children.shuffle(using: &self) }
        if isTrue(oneIn: 2) { children = Array(children.dropFirst(below(2))) }
        if isTrue(oneIn: 2) {
            children.insert(try insertable(&self), at: below(children.count + 1))
        }
        return children
    }
}
