// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteURLs

/// The URL that a navigation was asked to open, and the match that it goes by.
package final class OpenedURL {
    /// The URL, as it came.
    package let text: ByteString
    /// The patterns as they were then: what a script changes meanwhile does not count.
    package let links: URLRouteTable
    /// How many better matches it has passed over.
    package let rank: Int
    package let match: URLMatch

    package init(text: ByteString, links: URLRouteTable, rank: Int, match: URLMatch) {
        (self.text, self.links, self.rank, self.match) = (text, links, rank, match)
    }

    /// What it matches.
    package var link: URLRouteTable.Entry { links.entries[match.route] }
}

extension ByteString {
    /// Whether the text is a route string: it contains a `|`, and does not begin as a URL does,
    /// with `/` or with a scheme and `:`.
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

    /// The text up to the length of the longest URL that can match.
    package var limited: ByteString {
        guard count > URLPattern.maximumLength else { return self }
        return withBytes { bytes in
            ByteString(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<URLPattern.maximumLength]))
        }
    }
}
