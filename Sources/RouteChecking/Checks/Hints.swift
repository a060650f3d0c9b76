// SPDX-License-Identifier: MIT

internal import RouteCore

/// A budget for name suggestions in messages, such as "did you mean 'login'?".
///
/// The time for finding the nearest name is proportional to the number of known names. If thousands
/// of names are wrong, only the first of these names get a suggestion.
package struct Hints {
    /// The maximum number of names to compare in all searches together.
    ///
    /// A search that begins below the limit is completed, even if it exceeds the limit.
    package static let limit = 100_000

    private var left = Hints.limit

    package init() {}

    /// Returns the names to compare with a wrong name: all known names, or none if the budget is
    /// used up.
    package mutating func among(_ known: [String]) -> [String] {
        guard left > 0 else { return [] }
        left -= known.count
        return known
    }

    /// Returns the known name nearest to a wrong name; nil if none is near.
    mutating func nearest(to name: String, among known: [String]) -> String? {
        Suggestion.nearest(to: name, among: among(known))
    }

    /// Returns a suggestion to append to a message about a wrong name; empty if there is none.
    mutating func hint(for name: String, among known: [String]) -> String {
        Suggestion.hint(for: name, among: among(known))
    }
}
