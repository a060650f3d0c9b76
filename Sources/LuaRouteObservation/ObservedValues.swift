// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The values of a tree that views read.
///
/// The values of a screen that is not in the tree are empty.
extension ScreenTree {
    func shown(_ id: ScreenID) -> Screen? { isAlive(id) ? screen(id) : nil }

    /// The screens of a stack above its first screen.
    func path(of nav: ScreenID) -> [ScreenID] {
        guard let screen = shown(nav), screen.shows == .last else { return [] }
        return Array(screen.children.dropFirst())
    }

    /// The selected child of tabs, or of another container that shows only the selected child.
    func selection(of tabs: ScreenID) -> ScreenID? {
        guard let screen = shown(tabs), screen.shows == .selected else { return nil }
        return screen.visibleChildren.first
    }

    func detail(of split: ScreenID) -> ScreenID? {
        guard let screen = shown(split), screen.kind == .split else { return nil }
        return screen.children.dropFirst().first
    }

    /// The modal of a screen, unless the host shows it without the router.
    func modal(of presenter: ScreenID, _ kind: ModalKind) -> PresentedScreen? {
        guard let modal = shown(presenter)?.modal.flatMap(shown), modal.kind != .foreign else {
            return nil
        }
        let item = PresentedScreen(id: modal.id, presentation: modal.presentation)
        return item.matches(kind) ? item : nil
    }
}

/// A value that views observe.
enum ObservedValue: Hashable {
    case tree, windows, guards
    case window(String)
    case screen(ScreenID), path(ScreenID), selection(ScreenID), detail(ScreenID)
    case modal(ScreenID, ModalKind)

    /// Returns the values that differ between two trees, each once.
    ///
    /// - Complexity: The complexity of ``ScreenTree/screens(changedSince:)``, plus O(*n*) in the
    ///   number of screens that differ.
    static func differences(from old: ScreenTree, to new: ScreenTree) -> [ObservedValue] {
        var values: [ObservedValue] = []
        func add(_ value: ObservedValue, if isDifferent: Bool) {
            if isDifferent { values.append(value) }
        }
        add(.windows, if: old.windows != new.windows)
        for name in unique(old.windows + new.windows, by: \.name) {
            add(.window(name), if: old.window(name)?.root != new.window(name)?.root)
        }
        let difference = Difference(from: old, to: new)
        var screens = Set(
            new.screens(changedSince: old) + difference.created + difference.removed
        )
        // If the presentation of a modal changes, the value of its presenter changes too.
        screens.formUnion(
            screens.flatMap { id in [old, new].compactMap { $0.links(of: id)?.presenter } }
        )
        for id in screens {
            for kind in ModalKind.allCases {
                add(.modal(id, kind), if: old.modal(of: id, kind) != new.modal(of: id, kind))
            }
            guard old.shown(id) != new.shown(id) else { continue }
            values.append(.screen(id))
            add(.path(id), if: old.path(of: id) != new.path(of: id))
            add(.selection(id), if: old.selection(of: id) != new.selection(of: id))
            add(.detail(id), if: old.detail(of: id) != new.detail(of: id))
        }
        return values.isEmpty ? [] : [.tree] + values
    }

    private static func unique<Element, Key: Hashable>(
        _ elements: [Element],
        by key: (Element) -> Key
    ) -> Set<Key> {
        Set(elements.map(key))
    }
}
