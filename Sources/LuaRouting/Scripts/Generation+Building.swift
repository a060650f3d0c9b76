// SPDX-License-Identifier: MIT

internal import LuaVM

/// Running the functions of routes.
extension Generation {
    /// The line that declared the first tree.
    var startPlace: RouteError.Location? { firstTree?.place }

    /// What a function that builds gives.
    enum Built {
        case screen(ScreenID)
        /// A tree that is still to be built.
        case blueprint(Blueprint)

        init?(_ value: Value) {
            switch value {
            case .screen(let screen): self = .screen(screen)
            case .object(let object):
                guard let blueprint = object.base as? Blueprint else { return nil }
                self = .blueprint(blueprint)
            default: return nil
            }
        }
    }

    /// Runs the script's function for the first tree.
    func buildFirstTree(_ info: Table) throws(RouteError) -> Built {
        guard let firstTree else { throw .noStart() }
        switch firstTree.build {
        case .blueprint(let blueprint): return .blueprint(blueprint)
        case .function(let function):
            let result = try call(function, [.value(.table(info))])
            guard let built = Built(result) else { throw .startGave(result.scriptKind) }
            return built
        }
    }

    /// Makes the screen of a step.
    ///
    /// - Throws: `badInfo` where the provider returns nil, `script` where it returns no
    ///   screen, or what it raises.
    func build(
        by provider: LuaFunction,
        _ step: Step,
        _ info: Table,
        _ navigation: Navigation
    ) throws(RouteError) -> Built {
        try built(try call(provider, info, navigation), by: step)
    }

    /// Lets what answers for unknown targets make a screen.
    func build(
        byFallback provider: LuaFunction,
        _ step: Step,
        _ navigation: Navigation
    ) throws(RouteError) -> ScreenID {
        guard let target = step.target else {
            preconditionFailure("only what was navigated to has a fallback")
        }
        let result = try call(
            provider,
            [
                .value(Value(target.service)), .value(Value(target.task)),
                .value(.table(navigation.info)), .navigation(navigation),
            ]
        )
        // It answered that it has no answer: there is no such target after all.
        if result.isNil { _ = try routes.find(target) }
        guard case .screen(let screen) = try built(result, by: step) else {
            throw .providerGave(result.scriptKind, step)
        }
        return screen
    }

    /// What a provider returned.
    private func built(_ result: Value, by step: Step) throws(RouteError) -> Built {
        if let built = Built(result) { return built }
        if result.isNextMatch { throw .goesOn() }
        throw result.isNil
            ? .providerGaveNothing(step) : .providerGave(result.scriptKind, step)
    }

    // MARK: Calling with what navigations have

    /// Calls a function with parameters and the navigation.
    func call(
        _ function: LuaFunction,
        _ info: Table,
        _ navigation: Navigation?
    ) throws(RouteError) -> Value {
        let info = ScriptValue.value(.table(info))
        guard let navigation else { return try call(function, [info]) }
        return try call(function, [info, .navigation(navigation)])
    }

    /// The first of some screens for which a function of a script holds.
    ///
    /// All are asked about in one entry.
    func first(
        of screens: some Sequence<ScreenID>,
        where predicate: LuaFunction,
        _ info: Table? = nil,
        _ navigation: Navigation? = nil
    ) throws(RouteError) -> ScreenID? {
        let screens = Array(screens)
        let outer = answering
        answering = .nobody
        defer { answering = outer }
        do {
            beginEntry()
            defer { endEntry() }
            let takesNavigation =
                navigation == nil ? false : try takes(predicate, info == nil ? 2 : 3)
            let index = try lua.firstIndex(
                of: objects.screen,
                in: screens.lazy.map(\.identifier),
                where: predicate
            ) { writer in
                if let info { Value.table(info).write(to: &writer, objects) }
                if takesNavigation, let navigation { objects.write(navigation, to: &writer) }
            }
            return index.map { screens[$0] }
        } catch {
            throw RouteError(error)
        }
    }

    /// Calls a step's function that has to do with a screen.
    func call(
        _ function: LuaFunction,
        _ screen: ScreenID,
        _ value: Value,
        _ navigation: Navigation
    ) throws(RouteError) {
        _ = try call(function, [.value(.screen(screen)), .value(value), .navigation(navigation)])
    }

    /// Lets a function of the script check and convert a parameter.
    func convert(_ function: LuaFunction, _ value: Value) throws(RouteError) -> Value {
        try call(function, [.value(value)])
    }

    /// What a step asks of the steps behind it.
    func adapt(
        _ step: Step,
        _ info: Table,
        _ navigation: Navigation
    ) throws(RouteError) -> Table {
        guard let adapt = step.adapt else { return info }
        return try self.adapt(adapt, info, navigation)
    }

    /// What a function makes of parameters.
    func adapt(
        _ function: LuaFunction,
        _ info: Table,
        _ navigation: Navigation
    ) throws(RouteError) -> Table {
        let result = try call(function, info, navigation)
        guard case .table(let table) = result else { throw .adaptGave(result.scriptKind) }
        return table
    }

    /// Runs an action that a script declares.
    func perform(
        _ action: DeclaredAction,
        _ screen: ScreenID,
        at place: ScreenID,
        _ navigation: Navigation
    ) throws(RouteError) {
        let arguments: [ScriptValue] = [
            .value(.screen(place)), .value(.screen(screen)), .navigation(navigation),
        ]
        _ = try call(action.body, arguments)
    }
}
