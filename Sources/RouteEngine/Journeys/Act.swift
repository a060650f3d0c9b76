// SPDX-License-Identifier: MIT

package import RouteCore

/// A representation of screens in an ``Act``, with the matching representations of searches, new
/// trees, parameters and results.
package protocol ActPlace {
    associatedtype ActSearch = Self
    associatedtype ActTree = Self
    associatedtype ActInfo = Self
    associatedtype ActValue = Self
}

extension ScreenID: ActPlace {
    package typealias ActSearch = Finder
    package typealias ActInfo = InfoTable
    package typealias ActValue = Value
}

extension ScreenNotation: ActPlace {
    package typealias ActTree = TreeNotation
    package typealias ActInfo = [FieldNotation]
    package typealias ActValue = ValueNotation
}

/// The representation in events: screens and trees are texts in tree notation, and absent values
/// are nil.
extension Value: ActPlace {}

/// A request to a router: to navigate to a route, to leave screens, or to set trees.
///
/// A router performs an `Act<ScreenID>`, a step of a scenario is an `Act<ScreenNotation>`, and an
/// event contains an `Act<Value>`.
// Indirect, because an act is copied several times in each navigation.
package indirect enum Act<Place: ActPlace> {
    case route(Target, info: Place.ActInfo)
    /// A URL or a route string whose route has not been found yet.
    case url(ByteString)
    /// The first tree is built, as the scripts declare with `router.start`.
    case start(info: Place.ActInfo)
    case back(Int)
    case pop(to: Place.ActSearch)
    case popToRoot
    case dismiss
    case dismissAll
    case close(Place, value: Place.ActValue)
    case select(Place)
    /// A tab is selected by its number, counted from 1.
    case selectTab(Int)
    case replace(Place, with: Place.ActTree, value: Place.ActValue)
    case openWindow(String, Place.ActTree)
    case closeWindow(String)
    /// A gate has been closed, and the screens of routes that name the gate in `ready` are removed.
    case unready(String)
    case restore(Snapshot)
    /// A screen is removed because the active generation does not have the screen's route.
    case vanish(Place)

    /// The word for the act in events.
    package var word: String {
        switch self {
        case .route: "navigate"
        case .url: "open"
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

    /// Whether the act navigates to a route, instead of leaving screens or setting trees.
    package var isRoute: Bool {
        switch self {
        case .route, .url: true
        default: false
        }
    }

    /// Returns the act with its screens, trees and values converted to another form.
    ///
    /// Screens are converted before trees, and trees before values.
    package func map<Other: ActPlace, Failure: Error>(
        screen: (Place) throws(Failure) -> Other,
        search: (Place.ActSearch) throws(Failure) -> Other.ActSearch,
        tree: (Place.ActTree) throws(Failure) -> Other.ActTree,
        info: (Place.ActInfo) throws(Failure) -> Other.ActInfo,
        value: (Place.ActValue) throws(Failure) -> Other.ActValue
    ) throws(Failure) -> Act<Other> {
        switch self {
        case .route(let target, let parameters): .route(target, info: try info(parameters))
        case .url(let text): .url(text)
        case .start(let parameters): .start(info: try info(parameters))
        case .back(let count): .back(count)
        case .pop(let place): .pop(to: try search(place))
        case .popToRoot: .popToRoot
        case .dismiss: .dismiss
        case .dismissAll: .dismissAll
        case .close(let place, let result): .close(try screen(place), value: try value(result))
        case .select(let place): .select(try screen(place))
        case .selectTab(let number): .selectTab(number)
        case .replace(let place, let other, let result):
            .replace(try screen(place), with: try tree(other), value: try value(result))
        case .openWindow(let name, let root): .openWindow(name, try tree(root))
        case .closeWindow(let name): .closeWindow(name)
        case .unready(let gate): .unready(gate)
        case .restore(let snapshot): .restore(snapshot)
        case .vanish(let place): .vanish(try screen(place))
        }
    }
}

extension Act<ScreenID> {
    /// Returns the act with its screens and trees described for events.
    ///
    /// Not generic, because a generic function of another module looks up the types of each act.
    ///
    /// - Parameters:
    ///   - screen: Describes an existing screen.
    ///   - tree: Describes a tree.
    ///   - info: Describes parameters.
    /// - Returns: The act with its screens, trees and parameters as values.
    package func described(
        screen: (ScreenID) -> Value,
        tree: (ScreenID) -> Value,
        info: (InfoTable) -> Value
    ) -> Act<Value> {
        map(
            screen: screen,
            search: { $0.screen.map(screen) ?? .nil },
            tree: tree,
            info: info,
            value: { $0 }
        )
    }
}

extension Act: Sendable
where
    Place: Sendable, Place.ActSearch: Sendable, Place.ActTree: Sendable, Place.ActInfo: Sendable,
    Place.ActValue: Sendable
{}

// MARK: Events

extension Act<Value>: EventCoded {
    package static var templates: [Act<Value>] {
        [
            .start(info: .nil), .back(1), .pop(to: .nil), .popToRoot, .dismiss, .dismissAll,
            .close(.nil, value: .nil), .select(.nil), .replace(.nil, with: .nil, value: .nil),
            .openWindow("", .nil), .closeWindow(""), .unready(""), .restore(Snapshot()),
            .vanish(.nil),
        ]
    }

    // If a navigation leads to a route, other fields of its event contain the target or the URL.
    package func coded(by fields: inout EventFields) -> Act<Value> {
        switch self {
        case .route(let target, let info): .route(target, info: fields("info", info))
        case .start(let info): .start(info: fields("info", info))
        case .back(let count): .back(fields("number", count == 1 ? nil : count) ?? 1)
        case .selectTab(let number): .selectTab(fields("number", number))
        case .pop(let screen): .pop(to: fields("screen", screen))
        case .select(let screen): .select(fields("screen", screen))
        case .close(let screen, let value):
            .close(fields("screen", screen), value: fields("value", value))
        case .replace(let screen, let tree, let value):
            .replace(
                fields("screen", screen),
                with: fields("tree", tree),
                value: fields("value", value)
            )
        case .openWindow(let name, let tree):
            .openWindow(fields("name", name), fields("tree", tree))
        case .closeWindow(let name): .closeWindow(fields("name", name))
        case .unready(let gate): .unready(fields("name", gate))
        case .url, .popToRoot, .dismiss, .dismissAll, .restore, .vanish: self
        }
    }

    /// Reads the act from an event of the kind `navigate`; nil if the verb is unknown, or if a
    /// field has the wrong type.
    ///
    /// An event does not contain the snapshot of `restore`, so that act is read with an empty
    /// snapshot.
    package init?(_ event: Event) {
        let act: Act<Value>?
        switch event["verb"] {
        case .nil:
            if case .string(let text) = event["url"].isNil ? event["route"] : event["url"] {
                act = .url(text)
            } else {
                let target = Target(event["service"].text ?? "", event["task"].text ?? "")
                act = .route(target, info: event["info"])
            }
        case "select" where !event["number"].isNil: act = .selectTab(0).reading(event)
        case let word: act = .read(word.text, event)
        }
        guard let act else { return nil }
        self = act
    }
}

// MARK: Navigations

extension Act<ScreenID> {
    /// Whether the act can only remove screens or make other screens visible.
    package var onlyRemoves: Bool {
        switch self {
        case .back, .pop, .popToRoot, .dismiss, .dismissAll, .close, .select, .selectTab,
            .closeWindow:
            true
        case .route, .url, .start, .replace, .openWindow, .unready, .restore, .vanish: false
        }
    }

    /// The screen that the act closes or replaces, and the value with which that screen is closed.
    ///
    /// This is nil for other acts, and if a screen is replaced without a value.
    package var closing: (screen: ScreenID, value: Value)? {
        switch self {
        case .close(let screen, let value): (screen, value)
        case .replace(let screen, _, let value): value.isNil ? nil : (screen, value)
        default: nil
        }
    }

    /// Sets the result value of the screen that the act closes or replaces.
    mutating func close(with value: Value) {
        switch self {
        case .close(let screen, _): self = .close(screen, value: value)
        case .replace(let screen, let other, _): self = .replace(screen, with: other, value: value)
        default: break
        }
    }

    /// Whether the act restores a snapshot.
    package var isRestoring: Bool {
        if case .restore = self { true } else { false }
    }

    /// Whether the act removes screens without calling `leaving`.
    package var isForced: Bool {
        switch self {
        case .restore, .unready: true
        default: false
        }
    }

    /// The existing screen to which the act refers, if any.
    ///
    /// Unless the options name a window, the navigation acts in the window of this screen.
    package var screen: ScreenID? {
        switch self {
        case .pop(let finder): finder.screen
        case .select(let screen), .close(let screen, _), .replace(let screen, _, _),
            .vanish(let screen):
            screen
        case .route, .url, .start, .back, .popToRoot, .dismiss, .dismissAll, .selectTab,
            .openWindow, .closeWindow, .unready, .restore:
            nil
        }
    }

    /// Whether the act's values are nested too deeply.
    package var isTooDeep: Bool {
        switch self {
        case .route(_, let info), .start(let info):
            !info.isEmpty && Value.table(info).isTooDeep
        default: closing?.value.isTooDeep ?? false
        }
    }

    /// The approximate size of the act's values, in bytes.
    package var size: Int {
        switch self {
        case .route(_, let info), .start(let info): info.size
        case .url(let text): text.count
        case .restore(let snapshot): snapshot.state.size
        default: closing?.value.size ?? 0
        }
    }

    /// Replaces the act's values with empty values.
    package mutating func dropTables() {
        switch self {
        case .route(let target, _): self = .route(target, info: InfoTable())
        case .start: self = .start(info: InfoTable())
        default: close(with: .nil)
        }
    }

    /// The name of the act, for messages: the target, the URL or the word.
    package var title: String {
        switch self {
        case .route(let target, _): target.description
        case .url(let text): RouteError.shortened(text)
        default: word
        }
    }
}
