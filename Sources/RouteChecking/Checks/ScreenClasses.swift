// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension DeclarationCheck {
    /// Returns the classes of screens that are not declared although a field of theirs is needed.
    ///
    /// A class without fields needs no declaration. It is reported if its name is nearly that of a
    /// declared class that no screen has, or if a route passes parameters to it that nothing reads.
    func undeclaredClassFindings(_ text: ScriptText) -> [Finding] {
        let declared = Set(declarations.classPlaces.keys)
        let named = namedClasses
        let inText = text.arguments["screen"] ?? [:]
        var idle: [String] = []
        // With expected screens, another warning is about names that are near theirs.
        if text.callsWithOther["screen"] == nil, declarations.expectations.screens == nil {
            idle = declared.subtracting(named.map(\.name)).filter { inText[$0] == nil }.sorted()
        }
        var hints = Hints()
        var findings: [Finding] = []
        var reported: Set<String> = []
        let used = named + inText.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        for (name, location) in used
        where !declared.contains(name) && Screen.Kind(rawValue: name) == nil {
            guard let near = hints.nearest(to: name, among: idle), reported.insert(name).inserted
            else { continue }
            findings.append(.isNotDeclared(name, ", did you mean '\(near)'?", at: location))
        }
        for step in steps {
            guard let parameter = step.info?.parameters.first?.name, !mayUseParameters(step),
                case .template(let template) = step.build
            else { continue }
            let classes = template.classNames.filter { Screen.Kind(rawValue: $0) == nil }
            guard let name = classes.first, declared.isDisjoint(with: classes),
                reported.insert(name).inserted
            else { continue }
            findings.append(.keepsNothing(name, parameter, step))
        }
        return findings
    }

    /// Whether something other than its screen may use the parameters of a step.
    private func mayUseParameters(_ step: Step) -> Bool {
        if case .function = step.reuse.kind { return true }
        let functions = [
            step.prepare, step.update, step.after, step.closed, step.adapt, step.enabled,
            step.find?.match,
        ]
        return functions.contains { $0 != nil } || step.from != nil || !step.intercept.isEmpty
            || !declarations.interceptAll.isEmpty || !declarations.updates.isEmpty
            || !declarations.afters.isEmpty
    }
}

extension Finding {
    fileprivate static func isNotDeclared(
        _ name: String,
        _ hint: String,
        at location: RouteError.Location?
    ) -> Finding {
        Finding(.undeclaredClass, "class '\(name)' is not declared\(hint)", at: location)
    }

    fileprivate static func keepsNothing(
        _ name: String,
        _ parameter: String,
        _ step: Step
    ) -> Finding {
        Finding(
            .undeclaredClass,
            "class '\(name)' is not declared, so no field keeps '\(parameter)' of '\(step.title)'",
            at: step.location,
            help: "router.class(\"\(name)\", { fields = { \"\(parameter)\" } })"
        )
    }
}
