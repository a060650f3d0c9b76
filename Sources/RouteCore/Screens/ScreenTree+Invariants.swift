// SPDX-License-Identifier: MIT

extension ScreenTree {
    /// Checks the invariants of the tree between edits: every link has its counterpart, every
    /// screen of the tree can be reached exactly once, and containers have only allowed children.
    ///
    /// - Returns: A sentence for each invariant that is broken; empty for a valid tree.
    /// - Complexity: O(*n* · *d*) in the number *n* of screens and their depth *d*.
    package func checkInvariants() -> [String] {
        var check = InvariantCheck(tree: self)
        check.run()
        return check.broken
    }
}

private struct InvariantCheck {
    let tree: ScreenTree
    var broken: [String] = []
    /// The number of times that each screen occurs among the children of its parent.
    private var places: [ScreenID: Int] = [:]

    init(tree: ScreenTree) { self.tree = tree }

    mutating func run() {
        checkWindows()
        for screen in tree.heldScreens {
            for child in screen.children where tree.screen(child)?.parent == screen.id {
                places[child, default: 0] += 1
            }
        }
        var serials: Set<Int32> = []
        for screen in tree.heldScreens {
            expect(
                serials.insert(screen.id.serial).inserted,
                on: screen,
                sentence: "has the same serial as another screen"
            )
            expect(
                tree.screen(screen.id) == screen,
                on: screen,
                sentence: "is not found at its position"
            )
            checkHolder(screen)
            checkChildren(screen)
            checkSelection(screen)
            checkModal(screen)
        }
    }

    private mutating func checkWindows() {
        var names: Set<String> = []
        var reached: Set<ScreenID> = []
        for window in tree.windows {
            if !names.insert(window.name).inserted {
                broken.append("window '\(window.name)' is open twice")
            }
            guard let root = tree.screen(window.root) else {
                broken.append("the root of window '\(window.name)' is not in the tree")
                continue
            }
            expect(
                root.parent == nil && root.presenter == nil,
                on: root,
                sentence: "is the root of a window, but has a parent or a presenter"
            )
            var pending = [window.root]
            while let id = pending.popLast() {
                guard let screen = tree.screen(id) else { continue }
                guard reached.insert(id).inserted else {
                    broken.append("\(name(screen))is in the tree twice")
                    continue
                }
                expect(!tree.isGone(id), on: screen, sentence: "is in the tree, but was removed")
                pending += screen.children
                if let modal = screen.modal { pending.append(modal) }
            }
        }
    }

    private mutating func checkHolder(_ screen: Screen) {
        expect(
            screen.parent == nil || screen.presenter == nil,
            on: screen,
            sentence: "has both a parent and a presenter"
        )
        if screen.parent != nil {
            let count = places[screen.id] ?? 0
            expect(
                count == 1,
                on: screen,
                sentence: "occurs \(count) times among the children of its parent"
            )
        }
        if let presenter = screen.presenter {
            expect(
                tree.screen(presenter)?.modal == screen.id,
                on: screen,
                sentence: "is not the modal of its presenter"
            )
        }
        var holder = screen.parent ?? screen.presenter
        var steps = 0
        while let current = holder.flatMap({ tree.screen($0) }), steps <= tree.heldCount {
            holder = current.parent ?? current.presenter
            steps += 1
        }
        expect(steps <= tree.heldCount, on: screen, sentence: "is inside itself")
    }

    private mutating func checkChildren(_ screen: Screen) {
        expect(
            screen.childList.isEmpty || screen.kind.isContainer,
            on: screen,
            sentence: "has children, but is not a container"
        )
        expect(
            screen.childList.count <= screen.max ?? .max,
            on: screen,
            sentence: "has more children than its maximum"
        )
        for child in screen.children {
            expect(
                tree.screen(child)?.parent == screen.id,
                on: screen,
                sentence: "contains a child of another container"
            )
        }
    }

    private mutating func checkSelection(_ screen: Screen) {
        let bound = screen.shows == .selected ? max(1, screen.childList.count) : 1
        expect(
            (0..<bound).contains(screen.selection),
            on: screen,
            sentence: "selects a screen that it does not contain"
        )
    }

    private mutating func checkModal(_ screen: Screen) {
        guard let modal = screen.modal else { return }
        guard let presented = tree.screen(modal) else {
            broken.append("the modal of \(name(screen)) does not exist")
            return
        }
        expect(
            presented.presenter == screen.id,
            on: screen,
            sentence: "presents a modal of another screen"
        )
        // For the modals of a detached screen, `isContextual` is updated only when the screen is
        // inserted.
        expect(
            !tree.isAlive(modal)
                || presented.presentation.isContextual == isInContainer(screen),
            on: presented,
            sentence: "must be contextual exactly if its presenter is in a container"
        )
    }

    private func isInContainer(_ screen: Screen) -> Bool {
        var current: Screen? = screen
        while let place = current {
            if place.parent != nil { return true }
            current = place.presenter.flatMap {
                place.presentation.isContextual ? tree.screen($0) : nil
            }
        }
        return false
    }

    private mutating func expect(_ holds: Bool, on screen: Screen, sentence: String) {
        if !holds { broken.append("\(name(screen)) \(sentence)") }
    }

    private func name(_ screen: Screen) -> String { "screen \(screen.id.serial)" }
}
