// SPDX-License-Identifier: MIT

/// How much a check may look for what was probably meant.
///
/// To look for a name takes time in proportion to what is known. Where thousands of names are
/// wrong, the first of them get a hint, and the rest is told without.
struct Hints {
    /// How many names are compared in all, but that the first search is always made.
    static let limit = 100_000

    private var left = Hints.limit
    /// How many names have been compared.
    var spent: Int { Self.limit - left }

    /// What a wrong name is compared with: all that is known, or nothing any more.
    mutating func among(_ known: [String]) -> [String] {
        guard left > 0 else { return [] }
        left -= known.count
        return known
    }
}
