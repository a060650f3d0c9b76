// SPDX-License-Identifier: MIT

package import RouteCore

/// The declarations of a bundle: its routes, classes, interceptors, actions, and policies.
@dynamicMemberLookup
package final class Declarations {
    /// The values that a rewind restores.
    package struct State {
        package var routes = RouteTable()
        package var classes = ScreenClasses()
        /// The declarations of classes, besides their fields.
        package var classDeclarations = ClassDeclarations()
        package var fallback: Fallback?
        package var firstTree: (build: FirstTree, location: RouteError.Location?)?
        package var expectations = Expectations()
        /// The handlers of route identifiers.
        package var handlers: [ByteString: Handler] = [:]
        /// The compiled URL patterns of the routes, and maybe of routes that were removed since.
        package var links = URLRouteTable()
        /// Whether ``links`` has patterns of removed routes.
        package var hasOldLinks = false
        /// The declarations about URLs.
        package var linkDeclarations = LinkDeclarations()
        /// The compiled patterns of dispatched deep links.
        package var routings = RoutingTable()
        /// The interceptors by name.
        package var interceptors: [String: DeclaredInterceptor] = [:]
        /// The interceptors that run for every route of some services.
        package var interceptAll: [InterceptAll] = []
        /// The actions that scripts declare, by name.
        package var actions: [String: DeclaredAction] = [:]
        /// The functions that run on every step's screen before the step's own `update`.
        package var updates: [ScriptFunction] = []
        /// The functions that run on every step's screen before the step's own `after`.
        package var afters: [ScriptFunction] = []
        /// The policy of links for dialogs.
        package var dialogPolicy = DialogPolicy.leave
        /// The policy for foreign screens, which the host shows without the router.
        package var foreignPolicy = ForeignPolicy.wait
        /// The functions that the host may call, by name.
        package var exports: [String: DeclaredFunction] = [:]
        /// The function that handles a back action if no screen can be left.
        package var backHandler: DeclaredFunction?
        /// The function to call when the scripts become active.
        package var activated: DeclaredFunction?
        /// The functions that create dependencies, by name.
        package var providers: [String: DeclaredFunction] = [:]
        /// The steps that the scripts created while they loaded.
        package fileprivate(set) var steps: [Step] = []
        /// The number of parents and leaves of these steps.
        fileprivate var nestedCount = 0
        /// The policy for navigations that begin while another one is pending.
        package var policy = Policy.queue
        /// The deadline of an interceptor, a task or an `after`, in seconds.
        package var timeout = 30.0
        /// The longest timeout that the scripts have declared, in seconds.
        package var neededTimeout = 0.0

        package init() {}
    }

    // Accesses never overlap: a declaration is added or replaced at once, and copied before any
    // function of it is called.

    @exclusivity(unchecked) package var state = State() { didSet { unchangedState = nil } }

    /// A state that checkpoints share, because it is large and seldom changes.
    package final class SharedState {
        fileprivate let state: State

        fileprivate init(_ state: State) { self.state = state }
    }

    /// The shared copy of ``state``; nil if the state has changed since.
    private var unchangedState: SharedState?

    /// Returns a copy of the state for ``restore(_:)``; the same one until the state changes.
    package func share() -> SharedState {
        let shared = unchangedState ?? SharedState(state)
        unchangedState = shared
        return shared
    }

    /// Restores a state, unless it has not changed since it was shared.
    package func restore(_ shared: SharedState) {
        guard shared !== unchangedState else { return }
        state = shared.state
        unchangedState = shared
    }

    // Where these are not inlined, a read copies the whole state: each navigation reads `state`.

    @inlinable
    package subscript<Member>(dynamicMember member: KeyPath<State, Member>) -> Member {
        @inline(__always) get { state[keyPath: member] }
    }
    @inlinable
    package subscript<Member>(dynamicMember member: WritableKeyPath<State, Member>) -> Member {
        @inline(__always) get { state[keyPath: member] }
        @inline(__always) _modify { yield &state[keyPath: member] }
    }

    /// The functions that answer for unregistered targets.
    package struct Fallback {
        package let screen: ScriptFunction?
        package let task: ScriptFunction?
        package let location: RouteError.Location?

        package init(
            screen: ScriptFunction?,
            task: ScriptFunction?,
            location: RouteError.Location?
        ) {
            self.screen = screen
            self.task = task
            self.location = location
        }
    }

    /// The declaration of the first tree.
    package enum FirstTree {
        case function(ScriptFunction)
        case blueprint(Blueprint)
    }

    /// The needs of the scripts that the host has to meet.
    package struct Expectations {
        package var tasks: Set<Target> = []
        /// The only classes of screens, besides plain containers; nil for any.
        package var screens: Set<String>?
        package var dependencies: Set<String> = []
        /// The source location of the last expectation.
        package var location: RouteError.Location?
    }

    package init() {}

    /// Compiles the URL patterns of the routes again.
    package var compileLinks: () -> Void = {}

    /// The compiled URL patterns of the routes; they are compiled first if routes were removed.
    package var links: URLRouteTable {
        if state.hasOldLinks { compileLinks() }
        return state.links
    }

    /// Whether any class decides whether its screens may be removed.
    package var guardsScreens: Bool { state.classDeclarations.guardsScreens }

    /// Adds a step that the scripts created while they loaded.
    ///
    /// - Throws: `script` if all steps have too many parents and leaves together.
    package func add(_ step: Step) throws(RouteError) {
        state.nestedCount += Int(step.nesting.size)
        guard state.nestedCount <= Nesting.totalLimit else {
            throw .nestsTooMany(Nesting.totalLimit)
        }
        state.steps.append(step)
    }

    /// The steps that the scripts created while they loaded, without the steps of routes that they
    /// removed or replaced.
    package var registeredSteps: [Step] {
        state.routes.hasForgotten
            ? state.steps.filter { $0.target == nil || state.routes.contains($0) } : state.steps
    }

    /// Returns the route of a target.
    ///
    /// - Throws: `wrongKind` for a task, including a task that the scripts expect of the host;
    ///   `notFound`, with the nearest name if one is near.
    package func route(to target: Target) throws(RouteError) -> Step {
        switch state.routes[target] {
        case .screen(let step): return step
        case .task: throw .isTask(target)
        case nil where state.expectations.tasks.contains(target): throw .isTask(target)
        case nil: throw state.routes.unknown(target, beside: [])
        }
    }

    /// Returns the interceptor with a name.
    ///
    /// - Throws: `script`, with the nearest name.
    package func interceptor(_ name: String) throws(RouteError) -> DeclaredInterceptor {
        if let interceptor = state.interceptors[name] { return interceptor }
        throw .noInterceptor(name, among: state.interceptors.keys.sorted())
    }

    /// Returns the action with a name.
    ///
    /// - Throws: `script`, with the nearest name.
    package func action(_ name: String) throws(RouteError) -> DeclaredAction {
        if let action = state.actions[name] { return action }
        throw .noAction(name, among: Action.words + state.actions.keys.sorted())
    }

    /// Returns the handler of a route identifier.
    ///
    /// - Throws: `notFound`, with the nearest identifier if one is near.
    package func handler(of identifier: String) throws(RouteError) -> Handler {
        guard let handler = state.handlers[ByteString(identifier)] else {
            throw .noHandler(identifier, among: state.handlers.keys.compactMap(\.text).sorted())
        }
        return handler
    }

    /// Returns the container on which an action is performed; nil for an action that is performed
    /// on the starting screen itself.
    ///
    /// - Throws: `script` for an undeclared action.
    package func need(of action: Action) throws(RouteError) -> Need? {
        switch action.kind {
        case .push, .pushAsRoot, .pushReplacingLast: .kind(.nav)
        case .addTab: .kind(.tabs)
        case .setAsPrimary, .pushToDetails, .pushOnToDetails: .kind(.split)
        case .replaceLast: .kind(.container)
        case .present, .presentWithNav, .replaceRoot, .none: nil
        case .declared(let name): try self.action(name).needs
        }
    }

    /// Checks that a class is among the classes that the scripts expect of the host, if they
    /// declare any.
    package func checkExpectation(ofClass name: String) throws(RouteError) {
        guard let known = state.expectations.screens, !known.contains(name),
            !Screen.Kind.allCases.contains(where: { $0.rawValue == name })
        else { return }
        throw .unexpectedClass(name, among: known.sorted())
    }

    /// Returns the functions to run on a visited screen after the commit.
    package func functionsAfter(_ visit: Visit) -> [ScriptFunction] {
        visit.info == nil ? [] : state.afters + (visit.step?.after.map { [$0] } ?? [])
    }

    /// Returns the source location that declares an interceptor.
    package func location(of interception: Interception, in tree: ScreenTree) -> RouteError
        .Location?
    {
        switch interception.interceptor {
        case .named(let name): state.interceptors[name]?.location
        case .inline: interception.link?.step.location
        case .leaving(let id):
            tree.screen(id).flatMap { state.classDeclarations[$0.class]?.location }
        }
    }
}

