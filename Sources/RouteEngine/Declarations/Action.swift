// SPDX-License-Identifier: MIT

public import RouteCore

/// An action that puts a screen into the tree.
///
/// ```swift
/// let sheet = Action.present(Screen.Presentation(style: "sheet"))
/// let options = NavigationOptions(via: sheet)
/// let page = router.navigate(Target("Page", "show"), info: ["id": 7], options: options).screen
/// print(page.map { router.tree[$0].presentation.style } ?? "")  // sheet
/// ```
public struct Action: Sendable {
    package enum Kind: Sendable {
        case push, pushAsRoot, pushReplacingLast
        // Indirect, because most actions carry little data.
        indirect case present(PresentOptions)
        indirect case presentWithNav(PresentOptions)
        case replaceRoot, replaceLast
        /// The position of the tab, counted from 1; nil to add the tab after the last tab.
        case addTab(at: Int?, isReplacing: Bool)
        case setAsPrimary, pushToDetails, pushOnToDetails
        case none
        /// A declared action.
        case declared(String)
    }

    package let kind: Kind

    package init(kind: Kind) { self.kind = kind }

    /// Pushes the screen on the nearest stack.
    ///
    /// If that stack already contains the screen, pops to the screen.
    public static let push = Action(kind: .push)
    /// Makes the screen the only screen of the nearest stack.
    public static let pushAsRoot = Action(kind: .pushAsRoot)
    /// Replaces the last screen of the nearest stack.
    public static let pushReplacingLast = Action(kind: .pushReplacingLast)
    /// Presents the screen over the level of the starting screen.
    public static let present = Action(kind: .present(PresentOptions()))
    /// Presents the screen over the level of the starting screen, in a new stack.
    public static let presentWithNav = Action(kind: .presentWithNav(PresentOptions()))
    /// Makes the screen the root of the window.
    ///
    /// The starting screen must be the current root.
    public static let replaceRoot = Action(kind: .replaceRoot)
    /// Replaces the last screen of the nearest container whose class a script declares.
    public static let replaceLast = Action(kind: .replaceLast)
    /// Adds the screen as the last tab of the nearest tabs.
    public static let addTab = Action(kind: .addTab(at: nil, isReplacing: false))
    /// Makes the screen the primary screen of the nearest split.
    public static let setAsPrimary = Action(kind: .setAsPrimary)
    /// Makes the screen the detail screen of the nearest split, which must have a primary screen.
    public static let pushToDetails = Action(kind: .pushToDetails)
    /// Pushes the screen on the stack that is the detail screen of the nearest split.
    ///
    /// If there is no detail screen, the pushed screen must be a stack, and becomes the detail
    /// screen.
    public static let pushOnToDetails = Action(kind: .pushOnToDetails)
    /// Does not place the screen in the tree.
    public static let none = Action(kind: .none)

    /// The screen from which a modal is presented.
    public enum Start: Sendable {
        /// The starting screen of the step.
        case current
        /// The root of the starting screen's level.
        case topmostParent
        /// The given screen.
        case screen(ScreenID)
    }

    /// Returns an action that presents the screen.
    ///
    /// - Parameters:
    ///   - presentation: The way in which the screen is presented.
    ///   - start: The screen that presents the modal.
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

    /// Returns an action that adds the screen as a tab.
    ///
    /// - Parameters:
    ///   - index: The position of the tab, counted from 1. If there is no tab at this position, the
    ///     new tab is added after the last tab.
    ///   - isReplacing: Whether to replace the tab at this position.
    /// - Returns: The action.
    public static func addTab(at index: Int, replacing isReplacing: Bool = false) -> Action {
        Action(kind: .addTab(at: index, isReplacing: isReplacing))
    }

    /// Returns the action that scripts declare under the given name.
    public static func declared(_ name: String) -> Action { Action(kind: .declared(name)) }
}

