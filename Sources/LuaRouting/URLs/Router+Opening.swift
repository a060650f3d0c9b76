// SPDX-License-Identifier: MIT

internal import RouteURLs

/// Navigating by URLs.
extension Router {
    /// Opens a URL: navigates to the screen of the route that it matches best.
    ///
    /// A text that begins with `/`, or with a scheme and `:`, is always a URL. Another text with a
    /// `|` is a route string, `identifier|{json object}`: its handler determines the target.
    ///
    /// All or nothing, like ``navigate(_:info:options:completion:)-(_,InfoTable,_,_)``. A URL that
    /// no route matches ends with `notFound`, and the message names the nearest pattern; a
    /// malformed route string ends with `parse`, a route string without a handler with `notFound`,
    /// and one whose payload does not match the handler's declaration with `badInfo`.
    ///
    /// - Parameters:
    ///   - url: The URL, a bare path, or a route string.
    ///   - origin: The origin: `external` for a deep link from outside of the app. If nil, the
    ///     origin in `options`, or `url` by default.
    ///   - options: The options.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation; its `status` has the outcome, or what it waits for.
    @discardableResult
    public func open(
        _ url: String,
        origin: Origin? = nil,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.url(ByteString(url)), options.of(origin), completion: completion)
    }

    /// Returns the URL that leads to a route, printed with the first of its patterns that the
    /// parameters fill.
    ///
    /// ```swift
    /// let url = try router.url(of: Target("Page", "show"), info: ["id": 7])
    /// ```
    ///
    /// - Throws: `notFound` if there is no such route, or it has no pattern; `badInfo` if the
    ///   parameters fill no pattern.
    public func url(
        of target: Target,
        info: InfoTable = InfoTable()
    ) throws(RouteError) -> String {
        enter()
        guard !Value.table(info).isTooDeep else { throw .tooDeep() }
        return try withoutEffects { () throws(RouteError) in
            try generation.url(of: target, info)
        }
    }

    /// Whether the active scripts have a route or a routing for a URL.
    ///
    /// An app delegate returns this value to the system: `open` then finds the route, or `dispatch`
    /// the routing. A URL of an origin that the scripts do not declare has neither.
    ///
    /// ```swift
    /// guard router.answers("podcast://shows/7") else { return false }
    /// router.open("podcast://shows/7", origin: .external)
    /// ```
    ///
    /// - Complexity: That of matching the URL twice; functions of scripts that change URLs or declare
    ///   kinds are called.
    public func answers(_ url: String) -> Bool {
        enter()
        let answer = try? withoutEffects { () throws(RouteError) in
            let url = try generation.rewritten(ByteString(url))
            return isMatched(url, by: generation.declarations.links.table)
                || isMatched(url, by: generation.declarations.routings.table)
        }
        return answer ?? false
    }

    /// The source location of `router.rewrite`; nil if there is none.
    package var rewritingLocation: RouteError.Location? {
        generation.declarations.linkDeclarations.rewriter?.location
    }

    /// Whether a table other than the given one has a pattern for a URL.
    func isMatched(_ text: ByteString, by table: URLTable) -> Bool {
        guard !text.isRouteString else { return false }
        let answer = try? withoutEffects { () throws(RouteError) in
            try table.match(text, asking: generation.value(ofKind:_:))
        }
        if case .match? = answer { return true }
        return false
    }
}
