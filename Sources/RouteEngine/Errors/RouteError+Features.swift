// SPDX-License-Identifier: MIT

package import RouteCore

/// Errors about dependencies and feature flags.
extension RouteError {
    // MARK: Dependencies

    package static func unknownDependency(_ name: String, among known: [String]) -> RouteError {
        let hint = Suggestion.hint(for: name, among: known)
        return RouteError(
            .missingDependency,
            "no dependency '\(name)'"
                + (hint.isEmpty
                    ? " (router.provide makes it, or router.expects asks the host for it)" : hint)
        )
    }

    package static func providerGaveNoDependency(_ name: String, _ location: Location?)
        -> RouteError
    {
        let location = location.map { " at \($0)" } ?? ""
        return RouteError(
            .missingDependency,
            "no dependency '\(name)' (its provider\(location) returned nil)"
        )
    }

    package static func hostLacksDependency(_ name: String) -> RouteError {
        RouteError(
            .missingDependency,
            "no dependency '\(name)' (router.expects asks the host for it, which has none)"
        )
    }

    package static func dependencyInCircle(_ names: some Sequence<String>) -> RouteError {
        RouteError(
            .missingDependency,
            "dependencies need each other: \(names.joined(separator: " → "))"
        )
    }

    package static func dependenciesTooDeep(_ names: [String]) -> RouteError {
        RouteError(
            .budget,
            "\(names.count) dependencies are nested too deep: \(names.joined(separator: " → "))"
        )
    }

    // MARK: Flags

    package static func isDisabled(_ step: Step) -> RouteError {
        RouteError(.disabled, "'\(step.title)' is disabled and has no fallback")
    }

    package static func fallbackLoop(_ steps: [Step]) -> RouteError {
        RouteError(
            .redirectLoop,
            "all are disabled, and their fallbacks form a cycle: "
                + steps.map(\.title).joined(separator: " → ")
        )
    }

    package static func fallsBackWithoutFlag(_ title: String) -> RouteError {
        RouteError(.script, "'\(title)' has a 'fallback' but no 'enabled', so it is never used")
    }
}
