// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine
internal import RouteURLs

extension DeclarationCheck {
    // MARK: Fields in `by`

    /// Returns a finding for each field in `by` that no screen of the compared classes can have.
    ///
    /// If the class declares no fields, a field is reported only if the route builds its screens
    /// without a function, and nothing could set the field.
    func comparedFieldFindings() -> [Finding] {
        var findings: [Finding] = []
        for step in steps {
            for (classes, fields) in step.comparisons {
                for field in unknown(fields, of: classes, in: step) {
                    let isInURL = patterns(of: step).contains { pattern in
                        pattern.parameters.contains { $0.name == field }
                    }
                    let its = declarations.classes[classes[0]]
                    findings.append(.isNoField(field, its: its, of: step, isInURL: isInURL))
                }
            }
        }
        return findings
    }

    /// Returns the fields in the comparisons of a step that no screen of the compared classes can
    /// have.
    func unknownFields(in step: Step) -> [String] {
        step.comparisons.flatMap { unknown($1, of: $0, in: step) }
    }

    private func unknown(_ fields: [String], of classes: [String], in step: Step) -> [String] {
        if fields.isEmpty { return [] }
        let all = classes.map { declarations.state.classes[$0] }
        guard !all.isEmpty, all.allSatisfy({ $0.kind != .foreign }) else { return [] }
        return fields.filter { field in !all.contains { mayHave(field, $0, in: step) } }
    }

    private func mayHave(_ field: String, _ its: ScreenClass, in step: Step) -> Bool {
        if its.declaresFields { return its.fields.contains(field) }
        if !step.makes(its.name) || !declarations.updates.isEmpty { return true }
        return steps.contains { other in
            guard other === step || other.screenClass == its.name else { return false }
            if case .declared = other.via?.kind { return true }
            if other.parameters[field] != nil || other.sets(field) { return true }
            if case .function = other.build { return true }
            return functions(of: other).contains { $0.info > 1 && takes($0.function, 1) }
        }
    }

    // MARK: Unused parameters

    /// Returns a finding for each parameter that does not become a field and is not passed to any
    /// function of its definition.
    func idleParameterFindings(_ text: ScriptText) -> [Finding] {
        var fields: [ObjectIdentifier: Set<String>] = [:]
        return steps.flatMap { step in
            step.parameters.parameters.compactMap { parameter in
                let name = parameter.name
                let isNamed =
                    declarations.classes.privateNames.contains(name)
                    || step.examples.contains { !$0[name].isNil }
                guard !isNamed, !uses(name, of: step, fields: &fields),
                    !isRead(name, of: step, text)
                else {
                    return nil
                }
                return .isIdle(name, of: step, declarations: declarations)
            }
        }
    }

    /// Whether a parameter is used by a step, its parents, the leaves of its tree, or the targets
    /// of its redirect.
    ///
    /// `fields` caches the names of the fields of each step's screens.
    private func uses(
        _ name: String,
        of step: Step,
        fields: inout [ObjectIdentifier: Set<String>]
    ) -> Bool {
        var open = [step]
        var known: Set<ObjectIdentifier> = []
        while let next = open.popLast() {
            guard known.insert(ObjectIdentifier(next)).inserted else { continue }
            if next.target == nil || next === step {
                // A step without a target is part of the definition.
                if takes(name, of: next, fields: &fields) { return true }
            } else if next.parameters[name] != nil {
                return true
            }
            if next.comparisons.contains(where: { $0.fields.contains(name) }) { return true }
            for (from, _) in next.from?.alternatives(at: nil) ?? [] {
                switch from {
                case .step(let link): open.append(link)
                case .route(let target):
                    open += [declarations.routes.route(to: target)].compactMap(\.self)
                case .current, .root, .finder, .choice, nil: break
                }
            }
            for target in next.redirect?.targets ?? [] {
                guard let route = declarations.routes.route(to: target) else { continue }
                // A route without 'info' accepts all parameters.
                if route.info == nil { return true }
                open.append(route)
            }
            open += next.leaves.compactMap { declarations.routes.route(to: $0.target) }
        }
        return false
    }

