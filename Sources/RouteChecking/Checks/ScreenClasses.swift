// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension DeclarationCheck {
    /// Returns a finding for each undeclared class whose name nearly equals the name of a declared
    /// but unused class.
    func undeclaredClassFindings(_ text: ScriptText) -> [Finding] {
        let declared = Set(declarations.classDeclarations.all.keys)
        let named = namedClasses
        let inText = text.arguments["screen"] ?? [:]
        var idle: [String] = []
        // If the scripts list expected screens, `expectedClassFindings` reports misspelled names
        // instead.
        if text.callsWithOther["screen"] == nil, declarations.expectations.screens == nil {
            idle = declared.subtracting(named.map(\.name)).filter { inText[$0] == nil }.sorted()
        }
        var hints = Hints()
        var findings: [Finding] = []
        var reported: Set<String> = []
        let used = named + inText.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        for (name, location) in used
        where !declared.contains(name) && Screen.Kind(rawValue: name) == nil {
            guard let near = hints.nearest(to: name, among: idle), reported.insert(name).inserted
            else { continue }
            findings.append(.isNotDeclared(name, ", did you mean '\(near)'?", at: location))
        }
        return findings
    }
}

extension Finding {
    fileprivate static func isNotDeclared(
        _ name: String,
        _ hint: String,
        at location: RouteError.Location?
    ) -> Finding {
        Finding(.undeclaredClass, "class '\(name)' is not declared\(hint)", at: location)
    }
}
