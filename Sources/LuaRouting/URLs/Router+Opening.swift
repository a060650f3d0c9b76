// SPDX-License-Identifier: MIT

internal import RouteURLs

/// Going by URLs.
extension Router {
    /// Opens a URL: goes to the screen of the route that it matches best.
    ///
    /// A text that begins with `/`, or with a scheme and `:`, is a URL, whatever follows. Another
    /// text with a `|` is a route string, `identifier|{json object}`: its handler says where it leads.
    ///
    /// All or nothing, as ``navigate(_:info:options:completion:)`` has it. A URL that no route
    /// matches ends with `notFound`, and the message says what came nearest; a route string that is
    /// none with `parse`, one that no handler owns with `notFound`, one whose payload is not what the
    /// handler declares with `badInfo`. The origin is `url`,
    /// unless the options say `external`: a link that came from outside of the app.
    ///
    /// - Parameters:
    ///   - url: The URL, a bare path, or a route string.
    ///   - options: What the caller has to say about it.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation, which tells how it ended or what it waits for.
    @discardableResult
    public func open(
        _ url: String,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.url(ByteString(url)), options, completion: completion)
    }

    /// Opens a URL of any bytes.
    @discardableResult
    package func open(
        bytes url: ByteString,
        options: NavigationOptions = NavigationOptions()
    ) -> Navigation {
        begin(.url(url), options)
    }

    /// Finds the route that the URL, or the route string, of a navigation leads to.
    ///
    /// - Returns: What is wrong with it; nil where a navigation has no URL.
    func matchURL(of navigation: Navigation) -> RouteError? {
        guard case .url(let text) = navigation.request else { return nil }
        do throws(RouteError) {
            if text.isRouteString {
                try handle(text, for: navigation)
                return nil
            }
            let links = generation.links
            switch try match(text, links, skipping: 0) {
            case .match(let match):
                navigation.follow(OpenedURL(text: text, links: links, rank: 0, match: match))
                return nil
            case .none(let problem):
                let isRouting = acting(for: serving) {
                    problem == .noPattern && isMatched(text, by: generation.routings.table)
                }
                return .noMatch(
                    text,
                    problem,
                    nearest: isRouting ? nil : nearest(to: text, problem, links.table),
                    isRouting: isRouting
                )
            }
        } catch {
            return error
        }
    }

    /// Goes on with the next match of a navigation's URL, from the check of its origin on.
    ///
    /// - Parameters:
    ///   - navigation: The navigation.
    ///   - request: What a script asked for by `router.next`, as the error that it would else be.
    /// - Throws: `notFound` where there is none, `redirectLoop`, or the error where there is no URL.
    func goOn(_ navigation: Navigation, _ request: RouteError) throws(RouteError) {
        guard let opened = navigation.opened, !opened.isLeft else { throw request }
        do throws(RouteError) {
            let rank = opened.rank + 1
            guard case .match(let match) = try match(opened.text, opened.links, skipping: rank)
            else { throw .noFurtherMatch(opened.text) }
            let next = OpenedURL(text: opened.text, links: opened.links, rank: rank, match: match)
            try checkRedirect(of: navigation, to: next.link.target, match.parameters)
            navigation.follow(next)
        } catch {
            throw error.at(request.location)
        }
        emit(
            .redirect,
            navigation,
            at: request.location,
            [
                ("service", navigation.target.map { Value($0.service) } ?? .nil),
                ("task", navigation.target.map { Value($0.task) } ?? .nil),
            ]
        )
    }

    /// The pattern that comes nearest to a URL that none matches.
    func nearest(
        to text: ByteString,
        _ problem: URLProblem,
        _ table: URLTable
    ) -> URLExplanation.Miss? {
        guard problem == .noPattern else { return nil }
        // All kinds have been asked: whatever still fits was refused by one.
        return table.explain(text, limit: 1) { _, _ in nil }.misses.first
    }

    /// Whether a table other than the one that was asked has a pattern for a URL.
    func isMatched(_ text: ByteString, by table: URLTable) -> Bool {
        guard !text.isRouteString else { return false }
        let answer = try? whilePlanning(nil) { () throws(RouteError) in
            try table.match(text, asking: generation.value(ofKind:_:))
        }
        if case .match? = answer { return true }
        return false
    }

    /// Asks a table, in whose name functions of kinds run without effects.
    private func match(
        _ text: ByteString,
        _ links: LinkTable,
        skipping rank: Int
    ) throws(RouteError) -> URLAnswer {
        let answer = try whilePlanning(nil) { () throws(RouteError) in
            try links.table.match(text, skipping: rank, asking: generation.value(ofKind:_:))
        }
        if case .match(let match) = answer, Value.table(match.parameters).isTooDeep {
            throw .tooDeep()
        }
        return answer
    }
}
