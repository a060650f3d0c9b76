// SPDX-License-Identifier: MIT

/// Whether a host brings what the scripts need.
extension Generation {
    /// What a host lacks.
    func hostFindings(_ manifest: HostManifest) -> [Finding] {
        taskFindings(manifest) + classFindings(manifest) + dependencyFindings(manifest)
            + classesOfSteps.flatMap { name, place in
                let isExpected = expectations.screens?.contains(name) == true
                return isExpected ? [] : classFindings(name, manifest, at: place)
            }
    }

    private func taskFindings(_ manifest: HostManifest) -> [Finding] {
        guard let known = manifest.tasks else { return [] }
        return expectations.tasks.subtracting(known).map(\.description).sorted().map { name in
            .lacking(
                .missingTask,
                "task '\(name)'",
                name,
                known.map(\.description),
                expectations.place
            )
        }
    }

    private func classFindings(_ manifest: HostManifest) -> [Finding] {
        (expectations.screens ?? []).sorted().flatMap {
            classFindings($0, manifest, at: expectations.place)
        }
    }

    private func dependencyFindings(_ manifest: HostManifest) -> [Finding] {
        guard let known = manifest.dependencies else { return [] }
        return expectations.dependencies.subtracting(known).sorted().map { name in
            .lacking(
                .missingDependency,
                "dependency '\(name)'",
                name,
                Array(known),
                expectations.place
            )
        }
    }

    /// What a host lacks of a class, or has otherwise.
    private func classFindings(
        _ name: String,
        _ manifest: HostManifest,
        at place: RouteError.Location?
    ) -> [Finding] {
        guard let known = manifest.screens, Screen.Kind(rawValue: name) == nil else { return [] }
        guard let its = known[name] else {
            return [
                .lacking(.missingClass, "screen '\(name)'", name, Array(known.keys), place)
            ]
        }
        guard let declared = declarations[name] else { return [] }
        var findings: [Finding] = []
        if let kind = its.kind, kind != classes[name].kind {
            findings.append(
                Finding(
                    .otherClass,
                    "class '\(name)' is a \(classes[name].kind.rawValue), and a \(kind.rawValue) to the host",
                    at: declared
                )
            )
        }
        if let fields = its.fields {
            for field in classes[name].fields where !fields.contains(field) {
                let hint = Suggestion.hint(for: field, among: fields)
                findings.append(
                    Finding(
                        .otherClass,
                        "class '\(name)' has no field '\(field)' in the host\(hint)",
                        at: declared
                    )
                )
            }
        }
        return findings
    }

    /// The classes that definitions name, and `router.expects` does not.
    func expectedClassFindings() -> [Finding] {
        guard let known = expectations.screens else { return [] }
        return classesOfSteps.compactMap { name, place in
            guard !known.contains(name), Screen.Kind(rawValue: name) == nil else { return nil }
            let hint = Suggestion.hint(for: name, among: known.sorted())
            return Finding(
                .unexpectedClass,
                "class '\(name)' is not among the 'screens' of 'router.expects'\(hint)",
                at: place
            )
        }
    }

    /// The classes that definitions name: those of templates, and of finders.
    var classesOfSteps: [(name: String, place: RouteError.Location?)] {
        var classes: [(name: String, place: RouteError.Location?)] = []
        for step in standingSteps {
            var names = step.finders.compactMap(\.class)
            switch step.build {
            case .template(let template): names += template.classNames
            case .blueprint(let blueprint): names += blueprint.classNames
            case .container(let container): names.append(container.name)
            case .function, .fallback, nil: break
            }
            for name in names where !classes.contains(where: { $0.name == name }) {
                classes.append((name, step.place))
            }
        }
        return classes
    }
}

extension Step {
    /// The finders that the step itself names.
    var finders: [Finder] {
        [find].compactMap(\.self) + (from?.finders ?? [])
    }
}

extension From {
    fileprivate var finders: [Finder] {
        switch self {
        case .current, .root, .route, .step: return []
        case .finder(let finder): return [finder]
        case .choice(let choice):
            var finders: [Finder] = []
            for option in choice.cases {
                if case .finder(let finder)? = option.when { finders.append(finder) }
            }
            for case .fixed(let from) in choice.choices { finders += from.finders }
            return finders
        }
    }
}

extension ScreenTemplate {
    fileprivate var classNames: [String] { [`class`.name] + children.flatMap(\.classNames) }
}

extension Blueprint {
    fileprivate var classNames: [String] {
        [`class`.name]
            + children.flatMap { child in
                switch child {
                case .template(let template): template.classNames
                case .blueprint(let blueprint): blueprint.classNames
                case .route: [String]()
                }
            }
    }
}

extension Finding {
    fileprivate static func lacking(
        _ code: Code,
        _ what: String,
        _ name: String,
        _ known: [String],
        _ place: RouteError.Location?
    ) -> Finding {
        let hint = Suggestion.hint(for: name, among: known)
        return Finding(code, "the host has no \(what)\(hint)", at: place)
    }
}
