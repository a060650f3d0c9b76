// SPDX-License-Identifier: MIT

extension Router {
    /// Says why a URL leads where it leads, without going there.
    ///
    /// The functions of declared kinds are asked.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - limit: How many patterns that do not match are told.
    /// - Returns: The matches, the near misses and what takes no part, with indices into
    ///   ``LinkTable/links``.
    /// - Throws: What a function of a kind raises.
    public func explain(
        url: String,
        limit: Int = 5
    ) throws(RouteError) -> URLExplanation {
        try explain(url: ByteString(url), limit: limit, by: URLExplainer(links.table))
    }

    /// Says why a URL, which need not be valid UTF-8, leads where it leads.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - limit: How many patterns that do not match are told.
    ///   - explainer: The explainer of ``LinkTable/table``, which serves for many URLs.
    /// - Returns: As ``explain(url:limit:)``.
    /// - Throws: What a function of a kind raises.
    package func explain(
        url: ByteString,
        limit: Int,
        by explainer: URLExplainer
    ) throws(RouteError) -> URLExplanation {
        enter()
        return try whilePlanning(nil) { () throws(RouteError) in
            try explainer.explain(url, limit: limit, asking: generation.value(ofKind:_:))
        }
    }
}
