// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteURLs

/// Errors about URLs.
extension RouteError {
    // MARK: Declaring

    /// The error for a malformed pattern or origin.
    package static func badURLText(_ what: String, text: String, error: NotationError)
        -> RouteError
    {
        let bytes = text.utf8.prefix(error.range.lowerBound)
        let column = String(decoding: bytes, as: UTF8.self).count + 1
        let help = error.help.map { " (\($0))" } ?? ""
        return RouteError(
            .badInfo,
            "bad \(what) '\(shortened(text))' at column \(column): \(error.message)\(help)"
        )
    }

    package static func patternIsNoText() -> RouteError {
        RouteError(.badInfo, "bad field 'url' (a pattern in UTF-8 expected)")
    }

    package static func answersForNothing() -> RouteError {
        RouteError(.script, "bad argument #1 to 'links' (an origin expected, got an empty list)")
    }

    static func rewritesToNoURL(_ value: Value) -> RouteError {
        RouteError(
            .badInfo,
            "bad result of the function of 'router.rewrite' (a URL expected, or nil to keep the URL, got \(value.kindName))"
        )
    }

    package static func isBuiltInKind(_ name: String) -> RouteError {
        RouteError(.script, "kind '\(name)' is built in, and cannot be declared")
    }

    package static func leadsNowhere(_ pattern: String, among known: [String]) -> RouteError {
        RouteError(
            .script,
            "bad alias of '\(shortened(pattern))': no route has this 'url'"
                + Suggestion.hint(for: pattern, among: known)
        )
    }

    package static func leadsToSeveral(_ pattern: String, _ links: [URLRouteTable.Entry])
        -> RouteError
    {
        let names = links.prefix(3).map { link in
            "'\(shortened(link.pattern))'" + (link.location.map { " (\($0))" } ?? "")
        }
        let more = links.count > 3 ? " or \(links.count - 3) more" : ""
        return RouteError(
            .script,
            "ambiguous alias of '\(shortened(pattern))': the route may be \(names.joined(separator: " or "))\(more) (write the kinds of the parameters)"
        )
    }

    package static func aliasLacks(_ parameter: URLPattern.Parameter, of pattern: String)
        -> RouteError
    {
        RouteError(
            .script,
            "the alias lacks the parameter '\(parameter.name)', which '\(shortened(pattern))' requires"
        )
    }

    package static func aliasOfOtherKind(
        _ old: URLPattern.Parameter,
        _ new: URLPattern.Parameter
    ) -> RouteError {
        RouteError(
            .script,
            "the alias has the parameter '\(old.name)' with another kind ('\(new.kind)' expected, got '\(old.kind)')"
        )
    }

    package static func aliasOfFixed(
        _ parameter: URLPattern.Parameter,
        in pattern: String
    ) -> RouteError {
        RouteError(
            .script,
            "the alias has the parameter '\(parameter.name)', but '\(shortened(pattern))' already gives '\(parameter.name)' a value"
        )
    }

    package static func aliasOfNoKind(
        _ parameter: URLPattern.Parameter,
        _ text: ByteString,
        in pattern: String
    ) -> RouteError {
        RouteError(
            .script,
            "bad alias of '\(shortened(pattern))': the value '\(shortened(text))' of '\(parameter.name)' is not a valid \(parameter.kind)"
        )
    }

    package static func hasNoURL(_ target: Target) -> RouteError {
        RouteError(.notFound, "'\(target)' has no URL (add 'url' to its definition)")
    }

    // MARK: Opening

    package static func noMatch(
        _ url: ByteString,
        rewrittenTo rewritten: ByteString,
        _ problem: URLProblem,
        nearest: URLExplanation.Miss?,
        isRouting: Bool
    ) -> RouteError {
        let other = isRouting ? "a routing matches this URL: use 'router.dispatch'" : nil
        return noMatch(
            rewriting("no route for URL", url: url, rewritten: rewritten),
            url: rewritten,
            problem: problem,
            nearest: nearest,
            other: other
        )
    }

    /// Returns the beginning of a message about a URL that may have been rewritten.
    package static func rewriting(
        _ what: String,
        url: ByteString,
        rewritten: ByteString
    ) -> String {
        url == rewritten ? what : "\(what) '\(shortened(url))', rewritten to"
    }

    /// The error for a URL that no pattern of a table matches.
    ///
    /// The message contains a hint about another table that would match, or otherwise the nearest
    /// pattern.
    package static func noMatch(
        _ what: String,
        url: ByteString,
        problem: URLProblem,
        nearest: URLExplanation.Miss?,
        other: String?
    ) -> RouteError {
        var (reason, hint) = (other ?? problem.description, "")
        if other == nil, let nearest, nearest.isNear {
            reason = "\(shortened(nearest.reason)); the nearest pattern is '\(nearest.pattern)'"
            hint = nearest.suggestion.map { ", did you mean '\(shortened($0))'?" } ?? ""
        }
        return RouteError(.notFound, "\(what) '\(shortened(url))' (\(reason))\(hint)")
    }

    package static func isExcluded(_ url: URLPattern, _ group: URLGroups.Group) -> RouteError {
        RouteError(.notFound, "url '\(url)' is never matched: \(group.reason)")
    }

    package static func noFurtherMatch(_ url: ByteString) -> RouteError {
        RouteError(.notFound, "no other route matches URL '\(shortened(url))'")
    }
}
