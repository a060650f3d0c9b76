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
    /// A pattern that matches.
    public struct Match: Sendable, Equatable {
        /// The index of the pattern.
        public let route: Int
        /// The pattern.
        public let pattern: URLPattern
        /// The parameters read from the URL.
        public let parameters: InfoTable
    }

    /// A pattern that does not match.
    public struct Miss: Sendable, Equatable {
        /// The index of the pattern.
        public let route: Int
        /// The pattern.
        public let pattern: URLPattern
        /// The number of the segment that does not match, from 1; nil if the difference is
        /// elsewhere.
        public let segment: Int?
        /// The reason: `segment 2 'abc' is not a valid int`.
        public let reason: String
        /// The literal of which the segment is probably a misspelling.
        public let suggestion: String?

        /// The reason, in which a suggestion, if there is one, replaces the expected text.
        public var advice: String {
            guard let suggestion else { return reason }
            let expected = ", not '\(suggestion)'"
            let got = reason.hasSuffix(expected) ? reason.dropLast(expected.count) : reason[...]
            return "\(got), did you mean '\(suggestion)'?"
        }

        /// Whether the URL is near the pattern: a part of it matches, or is only misspelt.
        public var isNear: Bool { segment != 1 || suggestion != nil }
    }

    /// The problem that keeps the URL from matching any pattern, if there is one.
    public let problem: URLProblem?
    /// The patterns that match, best first; the first one wins.
    public let matches: [Match]
    /// The nearest patterns that do not match, nearest first.
    public let misses: [Miss]
    /// The number of other patterns that match at least in their first segment.
    public let leftOut: Int
    /// The ignored parts of the URL: `fragment 'top'`, `key 'utm_source'`.
    public let dropped: [String]
}

extension URLTable {
    /// Explains which patterns a URL matches, and which it nearly matches.
    ///
    /// For many URLs use a ``URLExplainer``.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - limit: The maximum number of reported near misses.
    ///   - kind: Called for declared kinds.
    /// - Returns: The matches, the near misses and the ignored parts of the URL.
    /// - Throws: The error of `kind`.
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public func explain<Failure: Error>(
        _ url: ByteString,
        limit: Int = 5,
        asking kind: KindAnswer<Failure>
    ) throws(Failure) -> URLExplanation {
        try URLExplainer(self).explain(url, limit: limit, asking: kind)
    }

    /// Explains a URL of a table without declared kinds.
    public func explain(_ url: ByteString, limit: Int = 5) -> URLExplanation {
        explain(url, limit: limit) { _, text in .string(text) }
    }
}
