// SPDX-License-Identifier: MIT

public import LuaRouting

/// The values that views read and set.
///
/// The values of a screen that is not in the tree are empty, and setting them has no effect.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
extension RouterModel {
    /// All screens.
    ///
    /// A view that reads this property is updated after each change.
    public final var tree: ScreenTree { read(\.tree) { $0 } }

    /// The open windows.
    public final var windows: [RouterWindow] { read(\.windows) { $0.windows } }

    /// The root of a window; nil if the window is closed.
    public final subscript(window name: String) -> ScreenID? {
        read(\.[window: name]) { $0.window(name)?.root }
    }

    /// A screen with its class and fields; nil if it is not in the tree.
    public final subscript(screen id: ScreenID) -> Screen? {
        read(\.[screen: id]) { $0.shown(id) }
    }

    /// The guard of a visible screen, and of everything that would be removed together with the
    /// screen.
    ///
    /// Use the guard with `.interactiveDismissDisabled(_:)` and
    /// `.navigationBarBackButtonHidden(_:)`, which prevent a gesture from starting.
    public final subscript(guard id: ScreenID) -> Guard {
        read(\.shownGuards) { [shownGuards] _ in shownGuards[id] ?? .free }
    }

    /// The screens of a stack above its first screen, for `NavigationStack(path:)`.
    ///
    /// Set a prefix of the path to pop the rest. Screens that are not in the path are ignored; use
    /// a navigation of the router to push.
    public final subscript(path nav: ScreenID) -> [ScreenID] {
        get { read(\.[path: nav]) { $0.path(of: nav) } }
        set {
            set(newValue, of: .path(nav), current: { $0.path(of: nav) }) {
                (tree) throws(IgnoredSet) in
                let path = tree.path(of: nav)
                guard path.starts(with: newValue), let first = tree.children(of: nav)?.first else {
                    throw IgnoredSet(
                        reason:
                            "a path can only lose its last screens; call 'navigate' of the router to push a screen"
                    )
                }
                return .children([first] + newValue, of: nav)
            }
        }
    }

    /// The selected child of tabs, for `TabView(selection:)`.
    ///
    /// Setting the child that is already selected reports a tap on its tab; see
    /// ``Report/reselected(_:)``.
    public final subscript(selection tabs: ScreenID) -> ScreenID? {
        get { read(\.[selection: tabs]) { $0.selection(of: tabs) } }
        set {
            if newValue != nil, newValue == selectedTab(of: tabs) {
                return report(.reselected(tabs))
            }
            set(newValue, of: .selection(tabs), current: { $0.selection(of: tabs) }) {
                (tree) throws(IgnoredSet) in
                guard let tab = newValue, tree.selection(of: tabs) != nil,
                    tree.children(of: tabs)?.contains(tab) == true
                else { throw IgnoredSet(reason: "the selected screen is not one of the tabs") }
                return .selected(tab)
            }
        }
    }

    /// The detail of a split, for `NavigationSplitView`; nil if the split shows only its primary.
    ///
    /// Set nil to remove the detail.
    public final subscript(detail split: ScreenID) -> ScreenID? {
        get { read(\.[detail: split]) { $0.detail(of: split) } }
        set {
            set(newValue, of: .detail(split), current: { $0.detail(of: split) }) {
                (tree) throws(IgnoredSet) in
                guard newValue == nil, let primary = tree.children(of: split)?.first else {
                    throw IgnoredSet(
                        reason: "a detail can only be removed; "
                            + "call 'navigate' of the router to show another detail"
                    )
                }
                return .children([primary], of: split)
            }
        }
    }

    /// The modal of a screen with any style except `fullScreen`, for `.sheet(item:)`.
    ///
    /// Set nil to dismiss the modal.
    public final subscript(sheet presenter: ScreenID) -> PresentedScreen? {
        get { read(\.[sheet: presenter]) { $0.modal(of: presenter, .sheet) } }
        set { setModal(newValue, of: presenter, .sheet) }
    }

    /// The modal of a screen with the style `fullScreen`, for `.fullScreenCover(item:)`.
    ///
    /// Set nil to dismiss the modal.
    public final subscript(cover presenter: ScreenID) -> PresentedScreen? {
        get { read(\.[cover: presenter]) { $0.modal(of: presenter, .cover) } }
        set { setModal(newValue, of: presenter, .cover) }
    }

    /// The modal that covers only the area of its presenter inside a container, for `.overlay`.
    ///
    /// Set nil to dismiss the modal.
    public final subscript(contextual presenter: ScreenID) -> PresentedScreen? {
        get { read(\.[contextual: presenter]) { $0.modal(of: presenter, .contextual) } }
        set { setModal(newValue, of: presenter, .contextual) }
    }

    private func setModal(
        _ item: PresentedScreen?,
        of presenter: ScreenID,
        _ kind: ModalKind
    ) {
        set(item, of: .modal(presenter, kind), current: { $0.modal(of: presenter, kind) }) {
            (_) throws(IgnoredSet) in
            guard item == nil else {
                throw IgnoredSet(
                    reason: "a modal can only be dismissed; "
                        + "call 'navigate' of the router to present another modal"
                )
            }
            return .dismissed(presenter: presenter)
        }
    }
}
