// SPDX-License-Identifier: MIT

internal import LuaVM

/// A generation of scripts: a bundle, the Lua state into which it is loaded, and its declarations.
package final class Generation {
    let number: Int
    let bundle: ScriptBundle
    // No reference counting is needed, because scripts run only during a call to the router.
    unowned(unsafe) let router: Router
    /// The Lua state.
    let runtime: ScriptRuntime
    /// The routes, classes, interceptors, actions and policies that the scripts declare.
    package let declarations = Declarations()
    @exclusivity(unchecked) var state = State()

    /// The values that a rewind restores.
    struct State {
        /// The pending work of the generation.
        var lease = Lease()
        /// The listeners to each kind of event, in the order of registration.
        fileprivate(set) var listeners: [Event.Kind: [LuaFunction]] = [:]
        /// The breaches of capabilities by these scripts.
        var breaches = Breaches()
        /// The dependencies that routes need.
        var dependencies = Dependencies()
        var lastRouting = 0
        var optionsPlace: RouteError.Location?
        /// The classes of the screens that scripts created while they loaded, each with its first
        /// location.
        var classesWhileLoading: [String: RouteError.Location?] = [:]
        /// Whether the scripts have called `router.complete()`.
        var isComplete = false
        /// The API level that the scripts name with `router.api`; nil if they do not call it.
        var namedLevel: Int?
        /// The function that migrates the state of the previous generation.
        var migration: (function: LuaFunction, location: RouteError.Location?)?
    }

    /// The listeners to each kind of event, in the order of registration.
    var listeners: [Event.Kind: [LuaFunction]] {
        get { state.listeners }
        set {
            state.listeners = newValue
            router.noteListeners()
        }
    }
    /// The API level that the scripts need; 1 if they do not call `router.api`.
    var apiLevel: Int { state.namedLevel ?? 1 }

    /// Creates the Lua state and the environments, without running any script.
    init(number: Int, bundle: ScriptBundle, router: Router) throws(RouteError) {
        self.number = number
        self.bundle = bundle
        self.router = router
        declarations.linkDeclarations.allowed = router.capabilities.urls
        var configuration = LuaState.Configuration()
        configuration.profile = router.configuration.profile
        configuration.budget = router.configuration.budget.reduced(to: router.capabilities)
        configuration.loadBudget = router.configuration.loadBudget.reduced(to: router.capabilities)
        configuration.randomSeed = router.configuration.seed
        configuration.refusal = router.configuration.refusal
        configuration.lineCoverage = router.configuration.coverage?.begin(bundle)
        do {
            runtime = try ScriptRuntime(bundle, configuration, lending: router.lending)
        } catch {
            throw RouteError(error)
        }
        declarations.timeout = min(
            declarations.timeout,
            router.capabilities.timeout ?? declarations.timeout
        )
    }

    /// Whether the router supports the API level of the scripts.
    var speaksAPI: Bool { Router.apiLevels.contains(apiLevel) }

    /// Runs the entry file of the bundle, which registers the routes.
    ///
    /// - Throws: `script` or `budget`, or the first of ``RouteError/findings``. The generation then
    ///   cannot become active.
    func load() throws(RouteError) {
        runtime.isLoading = true
        defer { runtime.isLoading = false }
        runtime.connect(to: self)
        runtime.objects.connect(to: self)
        runtime.weakTables.report = { [unowned self] location in
            self.router.log(
                "warn",
                "'__mode' is ignored: the table keeps its keys and values",
                at: location
            )
        }
        do {
            try installEnvironment()
            try runtime.runEntry()
        } catch let error as ScriptError {
            throw RouteError(error)
        } catch let error as BundleError {
            throw RouteError(.script, error.message, cause: error)
        } catch let error as RouteError {
            throw error
        } catch {
            throw RouteError(.script, "\(error)", cause: error)
        }
        // A script may have caught the error of `router.api`.
        guard speaksAPI else { throw RouteError.unknownLevel(apiLevel) }
        let mistakes = check.mistakes(among: linkFindings(), entry: bundle.entry)
        try RouteError.reject(findings: mistakes + hostFindings + contractFindings)
        // The classes are compared after all calls to `router.expects`, because scripts may create
        // screens before they declare their expectations.
        for (name, location) in state.classesWhileLoading.sorted(by: { $0.key < $1.key }) {
            do throws(RouteError) {
                try declarations.checkExpectation(ofClass: name)
            } catch {
                throw error.at(location)
            }
        }
        state.classesWhileLoading = [:]
    }
}

extension Generation: ScriptRuntimeOwner {
    var keptBytes: Int { router.keptBytes }

    func reducedBudget(for budget: Budget) -> Budget? {
        router.turnAccount.covers(budget) ? nil : router.turnAccount.reduced(budget)
    }

    /// Subtracts the cost of an outermost entry from the budget of the turn, and reports the entry
    /// as slow if it has spent more than a tenth of its own budget.
    ///
    /// Instructions are compared instead of time, so that the same calls cause the same events.
    func endEntry(
        instructions: Int64,
        nanoseconds: Int64,
        notes: BudgetNotes,
        reportsSlow: Bool
    ) {
        let limit = runtime.budget.instructions
        router.turnAccount.spend(instructions: instructions, nanoseconds: nanoseconds)
        router.counters.count(entryOf: instructions, nanoseconds: nanoseconds)
        if let limit = runtime.lua.takeBreach() {
            router.counters.count(limit)
            if router.isRestricted { report(breachOf: limit, notes) }
        }
        guard reportsSlow, instructions > limit / 10 else { return }
        let navigation = router.currentNavigation
        router.emit(
            .slow,
            of: navigation,
            at: router.lending.context.step?.location ?? navigation?.journey.definition?.location,
            fields: [("instructions", .integer(instructions)), ("limit", .integer(limit))]
        )
    }
}
