// SPDX-License-Identifier: MIT

extension URLMatch.QueryItem {
    /// The pairs of the query of any URL, in order, also of one that no pattern matches.
    ///
    /// Those that cannot be decoded are left out, and so is what is longer than a URL may be.
    public static func items(of url: ByteString) -> [URLMatch.QueryItem] {
        url.withBytes { bytes in
            let end = min(
                bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count,
                URLPattern.maximumLength
            )
            let sign = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
            guard sign < end else { return [] }
            return items(in: UnsafeRawBufferPointer(rebasing: bytes[(sign + 1)..<end]))
        }
    }

    /// The pairs of a query, in order, without those that cannot be decoded.
    static func items(in query: UnsafeRawBufferPointer) -> [URLMatch.QueryItem] {
        var items: [URLMatch.QueryItem] = []
        var pairs = URLPairs(query, offset: 0)
        while let pair = pairs.next() {
            let (key, value) = (query[pair.key], query[pair.value])
            guard let key = PercentEncoding.decode(UnsafeRawBufferPointer(rebasing: key)),
                let value = PercentEncoding.decode(UnsafeRawBufferPointer(rebasing: value))
            else { continue }
            items.append(URLMatch.QueryItem(key: key, value: value))
        }
        return items
    }
}
