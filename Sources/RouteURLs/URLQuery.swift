// SPDX-License-Identifier: MIT

public import RouteCore

extension URLMatch.QueryItem {
    /// Returns the pairs in the query of a URL, in order.
    ///
    /// The URL does not have to match a pattern.
    ///
    /// Pairs that cannot be decoded are omitted, and so is any text beyond the maximum length of a
    /// URL.
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

    /// Returns the pairs of a query in order, except pairs that cannot be decoded.
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

/// An iterator over the key-value pairs of a query.
struct URLPairs {
    private let bytes: UnsafeRawBufferPointer
    private let offset: Int
    private var index = 0

    /// Creates an iterator.
    ///
    /// `offset` is added to all ranges that the iterator returns.
    init(_ bytes: UnsafeRawBufferPointer, offset: Int) {
        (self.bytes, self.offset) = (bytes, offset)
    }

    /// Returns the next pair that is not empty; nil at the end.
    ///
    /// A key without `=` has an empty value.
    mutating func next() -> (key: Range<Int>, value: Range<Int>)? {
        while index < bytes.count {
            let start = index
            var sign = -1
            while index < bytes.count, bytes[index] != UInt8(ascii: "&") {
                if sign < 0, bytes[index] == UInt8(ascii: "=") { sign = index }
                index += 1
            }
            let end = index
            index += 1
            guard end > start else { continue }
            let key = start..<(sign < 0 ? end : sign)
            let value = (sign < 0 ? end : sign + 1)..<end
            return (
                key: (key.lowerBound + offset)..<(key.upperBound + offset),
                value: (value.lowerBound + offset)..<(value.upperBound + offset)
            )
        }
        return nil
    }
}
