// SPDX-License-Identifier: MIT

public import RouteCore

/// Why a URL matches what it matches, and why it does not match the rest.
public struct URLExplanation: Sendable, Equatable {
    /// A pattern that matches.
    public struct Match: Sendable, Equatable {
        /// The index of the pattern.
        public let route: Int
        /// The pattern.
        public let pattern: URLPattern
        /// What was read from the URL.
        public let parameters: InfoTable
    }

    /// A pattern that does not match.
    public struct Miss: Sendable, Equatable {
        /// The index of the pattern.
        public let route: Int
        /// The pattern.
        public let pattern: URLPattern
        /// The number of the segment, from 1 on, that is to blame; nil where none is.
        public let segment: Int?
        /// What is wrong: `segment 2 'abc' is no int`.
        public let reason: String
        /// The literal that the segment probably should be, where it is nearly that.
        public let suggestion: String?

        /// What is wrong, with what was probably meant in place of what was expected.
        public var advice: String {
            guard let suggestion else { return reason }
            let expected = ", not '\(suggestion)'"
            let got = reason.hasSuffix(expected) ? reason.dropLast(expected.count) : reason[...]
            return "\(got), did you mean '\(suggestion)'?"
        }

        /// Whether the URL comes near to the pattern: something of it fits, or is but misspelt.
        public var isNear: Bool { segment != 1 || suggestion != nil }
    }

    /// Why the URL can match nothing, if that is so.
    public let problem: URLProblem?
    /// The patterns that match, best first: the first one wins.
    public let matches: [Match]
    /// The patterns that came nearest without matching, nearest first.
    public let misses: [Miss]
    /// How many more patterns fit in their first segment at least without matching.
    public let leftOut: Int
    /// What of the URL takes no part: `fragment 'top'`, `key 'utm_source'`.
    public let dropped: [String]
}

extension URLTable {
    /// Says why a URL matches what it matches.
    ///
    /// A ``URLExplainer`` does the same for many URLs.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - limit: How many patterns that do not match are told.
    ///   - kind: Asked about declared kinds.
    /// - Returns: The matches, the near misses and what was dropped.
    /// - Throws: What `kind` throws.
    /// - Complexity: O(*n* log *n*) in the number of patterns.
    public func explain<Failure: Error>(
        _ url: ByteString,
        limit: Int = 5,
        asking kind: KindAnswer<Failure>
    ) throws(Failure) -> URLExplanation {
        try URLExplainer(self).explain(url, limit: limit, asking: kind)
    }

    /// Says why a URL of a table without declared kinds matches what it matches.
    public func explain(_ url: ByteString, limit: Int = 5) -> URLExplanation {
        explain(url, limit: limit) { _, text in .string(text) }
    }
}
