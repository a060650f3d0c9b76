// SPDX-License-Identifier: MIT

internal import LuaVM

/// One bundle loaded into one Lua state, and what it registered.
package final class Generation {
    let number: Int
    let bundle: Bundle
    unowned let router: Router
    let lua: LuaState
    /// The routes, classes, interceptors, actions and policies that the scripts declare.
    package let declarations = Declarations()

    private(set) var isLoading = false

    /// The budget of one entry.
    var budget: Budget {
        didSet { lua.setBudget(budget) }
    }
    /// The number of bytes of what the scripts declared.
    var declaredBytes = 0
    /// The sizes of what was declared since the scripts were loaded, by function and names.
    var declaredSizes: [String: Int] = [:]
    /// The number of bytes that the Lua state counts for what Swift keeps.
    @exclusivity(unchecked) var countedBytes = 0
    /// The budget of the entry that runs, if that is less than ``budget``.
    private var reducedBudget: Budget?
    /// What the entry under way has written to the log.
    var logged = (lines: 0, bytes: 0)
    /// The functions that listen to the kinds of events, in the order of registration.
    @exclusivity(unchecked) var listeners: [Event.Kind: [LuaFunction]] = [:] {
        didSet { router.noteListeners() }
    }
    /// The breaches of the capabilities of these scripts.
    @exclusivity(unchecked) var breaches = Breaches()
    /// Calls a provider, once one was called.
    var callsProvider: LuaFunction?
    /// The values that routes need, and what makes them.
    var dependencies = Dependencies()
    var lastRouting = 0
    /// The functions of the members of navigations.
    var navigationMethods: [String: LuaFunction] = [:]
    /// The functions of the members of tasks, and of timers.
    var taskMethods: [String: LuaFunction] = [:]
    var timerMethods: [String: LuaFunction] = [:]
    /// The functions of the members of routings, and of tickets.
    var routingMethods: [String: LuaFunction] = [:]
    var ticketMethods: [String: LuaFunction] = [:]
    var optionsPlace: RouteError.Location?

    /// The kinds of host objects that scripts see.
    let objects: ScriptObjects

    /// Reads the metatables of scripts again, once a chunk has run.
    var settleMetatables: LuaFunction?
    var modules: ModuleLoader
    let weakTables: WeakTables

    /// Whether the scripts said that they are complete.
    var isComplete = false
    /// Makes of the state of other scripts what these need.
    var migration: (function: LuaFunction, place: RouteError.Location?)?
    /// How long what goes on may still do so when other scripts serve, in seconds.
    var drain = 30.0
    /// What ends that.
    var drainTimer: Int?
    /// How many completions of theirs are still to be called.
    var completionsOwed = 0
    /// Whether their time to finish what goes on is over.
    var isOverdue = false
    /// Whether the entry has run to its end.
    private(set) var hasRun = false
    /// Whether a file is not Lua.
    var hasSyntaxError = false
    /// What waits in functions of these scripts.
    @exclusivity(unchecked) var waiting: [ObjectIdentifier: Activity] = [:]

    /// Makes the state and the environments; runs nothing of the bundle.
    init(number: Int, bundle: Bundle, router: Router) throws(RouteError) {
        self.number = number
        self.bundle = bundle
        self.router = router
        budget = router.configuration.budget.reduced(to: router.capabilities)
        declarations.declaredLinks.allowed = router.capabilities.urls
        let weakTables = WeakTables()
        self.weakTables = weakTables
        do {
            var configuration = LuaState.Configuration()
            configuration.profile = router.configuration.profile
            configuration.budget = budget
            configuration.loadBudget = router.configuration.loadBudget
                .reduced(to: router.capabilities)
            configuration.randomSeed = router.configuration.seed
            configuration.refusal = router.configuration.refusal
            lua = try LuaState(configuration)
            objects = try ScriptObjects(lua)
            modules = ModuleLoader(
                own: try lua.makeEnvironment(strict: true) { name, defined in
                    RefusedGlobal.hint(for: name) ?? Suggestion.hint(for: name, among: defined)
                },
                vendor: try lua.makeEnvironment(strict: false, weak: weakTables.note)
            )
        } catch {
            throw RouteError(error)
        }
        declarations.patience = min(
            declarations.patience,
            router.capabilities.timeout ?? declarations.patience
        )
    }

    /// Runs the entry of the bundle, which registers what it has to.
    ///
    /// - Throws: `script` or `budget`, or the first of ``RouteError/findings``; the generation
    ///   cannot serve then.
    func load() throws(RouteError) {
        isLoading = true
        defer { isLoading = false }
        objects.connect(to: self)
        weakTables.report = { [unowned self] place in
            self.router.log(
                "warn",
                "'__mode' is ignored: the table keeps what it contains",
                at: place
            )
        }
        do {
            try installEnvironment()
            try lua.run(try compile(bundle.entry))
            if let settleMetatables { try lua.call(settleMetatables) }
            try bundle.checkStability()
            hasRun = true
        } catch let error as ScriptError {
            throw RouteError(error)
        } catch let error as BundleError {
            throw RouteError(.script, error.message, cause: error)
        } catch let error as RouteError {
            throw error
        } catch {
            throw RouteError(.script, "\(error)", cause: error)
        }
        let mistakes = check.mistakes(among: linkFindings(), entry: bundle.entry)
        try RouteError.reject(findings: mistakes + hostFindings)
    }

    // MARK: Calling

    /// Prepares an outermost entry: it may write to the log again, and spend its own budget or what
    /// is left of the turn's, whichever is less.
    func beginEntry() {
        guard !lua.isRunning else { return }
        logged = (0, 0)
        countKeptMemory()
        guard !router.turnAccount.covers(budget) else { return }
        let reduced = router.turnAccount.reduced(budget)
        reducedBudget = reduced
        lua.setBudget(reduced)
    }

    /// Takes what an outermost entry has spent from the budget of the turn, and reports an entry
    /// that spent more than a tenth of its own: it will be the first to exceed it.
    ///
    /// Instructions decide and not time, so that the same calls give the same events.
    ///
    /// - Parameter reportsSlow: Whether such an entry is reported.
    func endEntry(reportsSlow: Bool = true) {
        guard !lua.isRunning, !isLoading else { return }
        let (spent, limit) = (lua.instructionsSpent, budget.instructions)
        router.turnAccount.spend(instructions: spent, nanoseconds: lua.nanosecondsSpent)
        if router.isRestricted { countBreach(of: (reducedBudget ?? budget).notes) }
        if reducedBudget != nil {
            reducedBudget = nil
            lua.setBudget(budget)
        }
        guard reportsSlow, spent > limit / 10 else { return }
        let navigation = router.currentNavigation
        router.emit(
            .slow,
            navigation,
            at: router.lending.context.step?.place ?? navigation?.journey.definition?.place,
            [("instructions", .integer(spent)), ("limit", .integer(limit))]
        )
    }

    /// Calls a function of the scripts.
    ///
    /// - Parameters:
    ///   - function: The function.
    ///   - arguments: The arguments.
    ///   - navigation: The last argument; written only if the function takes it, for the object
    ///     that stands for it takes time to make and free.
    ///   - answering: Who may end the function.
    /// - Returns: The first result.
    /// - Throws: The error that the function raises.
    func call(
        _ function: ScriptFunction,
        _ arguments: [Value],
        _ navigation: Navigation? = nil,
        as answering: CallContext.Answering = .nobody
    ) throws(RouteError) -> Value {
        try router.lending.calling(as: answering) { () throws(RouteError) in
            let result: Value
            do throws(ScriptError) {
                beginEntry()
                defer { endEntry() }
                let takesNavigation =
                    navigation == nil ? false : try takes(function.lua, arguments.count + 1)
                var reader = try lua.call(function.lua, results: 1) { writer in
                    for argument in arguments { argument.write(to: &writer, objects) }
                    if takesNavigation, let navigation { objects.write(navigation, to: &writer) }
                }
                objects.hasMetHandle = false
                result = Value(from: &reader, objects) ?? .nil
            } catch {
                throw RouteError(error)
            }
            try objects.checkCrossing(result)
            return result
        }
    }

    /// Whether a function takes so many arguments.
    func takes(_ function: LuaFunction, _ count: Int) throws(ScriptError) -> Bool {
        let parameters = try lua.parameters(of: function)
        return parameters.isVariadic || parameters.count >= count
    }
}
