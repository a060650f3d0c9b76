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
        try explain(url: ByteString(url), limit: limit)
    }

    /// Says why a URL leads where it leads, which need not be valid UTF-8.
    package func explain(
        url: ByteString,
        limit: Int
    ) throws(RouteError) -> URLExplanation {
        enter()
        return try whilePlanning(nil) { () throws(RouteError) in
            try links.table.explain(url, limit: limit, asking: generation.value(ofKind:_:))
        }
    }
}