/// A function that a script declares under a name.
package struct DeclaredFunction {
    package let function: ScriptFunction
    package let location: RouteError.Location?

    package init(function: ScriptFunction, location: RouteError.Location?) {
        self.function = function
        self.location = location
    }
}

/// An interceptor that a script declares.
package struct DeclaredInterceptor {
    package let body: ScriptFunction
    /// A function that may reject the navigation while it is planned.
    package let prepare: ScriptFunction?
    /// The deadline of the interceptor's wait, in seconds.
    package let timeout: Double?
    package let location: RouteError.Location?

    package init(
        body: ScriptFunction,
        prepare: ScriptFunction?,
        timeout: Double?,
        location: RouteError.Location?
    ) {
        self.body = body
        self.prepare = prepare
        self.timeout = timeout
        self.location = location
    }
}

/// An interceptor that runs for every route of some services.
package struct InterceptAll {
    /// The phase before which the interceptor runs.
    package enum Phase: String {
        case search, stage
    }

    package let name: String
    package let before: Phase
    /// The services; nil for all.
    package let only: Set<String>?
    package let except: Set<String>
    package let location: RouteError.Location?

    package init(
        name: String,
        before: Phase,
        only: Set<String>?,
        except: Set<String>,
        location: RouteError.Location?
    ) {
        self.name = name
        self.before = before
        self.only = only
        self.except = except
        self.location = location
    }

    package func isFor(_ service: String) -> Bool {
        only?.contains(service) != false && !except.contains(service)
    }
}
