// SPDX-License-Identifier: MIT

// The views of SwiftUI around a `RouterModel`: an example to copy. It is compiled only where SwiftUI
// exists, so by the workflow of macOS and not on Linux.
#if canImport(SwiftUI)
import LuaRouteObservation
import LuaRouting
import SwiftUI

/// The contents of a window.
struct RootView: View {
    let model: RouterModel
    var window = "main"

    var body: some View {
        if let root = model[window: window] { ScreenView(model: model, id: root) }
    }
}

/// A screen, the screens in it, and those above it.
struct ScreenView: View {
    @Bindable var model: RouterModel
    let id: ScreenID

    var body: some View {
        content
            .id(id)
            .onAppear { model.appeared(id) }
            .overlay { screen(model[contextual: id]?.id) }
            .sheet(item: $model[sheet: id]) { modal in
                screen(modal.id).interactiveDismissDisabled(
                    modal.presentation.isModal || model[guard: modal.id] != .free
                )
            }
            #if os(macOS)
        .sheet(item: $model[cover: id]) { modal in screen(modal.id) }
            #else
        .fullScreenCover(item: $model[cover: id]) { modal in screen(modal.id) }
            #endif
    }

    @ViewBuilder private func screen(_ id: ScreenID?) -> some View {
        if let id { ScreenView(model: model, id: id) }
    }

    @ViewBuilder private var content: some View {
        let children = model[screen: id]?.children ?? []
        switch model[screen: id]?.kind {
        case .nav:
            NavigationStack(path: $model[path: id]) {
                screen(children.first)
                    .navigationDestination(for: ScreenID.self) { id in screen(id) }
            }
        case .tabs:
            TabView(selection: $model[selection: id]) {
                ForEach(children, id: \.self) { child in
                    screen(child)
                        .tabItem { Text(model[screen: child]?.class ?? "") }
                        .tag(Optional(child))
                }
            }
        case .split:
            NavigationSplitView(preferredCompactColumn: $model[column: id]) {
                screen(children.first)
            } detail: {
                screen(model[detail: id])
            }
        case .container:
            VStack { ForEach(children, id: \.self) { child in screen(child) } }
        case .leaf, .foreign, nil:
            Text(model[screen: id]?.class ?? "")  // The page of the class, with its fields.
        }
    }
}

extension RouterModel {
    /// The column of a split that a narrow window shows: the detail, until a person goes back.
    subscript(column split: ScreenID) -> NavigationSplitViewColumn {
        get { self[detail: split] == nil ? .sidebar : .detail }
        set { if newValue == .sidebar { self[detail: split] = nil } }
    }
}
#endif
