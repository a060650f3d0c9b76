// SPDX-License-Identifier: MIT

public import RouteCore

/// The way in which a screen is put into the tree.
public struct Action: Sendable {
    package enum Kind: Sendable {
        case push, pushAsRoot, pushReplacingLast
        // Behind a reference: what most actions carry around is small.
        indirect case present(PresentOptions)
        indirect case presentWithNav(PresentOptions)
        case replaceRoot, replaceLast
        /// Counted from 1.
        case addTab(at: Int?, isReplacing: Bool)
        case setAsPrimary, pushToDetails, pushOnToDetails
        case none
        /// One that a script declares.
        case declared(String)
    }

    package let kind: Kind

    package init(kind: Kind) { self.kind = kind }

    /// Pushes it on the nearest stack; pops to it where it stands in that stack already.
    public static let push = Action(kind: .push)
    /// Makes it the only screen of the nearest stack.
    public static let pushAsRoot = Action(kind: .pushAsRoot)
    /// Puts it in the place of the last screen of the nearest stack.
    public static let pushReplacingLast = Action(kind: .pushReplacingLast)
    /// Presents it over the level of the place.
    public static let present = Action(kind: .present(PresentOptions()))
    /// Presents it over the level of the place, in a new stack.
    public static let presentWithNav = Action(kind: .presentWithNav(PresentOptions()))
    /// Makes it the root of the window; the place must be the root.
    public static let replaceRoot = Action(kind: .replaceRoot)
    /// Puts it in the place of the last screen of the nearest container that a script declares.
    public static let replaceLast = Action(kind: .replaceLast)
    /// Adds it as the last tab of the nearest tabs.
    public static let addTab = Action(kind: .addTab(at: nil, isReplacing: false))
    /// Makes it the primary of the nearest split.
    public static let setAsPrimary = Action(kind: .setAsPrimary)
    /// Makes it the detail of the nearest split, which has a primary.
    public static let pushToDetails = Action(kind: .pushToDetails)
    /// Pushes it on the stack in the detail of the nearest split; a stack becomes the detail
    /// where there is none.
    public static let pushOnToDetails = Action(kind: .pushOnToDetails)
    /// Puts it nowhere.
    public static let none = Action(kind: .none)

    /// Where a screen is presented from.
    public enum Start: Sendable {
        /// The place of the step.
        case current
        /// The root of the place's level.
        case topmostParent
        /// A screen.
        case screen(ScreenID)
    }

    /// Presents it.
    ///
    /// - Parameters:
    ///   - presentation: The style of the presentation.
    ///   - start: The presenting screen.
    /// - Returns: The action.
    public static func present(
        _ presentation: Screen.Presentation,
        start: Start = .current
    ) -> Action {
        let start: PresentOptions.Start =
            switch start {
            case .current: .current
            case .topmostParent: .topmostParent
            case .screen(let id): .finder(Finder(.screen(id)))
            }
        return Action(kind: .present(PresentOptions(presentation: presentation, start: start)))
    }

    /// Adds it as a tab.
    ///
    /// - Parameters:
    ///   - index: At which tab, counted from 1; past the tabs that there are it is the last.
    ///   - isReplacing: Whether it takes the place of the tab there.
    /// - Returns: The action.
    public static func addTab(at index: Int, replacing isReplacing: Bool = false) -> Action {
        Action(kind: .addTab(at: index, isReplacing: isReplacing))
    }

    /// Runs an action that the scripts declare.
    public static func declared(_ name: String) -> Action { Action(kind: .declared(name)) }
}

/// The style of a presentation, and the screen that presents.
package struct PresentOptions: Sendable {
    package enum Start: Sendable {
        case current
        case topmostParent
        case finder(Finder)
    }

    package var presentation = Screen.Presentation()
    package var start = Start.current

    package init(presentation: Screen.Presentation = Screen.Presentation(), start: Start = .current)
    {
        (self.presentation, self.start) = (presentation, start)
    }
}

extension Action {
    /// The actions without options, in the order of documentation.
    private static let plain: [Action] = [
        push, pushAsRoot, pushReplacingLast, present, presentWithNav, replaceRoot, replaceLast,
        addTab, setAsPrimary, pushToDetails, pushOnToDetails, none,
    ]

    /// The words of the actions that every script has.
    public static let words = plain.map(\.name)

    private static let index = NameIndex(words)

    /// The action that every script has by a word; nil for anything else.
    static func plain(_ argument: Argument) -> Action? {
        index.index(of: argument).map { plain[$0] }
    }

    /// The action of a word: one that every script has, or else one that a script declares.
    public init(word: String) {
        self = Self.index.index(of: word).map { Self.plain[$0] } ?? .declared(word)
    }

    /// The word for it.
    public var name: String {
        switch kind {
        case .push: "push"
        case .pushAsRoot: "pushAsRoot"
        case .pushReplacingLast: "pushReplacingLast"
        case .present: "present"
        case .presentWithNav: "presentWithNav"
        case .replaceRoot: "replaceRoot"
        case .replaceLast: "replaceLast"
        case .addTab: "addTab"
        case .setAsPrimary: "setAsPrimary"
        case .pushToDetails: "pushToDetails"
        case .pushOnToDetails: "pushOnToDetails"
        case .none: "none"
        case .declared(let name): name
        }
    }

    /// Whether it puts a screen on a stack, where a screen can be recycled.
    package var pushes: Bool {
        switch kind {
        case .push, .pushAsRoot, .pushReplacingLast: true
        default: false
        }
    }
}

/// An action that a script declares.
package struct DeclaredAction {
    package let name: String
    /// The container that it is performed on; nil for the place itself.
    package let needs: Need?
    package let body: ScriptFunction
    package let location: RouteError.Location?

    package init(
        name: String,
        needs: Need?,
        body: ScriptFunction,
        location: RouteError.Location?
    ) {
        self.name = name
        self.needs = needs
        self.body = body
        self.location = location
    }
}

/// The container that an action is performed on.
package enum Need: Sendable {
    case kind(Screen.Kind)
    case `class`(String)

    /// Reads a word: a kind, or else a class.
    package init(word: String) {
        self = Screen.Kind(rawValue: word).map(Need.kind) ?? .class(word)
    }

    /// Whether a screen is such a container.
    package func fits(_ screen: Screen) -> Bool {
        switch self {
        case .kind(let kind): screen.kind == kind
        case .class(let name): screen.class == name
        }
    }

    package var title: String {
        switch self {
        case .kind(let kind): kind.rawValue
        case .class(let name): "'\(name)'"
        }
    }
}

extension ScreenTree {
    /// The nearest container of a need at or above a place, inside its level.
    package func nearest(_ need: Need, from place: ScreenID) -> ScreenID? {
        switch need {
        case .kind(let kind): nearest(kind, from: place)
        case .class: nearest(from: place, where: need.fits)
        }
    }

    /// The container of a need that a place means.
    package func container(_ need: Need, at place: ScreenID) -> ScreenID? {
        switch need {
        case .kind(let kind): container(kind, at: place)
        case .class: container(at: place, where: need.fits)
        }
    }
}
