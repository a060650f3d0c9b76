// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A selection of scenarios, or of `explore` blocks, by name and tags.
package struct ScenarioFilter: Sendable {
    /// Parts of names, one of which the name must contain; case is ignored.
    ///
    /// Empty for all names.
    package var names: [String] = []
    /// The tag conditions, one of which must be true; empty for all scenarios.
    package var tags: [TagCondition] = []

    /// Creates a filter that accepts all scenarios.
    package init() {}

    func passes(name: String, tags: [String]) -> Bool {
        let name = name.lowercased()
        if !names.isEmpty, !names.contains(where: { name.contains(part: $0.lowercased()) }) {
            return false
        }
        return self.tags.isEmpty || self.tags.contains { $0.holds(for: tags) }
    }

    /// Returns the help for a tag that is not among those of all scenarios or blocks.
    func help(for known: Set<String>, of kind: String = "scenario") -> String? {
        guard let unknown = tags.flatMap(\.wanted).first(where: { !known.contains($0) }) else {
            return nil
        }
        let hint = Suggestion.hint(for: unknown, among: known)
        return "no \(kind) has the tag '\(unknown)'\(hint)"
    }
}

/// A condition on tags: those required, and those excluded, as in `auth,!slow`.
package struct TagCondition: Sendable {
    /// The required tags.
    let wanted: [String]
    /// The excluded tags.
    let unwanted: [String]

    /// Reads a condition: tags separated by commas, with `!` before excluded ones.
    ///
    /// Tags may begin with `@`, as in a file.
    ///
    /// - Throws: ``UsageError`` if one of them is not a valid tag.
    package init(_ text: String) throws(UsageError) {
        var wanted: [String] = []
        var unwanted: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var tag = part.drop { $0 == " " }
            while tag.last == " " { tag.removeLast() }
            let isUnwanted = tag.first == "!"
            if isUnwanted { tag.removeFirst() }
            if tag.first == "@" { tag.removeFirst() }
            let name = String(tag)
            guard Name.isValid(name) else {
                throw UsageError("tags such as 'auth,!slow' expected, got '\(text)'")
            }
            if isUnwanted { unwanted.append(name) } else { wanted.append(name) }
        }
        self.wanted = wanted
        self.unwanted = unwanted
    }

    func holds(for tags: [String]) -> Bool {
        wanted.allSatisfy(tags.contains) && !unwanted.contains(where: tags.contains)
    }
}
