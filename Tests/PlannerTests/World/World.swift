// SPDX-License-Identifier: MIT

/// All declarations of a script, which the engine reads as Lua, and the naive planner reads
/// directly.
struct World: Sendable {
    var classes: [ClassDeclaration] = []
    var routes: [Route] = []
    var interceptors: [Interceptor] = []
    var actions: [DeclaredAction] = []
    /// The update that runs for the screen of every step.
    var updateAll: Update?
    /// Whether a function runs after every step.
    var hasAfterAll = false

    func route(_ target: RouteName) -> Route? { routes.first { $0.name == target } }

    func declaration(of name: String) -> ClassDeclaration {
        classes.first { $0.name == name }
            ?? ClassDeclaration(name: name, kind: NaiveKind(named: name) ?? .leaf)
    }
}

/// The role of a screen: a leaf, or a kind of container.
enum NaiveKind: Hashable, Sendable {
    enum Shows: String, Sendable { case last, all, selected }

    case leaf
    case foreign
    case nav
    case tabs
    case split
    case container(Shows, max: Int?)

    init?(named name: String) {
        switch name {
        case "leaf": self = .leaf
        case "foreign": self = .foreign
        case "nav": self = .nav
        case "tabs": self = .tabs
        case "split": self = .split
        default: return nil
        }
    }

    /// The word for the kind in finders and declarations.
    var word: String {
        switch self {
        case .leaf: "leaf"
        case .foreign: "foreign"
        case .nav: "nav"
        case .tabs: "tabs"
        case .split: "split"
        case .container: "container"
        }
    }

    /// The visible children of a container; nil for kinds without children.
    var shows: Shows? {
        switch self {
        case .leaf, .foreign: nil
        case .nav: .last
        case .tabs: .selected
        case .split: .all
        case .container(let shows, _): shows
        }
    }

    var limit: Int? {
        switch self {
        case .leaf, .foreign: 0
        case .nav, .tabs: nil
        case .split: 2
        case .container(_, let max): max
        }
    }
}

struct ClassDeclaration: Sendable, Hashable {
    enum Dismissible: Sendable, Hashable {
        case always
        case never
        case unless(String, Datum)
    }

    var name: String
    var kind: NaiveKind
    var fields: [String] = []
    var dismissible = Dismissible.always
}

struct RouteName: Hashable, Sendable, CustomStringConvertible {
    var service: String
    var task: String

    var description: String { "\(service)/\(task)" }
}

struct Route: Sendable {
    var name: RouteName
    var step: Step
}

/// An interceptor with a name.
struct Interceptor: Sendable {
    enum Outcome: Sendable, Hashable {
        case passes, stops, refuses, stays, raises
        case redirects(RouteName, Sources)

        /// The word for the effect in scripts.
        var word: String {
            switch self {
            case .passes: "passes"
            case .stops: "stops"
            case .refuses: "refuses"
            case .stays: "stays"
            case .raises: "raises"
            case .redirects: "redirects"
            }
        }
    }

    /// The options of an interceptor for all routes.
    struct Everywhere: Sendable, Hashable {
        enum Phase: String, Sendable { case search, stage }
        enum Services: Sendable, Hashable {
            case all
            case only([String])
            case except([String])
        }

        var before: Phase
        var services: Services

        func isFor(_ service: String) -> Bool {
            switch services {
            case .all: true
            case .only(let list): list.contains(service)
            case .except(let list): !list.contains(service)
            }
        }
    }

    var name: String
    var outcome: Outcome
    /// The condition under which the interceptor has its effect; otherwise the navigation passes.
    ///
    /// The condition is evaluated on the parameters of the interceptor's step, or of the target.
    var condition: Condition
    /// The condition under which `prepare` stops the navigation during planning; nil if there is no
    /// `prepare`.
    var prepare: Condition?
    var everywhere: Everywhere?
}

struct DeclaredAction: Sendable {
    enum Body: Sendable {
        /// Performs another action at the place.
        case act(Action)
        /// Sets the children, with the new screen first.
        case prepend
        /// Sets the children, with the new screen below the last child.
        case below
        /// Sets the new screen as the only child.
        case replace
    }

    var name: String
    var needs: String?
    var body: Body
}

/// One step of a chain: a route, a link or a new container.
struct Step: Sendable {
    enum Form: Sendable { case route, link, container }

    var form = Form.route
    /// The name of the step in traces.
    var label: String
    var info: [Parameter]?
    var find: Finder?
    var reuse: Reuse?
    var prepare: Prepare?
    var build: Build?
    var update: Update?
    var via: Action?
    var from: Start?
    var intercept: [String] = []
    var hasAfter = false
    var adapt: Sources?
}

struct Parameter: Sendable, Hashable {
    enum Kind: String, Sendable { case integer, string, any }

    var name: String
    var kind: Kind
    var isOptional: Bool
}

struct Prepare: Sendable {
    /// Whether the function stops with `error` instead of `router.stop`.
    var raises: Bool
    var condition: Condition
}

/// An update that sets one field of a screen, and logs the change.
struct Update: Sendable {
    var field: String
    var source: Source
}

