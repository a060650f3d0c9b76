// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteURLs

/// A URL that a navigation opens, with the match that is used.
package final class OpenedURL {
    /// The original URL.
    package let text: ByteString
    /// The URL that is matched: the URL to which the scripts rewrite the original, or the original
    /// itself.
    package let rewritten: ByteString
    /// The patterns at the time when the URL was opened.
    ///
    /// Later changes by scripts are ignored.
    package let links: URLRouteTable
    /// The number of better matches that were skipped.
    package let rank: Int
    package let match: URLMatch

    package init(
        text: ByteString,
        rewritten: ByteString,
        links: URLRouteTable,
        rank: Int,
        match: URLMatch
    ) {
        (self.text, self.rewritten, self.links) = (text, rewritten, links)
        (self.rank, self.match) = (rank, match)
    }

    /// The table entry of the matching pattern.
    package var link: URLRouteTable.Entry { links.entries[match.route] }
}

extension ByteString {
    /// Whether the text is a route string.
    ///
    /// A route string contains a `|`, and begins neither with `/` nor with a scheme and `:`.
    package var isRouteString: Bool {
        withBytes { bytes in
            guard bytes.contains(UInt8(ascii: "|")), bytes.first != UInt8(ascii: "/") else {
                return false
            }
            guard let first = bytes.first, first.isLetter else { return true }
            let end = bytes.first { !URLOrigin.isOfScheme($0) }
            return end != UInt8(ascii: ":")
        }
    }

    /// The text, cut at the maximum length of a URL.
    package var limited: ByteString {
        guard count > URLPattern.maximumLength else { return self }
        return withBytes { bytes in
            ByteString(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<URLPattern.maximumLength]))
        }
    }
}