    /// Whether a parameter is a field of a step's screens, or may be read by a function of the
    /// step's definition.
    private func takes(
        _ name: String,
        of step: Step,
        fields: inout [ObjectIdentifier: Set<String>]
    ) -> Bool {
        if case .declared(let action) = step.via?.kind,
            let body = declarations.actions[action]?.body, takes(body, 3)
        {
            return true
        }
        if functions(of: step).contains(where: { takes($0.function, $0.info) }) { return true }
        let names = fields[ObjectIdentifier(step)] ?? fieldNames(of: step)
        fields[ObjectIdentifier(step)] = names
        return names.contains(name)
    }

    /// Returns the fields of the screens that a step may build or find.
    private func fieldNames(of step: Step) -> Set<String> {
        var classes = [step.screenClass, step.find?.class].compactMap(\.self)
        // A function may build a screen of any class. A finder without a class may find any screen.
        switch step.build {
        case .function, .fallback: classes += declarations.classes.names
        case nil where step.find?.class == nil && step.find != nil:
            classes += declarations.classes.names
        case .template, .blueprint, .container, nil: break
        }
        return Set(classes.flatMap { step.fields(of: declarations.classes[$0]).map(\.name) })
    }

    /// Whether an interceptor of a step may read the step's parameters, or a function for all
    /// routes may read the given parameter.
    ///
    /// An interceptor may read any parameter if its text contains the word `info`. The text of a
    /// function for all routes must also contain the parameter's name as a field.
    private func isRead(_ parameter: String, of step: Step, _ text: ScriptText) -> Bool {
        func mentions(_ lines: [String: Set<Int>]?, _ function: ScriptFunction?) -> Bool {
            guard let function, let source = source(function) else { return false }
            return lines?[source.file]?.contains(where: source.lines.contains) ?? false
        }
        let isNamed = step.intercept.contains { interceptor in
            guard case .named(let name) = interceptor else { return false }
            return mentions(text.infoLines, declarations.interceptors[name]?.body)
        }
        if isNamed { return true }
        guard let reads = text.memberLines[parameter] else { return false }
        let interceptors = declarations.interceptAll.filter {
            step.target.map(\.service).map($0.isFor) ?? false
        }
        let functions = interceptors.map { declarations.interceptors[$0.name]?.body }
        return (functions + declarations.updates + declarations.afters).contains {
            mentions(text.infoLines, $0) && mentions(reads, $0)
        }
    }

    /// Returns the functions in the definition of a step, each with the position of its argument
    /// `info`.
    ///
    /// The argument `nav` follows `info`.
    func functions(of step: Step) -> [(function: ScriptFunction, info: Int)] {
        var functions: [(ScriptFunction?, Int)] = [
            (step.prepare, 1), (step.update, 2), (step.after, 2), (step.closed, 2), (step.adapt, 1),
            (step.enabled, 1), (step.redirect?.pick, 1),
        ]
        if case .function(let function) = step.build { functions.append((function, 1)) }
        if case .function(let function) = step.reuse.kind { functions.append((function, 2)) }
        for case .inline(let function) in step.intercept { functions.append((function, 1)) }
        for leaf in step.leaves { functions.append((leaf.adapt, 1)) }
        for finder in step.finders {
            functions.append((finder.match, 2))
            if case .function(let start) = finder.start { functions.append((start, 1)) }
        }
        for function in step.from?.functions ?? [] { functions.append((function, 1)) }
        return functions.compactMap { function, info in function.map { ($0, info) } }
    }
}

