// SPDX-License-Identifier: MIT

/// One change that a host makes to its view hierarchy.
///
/// An operation that adds a screen also adds its children. Each new modal has a separate operation;
/// only a new root includes the modals above it. A screen that is moved keeps its contents.
///
/// ```swift
/// for operation in change.operations {
///     switch operation {
///     case .push(let screen, let nav):
///         print("push", tree[screen].class, "on", tree[nav].class)  // push Page on nav
///     default:
///         print(operation.name)
///     }
/// }
/// ```
public enum TreeOperation: Sendable, Equatable {
    /// A window gets a new root, including all screens in and above that root. All screens that the
    /// window showed are removed.
    case root(window: String, screen: ScreenID)
    /// A modal is dismissed, with all screens in and above it.
    case dismiss(screen: ScreenID, presenter: ScreenID)
    /// One screen is added at the end of a stack.
    case push(screen: ScreenID, nav: ScreenID)
    /// Screens are removed at the end of a stack. `to` is now the last screen, if there is one.
    case pop(to: ScreenID?, nav: ScreenID)
    /// The children of a container change.
    case children([ScreenID], container: ScreenID)
    /// The selection of tabs, or of another container that shows the selected child, changes. There
    /// is no such operation if a change to the children already implies the new selection.
    case select(screen: ScreenID, tabs: ScreenID)
    /// A modal is presented by an existing screen, or by a screen that an earlier operation added.
    case present(screen: ScreenID, presenter: ScreenID, Screen.Presentation)
    /// The fields of an existing screen change.
    case update(screen: ScreenID)
    /// A window is opened, with all screens in and above its root.
    case openWindow(name: String, screen: ScreenID)
    /// A window is closed.
    case closeWindow(name: String)

    /// The kinds of operations.
    ///
    /// A raw value is the name of the kind in scenarios and events.
    package enum Kind: String, CaseIterable {
        case root, dismiss, push, pop, children, select, present, update, openWindow, closeWindow
    }

    /// The name of the operation in scenarios and events.
    public var name: String { kind.rawValue }

    /// The index of the kind in ``Kind/allCases``.
    package var number: UInt64 {
        switch self {
        case .root: 0
        case .dismiss: 1
        case .push: 2
        case .pop: 3
        case .children: 4
        case .select: 5
        case .present: 6
        case .update: 7
        case .openWindow: 8
        case .closeWindow: 9
        }
    }

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

    /// The presentation of the modal; nil for all operations except `present`.
    package var presentation: Screen.Presentation? {
        if case .present(_, _, let presentation) = self { presentation } else { nil }
    }

    /// The screens that scenarios write in parentheses after the name of the operation.
    ///
    /// These are the screen that is added, dismissed, selected or updated; for `pop`, the screen
    /// that is now the last one; for `children`, all children of the container.
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
