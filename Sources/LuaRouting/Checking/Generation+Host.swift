// SPDX-License-Identifier: MIT

/// Whether a host brings what the scripts need.
extension Generation {
    /// What a host lacks.
    func hostFindings(_ manifest: HostManifest) -> [Finding] {
        var lacks = HostLacks(generation: self)
        if let known = manifest.tasks {
            lacks.compare(
                .missingTask,
                "task",
                declarations.expectations.tasks.subtracting(known).map(\.description),
                Set(known.map(\.description))
            )
        }
        if manifest.screens != nil {
            for name in (declarations.expectations.screens ?? []).sorted() {
                lacks.compare(name, manifest, at: declarations.expectations.place)
            }
        }
        if let known = manifest.dependencies {
            lacks.compare(
                .missingDependency,
                "dependency",
                declarations.expectations.dependencies,
                known
            )
        }
        if manifest.screens != nil {
            for (name, place) in classesOfSteps
            where declarations.expectations.screens?.contains(name) != true {
                lacks.compare(name, manifest, at: place)
            }
        }
        return lacks.findings
    }

    /// The classes that definitions name, and `router.expects` does not.
    func expectedClassFindings() -> [Finding] {
        guard let known = declarations.expectations.screens else { return [] }
        let names = known.sorted()
        var hints = Hints()
        let named = classesOfSteps
        // A class may be declared of screens that only finders look for: it is told where it is
        // but misspelt.
        let met = Set(named.map(\.name)).union(known)
        let declared = declarations.classPlaces.keys.filter { !met.contains($0) }.sorted()
        let misspelt = declared.compactMap { name -> Finding? in
            guard let near = Suggestion.nearest(to: name, among: hints.among(names)) else {
                return nil
            }
            return Finding(
                .unexpectedClass,
                "class '\(name)' is not among the 'screens' of 'router.expects', did you mean '\(near)'?",
                at: declarations.classPlaces[name] ?? nil
            )
        }
        return misspelt
            + named.compactMap { name, place in
                guard !known.contains(name), Screen.Kind(rawValue: name) == nil else { return nil }
                let hint = Suggestion.hint(for: name, among: hints.among(names))
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
        var met: Set<String> = []
        for step in declarations.registeredSteps {
            var names = step.finders.compactMap(\.class)
            switch step.build {
            case .template(let template): names += template.classNames
            case .blueprint(let blueprint): names += blueprint.classNames
            case .container(let container): names.append(container.name)
            case .function, .fallback, nil: break
            }
            for name in names where met.insert(name).inserted { classes.append((name, step.place)) }
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

/// What a host lacks, as it is found.
private struct HostLacks {
    private let generation: Generation
    private var hints = Hints()
    private var knownScreens: [String]?
    private(set) var findings: [Finding] = []

    init(generation: Generation) { self.generation = generation }

    /// Tells the names that the host does not know.
    mutating func compare(
        _ code: Finding.Code,
        _ what: String,
        _ names: some Collection<String>,
        _ known: Set<String>
    ) {
        let missing = names.filter { !known.contains($0) }.sorted()
        guard !missing.isEmpty else { return }
        let known = known.sorted()
        for name in missing {
            tell(code, "\(what) '\(name)'", name, known, generation.declarations.expectations.place)
        }
    }

    /// Tells what the host lacks of a class, or has otherwise.
    mutating func compare(
        _ name: String,
        _ manifest: HostManifest,
        at place: RouteError.Location?
    ) {
        guard let known = manifest.screens, Screen.Kind(rawValue: name) == nil else { return }
        guard let its = known[name] else {
            let names = knownScreens ?? known.keys.sorted()
            knownScreens = names
            tell(.missingClass, "screen '\(name)'", name, names, place)
            return
        }
        guard let declared = generation.declarations.classPlaces[name] else { return }
        let own = generation.declarations.classes[name]
        if let kind = its.kind, kind != own.kind {
            findings.append(
                Finding(
                    .otherClass,
                    "class '\(name)' is a \(own.kind.rawValue), and a \(kind.rawValue) to the host",
                    at: declared
                )
            )
        }
        guard let fields = its.fields else { return }
        let met = Set(fields)
        for field in own.fields where !met.contains(field) {
            let hint = Suggestion.hint(for: field, among: hints.among(fields))
            findings.append(
                Finding(
                    .otherClass,
                    "class '\(name)' has no field '\(field)' in the host\(hint)",
                    at: declared
                )
            )
        }
    }

    private mutating func tell(
        _ code: Finding.Code,
        _ what: String,
        _ name: String,
        _ known: [String],
        _ place: RouteError.Location?
    ) {
        let hint = Suggestion.hint(for: name, among: hints.among(known))
        findings.append(Finding(code, "the host has no \(what)\(hint)", at: place))
    }
}
