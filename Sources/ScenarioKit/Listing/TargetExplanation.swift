// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The explanation of the destination of a target.
struct TargetExplanation {
    /// A pattern that matches the target, and its destination.
    struct Match {
        let row: RouteRow
        /// The parameters that were read from the URL.
        let parameters: InfoTable
    }

    /// A near miss: a pattern that almost matches, and the reason why it does not match.
    struct Miss {
        let row: RouteRow
        /// The number, counted from 1, of the segment that does not match; `nil` if the reason is
        /// not about a segment.
        let segment: Int?
        let reason: String
    }

    /// The target as the user wrote it.
    let text: String
    /// The form of the target: `url`, `target`, `routeString` or `gate`.
    let kind: String
    /// The reason why nothing matches; `nil` if there is a match.
    var problem: String?
    /// The error in the text, with its range in UTF-8 offsets; `nil` if the text is well-formed.
    var flaw: NotationError?
    /// The matches, best first.
    ///
    /// The router uses the first match.
    var matches: [Match] = []
    /// The routings that `router.dispatch` finds, best first.
    var routings: [Match] = []
    /// Whether the first routing has an action.
    var hasAction = false
    /// The near misses, nearest first.
    var misses: [Miss] = []
    /// The number of near misses that were omitted.
    var missesLeftOut = 0
    /// The URL to which the scripts rewrite the target; `nil` if the scripts do not change the URL.
    var rewritten: String?
    /// The parts of the URL that are ignored.
    var dropped: [String] = []
    /// The parameters of the target as the user wrote them.
    var fields: String?
    /// The dry run of the navigation; `nil` if there is no match.
    var plan: Explanation?

    /// The destination, as written in scenarios; `nil` if there is none.
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
