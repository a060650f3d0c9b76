// SPDX-License-Identifier: MIT

package import RouteCore

/// The interface through which the phases of a navigation call its scripts.
///
/// Each call borrows the stage, because the API functions that the script calls in the meantime
/// read and write the stage.
package protocol RouteScripts: AnyObject {
    /// Calls a Lua function.
    ///
    /// - Parameters:
    ///   - function: The function.
    ///   - arguments: The arguments.
    ///   - takesNavigation: Whether to pass the navigation as the last argument.
    ///   - context: The step for which the function is called, and the permitted effects.
    ///   - stage: The stage of the navigation.
    /// - Returns: The first result; nil if the function returns no value at all.
    /// - Throws: The error that the function raises.
    func result(
        of function: ScriptFunction,
        _ arguments: [Value],
        _ takesNavigation: Bool,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Value?

    /// Returns the first of the given screens for which a function returns true.
    ///
    /// All screens are checked in a single call into Lua.
    ///
    /// - Parameters:
    ///   - screens: The screens.
    ///   - predicate: `(screen, info, nav)` → Boolean.
    ///   - info: The second argument of the function.
    ///   - context: The step for which the function is called, and the permitted effects.
    ///   - stage: The stage of the navigation.
    /// - Returns: The screen; nil if there is none.
    /// - Throws: The error that the function raises.
    func first(
        of screens: [ScreenID],
        where predicate: ScriptFunction,
        _ info: InfoTable,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> ScreenID?

    /// Calls a `prepare` function.
    ///
    /// - Returns: Whether the function requests the next match of the URL.
    /// - Throws: `stopped`, with the reason that the function returns, or the error that the
    ///   function raises.
    func prepare(
        _ function: ScriptFunction,
        _ arguments: [Value],
        of step: Step?,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Preparation

    /// Converts the text of a URL parameter of a declared kind to the parameter's value; returns
    /// nil if the text is not of this kind.
    func value(
        ofKind name: String,
        _ text: ByteString,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Value?

    /// Calls the handler of a route string, and returns the destination.
    func ask(
        _ handler: Handler,
        route: RouteString,
        text: ByteString,
        payload: InfoTable,
        from screen: ScreenID?,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> (target: Target, info: InfoTable?)

    /// Acquires the dependencies of a step for the navigation, before anything is built.
    ///
    /// - Throws: `missingDependency`, or the error that a provider raises.
    func acquire(
        _ names: [String],
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError)
}

extension RouteScripts {
    /// Calls a Lua function, and returns its first result; nil if the function returns no value.
    package func call(
        _ function: ScriptFunction,
        arguments: [Value],
        takesNavigation: Bool,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Value {
        try result(of: function, arguments, takesNavigation, in: context, lending: &stage) ?? .nil
    }
}

extension Stage {
    /// Returns the result of a function that does not receive the navigation.
    ///
    /// - Throws: The error that the function raises.
    mutating func value(
        of function: ScriptFunction,
        _ arguments: [Value],
        in context: CallContext
    ) throws(RouteError) -> Value {
        try scripts.call(
            function,
            arguments: arguments,
            takesNavigation: false,
            in: context,
            lending: &self
        )
    }
}

/// The result of a `prepare` function.
package enum Preparation {
    case passes
    /// The script requests the next match of the URL. The associated value is the source location
    /// of the step to which the function belongs.
    case asksForNextMatch(RouteError.Location?)
}

/// The environment of a stage, with the host, the observers of events, and the limits of
/// capabilities.
package protocol StageSurroundings: AnyObject {
    /// Whether events of a kind are observed. If not, their fields are not computed.
    func hears(_ kind: Event.Kind, lending stage: inout Stage) -> Bool

    /// Reports an event of a kind that is observed.
    func report(
        _ kind: Event.Kind,
        at place: RouteError.Location?,
        _ fields: [(name: String, value: Value)],
        lending stage: inout Stage
    )

    /// Lets the host prepare new screens.
    ///
    /// - Throws: `host` if the host fails or refuses.
    func prepare(_ screens: [ScreenID], lending stage: inout Stage) throws(RouteError)

    /// Checks the changes that a stage makes against the capabilities of the scripts.
    ///
    /// - Throws: `forbidden` or `budget`.
    func checkCapabilities(of difference: Difference, lending stage: inout Stage) throws(RouteError)

    /// Whether a routing matches the given URL, which matches no route.
    func isRouting(_ text: ByteString, lending stage: inout Stage) -> Bool

    /// Returns the other pending navigations, and the entry for the navigation of the stage; nil if
    /// no other navigation is pending.
    func precedence(lending stage: inout Stage) -> (Precedence, own: Precedence.Entry)?

    /// Returns the titles of pending navigations, such as `#3 Orders/show`.
    func titles(of numbers: [Int]) -> [String]

    /// Discards cached fields of screens that have changed.
    func forgetFields(of screens: [ScreenID])
}
