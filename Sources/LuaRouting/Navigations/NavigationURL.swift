// SPDX-License-Identifier: MIT

public import RouteURLs

/// The URL or route string that a navigation opens.
extension Navigation {
    /// The URL that the navigation opens; nil if a route was requested by name, or if no route
    /// matches.
    public var url: String? { journey.opened?.text.displayText }

    /// The pattern that matched, as written in the script; for an alias, the pattern of its route.
    public var path: String? { journey.opened.map { $0.link.aliasOf ?? $0.link.pattern } }

    /// The parameters in the URL, converted to the kinds in the pattern.
    ///
    /// For a route string, these are the parameters in the payload, checked against the handler's
    /// declaration.
    public var params: InfoTable {
        journey.opened?.match.parameters ?? journey.handled?.payload ?? InfoTable()
    }

    /// The query parameters of the URL.
    ///
    /// If a key occurs several times, its last value is used.
    public var query: InfoTable { journey.opened?.match.query.table ?? InfoTable() }

    /// The query parameters of the URL, in order.
    public var queryItems: [URLMatch.QueryItem] { journey.opened?.match.query ?? [] }

    /// The text after the `#` of the URL.
    public var fragment: String? { journey.opened?.match.fragment?.displayText }

    /// Whether the navigation's target comes from the URL, and not from a redirect by an
    /// interceptor.
    public var goesByURL: Bool { journey.opened != nil && !journey.isRedirected }

    /// The URL of the request if no route has been found for it yet; nil otherwise.
    var unmatchedURL: ByteString? {
        if case .url(let text) = request { text } else { nil }
    }

    /// The route string that the navigation opens; nil if the request is of another kind, or if no
    /// handler accepts it.
    public var routeString: String? { journey.handled?.text.displayText }

    /// Whether the navigation's target comes from the route string, and not from a redirect by an
    /// interceptor.
    public var goesByRouteString: Bool { journey.handled != nil && !journey.isRedirected }
}

extension [URLMatch.QueryItem] {
    /// The query parameters in the form for scripts: a list of `{ key =, value = }`.
    var list: InfoTable {
        InfoTable(
            list: map { item in
                var pair = InfoTable()
                pair["key"] = .string(item.key)
                pair["value"] = .string(item.value)
                return .table(pair)
            }
        )
    }
}
