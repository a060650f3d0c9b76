// SPDX-License-Identifier: MIT

package import RouteCore

/// The request of a navigation.
package enum NavigationRequest {
    case route(Target, info: InfoTable)
    /// A URL whose route is not found yet.
    case url(ByteString)
    case start(info: InfoTable)
    case back(Int)
    // Indirect, because most requests carry little data.
    indirect case pop(to: Finder)
    case popToRoot
    case dismiss
    case dismissAll
    case close(ScreenID, value: Value)
    case select(ScreenID)
    case selectTab(Int)
    indirect case replace(ScreenID, with: ScreenID, value: Value = .nil)
    case openWindow(String, ScreenID)
    case closeWindow(String)
    /// The screens are removed whose route names a gate, which has been closed.
    case unready(String)
    indirect case restore(Snapshot)
    /// A screen is removed because the active generation lacks its route.
    case vanish(ScreenID)

    /// Whether it navigates to a route, rather than leaving or setting the first tree.
    package var isRoute: Bool {
        switch self {
        case .route, .url: true
        default: false
        }
    }

    /// Whether it only removes screens, or makes others visible.
    package var onlyRemoves: Bool {
        switch self {
        case .back, .pop, .popToRoot, .dismiss, .dismissAll, .close, .select, .selectTab,
            .closeWindow:
            true
        default: false
        }
    }

    /// The screen that it closes, and the value that the screen is closed with.
    package var closing: (screen: ScreenID, value: Value)? {
        switch self {
        case .close(let screen, let value): (screen, value)
        case .replace(let screen, _, let value): value.isNil ? nil : (screen, value)
        default: nil
        }
    }

    /// Replaces the value that a screen is closed with.
    mutating func close(with value: Value) {
        switch self {
        case .close(let screen, _): self = .close(screen, value: value)
        case .replace(let screen, let other, _): self = .replace(screen, with: other, value: value)
        default: break
        }
    }

    /// Whether it restores a snapshot.
    package var isRestoring: Bool {
        if case .restore = self { true } else { false }
    }

    /// Whether it removes screens without asking them.
    package var isForced: Bool {
        switch self {
        case .restore, .unready: true
        default: false
        }
    }

    /// The existing screen that it names.
    package var screen: ScreenID? {
        switch self {
        case .pop(let finder): finder.screen
        case .select(let screen), .close(let screen, _), .replace(let screen, _, _): screen
        default: nil
        }
    }

    /// Whether its values are nested deeper than the limit.
    package var isTooDeep: Bool {
        switch self {
        case .route(_, let info), .start(let info):
            !info.isEmpty && Value.table(info).isTooDeep
        default: closing?.value.isTooDeep ?? false
        }
    }

    /// The approximate size of its values in bytes.
    package var size: Int {
        switch self {
        case .route(_, let info), .start(let info): info.size
        case .url(let text): text.count
        case .restore(let snapshot): snapshot.state.size
        default: closing?.value.size ?? 0
        }
    }

    /// Removes the tables in its values.
    package mutating func dropTables() {
        switch self {
        case .route(let target, _): self = .route(target, info: InfoTable())
        case .start: self = .start(info: InfoTable())
        default: close(with: .nil)
        }
    }

    /// The name of the request: the target, or the verb.
    package var title: String {
        switch self {
        case .route(let target, _): target.description
        case .url(let text): RouteError.shortened(text)
        case .start: "start"
        case .back: "back"
        case .pop: "popTo"
        case .popToRoot: "popToRoot"
        case .dismiss: "dismiss"
        case .dismissAll: "dismissAll"
        case .close: "close"
        case .select, .selectTab: "select"
        case .replace: "replace"
        case .vanish: "vanish"
        case .openWindow: "openWindow"
        case .closeWindow: "closeWindow"
        case .unready: "unready"
        case .restore: "restore"
        }
    }
}
