// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A check for names in the steps of a scenario file that the file's scripts do not declare.
///
/// A name is known if it is registered, declared or expected, or if a step such as 'given' or
/// 'stub' introduces the name. A name that script functions may produce also counts as known,
/// because only a run can show whether a function really produces the name.
struct NameCheck {
    private let file: ScenarioFile
    private var known: KnownNames
    /// The classes that steps introduce.
    private var classes: Set<String> = []
    private var fields: [String: Set<String>] = [:]
    private var stubs: Set<Target> = []
    /// All targets that the scripts register, and all tasks of the host.
    private var targets: Set<Target>
    private var texts: [String] = []
    private var diagnostics: [Diagnostic] = []
    private var severity = Diagnostic.Severity.warning
    private var met: Set<Key> = []

    private struct Key: Hashable {
        let source: ObjectIdentifier
        let offset: Int
        let message: String
    }

    init(_ file: ScenarioFile, _ known: KnownNames) {
        (self.file, self.known) = (file, known)
        targets = known.targets.union(known.hostTasks)
    }

    /// Creates a check for the `expect` conditions in a scenario file.
    ///
    /// A name that any scenario of the file introduces is known in all scenarios.
    init(ofConditionsIn file: ScenarioFile, _ known: KnownNames) {
        self.init(file, known)
        let steps = file.background + file.scenarios.flatMap(\.steps) + file.uncalledSteps
        collect(steps, steps.map(\.references))
    }

    /// Returns the findings about the conditions of the given steps.
    ///
    /// - Parameters:
    ///   - steps: The steps.
    ///   - others: The names known to the scripts that the steps load; nil if the steps load no
    ///     scripts.
    ///   - severity: The severity of the findings.
    /// - Returns: The findings, in the order of the steps.
    func findings(
        inConditionsOf steps: [ScenarioStep],
        _ others: KnownNames?,
        _ severity: Diagnostic.Severity
    ) -> [Diagnostic] {
        var check = self
        check.severity = severity
        if let others {
            check.known.formUnion(others)
            check.targets.formUnion(others.targets.union(others.hostTasks))
        }
        for step in steps {
            guard case .expect = step.action else { continue }
            for reference in step.references { check.look(at: reference, of: step, mayFail: false) }
        }
        return check.diagnostics
    }

    /// Returns the findings in a file, in the order of the file.
    static func findings(in file: ScenarioFile, _ known: KnownNames) -> [Diagnostic] {
        var check = NameCheck(file, known)
        check.run()
        return check.diagnostics.sorted { left, right in
            guard let left = left.span, let right = right.span else { return false }
            return left.source === right.source
                ? left.range.lowerBound < right.range.lowerBound : left.source === file.source
        }
    }

    /// Returns the findings in a file, in the order of the file.
    ///
    /// A name counts as known if it is known to at least one of the scripts that the file loads.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - script: The path of the file's scripts.
    ///   - names: Returns the names that are known to the scripts at a path; nil if the scripts do
    ///     not load.
    /// - Returns: The findings; empty if one of the scripts does not load.
    static func findings(
        in file: ScenarioFile,
        _ script: String,
        names: (String) -> KnownNames?
    ) -> [Diagnostic] {
        var paths: Set = [script]
        for step in file.background + file.scenarios.flatMap(\.steps) {
            guard case .reload(let path?, let fails) = step.action, !fails else { continue }
            paths.insert(Paths.path(path, from: Paths.folder(of: file.source.name)))
        }
        var known: KnownNames?
        for path in paths {
            guard let more = names(path) else { return [] }
            if known?.formUnion(more) == nil { known = more }
        }
        return known.map { findings(in: file, $0) } ?? []
    }

    private mutating func run() {
        let background = file.background.map(\.references)
        var allSteps = file.background
        var allReferences = background
        for scenario in file.scenarios {
            let references = scenario.steps.map(\.references)
            collect(file.background + scenario.steps, background + references)
            look(at: file.background + scenario.steps, background + references)
            allSteps += scenario.steps
            allReferences += references
        }
        for exploration in file.explorations {
            let steps = file.background + exploration.allSteps
            let references = background + exploration.allSteps.map(\.references)
            collect(steps, references)
            look(at: steps, references)
        }
        // A macro that no scenario calls may use the names that any scenario of the file
        // introduces.
        let steps = file.uncalledSteps
        let references = steps.map(\.references)
        collect(allSteps + steps, allReferences + references)
        look(at: steps, references)
    }