struct Reuse: Sendable {
    enum Policy: Sendable {
        case sameClass
        case top
        case by([String])
        case function(Match)
    }

    var policy: Policy
    var moves = false
    /// The search; nil to search only the stack on which the action would push.
    var search: Search?
    var start: TableFinder.StartPoint?

    var isWidened: Bool { search != nil || start != nil }
}

indirect enum Build: Sendable {
    /// A function that makes a screen, or returns nil if its condition is false.
    case screen(String, Sources, when: Condition)
    /// A function that reuses a screen of the stack or makes a new one, and sets the fields of the
    /// screen.
    case recycling(String, Match, Sources)
    /// A tree to copy.
    case template(Template)
    /// A tree with routes in it.
    case routes(RouteTree)
    /// An empty container, made by `router.newNav` or a similar function.
    case empty(String)

    /// The class of the screens; nil if a function makes the screens.
    var name: String? {
        switch self {
        case .screen, .recycling: nil
        case .template(let template): template.name
        case .routes(.container(let name, _, _)), .routes(.screen(let name, _)): name
        case .empty(let name): name
        case .routes(.route): nil
        }
    }
}

/// A detached tree as a script writes it.
struct Template: Sendable {
    var name: String
    var fields: Info = [:]
    var children: [Template] = []
    var selected = 0
    /// The modal over the screen; at most one, and only in given trees.
    var modals: [Template] = []
}

indirect enum RouteTree: Sendable {
    case container(String, [RouteTree], selected: Int)
    case screen(String, Info)
    case route(RouteName, adapt: Sources?, via: Action?)
}

indirect enum Action: Sendable, Hashable {
    enum PresentStart: Sendable, Hashable {
        case current
        case topmostParent
        case finder(Finder)
    }

    case push, pushAsRoot, pushReplacingLast
    case present(start: PresentStart, contextual: Bool)
    case presentWithNav
    case replaceRoot, replaceLast
    case addTab(at: Int?, replacing: Bool)
    case setAsPrimary, pushToDetails, pushOnToDetails
    /// The screen is not put into the tree: `none`.
    case nowhere
    case declared(String)

    static let plainPresent = Action.present(start: .current, contextual: false)

    /// The word for the action.
    var word: String {
        switch self {
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
        case .nowhere: "none"
        case .declared(let name): name
        }
    }
}

/// The value of `from` in a definition.
indirect enum Start: Sendable {
    struct Case: Sendable {
        enum When: Sendable {
            case predicate(Condition)
            case finder(Finder)
        }

        var when: When?
        var from: Start
    }

    case current
    case root
    case finder(Finder)
    case route(RouteName)
    /// A link or a new container.
    case step(Step)
    case choice([Case], default: Start?)
    /// A function as a case of a switch, which returns nil if its condition is false.
    case function(Condition, Start)

    /// The unnamed steps inside this value.
    var steps: [Step] {
        switch self {
        case .current, .root, .route, .finder: []
        case .function(_, let start): start.steps
        case .step(let step): [step]
        case .choice(let cases, let other): cases.flatMap(\.from.steps) + (other?.steps ?? [])
        }
    }
}

/// A condition that a screen has a class, and that a field of the screen equals a parameter.
struct Match: Sendable, Hashable {
    var name: String?
    var field: String?

    func accepts(_ screen: NaiveScreen, _ info: Info) -> Bool {
        if let name, name != screen.name { return false }
        if let field { return screen.fields.agrees(with: info, on: field, as: field) }
        return true
    }
}

enum Finder: Sendable, Hashable {
    case never
    case name(String)
    case presenting
    case function(Match)
    case table(TableFinder)
}

struct TableFinder: Sendable, Hashable {
    enum StartPoint: Sendable, Hashable {
        case topmost
        case root
        /// A function that returns the visible screen.
        case visible
        /// A function that finds a screen of a class, or returns nil.
        case found(String)
    }

    var name: String?
    var kind: String?
    var by: [String] = []
    var match: Match?
    var search: Search?
    var start: StartPoint?
    var isTopDown = false
}

/// The scope of a finder.
enum Search: Sendable, Hashable {
    case options(Set<SearchOption>)
    case combination(String)
    /// A list of several combinations and options.
    case words([String])

    static let combinations: [String: Set<SearchOption>] = [
        "currentAllStack": [.current, .contained],
        "currentVisibleOnly": [.current, .visible],
        "allVisible": [.current, .visible, .presented, .presenting],
        "fullStack": [.current, .contained, .presented, .presenting],
        "currentAndUp": [.current, .contained, .presented],
        "currentAndDown": [.current, .contained, .presenting],
    ]

    var options: Set<SearchOption> {
        switch self {
        case .options(let options): options
        case .combination(let name): Self.combinations[name] ?? []
        case .words(let words):
            words.reduce(into: []) { options, word in
                options.formUnion(Self.combinations[word] ?? [])
                if let option = SearchOption(rawValue: word) { options.insert(option) }
            }
        }
    }
}

enum SearchOption: String, Sendable, CaseIterable {
    case current, visible, contained, presented, presenting, parent
}
