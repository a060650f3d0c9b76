// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension DeclarationCheck {
    /// Returns a finding for each name in `by` that is not a parameter of the route.
    ///
    /// Such a comparison compares nil with nil, so every screen of the class would be reused.
    func comparisonFindings() -> [Finding] {
        steps.flatMap { step -> [Finding] in
            guard let declaration = step.info else { return [] }
            let known = declaration.parameters.map(\.name)
            var names = step.find?.fields ?? []
            if case .fields(let fields) = step.reuse.kind { names += fields }
            let unknown = Set(unknownFields(in: step))
            return names.filter { !known.contains($0) && !unknown.contains($0) }.map { name in
                Finding(
                    .comparesNothing,
                    "'by' compares '\(name)', which is not a parameter of '\(step.title)'"
                        + Suggestion.hint(for: name, among: known),
                    at: step.location
                )
            }
        }
    }
}
