// SPDX-License-Identifier: MIT

/// One change that a host makes to what it shows.
///
/// A new screen brings all that stands in it, and each modal that is new has an operation of its
/// own; only a new root brings what stands above it too. A screen that was shown before and now
/// stands elsewhere comes as it was.
public enum TreeOperation: Sendable, Equatable {
    /// A window has another root, which brings all that stands in and above it; all that the
    /// window showed goes.
    case root(window: String, screen: ScreenID)
    /// A modal goes, with all that stands in and above it.
    case dismiss(screen: ScreenID, presenter: ScreenID)
    /// One screen was added at the end of a stack.
    case push(screen: ScreenID, nav: ScreenID)
    /// Screens were removed at the end of a stack; the screen that is now the last, if any.
    case pop(to: ScreenID?, nav: ScreenID)
    /// A container has other children.
    case children([ScreenID], container: ScreenID)
    /// Tabs, or another container that shows the selected child, have another selection than
    /// their change of children alone gives.
    case select(screen: ScreenID, tabs: ScreenID)
    /// A modal is presented, by a screen that stays or by one that an operation before this one
    /// brought.
    case present(screen: ScreenID, presenter: ScreenID, Screen.Presentation)
    /// A screen that stays has other fields.
    case update(screen: ScreenID)
    /// A window was opened, with all that stands in and above its root.
    case openWindow(name: String, screen: ScreenID)
    /// A window was closed.
    case closeWindow(name: String)

    /// The kinds of operations; their raw values are their names in scenarios and events.
    package enum Kind: String, CaseIterable {
        case root, dismiss, push, pop, children, select, present, update, openWindow, closeWindow
    }

    /// The name, as scenarios and events have it.
    public var name: String { kind.rawValue }

    private var kind: Kind {
        switch self {
        case .root: .root
        case .dismiss: .dismiss
        case .push: .push
        case .pop: .pop
        case .children: .children
        case .select: .select
        case .present: .present
        case .update: .update
        case .openWindow: .openWindow
        case .closeWindow: .closeWindow
        }
    }

    /// The screens that the operation is about, as scenarios name them in parentheses: the one
    /// that comes, goes, is popped to, selected or updated; all children of `children`.
    public var screens: [ScreenID] {
        switch self {
        case .root(_, let screen), .dismiss(let screen, _), .push(let screen, _),
            .select(let screen, _), .present(let screen, _, _), .update(let screen),
            .openWindow(_, let screen):
            [screen]
        case .pop(let screen, _): screen.map { [$0] } ?? []
        case .children(let children, _): children
        case .closeWindow: []
        }
    }
}