    private mutating func look(at steps: [ScenarioStep], _ references: [[NameReference]]) {
        let requests = RequestErrors(in: steps)
        for (index, step) in steps.enumerated() {
            for reference in references[index] {
                look(at: reference, of: step, mayFail: requests.mayFail(index))
            }
            guard case .act(.route(let target, let info), _) = step.action else { continue }
            for field in info { look(forParameter: field, of: target, step) }
            if !requests.isFailureExpected(index) {
                let name = references[index].first { reference in
                    if case .route = reference.meaning { true } else { false }
                }
                look(atInfo: info, of: target, at: name?.range ?? step.range, step)
            }
        }
    }

    /// Collects the names that the steps of a scenario introduce.
    private mutating func collect(_ steps: [ScenarioStep], _ references: [[NameReference]]) {
        (classes, fields, stubs, texts) = ([], [:], [], [])
        for (step, references) in zip(steps, references) {
            for reference in references {
                switch reference.meaning {
                case .givenScreen(let screen):
                    classes.insert(screen.name)
                    fields[screen.name, default: []].formUnion((screen.fields ?? []).map(\.name))
                case .stub(let target): stubs.insert(target)
                case .text(let text): if !step.action.isLooking { texts.append(text) }
                // A fallback may show a screen for any target.
                case .route(let target): if known.hasRouteFallback { texts.append(target.service) }
                default: break
                }
            }
        }
    }

    // MARK: Names

    private mutating func look(at reference: NameReference, of step: ScenarioStep, mayFail: Bool) {
        switch reference.meaning {
        case .route(let target):
            guard !mayFail, !known.hasRouteFallback else { return }
            // A host task is a known target: a navigation to it ends with 'wrongKind', as for a
            // task of a script.
            look(for: target, among: targets, reference: reference, of: step)
        case .task(let target):
            guard !mayFail, !known.hasTaskFallback else { return }
            look(for: target, among: targets, stubs, reference: reference, of: step)
        case .hostTask(let target):
            guard !isNamed(target) else { return }
            look(for: target, among: known.hostTasks, stubs, reference: reference, of: step)
        case .registration(let target):
            guard !isNamed(target) else { return }
            look(for: target, among: targets, stubs, reference: reference, of: step)
        case .service(let name):
            let services = Set(known.targets.map(\.service))
            look(for: name, what: "service", among: services, reference: reference, of: step)
        case .screen(let screen):
            guard !screen.isAnyClass else { return }
            if isClass(screen.name) {
                for field in screen.fields ?? [] { look(for: field, of: screen.name, step) }
            } else {
                lookForClass(screen.name, reference: reference, of: step)
            }
        case .screenClass(let name):
            if !isClass(name) { lookForClass(name, reference: reference, of: step) }
        case .gate(let name):
            look(for: name, what: "gate", among: known.gates, reference: reference, of: step)
        case .interceptor(let name):
            guard !Self.unnamedInterceptors.contains(name) else { return }
            look(
                for: name,
                what: "interceptor",
                among: known.interceptors,
                reference: reference,
                of: step
            )
        case .action(let name):
            look(for: name, what: "action", among: known.actions, reference: reference, of: step)
        case .export(let name):
            guard !mayFail else { return }
            look(
                for: name,
                what: "exported function",
                among: known.exports,
                reference: reference,
                of: step
            )
        case .wait(let name): look(forWait: name, reference, step)
        case .stub(let target): look(forStub: target, reference, step)
        case .parameter(let name):
            look(
                for: name,
                what: "parameter",
                among: known.parameters,
                reference: reference,
                of: step
            )
        case .givenScreen, .text: return
        }
    }

    /// The definition keys that serve as names for interceptors that have no other name.
    private static let unnamedInterceptors: Set = ["intercept", "leaving"]
    /// The words for waits that are not for an interceptor, gate or task.
    private static let otherWaits: Set = [
        Request.Outcome.host, Request.Outcome.link, Request.Outcome.turn, "question", "dialog",
    ]

    private mutating func look(
        forWait name: String,
        _ reference: NameReference,
        _ step: ScenarioStep
    ) {
        let parts = name.split(separator: "/").map(String.init)
        guard !parts.allSatisfy(known.words.contains) else { return }
        let names = known.interceptors.union(known.gates)
            .union(targets.union(stubs).map(\.description))
            .union(Self.unnamedInterceptors).union(Self.otherWaits)
        look(
            for: name,
            what: "interceptor, gate or task",
            among: names,
            reference: reference,
            of: step
        )
    }