/// The presentation of a modal, and the screen that presents it.
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
    /// A built-in action with its documentation.
    package struct Form: Sendable {
        package let action: Action
        /// A description of the action, in one sentence.
        package let help: String
        /// The steps of an example scenario.
        package let example: [String]

        fileprivate init(_ action: Action, _ help: String, example: [String]) {
            (self.action, self.help, self.example) = (action, help, example)
        }
    }

    /// The built-in actions with default options, in the order of the documentation.
    package static let forms = [
        Form(
            push,
            "pushes the screen on the nearest stack, or pops to the screen if the stack already contains it",
            example: ["navigate Show/open(id=7) via push", "expect tree nav[Home, Show(id=7)]"]
        ),
        Form(
            pushAsRoot,
            "makes the screen the only screen of the nearest stack",
            example: [
                "given nav[Home, Show(id=1)]", "navigate Show/open(id=7) via pushAsRoot",
                "expect tree nav[Show(id=7)]",
            ]
        ),
        Form(
            pushReplacingLast,
            "replaces the last screen of the nearest stack",
            example: [
                "given nav[Home, Show(id=1)]", "navigate Show/open(id=7) via pushReplacingLast",
                "expect tree nav[Home, Show(id=7)]",
            ]
        ),
        Form(
            present,
            "presents the screen over the level of the starting screen; `router.present` has options",
            example: ["navigate Show/open(id=7) via present", "expect tree nav[Home] ^ Show(id=7)"]
        ),
        Form(
            presentWithNav,
            "presents the screen over the level of the starting screen, in a new stack",
            example: [
                "navigate Show/open(id=7) via presentWithNav",
                "expect tree nav[Home] ^ nav[Show(id=7)]",
            ]
        ),
        Form(
            replaceRoot,
            "makes the screen the root of the window; the starting screen must be the root",
            example: ["navigate Show/open(id=7) via replaceRoot", "expect tree Show(id=7)"]
        ),
        Form(
            replaceLast,
            "replaces the last screen of the nearest container whose class a script declares",
            example: [
                "given Pager:container[Home]", "navigate Show/open(id=7) via replaceLast",
                "expect tree Pager[Show(id=7)]",
            ]
        ),
        Form(
            addTab,
            "adds the screen as the last tab of the nearest tabs; `router.addTab` has options",
            example: [
                "given tabs[*nav[Home]]", "navigate Show/open(id=7) via addTab",
                "expect tree tabs[nav[Home], *Show(id=7)]",
            ]
        ),
        Form(
            setAsPrimary,
            "makes the screen the primary screen of the nearest split",
            example: [
                "given split[Home, Search]", "navigate Show/open(id=7) via setAsPrimary",
                "expect tree split[Show(id=7), Search]",
            ]
        ),
        Form(
            pushToDetails,
            "makes the screen the detail screen of the nearest split, which must have a primary screen",
            example: [
                "given split[Home]", "navigate Show/open(id=7) via pushToDetails",
                "expect tree split[Home, Show(id=7)]",
            ]
        ),
        Form(
            pushOnToDetails,
            "pushes the screen on the stack in the detail of the nearest split",
            example: [
                "given split[Home, nav[Search]]", "navigate Show/open(id=7) via pushOnToDetails",
                "expect tree split[Home, nav[Search, Show(id=7)]]",
            ]
        ),
        Form(
            none,
            "does not put the screen into the tree",
            example: ["navigate Show/open(id=7) via none", "expect tree nav[Home]"]
        ),
    ]
    private static let plain = forms.map(\.action)

    /// The names of the built-in actions.
    public static let words = plain.map(\.name)

    private static let index = NameIndex(words)

    /// Returns the built-in action that a string argument names; nil for any other argument.
    static func plain(_ argument: Argument) -> Action? {
        index.index(of: argument).map { plain[$0] }
    }

    /// Creates the action with the given name: a built-in action if there is one, otherwise a
    /// declared action.
    public init(word: String) {
        self = Self.index.index(of: word).map { Self.plain[$0] } ?? .declared(word)
    }

    /// The name of the action.
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

    /// The presentation of the modal.
    ///
    /// This is nil if the action presents no modal, and for a declared action.
    package var presentation: Screen.Presentation? {
        switch kind {
        case .present(let options), .presentWithNav(let options): options.presentation
        default: nil
        }
    }

    /// The action with its ``options``, such as `present(style="sheet")`.
    package func notation(_ classes: ScreenClasses) -> String {
        NotationPrinter(classes: classes).call(name, with: options)
    }

    /// Whether the action pushes on a stack.
    ///
    /// If so, a screen of the stack can be reused.
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
    /// The container that the action needs; nil if the action is performed on the starting screen
    /// itself.
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

/// The container that an action needs, given by its kind or by the name of its class.
package enum Need: Sendable {
    case kind(Screen.Kind)
    case `class`(String)

    /// Creates a need from a word, which is either a kind of screen or the name of a class.
    package init(word: String) {
        self = Screen.Kind(rawValue: word).map(Need.kind) ?? .class(word)
    }

    /// Whether a screen is a container of the required kind or class.
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
    /// Returns the nearest container that meets a need: the given screen, or a screen above it in
    /// the same level.
    package func nearest(_ need: Need, from place: ScreenID) -> ScreenID? {
        switch need {
        case .kind(let kind): nearest(kind, from: place)
        case .class: nearest(from: place, where: need.fits)
        }
    }

    /// Returns the container on which an action at the given screen is performed.
    ///
    /// This is the nearest container at or above the screen that meets the need. If there is none,
    /// it is the innermost such container on the path from the screen to its visible leaf.
    package func container(_ need: Need, at place: ScreenID) -> ScreenID? {
        switch need {
        case .kind(let kind): container(kind, at: place)
        case .class: container(at: place, where: need.fits)
        }
    }
}
