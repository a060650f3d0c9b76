// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A type that computes the reports with which a host turns a tree into another arrangement of the
/// same screens.
struct TreeMaking {
    let tree: ScreenTree
    let classes: ScreenClasses
    let printer: NotationPrinter

    /// Returns the reports with which the host gives a window the levels `levels`: the root and the
    /// modals above it.
    ///
    /// Compared with `screens`, the levels may lack modals, and may end with foreign screens.
    func reports(
        _ levels: [ScreenNotation],
        of screens: [ScreenID]
    ) throws(Mismatch) -> [Report] {
        guard let root = screens.first else { return [] }
        let first = levels.indices.dropFirst().first { index in
            guard isForeign(levels[index]) else { return false }
            guard index < screens.count, let screen = tree.screen(screens[index]) else {
                return true
            }
            return !levels[index].isMeant(screen)
        }
        guard let first else { return try modals(levels, of: screens) }
        return try modals(Array(levels[..<first]), of: screens)
            + levels[first...].map { level throws(Mismatch) in
                guard isForeign(level) else {
                    throw Mismatch(range: level.range, label: "no modal is presented here")
                }
                return .presented(foreign: level.name, fields: try fields(of: level), over: root)
            }
    }

    private func fields(of foreign: ScreenNotation) throws(Mismatch) -> Fields {
        if let children = foreign.children, !children.isEmpty {
            throw Mismatch(range: foreign.range, label: "a foreign screen cannot have children")
        }
        var fields = Fields()
        for field in foreign.fields ?? [] { fields[field.name] = field.value }
        return fields
    }

    private func isForeign(_ notation: ScreenNotation) -> Bool {
        classes[notation.name].kind == .foreign
            || notation.kind == .foreign && !classes.declares(notation.name)
    }

    /// Returns the reports that turn a chain of modals into the given levels.
    ///
    /// Each modal presents the next one. Modals above the last level are reported as dismissed.
    private func modals(
        _ levels: [ScreenNotation],
        of screens: [ScreenID]
    ) throws(Mismatch) -> [Report] {
        var reports: [Report] = []
        if screens.count > levels.count,
            let presenter = tree.screen(screens[levels.count])?.presenter
        {
            reports.append(.dismissed(presenter: presenter))
        }
        for (index, level) in levels.enumerated() {
            guard index < screens.count else {
                throw Mismatch(range: level.range, label: "no modal is presented here")
            }
            reports += try self.reports(level, of: screens[index])
        }
        return reports
    }

    private func reports(
        _ notation: ScreenNotation,
        of id: ScreenID
    ) throws(Mismatch) -> [Report] {
        guard let screen = tree.screen(id), notation.isMeant(screen) else {
            let text = printer.screen(id, in: tree, deep: false)
            throw Mismatch(range: notation.range, label: "the screen is \(text)")
        }
        guard let list = notation.children else { return [] }
        var rest = screen.children
        var children: [ScreenID] = []
        var selected: ScreenID?
        var inner: [Report] = []
        var pushed: [Report] = []
        for case .child(let child, let star) in list {
            let level = child.levels[0]
            if isForeign(level), !rest.contains(where: { tree[$0].kind == .foreign }) {
                let fields = try fields(of: level)
                pushed.append(.pushed(foreign: level.name, fields: fields, onto: id))
                continue
            }
            guard pushed.isEmpty else {
                let label =
                    "the app puts foreign screens on top, so they cannot be below other screens"
                throw Mismatch(range: child.range, label: label)
            }
            let (index, reports) = try take(child, among: rest)
            let id = rest.remove(at: index)
            children.append(id)
            inner += reports
            guard let star else { continue }
            guard screen.shows == .selected else {
                let label = "\(printer.screen(screen.id, in: tree, deep: false)) has no selection"
                throw Mismatch(range: star, label: label)
            }
            selected = id
        }
        var reports: [Report] = []
        if children != screen.children { reports.append(.children(children, of: id)) }
        reports += pushed
        // At this point, the selection rule of the tabs may have selected another tab.
        if let selected { reports.append(.selected(selected)) }
        return reports + inner
    }

    /// Returns the index of the first given screen that can become the child, and the reports for
    /// that screen.
    ///
    /// - Throws: If no screen can become the child, the mismatch of the first screen that has the
    ///   expected class, kind and fields; if there is no such screen, a mismatch of the whole
    ///   child.
    private func take(
        _ child: TreeNotation,
        among screens: [ScreenID]
    ) throws(Mismatch) -> (index: Int, reports: [Report]) {
        var mismatch: Mismatch?
        for (index, id) in screens.enumerated() {
            guard let screen = tree.screen(id), child.levels[0].isMeant(screen) else { continue }
            do throws(Mismatch) {
                let levels = Array(sequence(first: id) { tree.screen($0)?.modal })
                return (index, try modals(child.levels, of: levels))
            } catch {
                mismatch = mismatch ?? error
            }
        }
        throw mismatch ?? Mismatch(range: child.range, label: "not in the tree")
    }
}

extension ScreenNotation {
    /// Returns whether a screen has the expected class, kind and fields.
    ///
    /// The children of the screen are ignored.
    fileprivate func isMeant(_ screen: Screen) -> Bool {
        guard name == screen.class, kind.map({ $0 == screen.kind }) ?? true else { return false }
        guard let fields else { return true }
        if fields.isEmpty { return screen.fields.count == 0 }
        return fields.allSatisfy { screen.fields[$0.name].isEqual(to: $0.value) }
    }
}
