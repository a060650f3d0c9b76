// SPDX-License-Identifier: MIT

internal import LuaVM

/// Running the functions of routes for the phases of a navigation.
extension Generation: RouteScripts {
    var declarations: Declarations { self }

    func call(
        _ function: LuaFunction,
        _ arguments: [ScriptValue],
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Value {
        try router.lending.lending(&stage, context) { () throws(RouteError) in
            try call(function, arguments)
        }
    }

    func first(
        of screens: [ScreenID],
        where predicate: LuaFunction,
        _ info: Table?,
        _ navigation: Navigation?,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> ScreenID? {
        try router.lending.lending(&stage, context) { () throws(RouteError) in
            try first(of: screens, where: predicate, info, navigation)
        }
    }

    func prepare(
        _ function: LuaFunction,
        _ arguments: [ScriptValue],
        of step: Step?,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Preparation {
        do throws(RouteError) {
            let result = try router.lending.lending(&stage, context) { () throws(RouteError) in
                try call(function, arguments, as: .prepare)
            }
            if result.isNextMatch { return .asksForNextMatch(step?.place) }
            guard result.isNil else { throw .prepareGave(result.scriptKind) }
            return .passes
        } catch {
            guard let verdict = error.cause as? Verdict, case .stop(let why) = verdict.answer else {
                throw error
            }
            throw .stopped(by: step?.title ?? "prepare", why, at: verdict.place)
        }
    }

    func value(
        ofKind name: String,
        _ text: ByteString,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Value? {
        try router.lending.lending(&stage, context) { () throws(RouteError) in
            try value(ofKind: name, text)
        }
    }

    func ask(
        _ handler: Handler,
        _ route: RouteString,
        _ text: ByteString,
        _ payload: Table,
        from screen: ScreenID?,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> (target: Target, info: Table?) {
        try router.lending.lending(&stage, context) { () throws(RouteError) in
            try ask(handler, route, text: text, payload: payload, from: screen)
        }
    }

    func acquire(
        _ names: [String],
        for navigation: Navigation,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) {
        try router.lending.lending(&stage, context) { () throws(RouteError) in
            for name in names where navigation.dependencies[name] == nil {
                _ = try dependency(name, for: navigation)
            }
        }
    }

    /// The first of some screens for which a function of a script returns true.
    ///
    /// All are asked about in one entry.
    func first(
        of screens: some Sequence<ScreenID>,
        where predicate: LuaFunction,
        _ info: Table? = nil,
        _ navigation: Navigation? = nil
    ) throws(RouteError) -> ScreenID? {
        let screens = Array(screens)
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
}
