// SPDX-License-Identifier: MIT

/// A screen on the path from the root of a window to another screen.
struct Hop {
    enum Standing { case root, level, contextual, child }

    let screen: NaiveScreen
    let standing: Standing

    var isModal: Bool { standing == .level || standing == .contextual }
    var startsLevel: Bool { standing == .root || standing == .level }
}

// `self` is the root of the window in all of these.
extension NaiveScreen {
    /// Returns the path from the root to a screen, including both.
    func way(to serial: Int) -> [Hop] {
        func search(_ hop: Hop) -> [Hop]? {
            if hop.screen.serial == serial { return [hop] }
            for child in hop.screen.children {
                if let rest = search(Hop(screen: child, standing: .child)) { return [hop] + rest }
            }
            for modal in hop.screen.modals {
                let standing: Hop.Standing = hop.startsLevel ? .level : .contextual
                if let rest = search(Hop(screen: modal, standing: standing)) { return [hop] + rest }
            }
            return nil
        }
        return search(Hop(screen: self, standing: .root)) ?? []
    }

    /// Returns the part of the path that is inside the level of the screen, beginning with the root
    /// of the level.
    func wayInLevel(to serial: Int) -> [Hop] {
        let way = way(to: serial)
        guard let start = way.lastIndex(where: \.startsLevel) else { return [] }
        return Array(way[start...])
    }

    /// The root screens of all levels, beginning with the lowest level.
    var levels: [NaiveScreen] { [self] + (modals.first?.levels ?? []) }

    var topmost: NaiveScreen { levels[levels.count - 1] }

    /// Returns the visible path of a screen: the screen itself, followed by contextual modals or
    /// leading children.
    func visibleWay(from serial: Int) -> [NaiveScreen] {
        guard let hop = way(to: serial).last else { return [] }
        var result = [hop.screen]
        var covering = hop.startsLevel ? nil : hop.screen.modals.first
        while let next = covering ?? result[result.count - 1].visibleChildren.last {
            result.append(next)
            covering = next.modals.first
        }
        return result
    }

    var visibleLeaf: NaiveScreen { visibleWay(from: topmost.serial).last ?? topmost }

    /// Returns the nearest screen that fits, at or above a place and inside the level of the place.
    func nearest(from serial: Int, _ fits: (NaiveScreen) -> Bool) -> NaiveScreen? {
        wayInLevel(to: serial).map(\.screen).last(where: fits)
    }

    /// Returns the container that an action needs: a screen at or above the place, or otherwise on
    /// the visible path of the place.
    func container(from serial: Int, _ fits: (NaiveScreen) -> Bool) -> NaiveScreen? {
        nearest(from: serial, fits) ?? visibleWay(from: serial).last(where: fits)
    }

    // MARK: Making visible

    /// Dismisses all modals that cover a screen.
    mutating func uncover(_ serial: Int) throws(Failure) {
        let way = way(to: serial)
        for (index, hop) in way.enumerated() {
            let leadsOverModal = index + 1 < way.count && way[index + 1].isModal
            if !leadsOverModal { try edit(hop.screen.serial) { $0.modals = [] } }
        }
    }

    /// Makes a screen visible in all of its containers, beginning with the innermost one.
    mutating func show(_ serial: Int) throws(Failure) {
        let way = way(to: serial)
        for index in way.indices.dropFirst().reversed() where way[index].standing == .child {
            let child = way[index].screen.serial
            try edit(way[index - 1].screen.serial) { container throws(Failure) in
                guard let place = container.children.firstIndex(where: { $0.serial == child })
                else { return }
                switch container.kind.shows {
                case .last: container.children = Array(container.children[...place])
                case .selected: container.selected = place
                case .all, nil: break
                }
            }
        }
    }

    /// Uncovers a screen, and selects it in containers that show the selected child.
    mutating func uncoverAndSelect(_ serial: Int) throws(Failure) {
        try uncover(serial)
        let way = way(to: serial)
        for index in way.indices.dropFirst() where way[index].standing == .child {
            let child = way[index].screen.serial
            try edit(way[index - 1].screen.serial) { container throws(Failure) in
                guard container.kind.shows == .selected,
                    let place = container.children.firstIndex(where: { $0.serial == child })
                else { return }
                container.selected = place
            }
        }
    }

    /// Uncovers a screen and makes it visible.
    mutating func reveal(_ serial: Int) throws(Failure) {
        try uncover(serial)
        try show(serial)
    }
}
