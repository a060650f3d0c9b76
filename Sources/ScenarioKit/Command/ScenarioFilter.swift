// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Which of the scenarios at the paths are meant.
public struct ScenarioFilter: Sendable {
    /// Parts of the name, upper and lower case being the same: one of these has to be in it, and
    /// nothing fits all.
    public var names: [String] = []
    /// The tags: one of these has to fit, nothing fits all.
    public var tags: [TagCondition] = []

    /// Creates a filter that all scenarios pass.
    public init() {}

    func passes(_ scenario: Scenario) -> Bool {
        let name = scenario.name.lowercased()
        if !names.isEmpty, !names.contains(where: { name.contains(part: $0.lowercased()) }) {
            return false
        }
        return tags.isEmpty || tags.contains { $0.holds(for: scenario.tags) }
    }

    /// What to say of the tags that no scenario has.
    func help(for scenarios: some Sequence<Scenario>) -> String? {
        let known = Set(scenarios.flatMap(\.tags))
        guard let unknown = tags.flatMap(\.wanted).first(where: { !known.contains($0) }) else {
            return nil
        }
        let hint = Suggestion.hint(for: unknown, among: known)
        return "no scenario has the tag '\(unknown)'\(hint)"
    }
}

/// Tags that a scenario must have, and tags that it must not have: `auth,!slow`.
public struct TagCondition: Sendable {
    /// The tags that it must have.
    let wanted: [String]
    /// The tags that it must not have.
    let unwanted: [String]

    /// Reads a condition: tags with a comma between them, `!` before those that must not be.
    ///
    /// The `@` that tags have in a file may stand here too.
    ///
    /// - Throws: ``UsageError`` if one of them is no name.
    public init(_ text: String) throws(UsageError) {
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
