// SPDX-License-Identifier: MIT

internal import LuaVM

/// Declares and creates dependencies.
extension Generation {
    func declareProvider(_ arguments: Arguments) throws(RouteError) {
        let name = arguments.text(0)
        guard let function = arguments[1].luaFunction else { return }
        if let earlier = declarations.providers[name],
            arguments.table(2)["override"].boolean != true
        {
            throw .declaredTwice("dependency '\(name)'", earlier.location)
        }
        // An existing value is kept, and shared with later users.
        declarations.providers[name] = DeclaredFunction(
            function: function,
            location: arguments.location
        )
    }

    /// Returns the dependency with the given name.
    ///
    /// The dependency is created if it does not exist.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - navigation: The navigation that needs the value, and retains it until the navigation has
    ///     ended; nil if there is none.
    /// - Returns: The dependency. Its value is released when nothing references the dependency any
    ///   more.
    /// - Throws: `missingDependency` if there is no provider, or if the provider returns nothing or
    ///   depends on its own value; or the error that the provider raises.
    func dependency(
        _ name: String,
        for navigation: Navigation?
    ) throws(RouteError) -> Dependency {
        // A navigation of another generation must not retain values of this generation.
        let navigation = navigation?.generation === self ? navigation : nil
        let dependency: Dependency
        if let held = navigation?.record.dependencies[name] ?? state.dependencies[name] {
            dependency = held
        } else {
            dependency = try make(name, for: navigation)
            state.dependencies[name] = dependency
        }
        if let last = state.dependencies.making.indices.last {
            state.dependencies.making[last].parts.append(dependency)
        } else {
            navigation?.record.dependencies[name] = dependency
        }
        return dependency
    }

    private func make(
        _ name: String,
        for navigation: Navigation?
    ) throws(RouteError) -> Dependency {
        let way = state.dependencies.making.map(\.name)
        if let start = way.firstIndex(of: name) {
            throw .dependencyInCircle(way[start...] + [name])
        }
        guard way.count < Self.dependencyLimit else { throw .dependenciesTooDeep(way) }
        state.dependencies.making.append(Dependencies.Making(name: name))
        let value: LuaReference
        let parts: [Dependency]
        do throws(RouteError) {
            value = try router.withoutEffects(but: .state, for: navigation) {
                () throws(RouteError) in
                try makeValue(of: name)
            }
            parts = state.dependencies.making.removeLast().parts
        } catch {
            state.dependencies.making.removeLast()
            throw error
        }
        return Dependency(name, value, parts: parts)
    }

    /// The maximum number of nested providers.
    ///
    /// The number is limited because each provider uses stack space.
    private static let dependencyLimit = 16

    /// Creates a value by calling the scripts' provider or, if there is none, the host.
    private func makeValue(of name: String) throws(RouteError) -> LuaReference {
        if let provider = declarations.providers[name] {
            let value = try keeping { keep throws(ScriptError) in
                try runtime.lua.call(keeper()) { writer in
                    writer.write(provider.function.lua)
                    writer.write(keep)
                }
            }
            guard let value else { throw .providerGaveNoDependency(name, provider.location) }
            return value
        }
        guard declarations.expectations.dependencies.contains(name) else {
            throw .unknownDependency(
                name,
                among: (Set(declarations.providers.keys).union(
                    declarations.expectations.dependencies
                )).sorted()
            )
        }
        guard let value = router.host.dependency(name), !value.isNil else {
            throw .hostLacksDependency(name)
        }
        if value.isTooDeep { throw .tooDeep() }
        try router.tree.checkOrigin(of: value)
        let kept = try keeping { keep throws(ScriptError) in
            try runtime.lua.call(keep) { writer in value.write(to: &writer, runtime.objects) }
        }
        guard let kept else { throw .hostLacksDependency(name) }
        return kept
    }

    /// Calls the given closure with a Lua function, and returns the value that a script passes to
    /// this function; nil if the script passes no value.
    private func keeping(
        _ body: (_ keep: LuaFunction) throws(ScriptError) -> Void
    ) throws(RouteError) -> LuaReference? {
        try runtime.entering { () throws(ScriptError) in
            let kept = KeptReference()
            let keep = try runtime.lua.makeFunction(name: "provide") { frame in
                kept.value = frame.reference(at: 0)
            }
            try body(keep)
            // The function exists until Lua collects garbage; it must not keep the value alive.
            defer { kept.value = nil }
            return kept.value
        }
    }

    /// Returns a Lua function that calls a provider and passes the provider's first result to
    /// `keep`.
    ///
    /// The result does not leave Lua, so it is not copied.
    private func keeper() throws(ScriptError) -> LuaFunction {
        if let known = runtime.state.callsProvider { return known }
        let keeper = try runtime.load("local provider, keep = ...  keep((provider()))")
        runtime.state.callsProvider = keeper
        return keeper
    }

    private final class KeptReference {
        var value: LuaReference?
    }
}

extension Router {
    /// The navigation that retains the dependencies requested by the running script; nil if there
    /// is none.
    var dependent: Navigation? {
        switch turn {
        case .planning(let navigation?), .staging(let navigation): return navigation
        case .idle, .applying, .planning(nil): break
        }
        guard let navigation = currentNavigation, navigation.isPending else { return nil }
        return navigation
    }

    /// Returns the dependency with a name on behalf of a script.
    func dependency(_ name: String) throws(RouteError) -> LuaReference {
        let navigation = dependent
        let dependency = try generation.dependency(name, for: navigation)
        if generation.dependencies.making.isEmpty {
            navigation?.record.askedDependencies.insert(name)
        }
        return dependency.value
    }

    /// Returns the dependencies that a script function reads through `nav.deps`.
    func dependencies(
        seenBy navigation: Navigation
    ) -> [(name: String, dependency: Dependency)] {
        if currentNavigation === navigation, let step = lending.context.step {
            return navigation.dependencies(of: step)
        }
        // A function that continues after the navigation has ended may outlive the dependencies of
        // the navigation.
        if let activity = currentActivity, activity.navigation === navigation,
            let own = activity.dependencies
        {
            return own.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
        // An interceptor may belong to several steps, so it can read the dependencies of all steps.
        let steps = navigation.journey.plan?.visited.map(\.step) ?? []
        var seen: Set<String> = []
        return (steps + [navigation.journey.definition].compactMap(\.self)).flatMap(\.needs)
            .filter { seen.insert($0).inserted }
            .compactMap { name in navigation.record.dependencies[name].map { (name, $0) } }
    }

    /// Makes the screens of a navigation's plan retain the dependencies that their steps need, and
    /// the dependencies that scripts requested during the navigation.
    func holdDependencies(of navigation: Navigation) {
        guard !navigation.record.dependencies.isEmpty else { return }
        for visit in navigation.journey.visits {
            guard let step = visit.step else { continue }
            hold(step.needs + navigation.record.askedDependencies, of: navigation, by: visit.screen)
        }
        // A navigation to the first tree has no steps.
        if let screen = navigation.journey.reached {
            hold(navigation.record.askedDependencies, of: navigation, by: screen)
        }
    }

    private func hold(
        _ names: some Sequence<String>,
        of navigation: Navigation,
        by screen: ScreenID
    ) {
        guard tree.isAlive(screen) else { return }
        for name in names {
            guard let dependency = navigation.record.dependencies[name] else { continue }
            screens.dependencies[screen, default: [:]][name] = dependency
        }
    }
}
