// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteURLs

/// A URL that a navigation opens, with the match that it uses.
package final class OpenedURL {
    /// The original URL.
    package let text: ByteString
    /// The URL that is matched: the URL to which the scripts rewrite it, or the original.
    package let rewritten: ByteString
    /// The patterns at the time of opening; later changes by scripts are ignored.
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

    /// The matching entry.
    package var link: URLRouteTable.Entry { links.entries[match.route] }
}

extension ByteString {
    /// Whether the text is a route string: it contains a `|`, and does not begin like a URL, with
    /// `/` or with a scheme and `:`.
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

    /// The text, cut to the maximum length of a URL.
    package var limited: ByteString {
        guard count > URLPattern.maximumLength else { return self }
        return withBytes { bytes in
            ByteString(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<URLPattern.maximumLength]))
        }
    }
}
