// SPDX-License-Identifier: MIT

public import RouteCore

/// An explanation of the patterns that a URL matches, and of the patterns that it does not match.
///
/// ```swift
/// let explanation = table.explain("/show/7")
/// print(explanation.misses[0].pattern)  // /shows/:showId(int)
/// print(explanation.misses[0].advice)  // segment 1 is 'show', did you mean 'shows'?
/// ```
public struct URLExplanation: Sendable, Equatable {
    /// A pattern that the URL matches.
    public struct Match: Sendable, Equatable {
        /// The index of the pattern.
        public let route: Int
        /// The pattern.
        public let pattern: URLPattern
        /// The parameters that were read from the URL.
        public let parameters: InfoTable
    }

    /// A pattern that the URL does not match.
    public struct Miss: Sendable, Equatable {
        /// The index of the pattern.
        public let route: Int
        /// The pattern.
        public let pattern: URLPattern
        /// The position, counted from 1, of the segment that does not match; nil if the difference
        /// is not in a segment.
        public let segment: Int?
        /// The reason why the pattern does not match, such as
        /// `segment 2 ('abc') is not a valid int`.
        public let reason: String
        /// The literal that was probably meant by a misspelled segment; nil if there is none.
        public let suggestion: String?

        /// The reason, with the expected text replaced by the suggestion if there is one.
        public var advice: String {
            guard let suggestion else { return reason }
            let expected = ", not '\(suggestion)'"
            let got = reason.hasSuffix(expected) ? reason.dropLast(expected.count) : reason[...]
            return "\(got), did you mean '\(suggestion)'?"
        }

        /// Whether the URL is near the pattern: the first segment matches, or a segment is
        /// misspelled.
        public var isNear: Bool { segment != 1 || suggestion != nil }
    }

    /// The problem that prevents the URL from matching any pattern, or nil if there is none.
    public let problem: URLProblem?
    /// The patterns that the URL matches, best first.
    ///
    /// The first match wins.
    public let matches: [Match]
    /// The nearest patterns that the URL does not match, nearest first.
    public let misses: [Miss]
    /// The number of near misses that were left out because of the limit, not counting patterns
    /// whose first segment does not match.
    public let leftOut: Int
    /// The parts of the URL that were ignored, such as `fragment 'top'` or `key 'utm_source'`.
    public let dropped: [String]
}

extension URLTable {
    /// Explains which patterns a URL matches, and which patterns it nearly matches.
    ///
    /// To explain many URLs, use a ``URLExplainer``.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - limit: The maximum number of near misses to report.
    ///   - kind: The closure that converts texts for kinds declared by a script.
    /// - Returns: The matches, the near misses and the ignored parts of the URL.
    /// - Throws: Any error that `kind` throws.
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public func explain<Failure: Error>(
        _ url: ByteString,
        limit: Int = 5,
        asking kind: KindAnswer<Failure>
    ) throws(Failure) -> URLExplanation {
        try URLExplainer(self).explain(url, limit: limit, asking: kind)
    }

    /// Explains a URL as if every declared kind accepted every text.
    public func explain(_ url: ByteString, limit: Int = 5) -> URLExplanation {
        explain(url, limit: limit) { _, text in .string(text) }
    }
}
