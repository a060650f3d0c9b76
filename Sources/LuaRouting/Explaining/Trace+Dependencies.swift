// SPDX-License-Identifier: MIT

extension Trace {
    /// Notes what the routes on the way need, and what scripts asked for.
    func notesDependencies(of navigation: Navigation, _ generation: Generation) {
        let journey = navigation.journey
        var noted: Set<String> = []
        func note(_ names: some Sequence<String>, _ route: String?) {
            for name in names where noted.insert(name).inserted {
                let state: Explanation.Dependency.State =
                    if living.contains(name) {
                        .there
                    } else if generation.declarations.providers[name] != nil {
                        .made
                    } else if generation.declarations.expectations.dependencies.contains(name) {
                        .host
                    } else {
                        .missing
                    }
                explanation.dependencies.append(
                    Explanation.Dependency(name: name, state: state, route: route)
                )
            }
        }
        if let definition = journey.definition ?? targetStep(of: journey, generation.declarations) {
            note(definition.needs, definition.title)
        }
        for step in steps { note(step.needs, step.title) }
        note(navigation.record.askedDependencies.sorted(), nil)
        note(navigation.record.dependencies.keys.sorted(), nil)
    }

    /// The route of the target, where that failed before it was taken.
    private func targetStep(of journey: Journey, _ declarations: Declarations) -> Step? {
        guard let target = journey.target,
            case .screen(let step)? = declarations.routes[target]
        else { return nil }
        return step
    }
}
