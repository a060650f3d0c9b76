// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Functions that apply the changes of a run to the current tree.
extension ConformanceRun {
    /// Returns the parts of a change.
    ///
    /// The host is checked after each part.
    func parts(of change: ConformanceChange) -> [() -> Void] {
        guard change.kind == .guards else { return [{ self.perform(change) }] }
        var numbers = SeededNumbers(seed: change.seed)
        let word = numbers.below(2) == 0 ? "asks" : "never"
        func set(_ value: Value) { try? router.setState("guard", to: value) }
        return [{ set(Value(word)) }, { self.perform(change) }, { set(.nil) }]
    }

    /// Makes a change.
    ///
    /// A change that the tree does not allow has no effect.
    func perform(_ change: ConformanceChange) {
        var numbers = SeededNumbers(seed: change.seed)
        perform(screens.count > 40 ? .root : change.kind, &numbers)
    }

    private var tree: ScreenTree { router.tree }

    private var screens: [ScreenID] { tree.windows.flatMap { tree.screens(under: $0.root) } }

    private func pick(
        _ numbers: inout SeededNumbers,
        where fits: (Screen) -> Bool = { _ in true }
    ) -> ScreenID? {
        screens.filter { fits(tree[$0]) }.randomElement(using: &numbers)
    }

    private func navigate(
        _ tasks: [String],
        from place: ScreenID?,
        order: [Value]? = nil,
        _ numbers: inout SeededNumbers
    ) {
        guard let page = pages.randomElement(using: &numbers),
            let task = tasks.randomElement(using: &numbers)
        else { return }
        lastPage += 1
        var info: InfoTable = ["id": Value(lastPage)]
        if let order { info["order"] = .table(InfoTable(list: order)) }
        var options = NavigationOptions(isAnimated: numbers.below(2) == 0)
        options.from = place
        router.navigate(Target(page, task), info: info, options: options)
    }

    private func perform(_ kind: HostConformance.Kind, _ numbers: inout SeededNumbers) {
        switch kind {
        case .push:
            let place = numbers.below(2) == 0 ? pick(&numbers) { $0.kind == .nav } : nil
            navigate(["push"], from: place, &numbers)
        case .pop: pop(&numbers)
        case .select:
            if let screen = pick(&numbers) { router.select(screen) }
        case .present:
            navigate(["sheet", "cover", "stack"], from: nil, &numbers)
        case .presentContextually:
            let place = pick(&numbers) { $0.kind == .leaf && $0.parent != nil && $0.modal == nil }
            if let place { navigate(["overlay"], from: place, &numbers) }
        case .dismiss:
            switch numbers.below(4) {
            case 0: router.dismissAll()
            case 1: router.dismiss()
            default:
                if let modal = pick(&numbers, where: { $0.presenter != nil }) {
                    router.close(modal)
                }
            }
        case .root:
            guard let window = tree.windows.randomElement(using: &numbers),
                let root = try? makeTree(&numbers)
            else { return }
            router.replace(window.root, with: root)
        case .restore:
            if let snapshot, numbers.below(2) == 0 {
                router.restore(snapshot)
            } else {
                snapshot = router.snapshot()
            }
        case .children: reorder(&numbers)
        case .detail:
            let split = pick(&numbers) { $0.kind == .split }
            navigate(["detail", "detail", "primary"], from: split, &numbers)
        case .update:
            let pages = (0...numbers.below(3)).compactMap { _ in
                pick(&numbers) { $0.kind == .leaf }.map(Value.screen)
            }
            lastPage += 1
            let info: InfoTable = ["pages": .table(InfoTable(list: pages)), "id": Value(lastPage)]
            _ = try? router.call("update", info)
        case .windows: changeWindows(&numbers)
        case .refusal:
            relay.disturbance = ConformanceRelay.Disturbance.allCases.randomElement(using: &numbers)
            let kinds: [HostConformance.Kind] = [
                .push, .pop, .present, .dismiss, .root, .children, .select, .windows,
            ]
            if let kind = kinds.filter(isIncluded).randomElement(using: &numbers) {
                perform(kind, &numbers)
            }
        case .report, .guards: act(&numbers, isGuarded: kind == .guards)
        case .reselect:
            guard let person = subject.person,
                let tabs = pick(&numbers, where: { $0.kind == .tabs })
            else { return }
            isTapped = true
            person(.reselected(tabs))
        case .foreign:
            guard let person = subject.person,
                let stack = pick(&numbers, where: { $0.kind == .nav })
            else { return }
            pushed = (stack, tree[stack].children)
            let push = Report.pushed(foreign: "Foreign", onto: stack)
            report = push
            person(push)
        }
    }

