// SPDX-License-Identifier: MIT

internal import LuaVM

/// Functions of the Lua API that navigate, reuse screens, run tasks, create screens, or write to
/// the log.
extension Generation {
    // MARK: Navigating

    /// Begins a navigation that a script requests.
    ///
    /// - Throws: `composition` if the chain of navigations, each begun by the one before, is too
    ///   long.
    func begin(
        _ request: Act<ScreenID>,
        _ arguments: Arguments,
        options index: Int,
        window: String? = nil,
        origin: Origin = .script
    ) throws(RouteError) -> ScriptValue {
        // Otherwise, completions of failed navigations could begin new navigations endlessly.
        guard router.chain < Router.chainLimit else { throw .endlessChain() }
        let table = arguments.table(index)
        var options = NavigationOptions(origin: origin)
        options.isByScript = true
        options.via = Action(table["via"])
        if let via = options.via { _ = try declarations.need(of: via) }
        options.from = table["from"].screen
        options.window = window ?? table["window"].text
        options.isAnimated = table["animated"].boolean ?? true
        options.timeout = try timeout(in: table)
        options.policy = table["policy"].text.flatMap(Policy.init)
        options.isAgain = table["again"].boolean ?? false
        options.isForced = table["force"].boolean ?? false
        if router.isRestricted { try checkCapabilities(of: request, &options) }
        var completion: ((Navigation) -> Void)?
        if let function = table["completion"].luaFunction {
            completion = owing(function) { $0.complete(function, $1) }
        }
        let navigation = router.begin(
            request,
            options,
            at: arguments.location,
            completion: completion
        )
        return .navigation(navigation)
    }

    /// Returns a completion that calls a script function.
    ///
    /// The generation is retained until the completion is called, or until the drain time is over.
    private func owing<Ended>(
        _ function: LuaFunction,
        _ complete: @escaping (Generation, Ended) -> Void
    ) -> (Ended) -> Void {
        let number = state.lease.owe(function)
        return { [weak self, weak router] ended in
            guard let self else {
                let error = RouteError.ofClosedScripts()
                router?.log("warn", "a completion handler is not called: \(error.message)")
                return
            }
            state.lease.pay(number)
            complete(self, ended)
        }
    }

    private func complete(_ completion: LuaFunction, _ navigation: Navigation) {
        let results = navigation.results
        complete(completion, finished: results[0].isTrue, with: results[1])
    }

    private func complete(_ completion: LuaFunction, finished: Bool, with info: Value) {
        do throws(RouteError) {
            try router.lending.calling(for: self) { () throws(RouteError) in
                _ = try runtime.call(completion, arguments: [.boolean(finished), info])
            }
        } catch {
            router.logUnheard(error)
        }
    }

    // MARK: Reusing screens

    /// Returns the first screen of a stack for which the given predicate is true.
    func reuse(_ arguments: Arguments) throws(RouteError) -> Value {
        guard let predicate = arguments[0].luaFunction else { return .nil }
        let options = arguments.table(1)
        guard let nav = options["inside"].screen ?? router.existingNav,
            let screen = router.tree.screen(nav)
        else { return .nil }
        guard screen.kind == .nav else { throw .notAStack(screen) }
        let isBottomUp = options["direction"].text == "bottomUp"
        let children = isBottomUp ? screen.children : screen.children.reversed()
        let found = try runtime.first(of: children, where: predicate)
        if let stage = router.lending.stage {
            router.trace?.notesReuse(
                among: children,
                found,
                at: arguments.location,
                of: router.lending.context.step,
                in: stage.pointee
            )
        }
        return found.map(Value.screen) ?? .nil
    }

    // MARK: Tasks

    /// Creates the function with which a worker ends its task.
    func makeDone(for task: RouteTask) throws(RouteError) -> LuaFunction {
        do throws(ScriptError) {
            return try runtime.lua.makeFunction(name: "done") { [unowned self] frame in
                if frame.count > 0, frame.boolean(at: 0) == nil, frame.kind(at: 0) != .nil {
                    throw frame.mismatch(at: 0, "boolean")
                }
                try router.checkEffects(of: "'done'")
                if let trace = router.trace {
                    return trace.notes(call: "done", of: .task, at: frame.location())
                }
                runtime.objects.hasMetHandle = false
                let info = try Value(frame, at: 1, runtime.objects)
                try runtime.objects.checkCrossing(info)
                router.end(
                    task,
                    .done(finished: frame.boolean(at: 0) ?? true, info: info),
                    at: frame.location()
                )
            }
        } catch {
            throw RouteError(error)
        }
    }

