// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension DeclarationCheck {
    /// Returns the dependencies that no script provides and that the host is not expected to
    /// provide.
    ///
    /// A function may declare a provider later, so these are warnings.
    func dependencyFindings(_ text: ScriptText) -> [Finding] {
        let known = Set(declarations.providers.keys).union(declarations.expectations.dependencies)
            .union((text.arguments["provide"] ?? [:]).keys)
        let names = known.sorted()
        var hints = Hints()
        return steps.flatMap { step in
            // Not `subtracting`, which goes over all that is known.
            Set(step.needs).filter { !known.contains($0) }.sorted().map { name in
                Finding(
                    .unknownDependency,
                    "no dependency '\(name)' is provided or expected of the host"
                        + hints.hint(for: name, among: names),
                    at: step.location
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
        var waiting: [String: [Step]] = [:]
        for step in steps {
            for gate in Set(step.ready) { waiting[gate, default: []].append(step) }
        }
        let places = text.arguments["ready"] ?? [:]
        let opened = Set(places.keys)
        let gates = Set(waiting.keys).union(opened).sorted()
        let closed = waiting.filter { $0.value.count > 1 && !opened.contains($0.key) }.keys.sorted()
        var hints = Hints()
        return misspeltOpening(places.filter { waiting[$0.key] == nil }, closed, &hints)
            + waiting.keys.sorted().compactMap { gate in
                guard let named = waiting[gate], named.count == 1, !opened.contains(gate),
                    text.names[gate, default: 0] <= named.count,
                    let near = hints.nearest(to: gate, among: gates),
                    !isNumbered(gate, near)
                else { return nil }
                // Of two that are each named once, one is enough to be told.
                let isMeant = opened.contains(near) || (waiting[near]?.count ?? 0) > 1
                guard isMeant || gate > near else { return nil }
                return Finding(
                    .nearlyAnotherGate,
                    "gate '\(gate)' is named here alone, did you mean '\(near)'?",
                    at: named[0].location
                )
            }
    }

    /// The gates that scripts open and no route waits at, whose names are nearly those of gates that
    /// several routes wait at and no script opens.
    private func misspeltOpening(
        _ places: [String: RouteError.Location],
        _ closed: [String],
        _ hints: inout Hints
    ) -> [Finding] {
        places.sorted { $0.key < $1.key }.compactMap { gate, location in
            guard let near = hints.nearest(to: gate, among: closed),
                !isNumbered(gate, near)
            else { return nil }
            return Finding(
                .nearlyAnotherGate,
                "gate '\(gate)' is opened, and no route waits at it, did you mean '\(near)'?",
                at: location
            )
        }
    }

    /// Whether two names differ in their numbers alone: nobody misspells those.
    private func isNumbered(_ left: String, _ right: String) -> Bool {
        left.utf8.filter { !$0.isDigit } == right.utf8.filter { !$0.isDigit }
    }
}
