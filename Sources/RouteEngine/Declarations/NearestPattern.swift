// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteURLs

extension URLTable {
    /// The pattern that comes nearest to a URL that none matches.
    package func nearest(to text: ByteString, _ problem: URLProblem) -> URLExplanation.Miss? {
        guard problem == .noPattern else { return nil }
        // All kinds have been asked: whatever still fits was refused by one.
        return explain(text, limit: 1) { _, _ in nil }.misses.first
    }
}
