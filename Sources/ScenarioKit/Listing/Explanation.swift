// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Why something that a person asks about leads where it leads.
struct Explanation {
    /// A pattern that matches, and where it leads.
    struct Match {
        let row: RouteRow
        /// What was read from the URL.
        let parameters: Table
    }

    /// A pattern that comes near, and why it does not match.
    struct Miss {
        let row: RouteRow
        /// The number of the segment that is to blame, from 1 on; nil where none is.
        let segment: Int?
        let reason: String
    }

    /// What was asked about, as it was written.
    let text: String
    /// `url`, `target` or `routeString`.
    let kind: String
    /// Why it leads nowhere; nil where it does.
    var problem: String?
    /// What it leads to, best first: the first one wins.
    var matches: [Match] = []
    /// The patterns that come near, nearest first.
    var misses: [Miss] = []
    /// How many more come near.
    var missesLeftOut = 0
    /// What of the URL takes no part.
    var dropped: [String] = []
    /// What the parameters of a target were written as.
    var fields: String?

    /// Where it leads, as scenarios write it; nil where nowhere.
    var destination: String? {
        guard problem == nil, let winner = matches.first else { return nil }
        return winner.row.name
            + (fields ?? NotationPrinter().fields(winner.parameters) ?? "")
    }
}
