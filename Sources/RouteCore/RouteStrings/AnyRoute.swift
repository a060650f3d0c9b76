// SPDX-License-Identifier: MIT

/// A route as a text that comes from elsewhere: `identifier|{json object}`.
///
/// It decodes from such a string wherever one stands in a document, with any decoder, and knows
/// nothing of a router: `Router.check(_:)` says whether one has a handler for it, and
/// `Router.open(_:origin:options:completion:)` goes there. Two are equal if their texts are, byte by byte.
public struct AnyRoute: Sendable {
    /// The whole text.
    public let text: String
    /// What stands before the first bar; it may be empty.
    public let identifier: String
    /// The payload: integers and floats stay apart, a key that is `null` is absent.
    public let info: InfoTable

    /// Reads a route string.
    ///
    /// - Throws: `parse`, with the column, for what is none; `badInfo`, with the path, for a payload
    ///   that no value can be: `null` in a list, or an integer of more than 64 bits.
    public init(_ text: String) throws(RouteError) {
        let parts = try RouteString(ByteString(text))
        if let flaw = parts.flaw { throw flaw }
        self.text = text
        identifier = parts.identifier
        info = parts.info
    }
}

extension AnyRoute: Hashable {
    /// Whether both have the same text.
    public static func == (left: AnyRoute, right: AnyRoute) -> Bool {
        ByteString(left.text) == ByteString(right.text)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteString(text))
    }
}

extension AnyRoute: Codable {
    /// Decodes a route string.
    ///
    /// - Throws: `DecodingError.dataCorrupted`, with the ``RouteError`` under it, for a string that is
    ///   no route; what the decoder throws for anything else.
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

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension AnyRoute: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}