    /// Returns whether the text of the scripts' functions contains the service and the task of a
    /// target.
    private func isNamed(_ target: Target) -> Bool {
        known.words.contains(target.service) && known.words.contains(target.task)
    }

    private mutating func look(
        for target: Target,
        among targets: Set<Target>,
        _ stubs: Set<Target> = [],
        reference: NameReference,
        of step: ScenarioStep
    ) {
        guard !targets.contains(target), !stubs.contains(target), !known.registersAnything,
            !known.openServices.contains(target.service)
        else { return }
        let targets = targets.union(stubs)
        let tasks = targets.filter { $0.service == target.service }.map(\.task)
        if tasks.isEmpty {
            let services = Set(targets.map(\.service))
            let hint = Suggestion.hint(for: target.service, among: services.sorted())
            add("no service '\(target.service)'\(hint)", at: reference.range, of: step)
        } else {
            let hint = Suggestion.hint(for: target.task, among: tasks.sorted())
            let message = "no task '\(target.task)' in service '\(target.service)'\(hint)"
            add(message, at: reference.range, of: step)
        }
    }

    /// Checks that the target of a stub is a host task.
    private mutating func look(
        forStub target: Target,
        _ reference: NameReference,
        _ step: ScenarioStep
    ) {
        if known.ownTasks.contains(target) {
            add(
                "'\(target)' is a task of the scripts (only host tasks can be stubbed)",
                at: reference.range,
                of: step
            )
        } else if !known.hostTasks.contains(target) {
            let names = known.hostTasks.map(\.description).sorted()
            let hint = Suggestion.hint(for: target.description, among: names)
            add(
                "the scripts expect no host task '\(target)'\(hint)",
                at: reference.range,
                of: step
            )
        }
    }

    private mutating func look(
        for name: String,
        what: String,
        among names: Set<String>,
        reference: NameReference,
        of step: ScenarioStep
    ) {
        guard !names.contains(name), !isMade(name, beside: names) else { return }
        let hint = Suggestion.hint(for: name, among: names.sorted())
        add("no \(what) '\(name)'\(hint)", at: reference.range, of: step)
    }

    // MARK: Classes

    private func isClass(_ name: String) -> Bool {
        known.classes.contains(name) || classes.contains(name)
    }

    private mutating func lookForClass(
        _ name: String,
        reference: NameReference,
        of step: ScenarioStep
    ) {
        let names = known.classes.union(classes).union(known.quotedNames)
        look(for: name, what: "class", among: names, reference: reference, of: step)
    }

    /// Returns whether script functions may produce a name.
    ///
    /// This is the case if the name occurs in the text of the functions or in a value of a step, or
    /// can be concatenated from such texts. If only the beginning or the end of the name is known,
    /// the name must not be similar to an existing name, because a similar name is probably
    /// misspelled.
    private func isMade(_ name: String, beside names: Set<String>) -> Bool {
        if known.words.contains(name) || texts.contains(where: { $0.contains(part: name) }) {
            return true
        }
        if known.joined.makes(name, of: known.quotedNames.union(texts)) { return true }
        guard known.joined.mayMake(name) else { return false }
        let others = names.subtracting(known.joined.texts)
        guard let near = Suggestion.nearest(to: name, among: others) else { return true }
        // A name that differs only in digits, such as 'tab2', is not misspelled.
        return Self.withoutDigits(near) == Self.withoutDigits(name)
    }

    private static func withoutDigits(_ name: String) -> String { name.filter { !$0.isNumber } }

    private mutating func look(for field: FieldNotation, of name: String, _ step: ScenarioStep) {
        // A class that declares no fields may have any field whose name is known as a field or a
        // parameter elsewhere.
        let names =
            known.fields[name] ?? fields.values.reduce(into: known.parameters) { $0.formUnion($1) }
        guard !names.contains(field.name), fields[name]?.contains(field.name) != true,
            !isMade(field.name, beside: names)
        else { return }
        let hint = Suggestion.hint(for: field.name, among: names.sorted())
        let range = field.range.lowerBound..<field.range.lowerBound + field.name.utf8.count
        add("class '\(name)' has no field '\(field.name)'\(hint)", at: range, of: step)
    }

