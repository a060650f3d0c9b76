// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A filter for scenarios or `explore` blocks, by name and by tags.
package struct ScenarioFilter: Sendable {
    /// The texts of the filter.
    ///
    /// A name passes if it contains at least one of the texts, ignoring case, or if there are no
    /// texts.
    package var names: [String] = []
    /// The tag conditions of the filter.
    ///
    /// A scenario passes if at least one of the conditions is true, or if there are no conditions.
    package var tags: [TagCondition] = []
    /// The shard of the files to select; `nil` for all files.
    package var shard: Shard?

    /// Whether the tags come from the project file.
    ///
    /// If so, there is no warning about tags that no scenario has.
    private var isDefault = false

    /// Creates a filter that accepts all scenarios.
    package init() {}

    /// Sets the default tags, which come from the project file.
    package mutating func setDefault(_ tags: [TagCondition]) {
        (self.tags, isDefault) = (tags, true)
    }

    func passes(name: String, tags: [String]) -> Bool {
        if !names.isEmpty, !name.contains(anyOf: names) { return false }
        return self.tags.isEmpty || self.tags.contains { $0.holds(for: tags) }
    }

    /// Returns help about the first required tag that no scenario or block has; `nil` if there is
    /// no such tag.
    func help(for known: Set<String>, of kind: String = "scenario") -> String? {
        unknownTags(\.wanted, among: known, of: kind).first
    }

    /// Returns a warning for each tag on the command line that no scenario or block has.
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
    /// Returns whether the text contains one of the given texts, ignoring case.
    func contains(anyOf texts: [String]) -> Bool {
        let text = lowercased()
        return texts.contains { text.contains(part: $0.lowercased()) }
    }
}

/// A part of the selected files.
///
/// Several machines can share a run if each of them runs one part. `2/4` is the second of four
/// parts.
///
/// Each file belongs to exactly one shard, regardless of the folder, the machine and the order of
/// the arguments. Files are not divided, so that checks of a whole file have the results of all
/// scenarios in the file.
package struct Shard: Sendable {
    /// The number of this shard, counted from 1.
    let number: Int
    /// The total number of shards.
    let count: Int

    /// Parses `NUMBER/COUNT`.
    ///
    /// - Throws: ``UsageError`` unless both are numbers from 1 to 1,000, and the first is not
    ///   greater than the second.
    package init(_ text: String) throws(UsageError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1],
            (1...1000).contains(count), (1...count).contains(number)
        else {
            throw UsageError("a part such as '1/4' expected, got '\(text)'")
        }
        (self.number, self.count) = (number, count)
    }

    /// Returns which of the files belong to this shard.
    ///
    /// Files are assigned by size, largest first. Each file goes to the shard that is smallest at
    /// that point.
    ///
    /// - Parameter sizes: The size of each file, and a key by which files of equal size are sorted.
    /// - Returns: For each file, whether the file belongs to this shard.
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

/// A condition on tags, with required and excluded tags, such as `auth,!slow`.
package struct TagCondition: Sendable {
    /// The required tags.
    let wanted: [String]
    /// The excluded tags.
    let unwanted: [String]
    /// All tags that the condition names.
    var all: [String] { wanted + unwanted }

    /// Parses a condition: tags separated by commas, with `!` before each excluded tag.
    ///
    /// Tags may begin with `@`, as in a scenario file.
    ///
    /// - Throws: ``UsageError`` if a tag is not valid.
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
