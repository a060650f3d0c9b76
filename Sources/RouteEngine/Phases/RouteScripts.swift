// SPDX-License-Identifier: MIT

package import RouteCore

/// The scripts of a navigation, as its phases call them.
///
/// Each call is lent the stage: the functions of the API that the script calls meanwhile read and
/// write it.
package protocol RouteScripts: AnyObject {
    /// Calls a function.
    ///
    /// - Parameters:
    ///   - function: The function.
    ///   - arguments: The arguments.
    ///   - takesNavigation: Whether the navigation is the last argument.
    ///   - context: On whose behalf it is called, and what it may do.
    ///   - stage: The stage of the navigation.
    /// - Returns: The first result.
    /// - Throws: The error that the function raises.
    func call(
        _ function: ScriptFunction,
        _ arguments: [Value],
        _ takesNavigation: Bool,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Value

    /// The first of some screens for which a function returns true; all are asked about in one
    /// entry.
    ///
    /// - Parameters:
    ///   - screens: The screens.
    ///   - predicate: `(screen, info, nav)` → whether.
    ///   - info: The second argument.
    ///   - context: On whose behalf it is called, and what it may do.
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
    /// - Throws: `stopped` with the reason that it gives, or the error that it raises.
    func prepare(
        _ function: ScriptFunction,
        _ arguments: [Value],
        of step: Step?,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Preparation

    /// The value of a text in a kind of URL parameters that the scripts declare; nil if it is none.
    func value(
        ofKind name: String,
        _ text: ByteString,
        in context: CallContext,
        lending stage: inout Stage
    ) throws(RouteError) -> Value?

    /// Asks the handler of a route string where it leads.
    func ask(
        _ handler: Handler,
        _ route: RouteString,
        _ text: ByteString,
        _ payload: InfoTable,
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

/// The answer of a `prepare`.
package enum Preparation {
    case passes
    /// It asks for the next match of the URL, at the line of its step.
    case asksForNextMatch(RouteError.Location?)
}

/// The router around a stage: the host, the observers of events, and the accounts of capabilities.
package protocol StageSurroundings: AnyObject {
    /// Whether anybody hears of events of a kind: only then are their fields computed.
    func hears(_ kind: Event.Kind, lending stage: inout Stage) -> Bool

    /// Reports an event of a kind that somebody hears of.
    func report(
        _ kind: Event.Kind,
        at place: RouteError.Location?,
        _ fields: [(name: String, value: Value)],
        lending stage: inout Stage
    )

    /// Has the host prepare new screens.
    ///
    /// - Throws: `host`.
    func prepare(_ screens: [ScreenID], lending stage: inout Stage) throws(RouteError)

    /// Checks the change of a stage against the capabilities of the scripts.
    ///
    /// - Throws: `forbidden` or `budget`.
    func checkCapabilities(of difference: Difference, lending stage: inout Stage) throws(RouteError)

    /// Whether a routing, for deferred links, matches a URL that no route matches.
    func isRouting(_ text: ByteString, lending stage: inout Stage) -> Bool

    /// Lets scripts read the fields of screens again, which have changed.
    func forgetFields(of screens: [ScreenID])
}
