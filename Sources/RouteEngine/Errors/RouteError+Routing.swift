// SPDX-License-Identifier: MIT

package import RouteCore

/// Errors about routes, navigations and tasks.
extension RouteError {
    package static func registeredTwice(_ target: Target, _ earlier: Location?) -> RouteError {
        let location = earlier.map { " (first at \($0))" } ?? ""
        return RouteError(.script, "'\(target)' is registered twice\(location)")
    }

    package static func noSuchService(_ target: Target, among known: [String]) -> RouteError {
        RouteError(
            .notFound,
            "no service '\(target.service)'\(Suggestion.hint(for: target.service, among: known))"
        )
    }

    package static func noSuchTask(_ target: Target, among known: [String]) -> RouteError {
        let hint = Suggestion.hint(for: target.task, among: known)
        return RouteError(
            .notFound,
            "no task '\(target.task)' in service '\(target.service)'"
                + (hint.isEmpty && !known.isEmpty ? " (\(list(known)) expected)" : hint)
        )
    }

    /// Returns a list of names for messages.
    ///
    /// Only the first names of a long list are included.
    private static func list(_ names: [String]) -> String {
        names.prefix(8).map { "'\($0)'" }.joined(separator: ", ") + (names.count > 8 ? ", …" : "")
    }

    package static func isTask(_ target: Target) -> RouteError {
        RouteError(
            .wrongKind,
            "'\(target)' is a task and has no screen (use router.doTask)"
        )
    }

    package static func isScreen(_ target: Target) -> RouteError {
        RouteError(
            .wrongKind,
            "'\(target)' is a screen route (use router.navigate)"
        )
    }

    package static func providerGaveNothing(_ step: Step) -> RouteError {
        RouteError(
            .badInfo,
            "'\(step.title)' cannot be built from this info (its provider returned nil)",
            at: step.location
        )
    }

    /// The error for a function that returned no value at all, probably because it lacks a
    /// `return`.
    package static func returnedNothing(
        _ owner: String,
        instead expected: String = "screen"
    ) -> RouteError {
        RouteError(
            .script,
            "\(owner) returned nothing; does its function return the \(expected)?"
        )
    }

    package static func providerGave(_ kind: String, _ step: Step) -> RouteError {
        RouteError(
            .script,
            "bad result of the provider of '\(step.title)' (screen expected, got \(kind))",
            at: step.location
        )
    }

    package static func startGave(
        _ kind: String,
        instead owner: String = "of 'router.start'"
    ) -> RouteError {
        RouteError(.script, "bad result \(owner) (screen expected, got \(kind))")
    }

    package static func noTree(window: String) -> RouteError {
        RouteError(.startNotFound, "window '\(window)' has no tree yet")
    }

    package static func noStart() -> RouteError {
        RouteError(.notFound, "no first tree is declared (declare it with router.start)")
    }

    package static func startNeedsGate(_ closed: String, leaving gate: String) -> RouteError {
        RouteError(
            .composition,
            "the first tree cannot replace the screens that need '\(gate)': 'router.start' builds a route that needs '\(closed)', which is closed (make 'router.start' build only screens that do not need that gate)"
        )
    }

    package static func hostFailed(_ error: any Error) -> RouteError {
        RouteError(.host, "the host refused: \(error)", cause: error)
    }

    package static func isOutOfSync(_ error: any Error) -> RouteError {
        RouteError(
            .host,
            "the host may not show the current tree until the next change: \(error)",
            cause: error
        )
    }

    package static func nothingRegistered(_ entry: String) -> RouteError {
        RouteError(
            .script,
            "nothing is registered (call router.register, router.registerTask or router.start, for example)",
            at: Location(file: entry, line: 1)
        )
    }

    package static func notWhileLoading(_ name: String) -> RouteError {
        RouteError(.script, "'\(name)' cannot be called while the scripts load")
    }

    package static func noScreenToPopTo(_ name: String?) -> RouteError {
        RouteError(.notFound, "there is no screen\(name.map { " '\($0)'" } ?? "") to go back to")
    }

    package static func closesWindow(_ screen: Screen) -> RouteError {
        RouteError(
            .composition,
            "screen '\(screen.class)' is the root of its window and cannot be closed"
        )
    }

    package static func isNotInTree(_ screen: Screen?) -> RouteError {
        RouteError(
            .composition,
            "screen\(screen.map { " '\($0.class)'" } ?? "") is in no window"
        )
    }

    package static func treeWasSet() -> RouteError {
        RouteError(.cancelled, "the tree was replaced")
    }

    package static func tooFewScreens(_ count: Int) -> RouteError {
        RouteError(.script, "bad argument #1 to 'back' (1 or more expected, got \(count))")
    }

}

/// Errors about scripts and screens, in the words of the Lua API.
extension RouteError {
    package static func badModuleName(_ name: String) -> RouteError {
        RouteError(
            .script,
            "bad module name '\(shortened(name))' (names joined by '.' expected, "
                + "as in 'a.b', at most 255 bytes)"
        )
    }

    package static func noModule(_ name: String, file: String) -> RouteError {
        RouteError(
            .script,
            "module '\(shortened(name))' not found (no file '\(shortened(file))' in the bundle)"
        )
    }

    package static func moduleNotRead(_ name: String) -> RouteError {
        RouteError(
            .script,
            "module '\(shortened(name))' was not read while the scripts loaded (write the name as a literal after 'require' in one of the files, or call 'require' while the scripts load)"
        )
    }

    package static func modulesWaitForEachOther(_ names: some Sequence<String>) -> RouteError {
        RouteError(.script, "modules require each other: \(names.joined(separator: " → "))")
    }

