// SPDX-License-Identifier: MIT

internal import RouteURLs

/// Functions that open URLs, print them, and check whether a URL matches.
extension Router {
    /// Opens a URL: navigates to the screen of the route that matches the URL best.
    ///
    /// A string that begins with `/`, or with a scheme and `:`, is always a URL. Any other string
    /// that contains `|` is a route string, `identifier|{json object}`: its handler determines the
    /// target.
    ///
    /// Unless the navigation ends `done`, the tree is unchanged, as with
    /// ``navigate(_:info:options:completion:)-(_,InfoTable,_,_)``. If no route matches a URL, the
    /// navigation fails with `notFound`, and the message names the nearest pattern. The navigation
    /// fails with `parse` for a malformed route string, with `notFound` for a route string without
    /// a handler, and with `badInfo` if the payload of a route string does not match the handler's
    /// declaration.
    ///
    /// - Parameters:
    ///   - url: The URL, a bare path, or a route string.
    ///   - origin: The origin: `external` for a deep link from outside of the app. If nil, the
    ///     origin in `options`, or `url` by default.
    ///   - options: The options.
    ///   - completion: Called once, when the navigation has ended.
    /// - Returns: The navigation. Its `status` contains the outcome, or what the navigation is
    ///   waiting for.
    @discardableResult
    public func open(
        _ url: String,
        origin: Origin? = nil,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.url(ByteString(url)), options.of(origin), completion: completion)
    }

    /// Returns the URL that leads to a route, printed with the route's first pattern for which all
    /// parameters are given.
    ///
    /// ```swift
    /// let url = try router.url(of: Target("Page", "show"), info: ["id": 7])
    /// ```
    ///
    /// - Throws: `notFound` if the route does not exist or has no pattern; `badInfo` if each
    ///   pattern needs a parameter that is missing or has another type.
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

    /// Returns whether the active scripts have a route or a routing for a URL.
    ///
    /// An app delegate returns this value to the system. Afterwards, `open` finds the route, or
    /// `dispatch` finds the routing. The result is false for a URL whose origin the scripts do not
    /// declare.
    ///
    /// ```swift
    /// guard router.answers("podcast://shows/7") else { return false }
    /// router.open("podcast://shows/7", origin: .external)
    /// ```
    ///
    /// - Complexity: Takes twice as long as matching the URL. Script functions that rewrite URLs or
    ///   convert parameters are called.
    public func answers(_ url: String) -> Bool {
        enter()
        let answer = try? withoutEffects { () throws(RouteError) in
            let url = try generation.rewritten(ByteString(url))
            return isMatched(url, by: generation.links.table)
                || isMatched(url, by: generation.declarations.routings.table)
        }
        return answer ?? false
    }

    /// The source location of the call to `router.rewrite`; nil if there is none.
    package var rewritingLocation: RouteError.Location? {
        generation.declarations.linkDeclarations.rewriter?.location
    }

    /// Returns whether a URL table has a pattern that matches a URL.
    func isMatched(_ text: ByteString, by table: URLTable) -> Bool {
        guard !text.isRouteString else { return false }
        let answer = try? withoutEffects { () throws(RouteError) in
            try table.match(text, asking: generation.value(ofKind:_:))
        }
        if case .match? = answer { return true }
        return false
    }
}
