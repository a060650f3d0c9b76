// SPDX-License-Identifier: MIT

/// Whether what steps and `interceptAll` name is declared.
extension Generation {
    /// The names that nothing declares.
    func nameFindings() -> [Finding] {
        standingSteps.flatMap(nameFindings) + interceptAll.flatMap(nameFindings)
    }

    /// The actions and interceptors of a step that nothing declares.
    func nameFindings(of step: Step) -> [Finding] {
        var names = Names(generation: self, place: step.place)
        if let via = step.via { names.look(for: via) }
        for case .named(let name) in step.intercept { names.look(forInterceptor: name) }
        if case .blueprint(let blueprint) = step.build { names.look(forActionsIn: blueprint) }
        return names.findings
    }

    private func nameFindings(of all: InterceptAll) -> [Finding] {
        var names = Names(generation: self, place: all.place)
        names.look(forInterceptor: all.name)
        return names.findings
    }
}

/// Looks for names that one line has.
private struct Names {
    let generation: Generation
    let place: RouteError.Location?
    private(set) var findings: [Finding] = []

    init(generation: Generation, place: RouteError.Location?) {
        (self.generation, self.place) = (generation, place)
    }

    mutating func look(for action: Action) {
        guard case .declared(let name) = action.kind else { return }
        look(.unknownAction) { generation throws(RouteError) in
            _ = try generation.action(name)
        }
    }

    mutating func look(forActionsIn blueprint: Blueprint) {
        for child in blueprint.children {
            switch child {
            case .template: break
            case .blueprint(let inner): look(forActionsIn: inner)
            case .route(let leaf): if let via = leaf.via { look(for: via) }
            }
        }
    }

    mutating func look(forInterceptor name: String) {
        look(.unknownInterceptor) { generation throws(RouteError) in
            _ = try generation.interceptor(name)
        }
    }

    private mutating func look(
        _ code: Finding.Code,
        _ find: (Generation) throws(RouteError) -> Void
    ) {
        do throws(RouteError) {
            try find(generation)
        } catch {
            findings.append(Finding(code, error.at(place)))
        }
    }
}
