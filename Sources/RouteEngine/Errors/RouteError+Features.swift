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

    // MARK: Redirects

    package static func badRedirect() -> RouteError {
        RouteError(
            .script,
            "'redirect' is '{ \"Service\", \"task\" }', or '{ to = { { \"Service\", \"task\" }, … }, pick = function(info, nav) … end }'"
        )
    }

    package static func redirectsBeside(_ key: String, _ title: String) -> RouteError {
        RouteError(
            .script,
            "'\(title)' only redirects, so '\(key)' has no effect (remove it, or declare it in the target)"
        )
    }

    package static func picksOther(_ value: Value, _ targets: [Target]) -> RouteError {
        let got =
            if case .table(let names) = value, let target = Target(names.list) {
                "'\(target)'"
            } else {
                value.isNil ? "nothing" : "a \(value.kindName)"
            }
        let expected = targets.map { "'\($0)'" }.joined(separator: ", ")
        return RouteError(
            .badInfo,
            "'pick' returned \(got), expected '{ service, task }' of a target in 'to': \(expected)"
        )
    }

    package static func redirectCircle(_ titles: [String]) -> RouteError {
        RouteError(.redirectLoop, "the redirects form a cycle: \(titles.joined(separator: " → "))")
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
