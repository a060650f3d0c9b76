// SPDX-License-Identifier: MIT

/// A leaving verb.
enum Leaving: Sendable, Hashable {
    case back(Int)
    case popTo(Int)
    case popToRoot
    case dismiss
    case dismissAll
    case close(Int)
    case select(Int)
}

extension NaivePlanner {
    /// Performs a leaving verb, completely or not at all.
    func leave(_ leaving: Leaving, in tree: NaiveScreen) -> NaiveOutcome {
        var stage = tree
        var isMoved = true
        do throws(Failure) {
            switch leaving {
            case .back(let count):
                isMoved = false
                for _ in 0..<count { if try stage.goBack() { isMoved = true } else { break } }
            case .popTo(let serial): try stage.reveal(serial)
            case .popToRoot: isMoved = try stage.popToRoot()
            case .dismiss: isMoved = try stage.dismiss(keeping: stage.levels.count - 1)
            case .dismissAll: isMoved = try stage.dismiss(keeping: 1)
            case .close(let serial): try stage.close(serial)
            case .select(let serial): try stage.reveal(serial)
            }
            try world.permit(from: tree, to: stage)
        } catch {
            return NaiveOutcome(end: error.code, tree: tree)
        }
        return NaiveOutcome(end: isMoved ? "done" : "stayed", tree: stage)
    }
}

extension NaiveScreen {
    /// Goes back by one step, leaving the innermost stack or modal around the visible leaf that can
    /// be left.
    fileprivate mutating func goBack() throws(Failure) -> Bool {
        let way = way(to: visibleLeaf.serial)
        for index in way.indices.reversed() {
            let hop = way[index]
            if hop.screen.kind == .nav, hop.screen.children.count > 1, index + 1 < way.count,
                way[index + 1].standing == .child
            {
                try edit(hop.screen.serial) { $0.children.removeLast() }
                return true
            }
            if hop.isModal {
                try edit(way[index - 1].screen.serial) { $0.modals = [] }
                return true
            }
        }
        return false
    }

    fileprivate mutating func popToRoot() throws(Failure) -> Bool {
        guard let nav = nearest(from: visibleLeaf.serial, { $0.kind == .nav }),
            nav.children.count > 1
        else { return false }
        try edit(nav.serial) { $0.children = Array($0.children.prefix(1)) }
        return true
    }

    fileprivate mutating func dismiss(keeping count: Int) throws(Failure) -> Bool {
        guard count >= 1, levels.count > count else { return false }
        try edit(levels[count - 1].serial) { $0.modals = [] }
        return true
    }

    fileprivate mutating func close(_ serial: Int) throws(Failure) {
        let way = way(to: serial)
        guard let hop = way.last, way.count > 1 else { throw Failure("composition") }
        let holder = way[way.count - 2].screen
        guard hop.standing == .child else {
            try edit(holder.serial) { $0.modals = [] }
            return
        }
        let place = holder.children.firstIndex { $0.serial == serial } ?? 0
        let rest: [NaiveScreen] =
            switch holder.kind {
            case .nav: Array(holder.children[..<place])
            // A split without its primary is empty.
            case .split: place == 0 ? [] : Array(holder.children[..<place])
            default: holder.children.filter { $0.serial != serial }
            }
        guard !rest.isEmpty else { return try close(holder.serial) }
        try edit(holder.serial) { container throws(Failure) in try container.setChildren(rest) }
    }
}
