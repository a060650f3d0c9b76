// SPDX-License-Identifier: MIT

/// A text of the form `identifier|{json object}`, split into its parts.
package struct RouteString {
    /// The text before the first `|`, which may be empty.
    package let identifier: String
    /// The payload.
    package let info: InfoTable
    /// The error for the first part of the payload that cannot be represented in scripts; nil if
    /// there is no such part.
    package let flaw: RouteError?

    /// The maximum length of a route string in bytes.
    package static let maximumLength = 64 * 1024

    /// Splits a text into its parts.
    ///
    /// - Throws: `parse`, with the column of the error.
    package init(_ bytes: ByteString) throws(RouteError) {
        guard bytes.count <= Self.maximumLength else { throw .routeStringTooLong(bytes.count) }
        guard let text = bytes.text else { throw .routeStringIsNoText(bytes) }
        let utf8 = Array(text.utf8)
        guard let bar = utf8.firstIndex(of: UInt8(ascii: "|")) else {
            throw .badRouteString(text, at: utf8.count, "'|' expected, got the end of the text")
        }
        identifier = String(decoding: utf8[..<bar], as: UTF8.self)
        do throws(JSONReader.Problem) {
            (info, flaw) = try JSONReader.object(utf8, from: bar + 1)
        } catch {
            throw .badRouteString(text, at: error.position, error.message)
        }
    }
}

extension RouteError {
    fileprivate static func badRouteString(
        _ text: String,
        at position: Int,
        _ message: String
    ) -> RouteError {
        let column = String(decoding: text.utf8.prefix(position), as: UTF8.self).count + 1
        return RouteError(
            .parse,
            "bad route string '\(shortened(text))' at column \(column): \(message)"
        )
    }

    fileprivate static func routeStringTooLong(_ count: Int) -> RouteError {
        RouteError(
            .parse,
            "bad route string (at most \(RouteString.maximumLength) bytes expected, got \(count))"
        )
    }

    fileprivate static func routeStringIsNoText(_ bytes: ByteString) -> RouteError {
        let valid = bytes.withBytes { bytes in
            // The longest prefix that is valid UTF-8.
            var end = 0
            var decoder = UTF8()
            var iterator = bytes.makeIterator()
            while case .scalarValue(let scalar) = decoder.decode(&iterator) {
                end += UTF8.width(scalar)
            }
            return end
        }
        return RouteError(
            .parse,
            "bad route string '\(shortened(bytes))' at byte \(valid + 1): UTF-8 expected"
        )
    }
}
