// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine
internal import RouteURLs

extension DeclarationCheck {
    /// Returns a finding for each mismatch between the parameters of a route and the parameters in
    /// its URL patterns.
    func parameterFindings() -> [Finding] {
        var hints = Hints()
        return steps.flatMap { step -> [Finding] in
            guard !step.urls.isEmpty else { return [] }
            var findings: [Finding] = []
            if let origins = step.origins, origins.isDisjoint(with: [.url, .external]) {
                findings.append(.refusesURLs(step))
            }
            guard let declaration = step.info else { return findings }
            for pattern in patterns(of: step) {
                findings += findingsAbout(
                    pattern,
                    declaration: declaration,
                    of: step,
                    hints: &hints
                )
            }
            return findings
        }
    }

    /// Returns the well-formed URL patterns of a step.
    func patterns(of step: Step) -> [URLPattern] {
        let kinds = Set(declarations.linkDeclarations.kinds.keys)
        return step.urls.compactMap { try? URLPattern($0, kinds: kinds) }
    }

    private func findingsAbout(
        _ pattern: URLPattern,
        declaration: InfoDeclaration,
        of step: Step,
        hints: inout Hints
    ) -> [Finding] {
        var findings: [Finding] = []
        let known = Dictionary(declaration.parameters.map { ($0.name, $0) }) { first, _ in first }
        let given = Dictionary(pattern.parameters.map { ($0.name, $0) }) { first, _ in first }
        var missing: [String]?
        for parameter in pattern.parameters {
            guard let declared = known[parameter.name] else {
                // A function that receives the navigation may read the parameter from the
                // navigation.
                let others =
                    missing ?? declaration.parameters.map(\.name).filter { given[$0] == nil }
                missing = others
                let hint = hints.hint(for: parameter.name, among: others)
                if !hint.isEmpty || !mayReadNavigation(step) {
                    findings.append(
                        .isDropped(parameter.name, pattern: pattern, hint: hint, of: step)
                    )
                }
                continue
            }
            if let wrong = declared.type.mismatch(parameter) {
                findings.append(
                    .doesNotFit(
                        parameter,
                        declared: declared,
                        expected: wrong,
                        pattern: pattern,
                        of: step
                    )
                )
            }
        }
        let labels = declarations.linkDeclarations.origins.list.compactMap(\.parameter)
        for declared in declaration.parameters where declared.isRequired {
            let parameter = given[declared.name]
            // The declared origin provides the parameter, unless the pattern has its own origin.
            if pattern.origin == nil, labels.contains(declared.name) { continue }
            if parameter?.isOptional != false {
                findings.append(
                    .isNotGiven(declared, pattern: pattern, isOptional: parameter != nil, of: step)
                )
            }
        }
        return findings
    }

    /// Whether a function that runs for a step may receive the navigation.
    private func mayReadNavigation(_ step: Step) -> Bool {
        if !step.intercept.isEmpty || !declarations.interceptAll.isEmpty { return true }
        if !declarations.updates.isEmpty || !declarations.afters.isEmpty { return true }
        if step.from != nil { return true }
        if case .blueprint = step.build { return true }
        return functions(of: step).contains { takes($0.function, $0.info + 1) }
    }

    // MARK: Fields

    /// Returns a finding for each parameter that becomes a field of a screen, but whose values the
    /// field never accepts.
    func fieldTypeFindings() -> [Finding] {
        steps.flatMap { step -> [Finding] in
            let name: String? =
                switch step.build {
                case .template(let template): template.class.name
                case nil: step.find?.class
                case .function, .fallback, .blueprint, .container: nil
                }
            guard let name else { return [] }
            let screenClass = declarations.classes[name]
            return step.fields(of: screenClass).compactMap { parameter in
                guard let type = screenClass.types[parameter.name]?.type,
                    type.excludes(parameter.type)
                else { return nil }
                return .isNoField(parameter, type, ofClass: name, of: step)
            }
        }
    }

    // MARK: Parents, trees and redirects

    /// Returns a finding for each parameter that a route requires but does not receive from a step
    /// that passes its own parameters to the route.
    ///
    /// The parameter is missing if the step does not declare it.
    func passedParameterFindings() -> [Finding] {
        steps.flatMap { step -> [Finding] in
            guard let info = step.info else { return [] }
            return passes(of: step).flatMap { pass -> [Finding] in
                guard let route = declarations.routes.route(to: pass.target) else { return [] }
                // A fallback receives all parameters of the URL.
                let others = pass.key == "fallback" ? patterns(of: step).flatMap(\.parameters) : []
                let missing = (route.info?.parameters ?? []).filter { parameter in
                    parameter.isRequired && info[parameter.name] == nil
                        && !others.contains { $0.name == parameter.name }
                }
                return missing.map { .isNotPassed($0, pass, of: step) }
            }
        }
    }

