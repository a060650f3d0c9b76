// SPDX-License-Identifier: MIT

package import RouteCore

/// The scripts of a navigation, as an interface for its phases.
///
/// Each call borrows the stage: the API functions that the script calls in the meantime read and
/// write the stage.
package protocol RouteScripts: AnyObject {
    /// Calls a function.
    ///
    /// - Parameters:
    ///   - function: The function.
    ///   - arguments: The arguments.
    ///   - takesNavigation: Whether the navigation is the last argument.
    ///   - context: The caller, and the permitted effects.
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

    /// Returns the first of the given screens for which a function returns true; all calls are made
    /// in one entry to Lua.
    ///
    /// - Parameters:
    ///   - screens: The screens.
    ///   - predicate: `(screen, info, nav)` → Boolean.
    ///   - info: The second argument.
    ///   - context: The caller, and the permitted effects.
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

    /// Calls a `prepare`.
    ///
    /// - Returns: Whether it asks for the next match of the URL.
    /// - Throws: `stopped` with the reason that it returns, or the error that it raises.
    func prepare(
        _ function: ScriptFunction,
        _ arguments: [Value],
        of step: Step?,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Preparation

    /// Returns the value of a text for a declared kind of URL parameters; nil if the text is not of
    /// that kind.
    func value(
        ofKind name: String,
        _ text: ByteString,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Value?

    /// Calls the handler of a route string for its destination.
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
    /// Calls a function for which no value is the same as nil.
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
    /// Returns the result of a function that is not given the navigation.
    ///
    /// - Throws: The error that it raises.
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

/// The result of a `prepare`.
package enum Preparation {
    case passes
    /// The script requested the next match of the URL, with the location of its step.
    case asksForNextMatch(RouteError.Location?)
}

/// The environment of a stage: the host, the observers of events, and the capability accounts.
package protocol StageSurroundings: AnyObject {
    /// Whether anything observes events of a kind: only then are their fields computed.
    func hears(_ kind: Event.Kind, lending stage: inout Stage) -> Bool

    /// Reports an event of an observed kind.
    func report(
        _ kind: Event.Kind,
        at place: RouteError.Location?,
        _ fields: [(name: String, value: Value)],
        lending stage: inout Stage
    )

    /// Lets the host prepare new screens.
    ///
    /// - Throws: `host`.
    func prepare(_ screens: [ScreenID], lending stage: inout Stage) throws(RouteError)

    /// Checks the change of a stage against the capabilities of the scripts.
    ///
    /// - Throws: `forbidden` or `budget`.
    func checkCapabilities(of difference: Difference, lending stage: inout Stage) throws(RouteError)

    /// Whether a routing matches a URL that no route matches.
    func isRouting(_ text: ByteString, lending stage: inout Stage) -> Bool

    /// Returns the other pending navigations and the entry of a stage's navigation; nil if no other
    /// is pending.
    func precedence(lending stage: inout Stage) -> (Precedence, own: Precedence.Entry)?

    /// Returns the titles of pending navigations, such as `#3 Orders/show`.
    func titles(of numbers: [Int]) -> [String]

    /// Discards cached fields of screens that have changed.
    func forgetFields(of screens: [ScreenID])
}
