// SPDX-License-Identifier: MIT

/// An operation of a host, with the serials of the screens.
struct NaiveOperation: Hashable {
    var name: String
    var screens: [Int]
    /// The container or presenter.
    var holder: Int?

    /// Returns the operations that turn one tree into another.
    ///
    /// - Parameters:
    ///   - old: The previous tree.
    ///   - new: The new tree.
    /// - Returns: The operations, in order.
    static func operations(from old: NaiveScreen, to new: NaiveScreen) -> [NaiveOperation] {
        guard old.serial == new.serial else {
            return [NaiveOperation(name: "root", screens: [new.serial])]
        }
        let before = old.all
        let after = new.all
        func was(_ screen: NaiveScreen) -> NaiveScreen? {
            before.first { $0.serial == screen.serial }
        }
        func now(_ screen: NaiveScreen) -> NaiveScreen? {
            after.first { $0.serial == screen.serial }
        }
        var result: [NaiveOperation] = []
        for screen in before {
            guard let modal = screen.modals.first, let later = now(screen) else { continue }
            if later.modals.first?.serial != modal.serial {
                result.append(
                    NaiveOperation(name: "dismiss", screens: [modal.serial], holder: screen.serial)
                )
            }
        }
        for screen in after where screen.kind.shows != nil {
            if let earlier = was(screen) { result += changes(from: earlier, to: screen) }
        }
        for screen in after {
            guard let modal = screen.modals.first else { continue }
            if was(screen)?.modals.first?.serial != modal.serial {
                result.append(
                    NaiveOperation(name: "present", screens: [modal.serial], holder: screen.serial)
                )
            }
        }
        for screen in after {
            if let earlier = was(screen), earlier.fields != screen.fields {
                result.append(NaiveOperation(name: "update", screens: [screen.serial]))
            }
        }
        return result
    }

    /// Returns the changes of one container.
    private static func changes(from old: NaiveScreen, to new: NaiveScreen) -> [NaiveOperation] {
        var result: [NaiveOperation] = []
        let before = old.children.map(\.serial)
        let after = new.children.map(\.serial)
        if before != after {
            if new.kind == .nav, after.count == before.count + 1, Array(after.dropLast()) == before
            {
                result.append(
                    NaiveOperation(name: "push", screens: after.suffix(1), holder: new.serial)
                )
            } else if new.kind == .nav, after.count < before.count,
                Array(before.prefix(after.count)) == after
            {
                result.append(
                    NaiveOperation(name: "pop", screens: after.suffix(1), holder: new.serial)
                )
            } else {
                result.append(
                    NaiveOperation(name: "children", screens: after, holder: new.serial)
                )
            }
        }
        if new.kind.shows == .selected, !after.isEmpty {
            var ruled = old
            try? ruled.setChildren(new.children)
            if ruled.selected != new.selected {
                result.append(
                    NaiveOperation(
                        name: "select",
                        screens: [after[new.selected]],
                        holder: new.serial
                    )
                )
            }
        }
        return result
    }
}