    /// Runs a task that a script requests.
    func doTask(_ arguments: Arguments) -> [ScriptValue] {
        var completion: ((RouteTask) -> Void)?
        if let function = arguments[3].luaFunction {
            completion = owing(function) { $0.complete(function, $1) }
        }
        let task = router.doTask(
            arguments.target(),
            info: arguments.table(2),
            at: arguments.location,
            isByScript: true,
            completion: completion
        )
        return [.value(task.value), .task(task)]
    }

    private func complete(_ completion: LuaFunction, _ task: RouteTask) {
        let results = task.results
        complete(completion, finished: results[0].isTrue, with: results[1])
    }

    // MARK: Screens

    /// Creates a detached screen.
    ///
    /// While the scripts load, the class is only recorded. It is compared with the expectations
    /// when the scripts have loaded.
    func makeScreen(
        _ name: String,
        fields: InfoTable,
        at location: RouteError.Location? = nil
    ) throws(RouteError) -> Value {
        if !runtime.isLoading {
            try declarations.checkExpectation(ofClass: name)
        } else if state.classesWhileLoading[name] == nil {
            state.classesWhileLoading[name] = .some(location)
        }
        guard declarations.state.classes[name].kind != .foreign else { throw .makesForeign(name) }
        return .screen(
            try router.tree.makeScreen(
                declarations.state.classes[name],
                fields: try Fields(ofScript: fields)
            )
        )
    }

    /// Sets a field on behalf of a script.
    ///
    /// - Throws: `badInfo` if the name is invalid; `script` if a fixed property has this name.
    func setField(_ name: String, to value: Value, of screen: ScreenID) throws(RouteError) {
        guard Name.isValid(name) else { throw .notAName(name) }
        guard ScreenProperty.named(name) == nil else { throw .readOnly(name) }
        try declarations.state.classes.checkField(name, of: screen, in: router.tree)
        try router.setField(name, to: value, of: screen)
    }

    /// Returns the class of a container that a script creates.
    ///
    /// - Throws: `typeMismatch` for a class of another kind.
    func containerClass(_ kind: Screen.Kind, _ name: String?) throws(RouteError) -> ScreenClass {
        var screenClass = declarations.classes[kind.rawValue]
        if let name {
            screenClass =
                declarations.classes.declares(name)
                ? declarations.classes[name] : ScreenClass(name, kind: kind)
        }
        guard screenClass.kind == kind else { throw .wrongKind(screenClass, expected: kind) }
        return screenClass
    }

    /// Creates a detached container, or a blueprint of a tree if one of the leaves is a route.
    func makeContainer(
        _ screenClass: ScreenClass,
        _ contents: InfoTable
    ) throws(RouteError) -> Value {
        let count = contents.list.count
        // Inserting many children at once takes time proportional to the square of their number.
        guard count <= Stage.childLimit else { throw .tooManyChildrenAtOnce(count) }
        let selected = contents["selected"].integer ?? 1
        if contents["selected"].integer != nil, selected < 1 || selected > Int64(count) {
            throw .noSuchTab(selected, count)
        }
        if let blueprint = try Blueprint(screenClass, contents, in: router.tree) {
            return Value(blueprint)
        }
        // The container may take screens that another function or the stage still needs. Only
        // screens that were created for the same plan are safe to use.
        if contents.list.contains(where: {
            ($0.screen?.serial ?? 0) <= router.lending.context.planningSerial
        }) {
            try router.checkEffects(of: "making a container")
        }
        return .screen(
            try router.tree.makeScreen(
                screenClass,
                children: contents.list.compactMap(\.screen),
                selection: Int(clamping: selected) - 1
            )
        )
    }

    // MARK: The log

    /// Writes a value to the log, on behalf of a script.
    ///
    /// - Throws: `budget` if the entry or the turn exceeds its limit of lines or bytes.
    func log(_ level: String, _ message: Value, at location: RouteError.Location?)
        throws(RouteError)
    {
        let text: ByteString =
            if case .string(let text) = message, text.text != nil {
                text
            } else {
                ByteString(
                    NotationPrinter(classes: declarations.classes, limit: ScriptRuntime.logLimit)
                        .value(
                            message
                        )
                )
            }
        try log(level, text, at: location)
    }

    /// Writes a line to the log, on behalf of a script.
    ///
    /// - Throws: `budget` if the entry or the turn exceeds its limit of lines or bytes.
    func log(_ level: String, _ text: ByteString, at location: RouteError.Location?)
        throws(RouteError)
    {
        try runtime.countLog(text.count)
        guard router.turnAccount.log(text.count) else {
            throw .logQuota(ofTurn: router.turnAccount.wholeLog)
        }
        if router.isRestricted { try checkEvents() }
        let rate = runtime.isLoading ? nil : router.capabilities.rates.logBytes
        try router.use(.logRate, amount: text.count, of: rate, what: "bytes in the log")
        router.log(level, text.displayText, at: location)
    }
}
