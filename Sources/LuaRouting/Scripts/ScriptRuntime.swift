// SPDX-License-Identifier: MIT

internal import LuaVM

/// The Lua state of one generation, with its environments, objects, budget and memory.
///
/// A runtime does not depend on a router. Its owner accounts for the entries into the state, and
/// provides the functions that the scripts call.
final class ScriptRuntime {
    let lua: LuaState
    /// The types of host objects in scripts.
    let objects: ScriptObjects
    let weakTables: WeakTables
    /// The budget of one entry.
    var budget: Budget {
        get { state.budget }
        set {
            state.budget = newValue
            lua.setBudget(newValue)
        }
    }
    // Accesses cannot overlap, because each access reads or sets a single property.
    /// The values that a checkpoint saves together with the Lua state.
    @exclusivity(unchecked) var state: State
    /// Whether the scripts are being loaded and checked.
    var isLoading = false {
        didSet { lua.setLoading(isLoading) }
    }
    /// Memory that is reused for the arguments of the next call.
    @exclusivity(unchecked) var spareArguments: ArgumentTree?
    // The owner connects itself before any script runs, and outlives all entries.
    unowned(unsafe) private var connectedOwner: (any ScriptRuntimeOwner)?
    /// The context of script calls.
    let lending: Lending
    /// The handles of all declared functions that any fingerprint has included.
    var knownHandles: Set<Int64> = []
    /// The known handles whose functions were in no declaration when the declarations were last
    /// read.
    var passingHandles: Set<Int64> = []
    /// The handles of declared functions, and the number of the last declaration at the time when
    /// the handles were read.
    var declaredHandles: (declaration: Int, handles: Set<Int64>)?
    /// The number of the last declaration.
    ///
    /// A rewind does not reset this number.
    var lastDeclaration = 0
    /// The budget of the current entry, if it is less than ``budget``.
    private var reducedBudget: Budget?

    /// The values that a checkpoint saves together with the content of the Lua state.
    struct State {
        fileprivate(set) var budget: Budget
        var modules: ModuleLoader
        /// The methods that scripts have read from objects.
        var methods: [Method: LuaFunction] = [:]
        /// The number of lines and bytes that the current entry has written to the log.
        fileprivate(set) var logged = (lines: 0, bytes: 0)
        /// Whether the entry script has run to its end.
        fileprivate(set) var hasRun = false
        /// Whether a file has a syntax error.
        var hasSyntaxError = false
        /// The function that reads the metatables of scripts again after a chunk has run.
        var settleMetatables: LuaFunction?
        /// The function that shares the globals of the library with an environment.
        ///
        /// The globals are created for the first environment.
        var sharesGlobals: LuaFunction?
        /// The environment of the files under `vendor/`; nil until such a file is loaded.
        var vendor: LuaEnvironment?
        /// The function that calls a provider; nil until a provider is called.
        var callsProvider: LuaFunction?
        /// The number of the last declaration that this state contains.
        var declaration = 0
        /// The size of the declarations, in bytes.
        var declaredBytes = 0
        /// The sizes of the declarations made since the scripts were loaded, by function and name.
        var declaredSizes: [String: Int] = [:]
        /// The handles of values, except declarations, that the router referenced when its states
        /// were last compared.
        var heldHandles: Set<Int64> = []
        /// The size of the data kept by Swift that the Lua state has counted, in bytes.
        var countedBytes = 0

        fileprivate init(_ budget: Budget, _ modules: ModuleLoader) {
            self.budget = budget
            self.modules = modules
        }
    }

    /// A key that identifies a method by its name and by the type of its objects.
    struct Method: Hashable {
        var type: ObjectType
        var name: String
    }

    /// Creates the Lua state and the environments, without running any script.
    init(
        _ bundle: ScriptBundle,
        _ configuration: LuaState.Configuration,
        lending: Lending
    ) throws(ScriptError) {
        self.lending = lending
        let weakTables = WeakTables()
        self.weakTables = weakTables
        lua = try LuaState(configuration)
        lua.setLoading(true)
        objects = try ScriptObjects(lua)
        let own = try lua.makeEnvironment(strict: true) { name, defined in
            if let hint = RefusedGlobal.hint(for: name) { return hint }
            return APILibrary.router.members.contains(name)
                ? ", did you mean 'router.\(name)'?"
                : Suggestion.hint(for: name, among: defined)
        }
        state = State(configuration.budget, ModuleLoader(bundle: bundle, own: own))
    }

    /// Sets the owner.
    ///
    /// Must be called before any script runs.
    func connect(to owner: some ScriptRuntimeOwner) { connectedOwner = owner }

    @inline(__always)
    var owner: any ScriptRuntimeOwner {
        guard let connectedOwner else {
            preconditionFailure("scripts run before the runtime is connected to a generation")
        }
        return connectedOwner
    }

    /// Runs the entry file of the bundle.
    func runEntry() throws {
        try lua.run(try compile(state.modules.bundle.entry))
        if let settleMetatables = state.settleMetatables { try lua.call(settleMetatables) }
        try compileRequired()
        try state.modules.bundle.checkStability()
        state.hasRun = true
    }

    // MARK: Entries

    /// Prepares an outermost entry: resets its log quota, and limits its budget to what is left of
    /// the turn's budget.
    func beginEntry() {
        guard !lua.isRunning else { return }
        state.logged = (0, 0)
        count(keptBytes: owner.keptBytes)
        guard let reduced = owner.reducedBudget(for: budget) else { return }
        reducedBudget = reduced
        lua.setBudget(reduced)
    }

