// SPDX-License-Identifier: MIT

/// Whether what steps and `interceptAll` name is declared.
extension Generation {
    /// The names that nothing declares.
    func nameFindings() -> [Finding] {
        var names = Names(generation: self)
        for step in declarations.registeredSteps { names.look(at: step) }
        for all in declarations.interceptAll { names.look(forInterceptor: all.name, at: all.place) }
        return names.findings
    }

    /// The actions and interceptors of a step that nothing declares.
    func nameFindings(of step: Step) -> [Finding] {
        var names = Names(generation: self)
        names.look(at: step)
        return names.findings
    }
}

/// Looks for names.
private struct Names {
    private let generation: Generation
    private var hints = Hints()
    private lazy var knownActions = Action.words + generation.declarations.actions.keys.sorted()
    private lazy var knownInterceptors = generation.declarations.interceptors.keys.sorted()
    private(set) var findings: [Finding] = []

    init(generation: Generation) { self.generation = generation }

    mutating func look(at step: Step) {
        if let via = step.via { look(for: via, at: step.place) }
        for case .named(let name) in step.intercept { look(forInterceptor: name, at: step.place) }
        if case .blueprint(let blueprint) = step.build {
            for leaf in blueprint.leaves {
                if let via = leaf.via { look(for: via, at: step.place) }
            }
        }
    }

    private mutating func look(for action: Action, at place: RouteError.Location?) {
        guard case .declared(let name) = action.kind, generation.declarations.actions[name] == nil
        else {
            return
        }
        let error = RouteError.noAction(name, among: hints.among(knownActions))
        findings.append(Finding(.unknownAction, error.at(place)))
    }

    mutating func look(forInterceptor name: String, at place: RouteError.Location?) {
        guard generation.declarations.interceptors[name] == nil else { return }
        let error = RouteError.noInterceptor(name, among: hints.among(knownInterceptors))
        findings.append(Finding(.unknownInterceptor, error.at(place)))
    }
}