    package static func declaredTwice(_ what: String, _ earlier: Location?) -> RouteError {
        RouteError(.script, "\(what) is declared twice\(earlier.map { " (first at \($0))" } ?? "")")
    }

    package static func badTarget(_ text: String) -> RouteError {
        RouteError(.badInfo, "bad route or task name '\(text)' (Service/task expected)")
    }

    package static func unexpectedClass(
        _ name: String,
        among known: [String],
        listedAt location: Location?
    ) -> RouteError {
        let place = location.map { " (\($0))" } ?? ""
        let hint = Suggestion.hint(for: name, among: known)
        let fix = hint.isEmpty ? " (add the class to 'screens')" : hint
        return RouteError(
            .notFound,
            "'router.expects'\(place) does not list the screen '\(name)'\(fix)"
        )
    }

    package static func noExport(_ name: String, among known: [String]) -> RouteError {
        RouteError(
            .notFound,
            "nothing is exported as '\(name)'\(Suggestion.hint(for: name, among: known))"
        )
    }

    package static func notAStack(_ screen: Screen) -> RouteError {
        RouteError(.typeMismatch, "nav expected, got '\(screen.class)' (\(screen.kind.rawValue))")
    }

    package static func wrongKind(_ screenClass: ScreenClass, expected kind: Screen.Kind)
        -> RouteError
    {
        RouteError(
            .typeMismatch,
            "class '\(screenClass.name)' is \(screenClass.kind.rawValue.withArticle) (\(kind.rawValue) expected)"
        )
    }

    package static func noSuchTab(_ selected: Int64, _ count: Int) -> RouteError {
        RouteError(
            .composition,
            "there is no tab \(selected) to select (the number of tabs is \(count))"
        )
    }

    package static func noTabsAround() -> RouteError {
        RouteError(.typeMismatch, "there are no tabs around the visible screen")
    }

    package static func notAName(_ name: String) -> RouteError {
        RouteError(
            .badInfo,
            "bad field name '\(shortened(name))' (must begin with an ASCII letter, followed by ASCII letters, digits, '_', '-', or '.' before a letter)"
        )
    }

    package static func notATime(_ name: String, _ seconds: Double) -> RouteError {
        RouteError(
            .badInfo,
            "'\(name)' is \(seconds) (a finite number of seconds below 1e11 expected)"
        )
    }

    package static func notATimeout(_ seconds: Double) -> RouteError {
        RouteError(
            .badInfo,
            "'timeout' is \(Value.number(seconds)) (a positive number of seconds expected, or 'math.huge' for no timeout)"
        )
    }

    package static func badDrain(_ seconds: Double) -> RouteError {
        RouteError(
            .badInfo,
            "'drain' is \(Value.number(seconds)) (0 or a positive number of seconds expected)"
        )
    }

    package static func readOnly(_ name: String) -> RouteError {
        RouteError(.script, "'\(name)' is read only")
    }

    package static func fieldsAreAList(_ what: String) -> RouteError {
        RouteError(.badInfo, "bad fields of a screen (named fields expected, got \(what))")
    }

    package static func stateTooLarge() -> RouteError {
        RouteError(
            .budget,
            "router.state is full (at most \(World.stateLimit / 1024 / 1024) MiB expected)"
        )
    }

    /// The error for a value that is nested too deeply to be passed to Lua, with the same text as
    /// the error of the Lua bridge.
    package static func tooDeep() -> RouteError {
        RouteError(
            .badInfo,
            "a table that has more than \(Value.depthLimit) levels cannot be passed between scripts and host"
        )
    }

    package static func stateHoldsReference(_ name: String, path: String) -> RouteError {
        RouteError(
            .badInfo,
            "bad field '\(name)\(path)' of router.state (plain data expected, got a function, screen or host object)"
        )
    }

    package static func noMember(_ name: String, of table: String, among known: [String])
        -> RouteError
    {
        RouteError(
            .script,
            "there is no '\(name)' in \(table)\(Suggestion.hint(for: name, among: known))"
        )
    }
}

/// Errors about `os` and the log.
extension RouteError {
    package static func badDate(_ name: String, _ value: Value) -> RouteError {
        RouteError(
            .script,
            value.isNil
                ? "field '\(name)' missing in date table"
                : "field '\(name)' is not an integer in the range of a date"
        )
    }

    package static func badTime(_ time: Int64) -> RouteError {
        RouteError(.script, "time \(time) is out of range for a date")
    }

    package static func formatTooLong() -> RouteError {
        RouteError(.script, "bad argument #1 to 'date' (a format of at most 1024 bytes expected)")
    }

    package static func badConversion(_ format: String) -> RouteError {
        RouteError(
            .script,
            "bad argument #1 to 'date' (invalid conversion specifier in '\(format)')"
        )
    }

    package static func cannotCross(
        _ name: String,
        position: Int,
        path: String,
        kind: String
    ) -> RouteError {
        let field = path.isEmpty ? "" : " at \(path.drop { $0 == "." })"
        return RouteError(
            .badInfo,
            "bad argument #\(position) to '\(name)' (plain data, a function or a screen expected\(field), got \(kind.withArticle))"
        )
    }

    package static func cannotCross(_ path: String, _ kind: String) -> RouteError {
        let field = path.isEmpty ? "" : " at \(path.drop { $0 == "." })"
        return RouteError(
            .badInfo,
            "bad value (plain data, a function or a screen expected\(field), got \(kind.withArticle))"
        )
    }

    package static func logQuota() -> RouteError {
        RouteError(
            .budget,
            "log quota exceeded (at most 1000 lines and 64 KiB in a call into the scripts)"
        )
    }
}
