// SPDX-License-Identifier: MIT

extension NaiveScreen {
    /// Returns the screens that a finder visits, in order, each once.
    func visited(from start: Int, _ options: Set<SearchOption>, isTopDown: Bool) -> [NaiveScreen] {
        var seen: Set<Int> = []
        return visitedAgainAndAgain(start, options, isTopDown).filter {
            seen.insert($0.serial).inserted
        }
    }

    /// Returns the visited screens, with repetitions.
    func visitedAgainAndAgain(_ serial: Int, _ options: Set<SearchOption>, _ isTopDown: Bool)
        -> [NaiveScreen]
    {
        guard let screen = screen(serial) else { return [] }
        var result: [NaiveScreen] = []
        if options.contains(.current) { result.append(screen) }
        if options.contains(.parent), let parent = parent(of: serial) {
            result += visitedAgainAndAgain(parent, [.current, .parent], isTopDown)
        }
        if options.contains(.visible) || options.contains(.contained) {
            var children = screen.visibleChildren
            if options.contains(.contained) {
                let rest = isTopDown ? screen.children.reversed() : screen.children
                let visible = Set(children.map(\.serial))
                children += rest.filter { !visible.contains($0.serial) }
            }
            var inner: Set<SearchOption> =
                options.contains(.visible) ? [.current, .visible] : [.current, .contained]
            if options.contains(.presented) { inner.insert(.presented) }
            for child in children {
                result += visitedAgainAndAgain(child.serial, inner, isTopDown)
            }
        }
        if options.contains(.presented), let modal = presented(by: serial) {
            result += visitedAgainAndAgain(modal, options.subtracting([.presenting]), isTopDown)
        }
        if options.contains(.presenting), let presenter = presenter(of: serial) {
            result += visitedAgainAndAgain(presenter, options.subtracting([.presented]), isTopDown)
        }
        return result
    }

    /// Returns the container of a screen.
    func parent(of serial: Int) -> Int? {
        let way = way(to: serial)
        return way.last?.standing == .child ? way[way.count - 2].screen.serial : nil
    }

    /// Returns the path to a screen from the root of its level or contextual modal.
    private func family(of serial: Int) -> [Hop] {
        let way = way(to: serial)
        guard let start = way.lastIndex(where: { $0.standing != .child }) else { return [] }
        return Array(way[start...])
    }

    /// Returns the modal of a screen, or of the nearest container around it that has a modal.
    func presented(by serial: Int) -> Int? {
        let family = family(of: serial)
        if let hop = family.last(where: { !$0.screen.modals.isEmpty }) {
            return hop.screen.modals.first?.serial
        }
        // A contextual modal covers the place of its presenter: the modal of the container there
        // covers it too.
        var place = family.first
        while let modal = place, modal.standing == .contextual {
            place = way(to: modal.screen.serial).dropLast().last
        }
        return place.flatMap { parent(of: $0.screen.serial) }.flatMap { presented(by: $0) }
    }

    /// Returns the presenter of a screen, or of the modal around the screen.
    func presenter(of serial: Int) -> Int? {
        guard let start = family(of: serial).first, start.isModal else { return nil }
        return way(to: start.screen.serial).dropLast().last?.screen.serial
    }

    /// Returns the first screen that a finder accepts.
    func find(_ finder: Finder, _ info: Info) -> NaiveScreen? {
        switch finder {
        case .never: nil
        case .presenting: presenter(of: topmost.serial).flatMap { screen($0) }
        case .name(let name): find(.table(TableFinder(name: name)), info)
        case .function(let match): find(.table(TableFinder(match: match)), info)
        case .table(let table):
            visited(by: table).first { table.accepts($0, info) }
        }
    }

    /// Returns the screens that a finder visits.
    func visited(by table: TableFinder) -> [NaiveScreen] {
        guard let start = start(of: table) else { return [] }
        let search = table.search ?? .combination("fullStack")
        return visited(from: start.serial, search.options, isTopDown: table.isTopDown)
    }

    private func start(of table: TableFinder) -> NaiveScreen? {
        switch table.start {
        case .topmost, nil: topmost
        case .root: self
        case .visible: visibleLeaf
        case .found(let name): find(.name(name), [:])
        }
    }
}

extension TableFinder {
    func accepts(_ screen: NaiveScreen, _ info: Info) -> Bool {
        if screen.kind == .foreign, name == nil { return false }
        if let name, name != screen.name { return false }
        if let kind, kind != screen.kind.word { return false }
        if let match, !match.accepts(screen, info) { return false }
        return by.allSatisfy { screen.fields.agrees(with: info, on: $0, as: $0) }
    }
}