    /// Returns the routes to which a step passes its own parameters, unchanged by a function such
    /// as `adapt`.
    private func passes(of step: Step) -> [Pass] {
        var passes = (step.redirect?.targets ?? []).map {
            Pass(key: "redirect", target: $0, location: step.location)
        }
        if let fallback = step.fallback {
            passes.append(Pass(key: "fallback", target: fallback, location: step.location))
        }
        for leaf in step.leaves where leaf.adapt == nil {
            passes.append(Pass(key: "build", target: leaf.target, location: step.location))
        }
        var (open, known) = ([step], Set<ObjectIdentifier>())
        while let next = open.popLast() {
            guard next.adapt == nil, known.insert(ObjectIdentifier(next)).inserted else { continue }
            for (from, location) in next.from?.alternatives(at: next.location) ?? [] {
                switch from {
                case .route(let target):
                    passes.append(Pass(key: "from", target: target, location: location))
                case .step(let link): open.append(link)
                case .current, .root, .finder, .choice, nil: break
                }
            }
        }
        return passes
    }

    // MARK: Examples

    /// Returns a finding for each entry of `examples` that the route's own `info` rejects.
    func exampleFindings() -> [Finding] {
        steps.flatMap { step -> [Finding] in
            guard let declaration = step.info else { return [] }
            return step.examples.enumerated().compactMap { index, example in
                do throws(RouteError) {
                    // Functions that check a value are not run. They count as accepting any value.
                    _ = try declaration.check(example, hiding: []) { _, value in
                        value.isNil ? .boolean(true) : value
                    }
                    return nil
                } catch {
                    return Finding(
                        .badExample,
                        "example \(index + 1) of '\(step.title)' is invalid: \(error.message)",
                        at: step.location
                    )
                }
            }
        }
    }
}

/// A route to which a step passes its parameters, and the key of the definition that names the
/// route.
private struct Pass {
    let key: String
    let target: Target
    let location: RouteError.Location?
}

extension ValueType {
    /// Whether no value is of both types.
    ///
    /// Functions that check values count as accepting any value.
    fileprivate func excludes(_ other: ValueType) -> Bool {
        switch (self, other) {
        case (.any, _), (_, .any), (.checked, _), (_, .checked): return false
        case (.oneOf(let values), let type), (let type, .oneOf(let values)):
            let field = InfoDeclaration.Parameter(name: "", type: type)
            return values.allSatisfy { (try? field.check($0, hiding: [])) == nil }
        default: return luaType != other.luaType
        }
    }

    private var luaType: String {
        switch self {
        case .integer, .number: "number"
        case .table, .list, .record: "table"
        default: title
        }
    }

    /// The title of the type, or its values.
    fileprivate var values: String {
        guard case .oneOf(let values) = self else { return title }
        return values.map(NotationPrinter().value).joined(separator: " or ")
    }

    /// Returns the title of this type if no value of the URL parameter can have this type; nil
    /// otherwise.
    fileprivate func mismatch(_ parameter: URLPattern.Parameter) -> String? {
        guard parameter.isList else { return mismatch(parameter.kind) }
        switch self {
        case .any, .checked, .table: return nil
        case .list(let element): return element.mismatch(parameter.kind).map { _ in title }
        default: return title
        }
    }

    private func mismatch(_ kind: URLPattern.Kind) -> String? {
        if case .custom = kind { return nil }
        switch self {
        case .any, .checked: return nil
        case .integer, .number: return kind.given == "number" ? nil : title
        case .string: return kind.given == "string" ? nil : title
        case .boolean: return kind.given == "boolean" ? nil : title
        case .table, .function, .screen, .host, .list, .record: return title
        case .oneOf(let values): return mismatch(kind, values)
        }
    }

    private func mismatch(_ kind: URLPattern.Kind, _ values: [Value]) -> String? {
        switch kind {
        case .enumeration:
            return kind.unfit(for: values).isEmpty ? nil : self.values
        default:
            let fits = values.contains { value in
                switch value {
                case .string(let text): kind.given == "string" && kind.accepts(text)
                case .integer, .number: kind.given == "number"
                case .boolean: kind.given == "boolean"
                default: false
                }
            }
            return fits ? nil : self.values
        }
    }
}

