// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension DeclarationCheck {
    /// Returns a finding for each need of the scripts that a host does not meet.
    ///
    /// - Parameters:
    ///   - manifest: The manifest of the host.
    ///   - text: The names in the text of the scripts; nil to check only the declarations.
    /// - Returns: The findings.
    package func hostFindings(_ manifest: HostManifest, _ text: ScriptText? = nil) -> [Finding] {
        let expected = declarations.expectations
        var lacks = HostLacks(declarations)
        if let known = manifest.tasks {
            let names = expected.tasks.map(\.description)
            lacks.compare(
                names,
                what: "task",
                code: .missingTask,
                known: Set(known.map(\.description))
            )
        }
        if let known = manifest.screens {
            let screens = expected.screens ?? []
            for name in screens.sorted() { lacks.compare(name, known, at: expected.location) }
            for (name, location) in namedClasses where !screens.contains(name) {
                lacks.compare(name, known, at: location)
            }
        }
        if let known = manifest.dependencies {
            lacks.compare(
                expected.dependencies,
                what: "dependency",
                code: .missingDependency,
                known: known
            )
        }
        let presentations = namedPresentations(text)
        for (key, known) in [("style", manifest.styles), ("transition", manifest.transitions)] {
            if let known { lacks.compare(presentations[key] ?? [:], of: key, known: known) }
        }
        return lacks.findings
    }

    /// Returns the styles and transitions that scripts name in actions or as constants in their
    /// text.
    ///
    /// The outer keys are the attributes, `style` and `transition`; the inner keys are the names.
    /// The defaults of a presentation without options are not included.
    private func namedPresentations(
        _ text: ScriptText?
    ) -> [String: [String: RouteError.Location?]] {
        var names: [String: [String: RouteError.Location?]] = [:]
        for step in steps {
            for via in [step.via] + step.leaves.map(\.via) {
                for (attribute, value) in via?.presentation?.attributes ?? [] {
                    guard let name = value.text, names[attribute]?[name] == nil else { continue }
                    names[attribute, default: [:]][name] = .some(step.location)
                }
            }
        }
        let usual = Screen.Presentation()
        for option in text?.constants ?? [] where option.function == "present" {
            guard case .text(let bytes) = option.value else { continue }
            let name = String(decoding: bytes, as: UTF8.self)
            guard ![usual.style, usual.transition].contains(name) else { continue }
            if names[option.key]?[name] == nil {
                names[option.key, default: [:]][name] = .some(option.location)
            }
        }
        return names
    }

    /// Returns a finding for each class that a definition names but `router.expects` does not list.
    func expectedClassFindings() -> [Finding] {
        guard let known = declarations.expectations.screens else { return [] }
        let names = known.sorted()
        var hints = Hints()
        func finding(_ name: String, hint: String, at location: RouteError.Location?) -> Finding {
            let what = "class '\(name)' is not listed in 'screens' of 'router.expects'\(hint)"
            return Finding(.unexpectedClass, what, at: location)
        }
        let named = namedClasses
        // Scripts may declare a class only to find screens that the host creates. So a declared
        // class that no definition names is reported only if its name is probably misspelled.
        let met = Set(named.map(\.name)).union(known)
        let declared = declarations.classes.names.filter { !met.contains($0) }.sorted()
        var findings: [Finding] = []
        for name in declared {
            guard let near = hints.nearest(to: name, among: names) else { continue }
            let location = declarations.classes[name].location
            findings.append(finding(name, hint: ", did you mean '\(near)'?", at: location))
        }
        for (name, location) in named
        where !known.contains(name) && Screen.Kind(rawValue: name) == nil {
            findings.append(finding(name, hint: hints.hint(for: name, among: names), at: location))
        }
        return findings
    }

    /// The classes that templates and finders name, each with the location of the first step that
    /// names the class.
    var namedClasses: [(name: String, location: RouteError.Location?)] {
        var classes: [(name: String, location: RouteError.Location?)] = []
        var met: Set<String> = []
        for step in steps {
            for name in step.namedClasses where met.insert(name).inserted {
                classes.append((name, step.location))
            }
        }
        return classes
    }
}

extension Step {
    fileprivate var namedClasses: [String] {
        let finders = [find].compactMap(\.self) + (from?.finders ?? [])
        let built: [String] =
            switch build {
            case .template(let template): template.classNames
            case .blueprint(let blueprint): blueprint.classNames
            case .container(let container): [container.name]
            case .function, .fallback, nil: []
            }
        return finders.compactMap(\.class) + built
    }
}

extension From {
    fileprivate var finders: [Finder] {
        switch self {
        case .current, .root, .route, .step: return []
        case .finder(let finder): return [finder]
        case .choice(let choice):
            var finders: [Finder] = []
            for case .finder(let finder)? in choice.cases.map(\.when) { finders.append(finder) }
            for case .fixed(let from) in choice.choices { finders += from.finders }
            return finders
        }
    }
}

extension ScreenTemplate {
    var classNames: [String] { [`class`.name] + children.flatMap(\.classNames) }
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

/// A type that compares the needs of scripts with the names in a host's manifest.
private struct HostLacks {
    private let declarations: Declarations
    private var hints = Hints()
    private var knownScreens: [String]?
    private(set) var findings: [Finding] = []

    init(_ declarations: Declarations) { self.declarations = declarations }

    /// Reports the expected names that the host does not have.
    mutating func compare(
        _ names: some Collection<String>,
        what: String,
        code: Finding.Code,
        known: Set<String>
    ) {
        let missing = names.filter { !known.contains($0) }.sorted()
        guard !missing.isEmpty else { return }
        let known = known.sorted()
        for name in missing {
            report(
                code,
                what: what,
                name: name,
                known: known,
                at: declarations.expectations.location
            )
        }
    }

    /// Reports the styles or transitions that the host does not have.
    mutating func compare(
        _ names: [String: RouteError.Location?],
        of attribute: String,
        known: Set<String>
    ) {
        for (name, location) in names.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
            report(.missingStyle, what: attribute, name: name, known: known.sorted(), at: location)
        }
    }

    /// Reports a class that the host does not have, or declares differently.
    mutating func compare(
        _ name: String,
        _ known: [String: HostManifest.ScreenClass],
        at location: RouteError.Location?
    ) {
        guard Screen.Kind(rawValue: name) == nil else { return }
        guard let its = known[name] else {
            let names = knownScreens ?? known.keys.sorted()
            knownScreens = names
            return report(.missingClass, what: "screen", name: name, known: names, at: location)
        }
        guard declarations.classes.declares(name) else { return }
        let own = declarations.classes[name]
        if let kind = its.kind, kind != own.kind {
            let what =
                "is \(own.kind.rawValue.withArticle) in the scripts, but \(kind.rawValue.withArticle) in the host"
            findings.append(Finding(.otherClass, "class '\(name)' \(what)", at: own.location))
        }
        guard let fields = its.fields else { return }
        let met = Set(fields)
        for field in own.fields where !met.contains(field) {
            let hint = hints.hint(for: field, among: fields)
            let what = "has no field '\(field)' in the host\(hint)"
            findings.append(Finding(.otherClass, "class '\(name)' \(what)", at: own.location))
        }
    }

    private mutating func report(
        _ code: Finding.Code,
        what: String,
        name: String,
        known: [String],
        at location: RouteError.Location?
    ) {
        let hint = hints.hint(for: name, among: known)
        findings.append(Finding(code, "the host has no \(what) '\(name)'\(hint)", at: location))
    }
}