    private func pop(_ numbers: inout SeededNumbers) {
        switch numbers.below(5) {
        case 0: router.popToRoot()
        case 1: router.back()
        case 2: router.back(2 + numbers.below(2))
        case 3: if let screen = pick(&numbers) { router.pop(to: screen) }
        default: if let screen = pick(&numbers) { router.close(screen) }
        }
    }

    /// Adds a page to a stack or to tabs, at any position, and moves or removes other pages.
    private func reorder(_ numbers: inout SeededNumbers) {
        let container = pick(&numbers) { $0.kind == .nav || $0.kind == .tabs }
        guard let container else { return }
        var order = Array(0...tree[container].children.count).shuffled(using: &numbers)
        if numbers.below(3) == 0 {
            order.removeAll { index in index != 0 && numbers.below(3) == 0 }
        }
        let task = tree[container].kind == .nav ? "navOrder" : "tabsOrder"
        navigate([task], from: container, order: order.map { Value($0) }, &numbers)
    }

    private func changeWindows(_ numbers: inout SeededNumbers) {
        if tree.windows.count > 2 || tree.windows.count == 2 && numbers.below(2) == 0 {
            guard let window = tree.windows.randomElement(using: &numbers) else { return }
            router.closeWindow(window.name)
            return
        }
        let name = ["second", "third"].first { tree.window($0) == nil }
        guard let name, let root = try? makeTree(&numbers) else { return }
        router.openWindow(name, root)
    }

    /// Simulates a user action that the host performs and reports.
    private func act(_ numbers: inout SeededNumbers, isGuarded: Bool) {
        guard let person = subject.person else { return }
        var acts: [[Report]] = [[], [], [], []]
        for screen in screens.map({ tree[$0] }) {
            let count = screen.children.count
            if screen.modal != nil { acts[0].append(.dismissed(presenter: screen.id)) }
            if screen.kind == .nav || screen.kind == .split, count > 1 {
                let rest = Array(screen.children.prefix(1 + numbers.below(count - 1)))
                acts[1].append(.children(rest, of: screen.id))
            }
            if screen.kind == .tabs {
                acts[2] += screen.children.filter { $0 != screen.leadingChild }.map(Report.selected)
            }
        }
        if isGuarded {
            acts[2] = []
            // Foreign screens are not guarded.
            acts = acts.map { $0.filter { router.guard(of: $0) != .free } }
        } else if tree.windows.count > 1 {
            acts[3] = tree.windows.map { .closed(window: $0.name) }
        }
        let report = acts.filter { !$0.isEmpty }.randomElement(using: &numbers)?
            .randomElement(using: &numbers)
        guard let report else { return }
        if isGuarded { guarded = (report, router.guard(of: report)) } else { self.report = report }
        person(report)
    }

    // MARK: Trees

    private func makePage(_ numbers: inout SeededNumbers) throws -> ScreenID {
        lastPage += 1
        let name = pages.randomElement(using: &numbers) ?? pages[0]
        return try router.screen(
            name,
            ["id": Value(lastPage)]
        )
    }

    private func makeNav(_ numbers: inout SeededNumbers) throws -> ScreenID {
        try router.nav((0...numbers.below(4)).map { _ in try makePage(&numbers) })
    }

    private func makeSplit(_ numbers: inout SeededNumbers) throws -> ScreenID {
        var children = [try makeNav(&numbers)]
        if numbers.below(3) > 0 { children.append(try makePage(&numbers)) }
        return try router.split(children)
    }

    /// Creates a detached tree with a nesting that UI frameworks can show: stacks in splits, and
    /// splits in tabs.
    private func makeTree(_ numbers: inout SeededNumbers) throws -> ScreenID {
        switch isIncluded(.detail) ? numbers.below(6) : numbers.below(4) {
        case 0: return try makePage(&numbers)
        case 1: return try makeNav(&numbers)
        case 2, 3:
            let tabs = try (0...numbers.below(3)).map { _ in
                switch numbers.below(isIncluded(.detail) ? 4 : 3) {
                case 0: try makePage(&numbers)
                case 1, 2: try makeNav(&numbers)
                default: try makeSplit(&numbers)
                }
            }
            return try router.tabs(tabs, selected: 1 + numbers.below(tabs.count))
        default: return try makeSplit(&numbers)
        }
    }
}
