// SPDX-License-Identifier: MIT

/// Whether what routes wait for and need is there for them.
extension Generation {
    /// The dependencies that no script provides and that the host is not asked for.
    ///
    /// A provider may be declared late, by a function: that alone keeps this from being an error.
    func dependencyFindings() -> [Finding] {
        let known = Set(dependencies.providers.keys).union(expectations.dependencies)
        return standingSteps.flatMap { step in
            Set(step.needs).subtracting(known).sorted().map { name in
                Finding(
                    .unknownDependency,
                    "no dependency '\(name)' is provided or expected of the host"
                        + Suggestion.hint(for: name, among: known.sorted()),
                    at: step.place
                )
            }
        }
    }

    /// The gates that one route alone names, and whose names are nearly those of others.
    func gateFindings() -> [Finding] {
        var steps: [String: [Step]] = [:]
        for step in standingSteps {
            for gate in Set(step.ready) { steps[gate, default: []].append(step) }
        }
        return steps.sorted { $0.key < $1.key }.compactMap { gate, named in
            let others = steps.filter { $0.key != gate && $0.value.count >= named.count }.keys
            guard named.count == 1, let near = Suggestion.nearest(to: gate, among: others.sorted())
            else { return nil }
            // Of two that are each named once, one is enough to be told.
            guard (steps[near]?.count ?? 0) > 1 || gate > near else { return nil }
            return Finding(
                .nearlyAnotherGate,
                "gate '\(gate)' is named here alone, did you mean '\(near)'?",
                at: named[0].place
            )
        }
    }
}
