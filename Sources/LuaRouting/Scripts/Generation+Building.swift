// SPDX-License-Identifier: MIT

internal import LuaVM

/// Running the functions of routes.
extension Generation {
    /// The line that declared the first tree.
    var startPlace: RouteError.Location? { firstTree?.place }

    /// Runs the script's function for the first tree.
    func buildFirstTree(_ info: Table) throws(RouteError) -> ScreenID {
        guard let firstTree else { throw .noStart() }
        let result = try call(firstTree.build, [.value(.table(info))])
        guard case .screen(let screen) = result else { throw .startGave(result.kindName) }
        return screen
    }

    /// Makes the screen of a route.
    ///
    /// - Throws: `badInfo` where the provider returns nil, `script` where it returns no
    ///   screen, or what it raises.
    func build(_ definition: Definition, for navigation: Navigation) throws(RouteError) -> ScreenID
    {
        switch definition.build {
        case .template(let template):
            return try template.make(in: &router.tree)
        case .function(let provider):
            let result = try call(
                provider,
                [.value(.table(navigation.info)), .navigation(navigation)]
            )
            return try screen(result, of: definition)
        case .fallback(let provider):
            let result = try call(
                provider,
                [
                    .value(Value(definition.target.service)), .value(Value(definition.target.task)),
                    .value(.table(navigation.info)), .navigation(navigation),
                ]
            )
            // It answered that it has no answer: there is no such target after all.
            if result.isNil { _ = try routes.find(definition.target) }
            return try screen(result, of: definition)
        }
    }

    /// The screen that a provider returned.
    private func screen(_ result: Value, of definition: Definition) throws(RouteError) -> ScreenID {
        switch result {
        case .screen(let screen): return screen
        case .nil: throw .providerGaveNothing(definition)
        default: throw .providerGave(result.kindName, definition)
        }
    }

    /// Asks a route's own policy whether a screen is the one to recycle.
    func holds(
        _ predicate: LuaFunction,
        for screen: ScreenID,
        _ navigation: Navigation
    ) throws(RouteError) -> Bool {
        let result = try call(
            predicate,
            [.value(.screen(screen)), .value(.table(navigation.info)), .navigation(navigation)]
        )
        return result.isTrue
    }

    /// Calls a route's function that has to do with a screen.
    func call(
        _ function: LuaFunction,
        _ screen: ScreenID,
        _ navigation: Navigation,
        value: Value? = nil
    ) throws(RouteError) {
        let middle = value ?? .table(navigation.info)
        _ = try call(function, [.value(.screen(screen)), .value(middle), .navigation(navigation)])
    }

    /// Lets a function of the script check and convert a parameter.
    func convert(_ function: LuaFunction, _ value: Value) throws(RouteError) -> Value {
        try call(function, [.value(value)])
    }
}
