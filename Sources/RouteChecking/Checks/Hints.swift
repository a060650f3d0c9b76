// SPDX-License-Identifier: MIT

internal import RouteCore

/// How much a check may look for what was probably meant.
///
/// To look for a name takes time in proportion to what is known. Where thousands of names are
/// wrong, the first of them get a hint, and the rest is told without.
package struct Hints {
    /// How many names are compared in all, but that the first search is always made.
    package static let limit = 100_000

    private var left = Hints.limit

    package init() {}

    /// How many names have been compared.
    package var spent: Int { Self.limit - left }

    /// What a wrong name is compared with: all that is known, or nothing any more.
    package mutating func among(_ known: [String]) -> [String] {
        guard left > 0 else { return [] }
        left -= known.count
        return known
    }

    /// The known name nearest to a wrong one.
    mutating func nearest(to name: String, among known: [String]) -> String? {
        Suggestion.nearest(to: name, among: among(known))
    }

    /// The end of a message about a wrong name.
    mutating func hint(for name: String, among known: [String]) -> String {
        Suggestion.hint(for: name, among: among(known))
    }
}
