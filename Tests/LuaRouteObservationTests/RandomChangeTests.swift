// SPDX-License-Identifier: MIT

import LuaRouteObservation
import LuaRouting
import Observation
import RandomNumbers
import Testing

/// Tests with random navigations of the router, between which bindings are set at random.
@MainActor
struct RandomChangeTests {
    /// A value that a view reads.
    private struct Read {
        let name: String
        let value: () -> Content
    }

    private enum Content: Equatable {
        case windows([RouterWindow])
        case ids([ScreenID?])
        case modal(PresentedScreen?)
        case screen(Screen?)
    }

    /// Whether an observer was called.
    private final class Observer: @unchecked Sendable {
        var isCalled = false
    }

    private struct Run {
        let fixture: Fixture
        var numbers: RandomNumbers
        /// Screens that are or were in the tree.
        var known: [ScreenID] = []

        var screen: ScreenID { mutating get { numbers.pick(known) } }
    }

    @Test("the model equals the tree, and notifies only readers of values that changed or were set")
    func random() async throws {
        var run = Run(fixture: try Fixture(), numbers: RandomNumbers(seed: 1))
        for step in 1...20_000 {
            // Other tests use the main actor too.
            if step % 100 == 0 { await Task.yield() }
            let tree = run.fixture.router.tree
            run.known = tree.windows.flatMap { tree.screens(under: $0.root) } + run.known.suffix(3)
            let reads = (0..<4).map { _ in read(&run) }
            let observed = reads.map { read in
                let observer = Observer()
                let value = withObservationTracking {
                    read.value()
                } onChange: {
                    observer.isCalled = true
                }
                return (read, observer, value)
            }
            let ignored = run.fixture.ignored.count
            let isTooLarge = run.known.count > 40 || step % 50 == 0
            let change = isTooLarge ? restart(&run) : change(&run)
            for (read, observer, before) in observed {
                let isInVain = run.fixture.ignored.count > ignored && read.name == change
                #expect(
                    observer.isCalled == (read.value() != before || isInVain),
                    "step \(step), \(change): \(read.name) of \(run.fixture.tree)"
                )
            }
            let shown = run.fixture.model.tree
            let router = run.fixture.router
            try #require(shown.windows == router.tree.windows, "step \(step), \(change)")
            for id in router.tree.windows.flatMap({ router.tree.screens(under: $0.root) }) {
                try #require(
                    shown.isAlive(id) && shown[id] == router.tree[id],
                    "step \(step), \(change)"
                )
            }
            try #require(router.pending.isEmpty, "step \(step), \(change)")
        }
    }

    private func read(_ run: inout Run) -> Read {
        let (model, id) = (run.fixture.model, run.screen)
        switch run.numbers.below(9) {
        case 0: return Read(name: "windows") { .windows(model.windows) }
        case 1: return Read(name: "window") { .ids([model[window: "second"]]) }
        case 2: return Read(name: "path of \(id)") { .ids(model[path: id]) }
        case 3: return Read(name: "selection of \(id)") { .ids([model[selection: id]]) }
        case 4: return Read(name: "detail of \(id)") { .ids([model[detail: id]]) }
        case 5: return Read(name: "sheet of \(id)") { .modal(model[sheet: id]) }
        case 6: return Read(name: "cover of \(id)") { .modal(model[cover: id]) }
        case 7: return Read(name: "overlay of \(id)") { .modal(model[contextual: id]) }
        default: return Read(name: "screen") { .screen(model[screen: id]) }
        }
    }

    /// Makes a random change.
    ///
    /// - Returns: The name of the change.
    private func change(_ run: inout Run) -> String {
        let (model, router, id) = (run.fixture.model, run.fixture.router, run.screen)
        switch run.numbers.below(16) {
        case 0...3:
            let task = run.numbers.pick(["push", "sheet", "stack", "cover", "overlay", "detail"])
            run.fixture.navigate(task, from: router.tree.isAlive(id) ? id : nil)
            return task
        case 4:
            _ = try? router.call("set", ["page": .screen(id), "id": Value(run.numbers.below(9))])
            return "set"
        case 5:
            router.close(id)
            return "close"
        case 6:
            router.select(id)
            return "select"
        case 7:
            guard model[window: "second"] == nil else {
                router.closeWindow("second")
                return "closeWindow"
            }
            guard let nav = try? router.nav([router.screen("Home")]) else { return "none" }
            router.openWindow("second", nav)
            return "openWindow"
        case 8, 9:
            let stacks = run.known.filter { !model[path: $0].isEmpty }
            guard !stacks.isEmpty else { return "none" }
            let nav = run.numbers.pick(stacks)
            model[path: nav].removeLast(1 + run.numbers.below(model[path: nav].count))
            return "path of \(nav)"
        case 10:
            model[path: id].append(run.screen)
            return "path of \(id)"
        case 11:
            let tabs = router.tree.screen(id)?.parent ?? id
            model[selection: tabs] = id
            return "selection of \(tabs)"
        case 12:
            model[detail: id] = nil
            return "detail of \(id)"
        case 13:
            model[sheet: id] = nil
            return "sheet of \(id)"
        case 14:
            model[cover: id] = nil
            return "cover of \(id)"
        default:
            model[contextual: id] = nil
            return "overlay of \(id)"
        }
    }

    private func restart(_ run: inout Run) -> String {
        run.fixture.router.start()
        return "start"
    }
}
