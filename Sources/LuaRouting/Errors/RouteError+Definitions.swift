// SPDX-License-Identifier: MIT

/// The messages about definitions and their parameters.
extension RouteError {
    static func badParameter(_ name: String, expected: String, got: String) -> RouteError {
        RouteError(.badInfo, "bad field '\(name)' (\(expected) expected, got \(got))")
    }

    static func unknownParameter(_ name: String, among known: [String]) -> RouteError {
        RouteError(.badInfo, "unknown field '\(name)'\(Suggestion.hint(for: name, among: known))")
    }

    static func declarationIsAList() -> RouteError {
        RouteError(.script, "bad field 'info' (names with types expected, got a list)")
    }

    static func badParameterName(_ key: Table.Key) -> RouteError {
        RouteError(.badInfo, "bad name of a parameter: '\(key.pathComponent)'")
    }

    static func badParameterType(
        _ name: String,
        _ type: String,
        among known: [String]
    ) -> RouteError {
        let hint = Suggestion.hint(for: type, among: known)
        return RouteError(
            .script,
            "bad type of parameter '\(name)': '\(type)'"
                + (hint.isEmpty ? " (a type, a list of values or a function expected)" : hint)
        )
    }

    static func badReuse(_ got: String) -> RouteError {
        RouteError(
            .script,
            "bad field 'reuse' ('never', 'class', 'top', a list of fields, { by = … } or a function expected, got \(got))"
        )
    }

    static func badBuild(_ got: String) -> RouteError {
        RouteError(.script, "bad field 'build' (function or screen expected, got \(got))")
    }

    static func nothingBuilds(_ target: Target) -> RouteError {
        RouteError(.script, "'\(target)' has no 'build' (function or screen expected)")
    }
}
