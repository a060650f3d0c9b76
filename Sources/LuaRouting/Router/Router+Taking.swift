// SPDX-License-Identifier: MIT

internal import LuaVM

/// Which route is taken: the one that is named, or where that is switched off its fallback.
extension Router {
    /// The route that is taken for a target that a step or a tree names.
    func taken(
        _ target: Target,
        _ info: Table,
        for navigation: Navigation
    ) throws(RouteError) -> Step {
        try taken(try step(of: target), info, for: navigation, tells: true)
    }

    /// The route that is taken for one that stands behind another, or in a tree.
    ///
    /// - Parameters:
    ///   - step: The route.
    ///   - info: The parameters as they come to it.
    ///   - navigation: For which navigation.
    ///   - tells: Whether there is an event for each route that is switched off.
    /// - Returns: The route, or the first of its fallbacks that is switched on.
    /// - Throws: What ``fallback(of:_:_:for:tells:)`` does.
    func taken(
        _ step: Step,
        _ info: Table,
        for navigation: Navigation,
        tells: Bool
    ) throws(RouteError) -> Step {
        var step = step
        var way: [Step] = []
        while true {
            var view = info
            if step.enabled != nil {
                do throws(RouteError) {
                    view = try step.view(of: info, convert: generation.convert)
                } catch {
                    throw error.blaming(step)
                }
            }
            guard let next = try fallback(of: step, view, &way, for: navigation, tells: tells)
            else { return step }
            step = next
        }
    }

    /// What is taken in place of a step, once the step has what it needs.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - info: The parameters as it sees them.
    ///   - way: The steps that were switched off before it.
    ///   - navigation: For which navigation.
    ///   - tells: Whether there is an event for it.
    /// - Returns: Nil where the step is switched on.
    /// - Throws: `missingDependency`; `disabled` where there is nothing to take; `redirectLoop` where
    ///   all fall back to each other.
    func fallback(
        of step: Step,
        _ info: Table,
        _ way: inout [Step],
        for navigation: Navigation,
        tells: Bool = true
    ) throws(RouteError) -> Step? {
        try acquire(step, for: navigation)
        guard let enabled = step.enabled else { return nil }
        do throws(RouteError) {
            guard try !isOn(step, enabled, info, navigation) else { return nil }
            guard let target = step.fallback else { throw .isDisabled(step) }
            way.append(step)
            let next = try self.step(of: target)
            if let start = way.firstIndex(where: { $0 === next }) {
                throw .fallbackLoop(way[start...] + [next])
            }
            if tells {
                emit(
                    .fallback,
                    navigation,
                    at: step.place,
                    [
                        ("route", Value(step.title)), ("service", Value(target.service)),
                        ("task", Value(target.task)),
                    ]
                )
            }
            return next
        } catch {
            throw error.blaming(step)
        }
    }

    private func isOn(
        _ step: Step,
        _ enabled: LuaFunction,
        _ info: Table,
        _ navigation: Navigation
    ) throws(RouteError) -> Bool {
        let outer = navigation.step
        navigation.step = step
        defer { navigation.step = outer }
        return try whilePlanning(navigation) { () throws(RouteError) in
            try generation.call(enabled, info, navigation).isTrue
        }
    }

    private func step(of target: Target) throws(RouteError) -> Step {
        try generation.route(to: target)
    }
}
