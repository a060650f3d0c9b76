// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine
internal import RouteURLs

extension DeclarationCheck {
    /// Returns a finding for each interceptor, action and kind that is declared but not used.
    ///
    /// A name that a function may use later is not reported. This is assumed if the name is quoted
    /// anywhere in the scripts besides its declaration.
    func unusedFindings(_ text: ScriptText) -> [Finding] {
        var declared: [(what: String, name: String, location: RouteError.Location?)] = []
        var named: Set<String> = Set(declarations.interceptAll.map(\.name))
        for case .named(let name) in steps.flatMap(\.intercept) { named.insert(name) }
        declared += declarations.interceptors.filter { !named.contains($0.key) }
            .map { ("interceptor", $0.key, $0.value.location) }
        let used = Set(
            steps.compactMap(\.via?.name) + steps.flatMap(\.leaves).compactMap(\.via?.name)
        )
        declared += declarations.actions.filter { !used.contains($0.key) }
            .map { ("action", $0.key, $0.value.location) }
        // Aliases, and patterns that functions use, can only be found in the text.
        var kinds = text.kinds
        for table in [declarations.links.table, declarations.routings.table]
        where !declarations.linkDeclarations.kinds.isEmpty {
            for index in 0..<table.count {
                kinds.formUnion(table.pattern(index).parameters.map(\.kind.description))
            }
        }
        declared += declarations.linkDeclarations.kinds.filter { !kinds.contains($0.key) }
            .map { ("kind", $0.key, $0.value.location) }
        return declared.sorted { ($0.name, $0.what) < ($1.name, $1.what) }
            .compactMap { what, name, location in
                guard text.names[name, default: 0] < 2 else { return nil }
                return Finding(
                    .unused,
                    "\(what) '\(name)' is declared but never used",
                    at: location
                )
            }
    }
}
