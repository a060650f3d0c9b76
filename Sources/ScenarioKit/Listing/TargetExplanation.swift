// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The explanation of the destination of a target.
struct TargetExplanation {
    /// A pattern that matches, and its destination.
    struct Match {
        let row: RouteRow
        /// The parameters read from the URL.
        let parameters: InfoTable
    }

    /// A near miss: a pattern that almost matches, and the reason why it does not match.
    struct Miss {
        let row: RouteRow
        /// The number of the segment that does not match, counted from 1; nil if the reason is not
        /// about a segment.
        let segment: Int?
        let reason: String
    }

    /// The target as given by the user.
    let text: String
    /// `url`, `target`, `routeString` or `gate`.
    let kind: String
    /// The reason why nothing matches; nil if something does.
    var problem: String?
    /// The malformed part of the text, in UTF-8 offsets, if there is one.
    var flaw: NotationError?
    /// The matches, best first; the first one wins.
    var matches: [Match] = []
    /// The routings that `router.dispatch` finds, best first.
    var routings: [Match] = []
    /// Whether the first routing has an action.
    var hasAction = false
    /// The near misses, nearest first.
    var misses: [Miss] = []
    /// The number of additional near misses.
    var missesLeftOut = 0
    /// The URL to which the scripts rewrite the target; nil if they do not change it.
    var rewritten: String?
    /// The parts of the URL that are ignored.
    var dropped: [String] = []
    /// The parameters of a target as given by the user.
    var fields: String?
    /// The dry run of the navigation; nil if there is no match.
    var plan: Explanation?

    /// The destination, as written in scenarios; nil if there is none.
    var destination: String? {
        guard problem == nil else { return nil }
        if kind == "gate" { return text }
        if kind == "routeString" {
            return plan?.target.map {
                "\($0)\(NotationPrinter().fields(plan?.info ?? InfoTable()) ?? "")"
            }
        }
        guard let winner = matches.first ?? routings.first else { return nil }
        return winner.row.name
            + (fields ?? NotationPrinter().fields(winner.parameters) ?? "")
    }

    /// Whether there is no destination, or a navigation to it would fail.
    var hasFailed: Bool { destination == nil || plan?.failure != nil }
}
