// SPDX-License-Identifier: MIT

package import RouteCore

/// The declarations of a bundle: its routes, classes, interceptors, actions, and policies.
@dynamicMemberLookup
package final class Declarations {
    /// The state that a rewind restores.
    package struct State {
        package var routes = RouteTable()
        package var classes = ScreenClasses()
        /// The rules of classes.
        package var classDeclarations = ClassDeclarations()
        package var fallback: Fallback?
        package var firstTree: (build: FirstTree, location: RouteError.Location?)?
        package var expectations = Expectations()
        /// The handlers of route identifiers.
        package var handlers: [ByteString: Handler] = [:]
        /// The compiled URL patterns of the routes.
        ///
        /// The table may also contain patterns of routes that have been removed.
        package var links = URLRouteTable()
        /// Whether ``links`` contains patterns of removed routes.
        package var hasOldLinks = false
        /// The declarations that concern URLs.
        package var linkDeclarations = LinkDeclarations()
        /// The compiled patterns of the routings, which match dispatched deep links.
        package var routings = RoutingTable()
        /// The interceptors that scripts declare, by name.
        package var interceptors: [String: DeclaredInterceptor] = [:]
        /// The interceptors that run for all routes of the selected services.
        package var interceptAll: [InterceptAll] = []
        /// The actions that scripts declare, by name.
        package var actions: [String: DeclaredAction] = [:]
        /// The functions that run for the screen of every step, before the step's own `update`.
        package var updates: [ScriptFunction] = []
        /// The functions that run for the screen of every step, before the step's own `after`.
        package var afters: [ScriptFunction] = []
        /// The policy for links that would put a screen on a dialog, or remove a dialog.
        package var dialogPolicy = DialogPolicy.leave
        /// The policy for foreign screens, which the host shows without the router.
        package var foreignPolicy = ForeignPolicy.wait
        /// The functions that the host may call, by name.
        package var exports: [String: DeclaredFunction] = [:]
        /// The function that handles a back action if there is no screen to go back to.
        package var backHandler: DeclaredFunction?
        /// The function that is called when the scripts become active.
        package var activated: DeclaredFunction?
        /// The functions that create dependencies, by name.
        package var providers: [String: DeclaredFunction] = [:]
        /// The steps that the scripts created during loading.
        package fileprivate(set) var steps: [Step] = []
        /// The total number of parents and leaves of all ``steps``.
        fileprivate var nestedCount = 0
        /// The policy for a navigation that begins while another one is pending.
        package var policy = Policy.queue
        /// The default timeout of an interceptor, a task or an `after` function, in seconds.
        package var timeout = 30.0
        /// The longest timeout that the scripts have declared, in seconds.
        package var neededTimeout = 0.0

        package init() {}
    }

    // Accesses never overlap: a declaration is added or replaced in one access, and copied before
    // any of its functions is called.

    @exclusivity(unchecked) package var state = State() { didSet { unchangedState = nil } }

    /// A state that checkpoints share, because it is large and seldom changes.
    package final class SharedState {
        fileprivate let state: State

        fileprivate init(_ state: State) { self.state = state }
    }

    /// The latest shared copy of ``state``; nil if the state has changed since the copy was made.
    private var unchangedState: SharedState?

    /// Returns a copy of the state for ``restore(_:)``.
    ///
    /// Until the state changes, each call returns the same copy.
    package func share() -> SharedState {
        let shared = unchangedState ?? SharedState(state)
        unchangedState = shared
        return shared
    }

    /// Restores a shared state.
    ///
    /// Does nothing if the state has not changed since it was shared.
    package func restore(_ shared: SharedState) {
        guard shared !== unchangedState else { return }
        state = shared.state
        unchangedState = shared
    }

    // These accessors must be inlined. Otherwise each access would copy the whole state, and every
    // navigation reads the state.

    @inlinable
    package subscript<Member>(dynamicMember member: KeyPath<State, Member>) -> Member {
        @inline(__always) get { state[keyPath: member] }
    }
    @inlinable
    package subscript<Member>(dynamicMember member: WritableKeyPath<State, Member>) -> Member {
        @inline(__always) get { state[keyPath: member] }
        @inline(__always) _modify { yield &state[keyPath: member] }
    }

    /// The functions that handle targets for which no route or task is registered.
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

    /// The declaration of the first tree: a function or a tree of routes.
    package enum FirstTree {
        case function(ScriptFunction)
        case blueprint(Blueprint)
    }

    /// The requirements that the scripts place on the host.
    package struct Expectations {
        package var tasks: Set<Target> = []
        /// The types of parameters and results that tasks declare.
        ///
        /// Tasks without types are not included.
        package var taskTypes: [Target: TaskTypes] = [:]
        /// The classes of screens that the scripts expect the host to have, besides plain
        /// containers; nil if the scripts do not list any classes.
        package var screens: Set<String>?
        package var dependencies: Set<String> = []
        /// The source location of the expectation that was declared last.
        package var location: RouteError.Location?
    }

    /// The types of a host task's parameters and result.
    package struct TaskTypes: Sendable {
        /// The declared parameters; nil if any parameters are accepted.
        package let info: InfoDeclaration?
        /// The type of the result; nil for any type.
        package let result: InfoDeclaration.Parameter?

        /// Whether checking a value against these types calls a script function.
        package var callsScripts: Bool {
            info?.callsScripts == true || result?.type.callsScripts == true
        }

        /// Reads the table that declares the types of a task.
        ///
        /// - Throws: `script` if the table has a key other than `info` and `result`, or if a type
        ///   is unknown.
        package init(_ target: Target, _ declaration: Value) throws(RouteError) {
            guard case .table(let table) = declaration, table.list.isEmpty,
                table.entries.allSatisfy({ ["info", "result"].contains($0.key) })
            else { throw .badTaskTypes(target) }
            switch table["info"] {
            case .nil: info = nil
            case .table(let types) where types.list.isEmpty:
                info = try InfoDeclaration(types, path: "")
            default: throw .badTaskTypes(target)
            }
            let type = table["result"]
            result =
                type.isNil ? nil : try InfoDeclaration.Parameter("result", type, path: "result")
        }
    }

    package init() {}

    /// Whether any class has a rule about the removal of its screens.
    package var guardsScreens: Bool { state.classDeclarations.guardsScreens }

    /// Returns the declaration of a class that has a rule about the removal of its screens; nil for
    /// any other class.
    package func guardingDeclaration(ofClass name: String) -> ClassDeclaration? {
        guard let declaration = state.classDeclarations[name], declaration.guardsScreens else {
            return nil
        }
        return declaration
    }

    /// Adds a step that the scripts created during loading.
    ///
    /// - Throws: `script` if the steps have too many parents and leaves in total.
    package func add(_ step: Step) throws(RouteError) {
        state.nestedCount += Int(step.nesting.size)
        guard state.nestedCount <= Nesting.totalLimit else {
            throw .nestsTooMany(Nesting.totalLimit)
        }
        state.steps.append(step)
    }

    /// Declares a class and its rules, replacing an earlier declaration.
    package func declare(_ screenClass: ScreenClass, _ rules: ClassDeclaration) {
        state.classes.declare(screenClass)
        state.classDeclarations.declare(screenClass.name, rules)
    }

    /// Registers a route or a task.
    ///
    /// - Throws: `script`, with both locations, if the target is already registered and `overrides`
    ///   is false.
    package func register(
        _ registration: Registration,
        as target: Target,
        overrides: Bool
    ) throws(RouteError) {
        try state.routes.register(registration, as: target, overrides: overrides)
        if case .screen(let step) = registration, !step.urls.isEmpty {
            state.linkDeclarations.routes.append(step)
        }
    }

    /// The steps that the scripts created during loading, except the steps of routes that were
    /// removed or replaced.
    package var registeredSteps: [Step] {
        state.routes.hasForgotten
            ? state.steps.filter { $0.target == nil || state.routes.contains($0) } : state.steps
    }

    /// Returns the route of a target.
    ///
    /// - Throws: `wrongKind` for a task, including a task that the scripts expect of the host;
    ///   `notFound` for an unknown target, with the nearest name if there is one.
    package func route(to target: Target) throws(RouteError) -> Step {
        switch state.routes[target] {
        case .screen(let step): return step
        case .task: throw .isTask(target)
        case nil where state.expectations.tasks.contains(target): throw .isTask(target)
        case nil: throw state.routes.unknown(target, beside: [])
        }
    }

    /// Returns the interceptor with the given name.
    ///
    /// - Throws: `script`, with the nearest name, if no such interceptor is declared.
    package func interceptor(_ name: String) throws(RouteError) -> DeclaredInterceptor {
        if let interceptor = state.interceptors[name] { return interceptor }
        throw .noInterceptor(name, among: state.interceptors.keys.sorted())
    }

    /// Returns the declared action with the given name.
    ///
    /// - Throws: `script`, with the nearest name, if no such action is declared.
    package func action(_ name: String) throws(RouteError) -> DeclaredAction {
        if let action = state.actions[name] { return action }
        throw .noAction(name, among: Action.words + state.actions.keys.sorted())
    }

    /// Returns the handler of a route identifier.
    ///
    /// - Throws: `notFound` if no handler is declared for the identifier. The error contains the
    ///   nearest identifier, if there is one.
    package func handler(of identifier: String) throws(RouteError) -> Handler {
        guard let handler = state.handlers[ByteString(identifier)] else {
            throw .noHandler(identifier, among: state.handlers.keys.compactMap(\.text).sorted())
        }
        return handler
    }

    /// Returns the container that an action needs; nil if the action is performed on the starting
    /// screen itself.
    ///
    /// - Throws: `script` if the action is not declared.
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

    /// Checks that the scripts expect the host to have a class.
    ///
    /// If the scripts do not list the expected classes, every class passes the check.
    package func checkExpectation(ofClass name: String) throws(RouteError) {
        guard let known = state.expectations.screens, !known.contains(name),
            !Screen.Kind.allCases.contains(where: { $0.rawValue == name })
        else { return }
        throw .unexpectedClass(
            name,
            among: known.sorted(),
            listedAt: state.expectations.location
        )
    }

    /// Returns the functions to run for a visited screen after the commit.
    package func functionsAfter(_ visit: Visit) -> [ScriptFunction] {
        visit.info == nil ? [] : state.afters + (visit.step?.after.map { [$0] } ?? [])
    }

    /// Returns the source location of the declaration of an interceptor.
    package func location(of interception: Interception, in tree: ScreenTree) -> RouteError
        .Location?
    {
        switch interception.interceptor {
        case .named(let name): state.interceptors[name]?.location
        case .inline: interception.link?.step.location
        case .leaving(let id):
            tree.screen(id).flatMap { state.classes[$0.class].location }
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
    /// A function that may reject the navigation during planning.
    package let prepare: ScriptFunction?
    /// The timeout for the interceptor's answer, in seconds; nil for the default.
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

/// An interceptor that runs for all routes of the selected services.
package struct InterceptAll {
    /// The phase before which the interceptor runs.
    package enum Phase: String {
        case search, stage
    }

    package let name: String
    package let before: Phase
    /// The services for which the interceptor runs; nil for all services.
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
