// SPDX-License-Identifier: MIT

extension Trace {
    /// Records the dependencies that the routes of the plan need, and the dependencies that scripts
    /// requested.
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
        // A navigation that failed early has a target but no definition.
        let routes = generation.declarations.routes
        if let definition = journey.definition ?? journey.target.flatMap(routes.route) {
            note(definition.needs, definition.title)
        }
        for step in steps { note(step.needs, step.title) }
        note(navigation.record.askedDependencies.sorted(), nil)
        note(navigation.record.dependencies.keys.sorted(), nil)
    }
}
