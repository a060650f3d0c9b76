// SPDX-License-Identifier: MIT

/// Whether what is declared by name is named.
extension Generation {
    /// The interceptors, actions and kinds that nothing names.
    ///
    /// A function may name them when it runs: then the name is in the text of a script, in quotes,
    /// more often than in its declaration.
    func unusedFindings() -> [Finding] {
        var declared: [(what: String, name: String, place: RouteError.Location?)] = []
        let steps = standingSteps
        var named: Set<String> = Set(interceptAll.map(\.name))
        for case .named(let name) in steps.flatMap(\.intercept) { named.insert(name) }
        declared += interceptors.filter { !named.contains($0.key) }
            .map { ("interceptor", $0.key, $0.value.place) }
        let used = Set(steps.compactMap(\.via?.name) + steps.flatMap(\.leafActions))
        declared += actions.filter { !used.contains($0.key) }
            .map { ("action", $0.key, $0.value.place) }
        let kinds = Set(
            links.links.indices.flatMap {
                links.table.pattern($0).parameters.map(\.kind.description)
            }
        )
        declared += declaredLinks.kinds.filter { !kinds.contains($0.key) }
            .map { ("kind", $0.key, $0.value.place) }
        guard !declared.isEmpty else { return [] }
        let sources = bundle.readSources
        return declared.sorted { $0.name < $1.name }.compactMap { what, name, place in
            let count = sources.reduce(0) { $0 + Self.count(of: name, in: $1) }
            guard count < 2 else { return nil }
            return Finding(
                .unused,
                "\(what) '\(name)' is declared, and nothing names it",
                at: place
            )
        }
    }

    /// How often a name stands in a text in quotes.
    private static func count(of name: String, in text: [UInt8]) -> Int {
        ["\"", "'"].reduce(0) { $0 + text.ranges(of: Array("\($1)\(name)\($1)".utf8)).count }
    }
}

extension Step {
    fileprivate var leafActions: [String] {
        guard case .blueprint(let blueprint) = build else { return [] }
        return blueprint.leaves.compactMap(\.via?.name)
    }
}
