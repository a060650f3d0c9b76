// SPDX-License-Identifier: MIT

/// Whether what routes wait for and need is there for them.
extension Generation {
    /// The dependencies that no script provides and that the host is not asked for.
    ///
    /// A provider may be declared late, by a function: that alone keeps this from being an error.
    func dependencyFindings(_ text: ScriptText) -> [Finding] {
        let known = Set(dependencies.providers.keys).union(expectations.dependencies)
            .union(text.arguments["provide"] ?? [])
        let names = known.sorted()
        var hints = Hints()
        return standingSteps.flatMap { step in
            // Not `subtracting`, which goes over all that is known.
            Set(step.needs).filter { !known.contains($0) }.sorted().map { name in
                Finding(
                    .unknownDependency,
                    "no dependency '\(name)' is provided or expected of the host"
                        + Suggestion.hint(for: name, among: hints.among(names)),
                    at: step.place
                )
            }
        }
    }

    /// The gates whose names are nearly those of others: of those that more routes name, or that
    /// the scripts open.
    ///
    /// Who opens a gate may have its name from anywhere; so one is not told that the text of the
    /// scripts has in quotes more often than routes name it.
    func gateFindings(_ text: ScriptText) -> [Finding] {
        var steps: [String: [Step]] = [:]
        for step in standingSteps {
            for gate in Set(step.ready) { steps[gate, default: []].append(step) }
        }
        let opened = text.arguments["ready"] ?? []
        let gates = Set(steps.keys).union(opened).sorted()
        var hints = Hints()
        return steps.keys.sorted().compactMap { gate in
            guard let named = steps[gate], named.count == 1, !opened.contains(gate),
                text.names[gate, default: 0] <= named.count,
                let near = Suggestion.nearest(to: gate, among: hints.among(gates)),
                !isNumbered(gate, near)
            else { return nil }
            // Of two that are each named once, one is enough to be told.
            let isMeant = opened.contains(near) || (steps[near]?.count ?? 0) > 1
            guard isMeant || gate > near else { return nil }
            return Finding(
                .nearlyAnotherGate,
                "gate '\(gate)' is named here alone, did you mean '\(near)'?",
                at: named[0].place
            )
        }
    }

    /// Whether two names differ in their numbers alone: nobody misspells those.
    private func isNumbered(_ left: String, _ right: String) -> Bool {
        left.utf8.filter { !Name.isDigit($0) } == right.utf8.filter { !Name.isDigit($0) }
    }
}