extension URLPattern.Kind {
    /// Returns the alternatives of an enumeration that are not among the given values.
    fileprivate func unfit(for values: [Value]) -> [ByteString] {
        guard case .enumeration(let alternatives) = self else { return [] }
        return alternatives.filter { text in
            !values.contains { $0.isEqual(to: .string(text)) }
        }
    }

    /// The Lua type of the values that the kind provides.
    fileprivate var given: String {
        switch self {
        case .int, .uint, .number: "number"
        case .bool: "boolean"
        default: "string"
        }
    }
}

extension Finding {
    fileprivate static func refusesURLs(_ step: Step) -> Finding {
        Finding(
            .closedToURLs,
            "'\(step.title)' has a 'url', but its 'origin' does not allow URLs",
            at: step.location,
            help: "add 'url' or 'external' to 'origin', or remove 'url'"
        )
    }

    fileprivate static func isDropped(
        _ name: String,
        pattern: URLPattern,
        hint: String,
        of step: Step
    ) -> Finding {
        Finding(
            .droppedParameter,
            "url '\(pattern)' has a parameter '\(name)' that 'info' does not declare, so the value is dropped\(hint)",
            at: step.location
        )
    }

    fileprivate static func isNotGiven(
        _ declared: InfoDeclaration.Parameter,
        pattern: URLPattern,
        isOptional: Bool,
        of step: Step
    ) -> Finding {
        var help: String? = "write '?' after the type in 'info' to make the parameter optional"
        if case .oneOf = declared.type { help = nil }
        return Finding(
            .missingParameter,
            isOptional
                ? "url '\(pattern)' may omit '\(declared.name)', which 'info' requires"
                : "url '\(pattern)' does not provide '\(declared.name)', which 'info' requires",
            at: step.location,
            help: help
        )
    }

    fileprivate static func isNotPassed(
        _ parameter: InfoDeclaration.Parameter,
        _ pass: Pass,
        of step: Step
    ) -> Finding {
        let fix =
            switch pass.key {
            case "from": "return the parameter from 'adapt' of '\(step.title)'"
            case "build": "return the parameter from 'adapt' of '\(pass.target)' in the tree"
            default: "declare the parameter in 'info' of '\(step.title)'"
            }
        return Finding(
            .missingInPass,
            "'\(pass.key)' of '\(step.title)' leads to '\(pass.target)', which requires '\(parameter.name)', but 'info' of '\(step.title)' does not declare the parameter",
            at: pass.location,
            help: "\(fix), or make it optional in '\(pass.target)'"
        )
    }

    fileprivate static func isNoField(
        _ parameter: InfoDeclaration.Parameter,
        _ type: ValueType,
        ofClass name: String,
        of step: Step
    ) -> Finding {
        Finding(
            .otherParameter,
            "parameter '\(parameter.name)' of '\(step.title)' is of type \(parameter.type.values), which the field of class '\(name)' never accepts (\(type.values) expected)",
            at: step.location,
            help: "declare the same type for the parameter and in 'fields' of class '\(name)'"
        )
    }

    fileprivate static func doesNotFit(
        _ parameter: URLPattern.Parameter,
        declared: InfoDeclaration.Parameter,
        expected: String,
        pattern: URLPattern,
        of step: Step
    ) -> Finding {
        var given = parameter.kind.given.withArticle
        if case .enumeration = parameter.kind {
            var unfit = parameter.kind
            if case .oneOf(let values) = declared.type {
                unfit = .enumeration(parameter.kind.unfit(for: values))
            }
            given = "'\(unfit)'"
        }
        if parameter.isList { given = "a list" }
        let help: String? =
            switch declared.type {
            case .list where !parameter.isList:
                "write '*\(parameter.name)(list)' or '?key=:\(parameter.name)(list)' for a list"
            case _ where parameter.isList: nil
            case .integer: "write ':\(parameter.name)(int)' for an integer"
            case .number: "write ':\(parameter.name)(number)' for a number"
            case .boolean: "write ':\(parameter.name)(bool)' for a boolean"
            default: nil
            }
        return Finding(
            .otherParameter,
            "url '\(pattern)' provides '\(parameter.name)' as \(given), which 'info' never accepts (\(expected) expected)",
            at: step.location,
            help: help
        )
    }
}
