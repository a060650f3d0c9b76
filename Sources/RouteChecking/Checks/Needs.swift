// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension DeclarationCheck {
    /// Returns a warning for each needed dependency that scripts neither provide nor expect of the
    /// host.
    ///
    /// Such a dependency is not an error, because a function may declare a provider later.
    func dependencyFindings(_ text: ScriptText) -> [Finding] {
        let known = Set(declarations.providers.keys).union(declarations.expectations.dependencies)
            .union((text.arguments["provide"] ?? [:]).keys)
        let names = known.sorted()
        var hints = Hints()
        return steps.flatMap { step in
            // `subtracting` would iterate over all known names.
            Set(step.needs).filter { !known.contains($0) }.sorted().map { name in
                Finding(
                    .unknownDependency,
                    "dependency '\(name)' is neither provided by the scripts nor expected from the host"
                        + hints.hint(for: name, among: names),
                    at: step.location
                )
            }
        }
    }

    /// Returns a finding for each gate whose name is probably misspelled.
    ///
    /// A name counts as misspelled if only one route waits for the gate, no script opens the gate,
    /// and the name nearly equals the name of another gate that is opened by scripts or named by
    /// several routes.
    ///
    /// Scripts may compute the names of the gates that they open. Therefore, a gate is not reported
    /// if its name is quoted anywhere else in the scripts.
    func gateFindings(_ text: ScriptText) -> [Finding] {
        var waiting: [String: [Step]] = [:]
        for step in steps {
            for gate in Set(step.ready) { waiting[gate, default: []].append(step) }
        }
        let places = text.arguments["ready"] ?? [:]
        let opened = Set(places.keys)
        let gates = Set(waiting.keys).union(opened).sorted()
        let closed = waiting.filter { $0.value.count > 1 && !opened.contains($0.key) }.keys.sorted()
        var hints = Hints()
        return misspelledOpening(
            places.filter { waiting[$0.key] == nil },
            closed: closed,
            hints: &hints
        )
            + waiting.keys.sorted().compactMap { gate in
                guard let named = waiting[gate], named.count == 1, !opened.contains(gate),
                    text.names[gate, default: 0] <= named.count,
                    let near = hints.nearest(to: gate, among: gates),
                    !isNumbered(gate, near)
                else { return nil }
                // If each of the two gates is named only once, only the gate that sorts last is
                // reported.
                let isMeant = opened.contains(near) || (waiting[near]?.count ?? 0) > 1
                guard isMeant || gate > near else { return nil }
                return Finding(
                    .nearlyAnotherGate,
                    "gate '\(gate)' is named only here, did you mean '\(near)'?",
                    at: named[0].location
                )
            }
    }

    /// Returns a finding for each gate that scripts open but no route names, if its name nearly
    /// equals the name of a gate that several routes wait for and no script opens.
    private func misspelledOpening(
        _ places: [String: RouteError.Location],
        closed: [String],
        hints: inout Hints
    ) -> [Finding] {
        places.sorted { $0.key < $1.key }.compactMap { gate, location in
            guard let near = hints.nearest(to: gate, among: closed),
                !isNumbered(gate, near)
            else { return nil }
            return Finding(
                .nearlyAnotherGate,
                "gate '\(gate)' is opened, but no route waits for it, did you mean '\(near)'?",
                at: location
            )
        }
    }

    /// Whether two names differ only in their digits, such as `step1` and `step2`.
    ///
    /// Such a difference is not a misspelling.
    func isNumbered(_ left: String, _ right: String) -> Bool {
        left.utf8.filter { !$0.isDigit } == right.utf8.filter { !$0.isDigit }
    }
}
