// SPDX-License-Identifier: MIT

import RouteCore
import Testing

/// A simple and slow model of a host's screens, which is updated only by operations.
struct Replay {
    struct Shown: Equatable {
        var fields: Fields
        var children: [ScreenID]
        var selected: ScreenID?
        var modal: ScreenID?

        init(_ screen: Screen) {
            fields = screen.fields
            children = screen.children
            selected =
                screen.shows == .selected && !children.isEmpty
                ? children[screen.selection] : nil
            modal = screen.modal
        }
    }

    var windows: [String: ScreenID] = [:]
    var screens: [ScreenID: Shown] = [:]

    /// Creates the model of a tree.
    init(_ tree: ScreenTree) {
        for window in tree.windows {
            windows[window.name] = window.root
            tree.visit(window.root) { screens[$0.id] = Shown($0) }
        }
    }

    /// Applies an operation.
    ///
    /// The tree `new` is read only for the contents of new screens: their children, and for roots
    /// also the modals above them.
    mutating func apply(_ operation: RouteCore.TreeOperation, new: ScreenTree) throws {
        switch operation {
        case .root(let window, let screen), .openWindow(let window, let screen):
            windows[window] = screen
            new.visit(screen) { screens[$0.id] = Shown($0) }
        case .closeWindow(let window):
            windows[window] = nil
        case .dismiss(let screen, let presenter):
            #expect(screens[presenter]?.modal == screen)
            screens[presenter]?.modal = nil
        case .present(let screen, let presenter, let presentation):
            #expect(screens[presenter] != nil && screens[presenter]?.modal == nil)
            #expect(new.screen(screen)?.presentation == presentation)
            screens[presenter]?.modal = screen
            bring(screen, from: new)
        case .push(let screen, let nav):
            screens[nav]?.children.append(screen)
            bring(screen, from: new)
        case .pop(let screen, let nav):
            let index = screen.flatMap { screens[nav]?.children.firstIndex(of: $0) }
            screens[nav]?.children.removeSubrange((index.map { $0 + 1 } ?? 0)...)
        case .children(let children, let container):
            let shows = new.screen(container)?.shows
            setChildren(children, of: container, selects: shows == .selected)
            for child in children { bring(child, from: new) }
        case .select(let screen, let tabs):
            #expect(screens[tabs]?.selected != screen)
            screens[tabs]?.selected = screen
        case .update(let screen):
            screens[screen]?.fields = try #require(new.screen(screen)).fields
        }
    }

    private mutating func setChildren(_ children: [ScreenID], of id: ScreenID, selects: Bool) {
        let before = screens[id]
        screens[id]?.children = children
        guard selects else { return }
        guard let selected = before?.selected,
            let index = before?.children.firstIndex(of: selected)
        else {
            screens[id]?.selected = children.first
            return
        }
        if children.contains(selected) { return }
        screens[id]?.selected = index < children.count ? children[index] : children.last
    }

    /// Adds the children of a new screen.
    ///
    /// A moved screen keeps its contents.
    private mutating func bring(_ id: ScreenID, from new: ScreenTree) {
        guard screens[id] == nil, let screen = new.screen(id) else { return }
        screens[id] = Shown(screen)
        screens[id]?.modal = nil
        for child in screen.children { bring(child, from: new) }
    }

    /// The model without unreachable screens.
    var reachable: Replay {
        var copy = self
        copy.screens = [:]
        var pending = Array(windows.values)
        while let id = pending.popLast() {
            guard let shown = screens[id] else { continue }
            copy.screens[id] = shown
            pending += shown.children
            if let modal = shown.modal { pending.append(modal) }
        }
        return copy
    }
}