extension Step {
    /// All finders in the definition of the step.
    fileprivate var finders: [Finder] {
        var finders: [Finder] = []
        if let find { finders.append(find) }
        if let search = reuse.search { finders.append(search) }
        if let from { finders += from.finders }
        if case .present(let options) = via?.kind, case .finder(let finder) = options.start {
            finders.append(finder)
        }
        return finders
    }

    /// The comparisons of fields with parameters, each with the classes of the compared screens and
    /// the names of the fields.
    var comparisons: [(classes: [String], fields: [String])] {
        var comparisons: [(classes: [String], fields: [String])] = []
        for finder in finders {
            comparisons.append((finder.class.map { [$0] } ?? [], finder.fields))
        }
        if case .fields(let fields) = reuse.kind {
            comparisons.append((screenClass.map { [$0] } ?? [], fields))
        }
        return comparisons
    }

    /// Whether the step builds screens of the given class without calling a function.
    fileprivate func makes(_ name: String) -> Bool {
        switch build {
        case .template, .blueprint, .container: screenClass == name
        case .function, .fallback, nil: false
        }
    }

    /// Whether a screen in the step's template sets the given field.
    fileprivate func sets(_ field: String) -> Bool {
        if case .template(let template) = build { template.has(field) } else { false }
    }
}

extension ScreenTemplate {
    fileprivate func has(_ field: String) -> Bool {
        !fields[field].isNil || children.contains { $0.has(field) }
    }
}

extension From {
    /// The finders, including finders in switches.
    fileprivate var finders: [Finder] {
        if case .finder(let finder) = self { return [finder] }
        guard case .choice(let choice) = self else { return [] }
        var finders: [Finder] = []
        for one in choice.cases {
            if case .finder(let finder) = one.when { finders.append(finder) }
        }
        for case .fixed(let from) in choice.choices { finders += from.finders }
        return finders
    }

    /// The functions that select cases or return parents in switches, including nested switches.
    fileprivate var functions: [ScriptFunction] {
        guard case .choice(let choice) = self else { return [] }
        var functions: [ScriptFunction] = []
        for one in choice.cases {
            if case .predicate(let function) = one.when { functions.append(function) }
        }
        for one in choice.choices {
            switch one {
            case .fixed(let from): functions += from.functions
            case .function(let function): functions.append(function)
            }
        }
        return functions
    }
}

extension Finding {
    fileprivate static func isNoField(
        _ field: String,
        its: ScreenClass,
        of step: Step,
        isInURL: Bool
    ) -> Finding {
        let dropped =
            "add '\(field)' to 'info': parameters of 'url' are dropped unless 'info' of the route or of one of its groups declares them"
        let hint = Suggestion.hint(for: field, among: its.fields)
        return Finding(
            .unknownField,
            its.declaresFields
                ? "'by' of '\(step.title)' names '\(field)', which is not a field of class '\(its.name)'\(hint)"
                : "'by' of '\(step.title)' names '\(field)', but nothing sets this field of class '\(its.name)'",
            at: step.location,
            help: its.declaresFields
                ? "add the field to 'fields' of 'router.class(\"\(its.name)\", …)'"
                : isInURL
                    ? dropped : "declare a parameter '\(field)' in 'info' or 'url' to set the field"
        )
    }

    fileprivate static func isIdle(
        _ name: String,
        of step: Step,
        declarations: Declarations
    ) -> Finding {
        var help = "read the parameter in a function of the definition that takes 'info'"
        if let its = step.screenClass {
            let isOpen =
                declarations.classes[its].kind == .leaf
                && !declarations.classes[its].declaresFields
            help = "add the parameter to 'fields' of 'router.class(\"\(its)\", …)'"
            if isOpen { help += ", or write 'build = router.screen \"\(its)\"'" }
        }
        if step.info == nil { help += "; write ':_' for a segment without a name" }
        return Finding(
            .idleParameter,
            "parameter '\(name)' of '\(step.title)' reaches no field and no function",
            at: step.location,
            help: help
        )
    }
}
