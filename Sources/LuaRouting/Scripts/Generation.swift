// SPDX-License-Identifier: MIT

internal import LuaVM

/// One bundle, the Lua state into which it is loaded, and its declarations.
package final class Generation {
    let number: Int
    let bundle: ScriptBundle
    // Not counted: scripts run only during a call of the router, which outlives each of them.
    unowned(unsafe) let router: Router
    /// The Lua state.
    let runtime: ScriptRuntime
    /// The routes, classes, interceptors, actions and policies that the scripts declare.
    package let declarations = Declarations()
    @exclusivity(unchecked) var state = State()

    /// The values that a rewind restores.
    struct State {
        /// The users of the generation.
        var lease = Lease()
        /// The functions that listen to the kinds of events, in the order of registration.
        fileprivate(set) var listeners: [Event.Kind: [LuaFunction]] = [:]
        /// The breaches of the capabilities of these scripts.
        var breaches = Breaches()
        /// The values that routes need, and their providers.
        var dependencies = Dependencies()
        var lastRouting = 0
        var optionsPlace: RouteError.Location?
        /// The classes of the screens that the scripts made while they loaded, each with its first location.
        var classesWhileLoading: [String: RouteError.Location?] = [:]
        /// Whether the scripts said that they are complete.
        var isComplete = false
        /// The API level that the scripts name; nil if they do not.
        var namedLevel: Int?
        /// Migrates the state of the previous scripts for these scripts.
        var migration: (function: LuaFunction, location: RouteError.Location?)?
    }

    /// The functions that listen to the kinds of events, in the order of registration.
    var listeners: [Event.Kind: [LuaFunction]] {
        get { state.listeners }
        set {
            state.listeners = newValue
            router.noteListeners()
        }
    }
    /// The API level that the scripts need.
    var apiLevel: Int { state.namedLevel ?? 1 }

    /// Creates the state and the environments; runs no script.
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
        // A conflict leaves the patterns as they are.
        declarations.compileLinks = { [unowned self] in _ = linkFindings() }
    }

    /// Whether the host speaks the API level of the scripts.
    var speaksAPI: Bool { Router.apiLevels.contains(apiLevel) }

    /// Runs the entry of the bundle, which registers its routes.
    ///
    /// - Throws: `script` or `budget`, or the first of ``RouteError/findings``; the generation
    ///   cannot become active then.
    func load() throws(RouteError) {
        runtime.isLoading = true
        defer { runtime.isLoading = false }
        runtime.connect(to: self)
        runtime.objects.connect(to: self)
        runtime.weakTables.report = { [unowned self] location in
            self.router.log(
                "warn",
                "'__mode' is ignored: the table keeps what it contains",
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
        // A script may have caught the error.
        guard speaksAPI else { throw RouteError.unknownLevel(apiLevel) }
        let mistakes = check.mistakes(among: linkFindings(), entry: bundle.entry)
        try RouteError.reject(findings: mistakes + hostFindings + contractFindings)
        // Of the expectations at the end: their order among the calls does not matter.
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

    /// Subtracts the cost of an outermost entry from the budget of the turn, and reports an entry
    /// that spent more than a tenth of its own as slow.
    ///
    /// Instructions are compared, not time, so that the same calls give the same events.
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
