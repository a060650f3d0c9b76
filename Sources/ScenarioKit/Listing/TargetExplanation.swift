// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Why something that a person asks about leads where it leads.
struct TargetExplanation {
    /// A pattern that matches, and where it leads.
    struct Match {
        let row: RouteRow
        /// What was read from the URL.
        let parameters: InfoTable
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
    /// The part of the text that is to blame, in UTF-8 offsets, where one is.
    var flaw: NotationError?
    /// What it leads to, best first: the first one wins.
    var matches: [Match] = []
    /// The routings that `router.dispatch` finds, best first.
    var routings: [Match] = []
    /// Whether the first of them has an action.
    var hasAction = false
    /// The patterns that come near, nearest first.
    var misses: [Miss] = []
    /// How many more come near.
    var missesLeftOut = 0
    /// What of the URL takes no part.
    var dropped: [String] = []
    /// What the parameters of a target were written as.
    var fields: String?
    /// How the navigation would go; nil where none would begin.
    var plan: Explanation?

    /// Where it leads, as scenarios write it; nil where nowhere.
    var destination: String? {
        guard problem == nil else { return nil }
        if kind == "routeString" {
            return plan?.target.map {
                "\($0)\(NotationPrinter().fields(plan?.info ?? InfoTable()) ?? "")"
            }
        }
        guard let winner = matches.first ?? routings.first else { return nil }
        return winner.row.name
            + (fields ?? NotationPrinter().fields(winner.parameters) ?? "")
    }

    /// Whether it leads nowhere, or a navigation there would fail.
    var hasFailed: Bool { destination == nil || plan?.failure != nil }
}
