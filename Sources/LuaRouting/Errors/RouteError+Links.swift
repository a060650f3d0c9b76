// SPDX-License-Identifier: MIT

internal import RouteURLs

/// Errors about dispatched deep links.
extension RouteError {
    static func patternOfRoutingIsNoText() -> RouteError {
        RouteError(.badInfo, "bad argument #1 to 'routing' (a pattern in UTF-8 expected)")
    }

    static func noRouting(
        _ url: ByteString,
        rewrittenTo rewritten: ByteString,
        _ problem: URLProblem,
        nearest: URLExplanation.Miss?,
        isRoute: Bool
    ) -> RouteError {
        let other = isRoute ? "a route matches this URL: use 'router.open'" : nil
        let what = rewriting("no routing for link", url: url, rewritten: rewritten)
        return noMatch(what, url: rewritten, problem: problem, nearest: nearest, other: other)
    }

    /// Returns the error of a deep link that was not matched again, because matching the queued
    /// deep links exceeded the budget.
    static func notMatchedAgain(_ url: ByteString, _ error: RouteError) -> RouteError {
        RouteError(
            .notFound,
            "no routing for link '\(shortened(url))' (matching the queued deep links again exceeds the budget: \(error.message))",
            at: error.location,
            cause: error
        )
    }

    static func tooManyLinks(_ count: Int) -> RouteError {
        RouteError(.busy, "too many queued deep links (at most \(count) at the same time)")
    }

    static func endlessLinks() -> RouteError {
        RouteError(
            .composition,
            "links dispatch each other endlessly (more than \(Router.chainLimit) in a row)"
        )
    }

    static func linkWaitedTooLong(_ link: QueuedLink, _ owner: DeadlineOwner) -> RouteError {
        waitedTooLong("link '\(shortened(link.text))'", owner).at(link.location)
    }

    static func superseded(by link: QueuedLink) -> RouteError {
        let key = link.key.map { " with the key '\(shortened($0))'" } ?? ""
        return RouteError(.superseded, "link '\(shortened(link.text))'\(key) replaced this one")
    }

    static func calledWhileBuilding(_ what: String) -> RouteError {
        RouteError(
            .script,
            "\(what) cannot be called while a navigation is building screens (call it in 'after')"
        )
    }

    static func keyTooLong() -> RouteError {
        RouteError(.badInfo, "the key of a link is too long (at most 256 bytes expected)")
    }
}
