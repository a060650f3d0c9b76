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
    /// The part of the files to take; nil for all.
    package var shard: Shard?

    /// Whether the tags come from the project file, so that files without them are accepted.
    private var isDefault = false

    /// Creates a filter that accepts all scenarios.
    package init() {}

    /// Sets the tags of the project, which apply by default.
    package mutating func setDefault(_ tags: [TagCondition]) {
        (self.tags, isDefault) = (tags, true)
    }

    func passes(name: String, tags: [String]) -> Bool {
        if !names.isEmpty, !name.contains(anyOf: names) { return false }
        return self.tags.isEmpty || self.tags.contains { $0.holds(for: tags) }
    }

    /// Returns the help for a required tag that no scenario or block has.
    func help(for known: Set<String>, of kind: String = "scenario") -> String? {
        unknownTags(\.wanted, among: known, of: kind).first
    }

    /// Returns a warning for each tag of the command line that no scenario or block has.
    func warnings(for known: Set<String>, of kind: String = "scenario") -> [Diagnostic] {
        guard !isDefault else { return [] }
        return unknownTags(\.all, among: known, of: kind).map {
            Diagnostic(.nothingSelected, $0, severity: .warning)
        }
    }

    private func unknownTags(
        _ names: (TagCondition) -> [String],
        among known: Set<String>,
        of kind: String
    ) -> [String] {
        tags.flatMap(names).filter { !known.contains($0) }.map { tag in
            "no \(kind) has the tag '\(tag)'\(Suggestion.hint(for: tag, among: known))"
        }
    }
}

extension String {
    /// Returns whether the text contains one of the given texts; case is ignored.
    func contains(anyOf texts: [String]) -> Bool {
        let text = lowercased()
        return texts.contains { text.contains(part: $0.lowercased()) }
    }
}

/// A part of the selected files, so that several machines share a run: `2/4` is the second of four.
///
/// Each file belongs to exactly one part, independent of the folder, the machine and the order of
/// the arguments. Files are not divided, so that checks of a whole file have the results of all its
/// scenarios.
package struct Shard: Sendable {
    /// The number of this part, from 1.
    let number: Int
    /// The number of all parts.
    let count: Int

    /// Reads `NUMBER/COUNT`.
    ///
    /// - Throws: ``UsageError`` unless both are numbers from 1 to 1,000, the first one at most the
    ///   second.
    package init(_ text: String) throws(UsageError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1],
            (1...1000).contains(count), (1...count).contains(number)
        else {
            throw UsageError("a part of the files such as '1/4' expected, got '\(text)'")
        }
        (self.number, self.count) = (number, count)
    }

    /// Selects the files of this part.
    ///
    /// Files are assigned by size, largest first, each to the part that is smallest at that point.
    ///
    /// - Parameter sizes: The size of each file, and its key, by which files of equal size are
    ///   sorted.
    /// - Returns: For each file, whether it belongs to this part.
    func contains(_ sizes: [(key: String, count: Int)]) -> [Bool] {
        var totals = Array(repeating: 0, count: count)
        var isOwn = sizes.map { _ in false }
        let order = sizes.indices.sorted {
            (-sizes[$0].count, sizes[$0].key) < (-sizes[$1].count, sizes[$1].key)
        }
        for index in order {
            let part = totals.indices.min { totals[$0] < totals[$1] } ?? 0
            totals[part] += sizes[index].count
            isOwn[index] = part == number - 1
        }
        return isOwn
    }
}

/// A condition on tags: the required ones and the excluded ones, such as `auth,!slow`.
package struct TagCondition: Sendable {
    /// The required tags.
    let wanted: [String]
    /// The excluded tags.
    let unwanted: [String]
    /// All tags that the condition names.
    var all: [String] { wanted + unwanted }

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
