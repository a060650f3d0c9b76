// SPDX-License-Identifier: MIT

internal import RouteCore

/// A budget for suggestions of names.
///
/// A search for the nearest name takes time in proportion to the number of known names. If
/// thousands of names are wrong, only the first of them get a suggestion.
package struct Hints {
    /// The maximum number of compared names in total; the first search is always made.
    package static let limit = 100_000

    private var left = Hints.limit

    package init() {}

    /// Returns the names to compare with a wrong one: all known names, or none if the budget is
    /// used up.
    package mutating func among(_ known: [String]) -> [String] {
        guard left > 0 else { return [] }
        left -= known.count
        return known
    }

    /// Returns the known name nearest to a wrong one.
    mutating func nearest(to name: String, among known: [String]) -> String? {
        Suggestion.nearest(to: name, among: among(known))
    }

    /// Returns the end of a message about a wrong name.
    mutating func hint(for name: String, among known: [String]) -> String {
        Suggestion.hint(for: name, among: among(known))
    }
}