    /// Reports a parameter of a step that is probably misspelled.
    ///
    /// Only routes without an `info` are checked, because they accept any parameter.
    private mutating func look(
        forParameter field: FieldNotation,
        of target: Target,
        _ step: ScenarioStep
    ) {
        guard let names = known.urlParameters[target], !names.contains(field.name),
            !known.words.contains(field.name),
            let near = Suggestion.nearest(to: field.name, among: names.sorted())
        else { return }
        let start = field.range.lowerBound
        add(
            "'\(target)' has no parameter '\(field.name)', did you mean '\(near)'?",
            at: start..<start + field.name.utf8.count,
            of: step
        )
    }

    /// Reports the parameters of a step that the `info` of a route does not accept.
    ///
    /// A value that only a run can determine is not checked, and no function that checks a value is
    /// called.
    ///
    /// - Parameters:
    ///   - info: The parameters.
    ///   - target: The route.
    ///   - range: The location of the route's name, at which missing parameters are reported.
    ///   - step: The step.
    private mutating func look(
        atInfo info: [FieldNotation],
        of target: Target,
        at range: Range<Int>,
        _ step: ScenarioStep
    ) {
        guard let declaration = known.infos[target], !known.registersAnything,
            !known.openServices.contains(target.service)
        else { return }
        func add(_ error: RouteError, at range: Range<Int>) {
            let message = "'\(target)' does not accept these parameters: \(error.message)"
            self.add(message, code: .badParameter, at: range, of: step)
        }
        var passed: Set<String> = []
        for field in info {
            passed.insert(field.name)
            do throws(RouteError) {
                guard let parameter = declaration[field.name] else {
                    var info = InfoTable()
                    info[field.name] = .boolean(true)
                    _ = try declaration.check(info, hiding: []) { _, value in value }
                    continue
                }
                guard case .value(let value) = field.notation else { continue }
                _ = try parameter.check(value, hiding: [], acceptsNil: parameter.isOptional)
            } catch {
                add(error, at: field.range)
            }
        }
        for parameter in declaration.parameters
        where !parameter.isOptional && !passed.contains(parameter.name) {
            do throws(RouteError) {
                _ = try parameter.check(.nil, hiding: [], acceptsNil: false)
            } catch {
                add(error, at: range)
            }
        }
    }

    // MARK: Findings

    private mutating func add(
        _ message: String,
        code: DiagnosticCode = .unknownNameOfScripts,
        at range: Range<Int>,
        of step: ScenarioStep
    ) {
        let location = step.text.location(of: range)
        let key = Key(
            source: ObjectIdentifier(location.span.source),
            offset: location.span.range.lowerBound,
            message: message
        )
        guard met.insert(key).inserted else { return }
        var diagnostic = Diagnostic(
            code,
            message,
            severity: severity,
            at: location.span
        )
        diagnostic.related = location.related
        diagnostics.append(diagnostic)
    }
}

/// The requests of a scenario that are expected to fail.
private struct RequestErrors {
    /// The requests that are expected to fail with `notFound`.
    private var missing: Set<Int> = []
    /// The requests that are expected to fail with any error, or whose end is not known.
    private var failing: Set<Int> = []

    init(in steps: [ScenarioStep]) {
        var lastRequest = LastRequest()
        var lastAct: Int?
        var named: [String: Int] = [:]
        for (index, step) in steps.enumerated() {
            if case .expect(let expectation) = step.action {
                guard expectation.isOfFailure else { continue }
                let requests =
                    (expectation.name.map { [named[$0]] } ?? [lastRequest.index, lastAct])
                    .compactMap(\.self)
                failing.formUnion(requests)
                if expectation.isOfMissingName { missing.formUnion(requests) }
            } else if !step.action.isLooking {
                lastRequest.note(step.action, index)
                lastAct = index
                if let name = step.name { named[name] = index }
            }
        }
    }

    /// Returns whether the request of a step is expected to fail because of a missing name.
    func mayFail(_ index: Int) -> Bool { missing.contains(index) }

    /// Returns whether the request of a step is expected to fail, or may fail.
    func isFailureExpected(_ index: Int) -> Bool { failing.contains(index) }
}

extension Expectation {
    /// Whether the request is expected to fail, or may fail.
    fileprivate var isOfFailure: Bool {
        switch condition {
        case .error: !isNegated
        case .done: isNegated
        case .asked(.outcome, _): true
        default: false
        }
    }

    /// Whether the request is expected to fail because its target or exported function does not
    /// exist.
    fileprivate var isOfMissingName: Bool {
        guard case .error(.notFound, _) = condition else { return false }
        return !isNegated
    }
}
