// SPDX-License-Identifier: MIT

/// A route as text from outside of the scripts: `identifier|{json object}`.
///
/// A route can be decoded from such a string anywhere in a document, with any decoder and without a
/// router. `Router.check(_:)` checks whether a router has a handler for the route, and
/// `Router.open(_:origin:options:completion:)` navigates to it. Two routes are equal if their texts
/// are equal byte by byte.
///
/// ```swift
/// let route = try AnyRoute(#"page|{"id": 7}"#)
/// print(route.identifier, route.info)  // page {id=7}
/// ```
public struct AnyRoute: Sendable {
    /// The whole text.
    public let text: String
    /// The text before the first `|`, which may be empty.
    public let identifier: String
    /// The payload.
    ///
    /// Integers and floats are distinct, and keys whose value is `null` are left out.
    public let info: InfoTable

    /// Reads a route string.
    ///
    /// - Throws: `parse`, with the column, if the text is not a route string. `badInfo`, with the
    ///   path, if a part of the payload cannot be represented in scripts: a `null` in a list, or an
    ///   integer that does not fit in 64 bits.
    public init(_ text: String) throws(RouteError) {
        let parts = try RouteString(ByteString(text))
        if let flaw = parts.flaw { throw flaw }
        self.text = text
        identifier = parts.identifier
        info = parts.info
    }
}

extension AnyRoute: Hashable {
    /// Whether both routes have the same text.
    public static func == (left: AnyRoute, right: AnyRoute) -> Bool {
        ByteString(left.text) == ByteString(right.text)
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteString(text))
    }
}

extension AnyRoute: Codable {
    /// Decodes a route string.
    ///
    /// - Throws: `DecodingError.dataCorrupted`, with the underlying ``RouteError``, if the string
    ///   is not a route string. Errors of the decoder are rethrown.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(RouteError) {
            try self.init(text)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: container.codingPath,
                    debugDescription: error.message,
                    underlyingError: error
                )
            )
        }
    }

    /// Encodes the text of the route.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension AnyRoute: CustomStringConvertible {
    /// The text of the route.
    public var description: String { text }
}
