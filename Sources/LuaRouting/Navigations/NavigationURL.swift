// SPDX-License-Identifier: MIT

public import RouteURLs

/// The URL or route string that a navigation was asked to open.
extension Navigation {
    /// The URL that it was asked to open; nil if it was asked for a route by name, or if no route
    /// matches.
    public var url: String? { journey.opened?.text.displayText }

    /// The pattern that matched, as the script writes it; of an alias the one of the route.
    public var path: String? { journey.opened.map { $0.link.aliasOf ?? $0.link.pattern } }

    /// The parameters that the pattern reads from the URL, converted.
    ///
    /// Of a route string the payload, as its handler's declaration checks it.
    public var params: InfoTable {
        journey.opened?.match.parameters ?? journey.handled?.payload ?? InfoTable()
    }

    /// The query of the URL, with the last value of each key.
    public var query: InfoTable { journey.opened?.match.query.table ?? InfoTable() }

    /// The pairs of the query of the URL, in order.
    public var queryItems: [URLMatch.QueryItem] { journey.opened?.match.query ?? [] }

    /// The text after the `#` of the URL.
    public var fragment: String? { journey.opened?.match.fragment?.displayText }

    /// Whether its target comes from the URL, and not from a redirect of an interceptor.
    public var goesByURL: Bool { journey.opened != nil && !journey.isRedirected }

    /// The URL that matches no route.
    var unmatchedURL: ByteString? {
        if case .url(let text) = request { text } else { nil }
    }

    /// The route string that it was asked to open; nil if it was asked for something else, or if no
    /// handler accepts it.
    public var routeString: String? { journey.handled?.text.displayText }

    /// Whether its target comes from the route string, and not from a redirect of an interceptor.
    public var goesByRouteString: Bool { journey.handled != nil && !journey.isRedirected }
}

extension [URLMatch.QueryItem] {
    /// The pairs as scripts have them: a list of `{ key =, value = }`.
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
