// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import Testing

/// A container of many screens, and a plain list of the children that it must have.
private struct LargeContainer {
    var tree = ScreenTree()
    var random: RandomNumbers
    let id: ScreenID
    /// The expected children, and the index of the selected one.
    var model: (children: [ScreenID], selection: Int)

    init(_ kind: String, seed: UInt64) throws {
        random = RandomNumbers(seed: seed)
        var screens: [ScreenID] = []
        for _ in 0..<random.below(200) {
            screens.append(try tree.makeScreen(ScreenClass("Page")))
        }
        id = try tree.makeScreen(ScreenClass(kind), children: screens)
        try tree.setRoot(id, of: "main")
        model = (screens, 0)
    }

    /// Sets the children by the rule of tabs, as described in the contract.
    private mutating func set(_ children: [ScreenID]) {
        let (before, selection) = model
        model.children = children
        guard tree.screen(id)?.kind == .tabs, !before.isEmpty else { return }
        model.selection =
            children.firstIndex(of: before[selection])
            ?? max(0, min(selection, children.count - 1))
    }

    mutating func edit() throws {
        var children = model.children
        let position = random.below(children.count + 1)
        switch random.below(tree.screen(id)?.kind == .nav ? 7 : 5) {
        case 0:
            children.removeSubrange(position..<min(children.count, position + random.below(40)))
            try tree.setChildren(children, of: id)
        case 1:
            children.insert(try make(), at: position)
            try tree.setChildren(children, of: id)
        case 2:
            guard !children.isEmpty else { return }
            let moved = children.remove(at: random.below(children.count))
            children.insert(moved, at: random.below(children.count + 1))
            try tree.setChildren(children, of: id)
        case 3:
            if random.isTrue(oneIn: 4) { children.shuffle(using: &random) }
            try tree.setChildren(children, of: id)
        case 4 where tree.screen(id)?.kind == .tabs:
            let new = try make()
            let isReplacing = position < children.count && random.isTrue(oneIn: 2)
            children.replaceSubrange(position..<position + (isReplacing ? 1 : 0), with: [new])
            try tree.addTab(new, to: id, at: position + 1, replacing: isReplacing)
        case 4:
            let new = try make()
            children = children.dropLast() + [new]
            try tree.pushReplacingLast(new, onto: id)
        case 5:
            for _ in 0..<random.below(40) {
                let new = try make()
                children.append(new)
                try tree.push(new, onto: id)
            }
        default:
            guard position < children.count else { return }
            try tree.pop(to: children[position])
            children.removeSubrange((position + 1)...)
        }
        set(children)
    }

    private mutating func make() throws -> ScreenID {
        try tree.makeScreen(ScreenClass("Page"))
    }

    mutating func select() throws {
        guard tree.screen(id)?.kind == .tabs, !model.children.isEmpty else { return }
        model.selection = random.below(model.children.count)
        try tree.select(model.children[model.selection])
    }

    /// Whether the container has the expected children.
    var isSound: Bool {
        guard let screen = tree.screen(id) else { return false }
        return Array(screen.children) == model.children && screen.selection == model.selection
    }
}

struct LargeContainerTests {
    @Test(
        "a container with many screens behaves like a plain list",
        arguments: ["nav", "tabs"],
        [UInt64](1...3)
    )
    func model(_ kind: String, _ seed: UInt64) throws {
        var container = try LargeContainer(kind, seed: seed)
        for step in 0..<20 {
            let comment: Comment = "\(kind), seed \(seed), step \(step)"
            let before = container
            container.tree.openNewDraft()
            for _ in 0..<container.random.below(4) {
                try container.edit()
                try container.select()
                try #require(container.isSound, comment)
            }
            try #require(container.tree.checkInvariants() == [], comment)
            let difference = container.tree.draftDifference()
            try #require(difference == Difference(from: before.tree, to: container.tree), comment)
            var replay = Replay(before.tree)
            for operation in difference.operations {
                try replay.apply(operation, new: container.tree)
            }
            try #require(
                replay.reachable.screens == Replay(container.tree).screens,
                comment
            )
            try #require(before.isSound, comment)
            if container.random.isTrue(oneIn: 3) {
                container.tree.dropDraft()
                container.model = before.model
            } else {
                container.tree.closeDraft(difference)
            }
            try #require(container.isSound, comment)
            try #require(container.tree.checkInvariants() == [], comment)
        }
    }

    @Test("a screen cannot be inserted twice, even next to children that stay or move")
    func twice() throws {
        var tree = ScreenTree()
        let screens = try (0..<100).map { _ in try tree.makeScreen(ScreenClass("Page")) }
        let nav = try tree.makeScreen(ScreenClass("nav"), children: screens)
        for position in [0, 50, 100] {
            var children = screens
            children.insert(screens[position == 0 ? 70 : 3], at: position)
            #expect(throws: RouteError.self) { try tree.setChildren(children, of: nav) }
            #expect(throws: RouteError.self) {
                try tree.setChildren(Array(children.dropFirst(2)) + screens.prefix(2), of: nav)
            }
            #expect(Array(try #require(tree.screen(nav)).children) == screens)
        }
    }
}
