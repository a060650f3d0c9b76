// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension DeclarationCheck {
    /// Returns a finding for each undeclared class whose name nearly equals the name of a declared
    /// class.
    ///
    /// If the declared class is used, the other class is reported only if a finder or a template
    /// names it. A class that is also built, or that is a service, is probably meant if the scripts
    /// repeat its name.
    ///
    /// - Parameters:
    ///   - text: The names in the text of the scripts.
    ///   - manifest: The manifest of the host; nil if unknown.
    /// - Returns: The findings.
    func undeclaredClassFindings(_ text: ScriptText, _ manifest: HostManifest?) -> [Finding] {
        let declared = Set(declarations.classes.names)
        let named = namedClasses
        let isNamed = Set(named.map(\.name))
        let inText = text.arguments["screen"] ?? [:]
        var (idle, all): ([String], [String]) = ([], [])
        // If the scripts list expected screens, `expectedClassFindings` reports misspelled names
        // instead.
        if text.callsWithOther["screen"] == nil, declarations.expectations.screens == nil {
            idle = declared.subtracting(isNamed).filter { inText[$0] == nil }.sorted()
            // If the host lists its screens, `hostFindings` reports misspelled names instead.
            if manifest?.screens == nil { all = declared.sorted() }
        }
        var hints = Hints()
        var findings: [Finding] = []
        var reported: Set<String> = []
        let used = named + inText.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        for (name, location) in used
        where !declared.contains(name) && Screen.Kind(rawValue: name) == nil {
            var near = hints.nearest(to: name, among: idle).flatMap {
                isNumbered(name, $0) ? nil : $0
            }
            let isMeant = inText[name] != nil || declarations.routes.tasks(of: name) != nil
            if near == nil, isNamed.contains(name), !isMeant || text.names[name] == 1 {
                near = hints.nearest(to: name, among: all).flatMap {
                    mayDiffer(name, $0) ? nil : $0
                }
            }
            guard let near, reported.insert(name).inserted else { continue }
            findings.append(.isNotDeclared(name, ", did you mean '\(near)'?", at: location))
        }
        return findings
    }

    /// Whether two names are short, or differ only in digits or in the ending of a plural, as the
    /// names of two classes may do.
    private func mayDiffer(_ name: String, _ other: String) -> Bool {
        name.utf8.count < 4 || name + "s" == other || other + "s" == name || isNumbered(name, other)
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