    /// Reports the cost of an outermost entry to the owner.
    ///
    /// - Parameter reportsSlow: Whether to report an entry that has spent much of its budget.
    func endEntry(reportsSlow: Bool = true) {
        guard !lua.isRunning, !isLoading else { return }
        let (instructions, nanoseconds) = (lua.instructionsSpent, lua.nanosecondsSpent)
        let notes = (reducedBudget ?? budget).notes
        if reducedBudget != nil {
            reducedBudget = nil
            lua.setBudget(budget)
        }
        owner.endEntry(
            instructions: instructions,
            nanoseconds: nanoseconds,
            notes: notes,
            reportsSlow: reportsSlow
        )
    }

    /// Counts a line that the current entry writes to the log.
    ///
    /// - Throws: `budget` if the entry exceeds its limit of lines or bytes.
    func countLog(_ bytes: Int) throws(RouteError) {
        state.logged.lines += 1
        state.logged.bytes += bytes
        let isWithinLimit =
            state.logged.lines <= Self.logLines && state.logged.bytes <= Self.logLimit
        guard isWithinLimit else { throw .logQuota() }
    }

    /// The maximum number of lines that an entry may write to the log.
    static let logLines = 1_000
    /// The maximum number of bytes that an entry may write to the log.
    static let logLimit = 64 * 1024

    /// Calls the given closure as one entry.
    ///
    /// - Throws: The error that a function raises.
    func entering<Result>(
        _ body: () throws(ScriptError) -> Result
    ) throws(RouteError) -> Result {
        do throws(ScriptError) {
            beginEntry()
            defer { endEntry() }
            return try body()
        } catch {
            throw RouteError(error)
        }
    }

    // MARK: Calling

    /// Calls a script function.
    ///
    /// - Parameters:
    ///   - function: The function.
    ///   - arguments: The arguments.
    ///   - navigation: The navigation to pass as the last argument. It is passed only if the
    ///     function has a parameter for it, because creating and freeing the Lua object takes time.
    ///   - answering: The verdicts with which the function may end.
    /// - Returns: The first result; nil if the function returns no value at all.
    /// - Throws: The error that the function raises.
    func result(
        of function: ScriptFunction,
        _ arguments: [Value],
        _ navigation: Navigation? = nil,
        as answering: CallContext.Answering = .nobody
    ) throws(RouteError) -> Value? {
        try lending.calling(as: answering) { () throws(RouteError) in
            var reason: Value?
            let result = try entering { () throws(ScriptError) in
                let takesNavigation =
                    navigation == nil ? false : try takes(function.lua, arguments.count + 1)
                let count = answering == .prepare ? -2 : -1
                var reader = try lua.call(function.lua, results: count) { writer in
                    for argument in arguments { argument.write(to: &writer, objects) }
                    if takesNavigation, let navigation { objects.write(navigation, to: &writer) }
                }
                objects.hasMetHandle = false
                let result = Value(from: &reader, objects)
                if count < -1 { reason = Value(from: &reader, objects) }
                return result
            }
            if result?.isNil == true, reason?.isNil == false {
                throw .passesWithReason("'prepare'", fix: "'router.stop(reason)'")
            }
            if let result { try objects.checkCrossing(result) }
            return result
        }
    }

    /// Calls a script function like ``result(of:_:_:as:)``.
    ///
    /// If the function returns no value, the result is `.nil`.
    func call(
        _ function: ScriptFunction,
        arguments: [Value],
        in navigation: Navigation? = nil,
        as answering: CallContext.Answering = .nobody
    ) throws(RouteError) -> Value {
        try result(of: function, arguments, navigation, as: answering) ?? .nil
    }

    /// Returns the first of the given screens for which a function returns true.
    ///
    /// All screens are tested in one entry.
    func first(
        of screens: some Sequence<ScreenID>,
        where predicate: ScriptFunction,
        _ info: InfoTable? = nil,
        _ navigation: Navigation? = nil
    ) throws(RouteError) -> ScreenID? {
        let screens = Array(screens)
        return try entering { () throws(ScriptError) in
            let takesNavigation =
                navigation == nil ? false : try takes(predicate.lua, info == nil ? 2 : 3)
            let index = try lua.firstIndex(
                of: objects.screen,
                in: screens.lazy.map(\.identifier),
                where: predicate.lua
            ) { writer in
                if let info { Value.table(info).write(to: &writer, objects) }
                if takesNavigation, let navigation { objects.write(navigation, to: &writer) }
            }
            return index.map { screens[$0] }
        }
    }

    /// Returns whether a function accepts the given number of arguments.
    func takes(_ function: LuaFunction, _ count: Int) throws(ScriptError) -> Bool {
        let parameters = try lua.parameters(of: function)
        return parameters.isVariadic || parameters.count >= count
    }
}

/// The owner of a runtime.
///
/// The owner accounts for the runtime's entries into the Lua state.
protocol ScriptRuntimeOwner: AnyObject {
    /// The size of the data that Swift keeps for all scripts, in bytes.
    var keptBytes: Int { get }

    /// Returns the reduced budget for an entry that is about to begin; nil if the given budget is
    /// available in full.
    func reducedBudget(for budget: Budget) -> Budget?

    /// Accounts for an outermost entry that has ended.
    ///
    /// - Parameters:
    ///   - instructions: The number of instructions that the entry has spent.
    ///   - nanoseconds: The processor time that the entry has spent.
    ///   - notes: The notes that messages append to the limits of the entry's budget.
    ///   - reportsSlow: Whether to report an entry that has spent much of its budget.
    func endEntry(
        instructions: Int64,
        nanoseconds: Int64,
        notes: BudgetNotes,
        reportsSlow: Bool
    )
}
