// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine

/// Scripts whose functions are Swift closures.
final class SwiftScripts: RouteScripts {
    let declarations = Declarations()
    /// The functions that make dependencies, by name.
    var providers: [String: SwiftFunction] = [:]
    /// The kinds of URL parameters that the scripts declare.
    var kinds: [String: (ByteString) -> Value?] = [:]
    /// The calls of functions, in order.
    private(set) var calls: [Call] = []

    func result(
        of function: ScriptFunction,
        _ arguments: [Value],
        _ takesNavigation: Bool,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Value? {
        guard let function = function as? SwiftFunction else {
            preconditionFailure("the functions of these scripts are closures")
        }
        let call = Call(
            name: function.name,
            arguments: arguments,
            context: context,
            linkInfo: context.link?.info
        )
        calls.append(call)
        do {
            return try function.body(call, &stage)
        } catch let error as RouteError {
            throw error
        } catch {
            throw RouteError(.script, "\(error)")
        }
    }

    func first(
        of screens: [ScreenID],
        where predicate: ScriptFunction,
        _ info: InfoTable,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> ScreenID? {
        for screen in screens {
            let arguments = [Value.screen(screen), .table(info)]
            if try call(
                predicate,
                arguments: arguments,
                takesNavigation: true,
                in: context,
                lending: &stage
            ).isTrue {
                return screen
            }
        }
        return nil
    }

    func prepare(
        _ function: ScriptFunction,
        _ arguments: [Value],
        of step: Step?,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Preparation {
        let result = try call(
            function,
            arguments: arguments,
            takesNavigation: true,
            in: context,
            lending: &stage
        )
        return result.isNextMatch ? .asksForNextMatch(step?.location) : .passes
    }

    func value(
        ofKind name: String,
        _ text: ByteString,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Value? {
        kinds[name]?(text)
    }

    func ask(
        _ handler: Handler,
        route: RouteString,
        text: ByteString,
        payload: InfoTable,
        from screen: ScreenID?,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> (target: Target, info: InfoTable?) {
        let arguments = [Value.table(payload), screen.map(Value.screen) ?? .nil]
        let result = try call(
            handler.function,
            arguments: arguments,
            takesNavigation: false,
            in: context,
            lending: &stage
        )
        guard case .table(let answer) = result, let target = Target(Array(answer.list.prefix(2)))
        else { throw RouteError(.script, "bad result of a handler") }
        guard answer.list.count > 2, case .table(let info) = answer.list[2] else {
            return (target, nil)
        }
        return (target, info)
    }

    func acquire(
        _ names: [String],
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) {
        for name in names {
            guard let provider = providers[name] else {
                throw RouteError(.missingDependency, "there is no dependency '\(name)'")
            }
            var context = context
            context.effects = .state
            _ = try call(
                provider,
                arguments: [],
                takesNavigation: false,
                in: context,
                lending: &stage
            )
        }
    }
}
