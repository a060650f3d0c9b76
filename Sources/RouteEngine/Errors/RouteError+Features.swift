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
                    ? " (declare it with router.provide, or request it from the host with router.expects)"
                    : hint)
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
            "no dependency '\(name)' (router.expects requests it, but the host does not provide it)"
        )
    }

    package static func dependencyInCircle(_ names: some Sequence<String>) -> RouteError {
        RouteError(
            .missingDependency,
            "the dependencies form a cycle: \(names.joined(separator: " → "))"
        )
    }

    package static func dependenciesTooDeep(_ names: [String]) -> RouteError {
        RouteError(
            .budget,
            "\(names.count) dependencies are nested too deeply: \(names.joined(separator: " → "))"
        )
    }

    // MARK: Redirects

    // `value` is the element of `redirect` that is not a target, or the whole value of `redirect`.
    package static func badRedirect(_ value: Value) -> RouteError {
        RouteError(
            .script,
            "bad field 'redirect' ({ \"Service\", \"task\" } or { to = { { \"Service\", \"task\" }, … }, pick = function(info, nav) … end } expected, got \(value.asTarget))"
        )
    }

    package static func redirectsBeside(_ key: String, _ title: String) -> RouteError {
        RouteError(
            .script,
            "'\(title)' only redirects, so '\(key)' has no effect (remove the field, or declare it in the target)"
        )
    }

    package static func picksOther(_ value: Value, _ targets: [Target]) -> RouteError {
        let got = value.isNil ? "nothing" : value.asTarget
        let expected = targets.map { "'\($0)'" }.joined(separator: ", ")
        return RouteError(
            .badInfo,
            "'pick' returned \(got) (one of the targets in 'to' expected, as { service, task }: \(expected))"
        )
    }

    package static func redirectCircle(_ titles: [String]) -> RouteError {
        RouteError(.redirectLoop, "the redirects form a cycle: \(titles.joined(separator: " → "))")
    }

    /// Returns the error with a note that says where the parameters were passed, and how to fix the
    /// error.
    ///
    /// Errors other than `badInfo` are returned unchanged.
    package func passed(by asker: Asker?) -> RouteError {
        guard code == .badInfo, let asker else { return self }
        var error = self
        func place(_ step: Step) -> String {
            "'\(step.title)'" + (step.location.map { " at \($0)" } ?? "")
        }
        let passed =
            switch asker {
            case .call(let location): "passed at \(location)"
            case .redirect(let step):
                "passed by the redirect of \(place(step)); declare the parameters in 'info' of '\(step.title)'"
            case .child(let step):
                "passed to the parent of \(place(step)); return the parameters from 'adapt' of '\(step.title)'"
            case .tree(let step):
                "passed to a screen in the tree of \(place(step)); return the parameters from 'adapt' of the screen"
            }
        error.message += " (\(passed))"
        return error
    }

    // MARK: Flags

    package static func isDisabled(_ step: Step) -> RouteError {
        RouteError(.disabled, "'\(step.title)' is disabled and has no fallback")
    }

    package static func fallbackLoop(_ steps: [Step]) -> RouteError {
        RouteError(
            .redirectLoop,
            "all routes in a cycle of fallbacks are disabled: "
                + steps.map(\.title).joined(separator: " → ")
        )
    }

    package static func fallsBackWithoutFlag(_ title: String) -> RouteError {
        RouteError(
            .script,
            "'\(title)' has a 'fallback' but no 'enabled', so the fallback is never used"
        )
    }
}

extension Value {
    /// The description, for messages, of a value that was passed where a target is expected.
    fileprivate var asTarget: String {
        guard case .table(let table) = self else { return kindName.withArticle }
        if let key = table.entries.first?.key {
            return "a table with the key '\(key.pathComponent)'"
        }
        if let target = Target(table.list) { return "'\(target)'" }
        switch table.list.count {
        case 0...1: return "a list without a task"
        case 2:
            let number = table.list[0].text.map(Name.isValid) == true ? "second" : "first"
            return "a list whose \(number) element is not a name"
        default:
            return "a list of \(table.list.count) elements (parameters belong in 'info')"
        }
    }
}
