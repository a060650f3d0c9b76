// SPDX-License-Identifier: MIT

package import RouteCore

/// Errors in definitions and their parameters.
extension RouteError {
    package static func unknownParameter(_ name: String, among known: [String]) -> RouteError {
        .unknownField(name, Suggestion.hint(for: name, among: known))
    }

    package static func declarationIsAList() -> RouteError {
        RouteError(.script, "bad field 'info' (a table of names and types expected, got a list)")
    }

    package static func badParameterName(_ key: InfoTable.Key) -> RouteError {
        RouteError(
            .badInfo,
            "bad parameter name '\(key.pathComponent)' (must begin with an ASCII letter, followed by ASCII letters, digits, '_', '-', or '.' before a letter)"
        )
    }

    static func badParameterType(_ name: String, _ word: String) -> RouteError {
        let near = Suggestion.nearestWord(to: word, among: typeWords)
        return RouteError(
            .script,
            "bad type '\(word)' of parameter '\(name)' (\(expectedType) expected)"
                + (near.map { ", did you mean '\($0)'?" } ?? "")
        )
    }

    static func badParameterType(_ name: String, got kind: String) -> RouteError {
        RouteError(
            .script,
            "bad type of parameter '\(name)' (\(expectedType) expected, got \(kind))"
        )
    }

    private static let typeWords = ValueType.words.map(\.key).sorted()
    private static let expectedType =
        "\(typeWords.joined(separator: ", ")), a list of values, a table of fields or a function"

    package static func taskCallsScripts(_ target: Target) -> RouteError {
        RouteError(
            .script,
            "task '\(target)' declares a function in 'info' or 'result' (only types are allowed; check the values in the function of the task)"
        )
    }

    static func badTaskTypes(_ target: Target) -> RouteError {
        RouteError(
            .script,
            "bad types of task '\(target)' in 'router.expects' ({ info = { name = type, … }, result = type } expected)"
        )
    }

    package static func isNoFieldType(
        _ field: InfoDeclaration.Parameter,
        of name: String
    ) -> RouteError {
        let type = field.type.callsScripts ? "function" : field.type.title
        return RouteError(
            .script,
            "bad type of field '\(field.name)' of class '\(name)': '\(type)' (plain data expected)"
        )
    }

    package static func badReuse(_ got: String) -> RouteError {
        RouteError(
            .script,
            "bad field 'reuse' ('never', 'class', 'top', a list of fields, { by = … } or a function expected, got \(got))"
        )
    }

    package static func badBuild(_ got: String) -> RouteError {
        RouteError(.script, "bad field 'build' (function, screen or tree expected, got \(got))")
    }

    package static func nothingBuilds(_ title: String) -> RouteError {
        RouteError(
            .script,
            "'\(title)' has no 'build', 'find' or 'from' (at least one of them expected)"
        )
    }

    package static func nobodyMayAsk(_ title: String) -> RouteError {
        RouteError(.script, "'\(title)' has an empty 'origin' (an origin or 'any' expected)")
    }

    package static func looksForNothing(_ title: String) -> RouteError {
        RouteError(
            .script,
            "'\(title)' has an empty 'find' (a class, kind, 'by' or 'match' expected)"
        )
    }

    package static func findsAndReuses(_ title: String) -> RouteError {
        RouteError(.script, "'\(title)' has both 'find' and 'reuse' (only one of them expected)")
    }

    package static func badFrom(_ got: String, _ location: Location?) -> RouteError {
        RouteError(
            .script,
            "bad 'from' ('current', 'root', { service, task }, a finder, link or switch expected, got \(got))",
            at: location
        )
    }

    package static func badSwitch(_ location: Location?) -> RouteError {
        RouteError(.script, "bad case of 'switch' (a table with 'from' expected)", at: location)
    }

    package static func badTargetList(_ list: [Value]) -> RouteError {
        let got = list.map { $0.text.map { "'\($0)'" } ?? $0.scriptKind }.joined(separator: ", ")
        return RouteError(.script, "bad route ({ service, task } expected, got { \(got) })")
    }

    package static func isBuiltIn(_ action: String) -> RouteError {
        RouteError(.script, "action '\(action)' is built in, and cannot be declared")
    }

    package static func isNoContainer(_ name: String) -> RouteError {
        RouteError(
            .script,
            "class '\(name)' has 'shows' or 'max' but is not a container (kind = 'container' expected)"
        )
    }

    package static func isNotForeign(_ name: String) -> RouteError {
        RouteError(
            .script,
            "class '\(name)' has the field 'foreign' but is not foreign (kind = 'foreign' expected)"
        )
    }

    package static func hasNoTabs(_ name: String) -> RouteError {
        RouteError(
            .typeMismatch,
            "'\(name)' has no selected child (tabs expected, or a container with shows = 'selected')"
        )
    }

    package static func badMax(_ name: String, _ max: Int64) -> RouteError {
        RouteError(.script, "bad 'max' of class '\(name)' (1 or more expected, got \(max))")
    }

    package static func noBody(_ name: String) -> RouteError {
        RouteError(.script, "bad argument #3 to '\(name)' (function expected, got nil)")
    }

    package static func noInterceptor(_ name: String, among known: [String]) -> RouteError {
        RouteError(
            .script,
            "no interceptor '\(name)' is declared\(Suggestion.hint(for: name, among: known))"
        )
    }

    package static func noAction(_ name: String, among known: [String]) -> RouteError {
        RouteError(
            .script,
            "no action '\(name)' is declared\(Suggestion.hint(for: name, among: known))"
        )
    }

    package static func noService(_ name: String, among known: [String]) -> RouteError {
        RouteError(
            .script,
            "no service '\(name)' is registered\(Suggestion.hint(for: name, among: known))"
        )
    }
}
