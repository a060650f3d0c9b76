// SPDX-License-Identifier: MIT

internal import LuaVM

/// Calls the functions of routes in the phases of a navigation.
extension Generation: RouteScripts {
    package func result(
        of function: ScriptFunction,
        _ arguments: [Value],
        _ takesNavigation: Bool,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Value? {
        let navigation = takesNavigation ? Navigation.of(stage) : nil
        return try router.lending.lending(&stage, in: context) { () throws(RouteError) in
            try runtime.result(of: function, arguments, navigation)
        }
    }

    package func first(
        of screens: [ScreenID],
        where predicate: ScriptFunction,
        _ info: InfoTable,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> ScreenID? {
        let navigation = Navigation.of(stage)
        return try router.lending.lending(&stage, in: context) { () throws(RouteError) in
            try runtime.first(of: screens, where: predicate, info, navigation)
        }
    }

    package func prepare(
        _ function: ScriptFunction,
        _ arguments: [Value],
        of step: Step?,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Preparation {
        let navigation = Navigation.of(stage)
        do throws(RouteError) {
            let result = try router.lending.lending(&stage, in: context) { () throws(RouteError) in
                try runtime.call(function, arguments: arguments, in: navigation, as: .prepare)
            }
            if result.isNextMatch { return .asksForNextMatch(step?.location) }
            guard result.isNil else { throw .prepareGave(result.scriptKind) }
            return .passes
        } catch {
            guard let end = error.cause as? InterceptorEnd, case .stop(let why) = end.answer else {
                throw error
            }
            throw .stopped(by: step?.title ?? "prepare", why, at: end.location)
        }
    }

    package func value(
        ofKind name: String,
        _ text: ByteString,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Value? {
        try router.lending.lending(&stage, in: context) { () throws(RouteError) in
            try value(ofKind: name, text)
        }
    }

    package func ask(
        _ handler: Handler,
        route: RouteString,
        text: ByteString,
        payload: InfoTable,
        from screen: ScreenID?,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> (target: Target, info: InfoTable?) {
        try router.lending.lending(&stage, in: context) { () throws(RouteError) in
            try ask(handler, route, text: text, payload: payload, from: screen)
        }
    }

    package func acquire(
        _ names: [String],
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) {
        let navigation = Navigation.of(stage)
        try router.lending.lending(&stage, in: context) { () throws(RouteError) in
            for name in names where navigation.record.dependencies[name] == nil {
                _ = try dependency(name, for: navigation)
            }
        }
    }
}
