// SPDX-License-Identifier: MIT

public import RouteCore

/// A pattern of URLs: `/shows/:showId(int)/:tab(about|reviews)?`.
///
/// A pattern is a list of segments, an origin where it is written for one, and the parameters
/// that it reads from the query. It says which URLs it matches and prints such a URL.
public struct URLPattern: Sendable, Hashable {
    /// How many bytes a pattern, or a URL, has at most.
    public static let maximumLength = 8192
    /// How many segments a pattern, or a URL, has at most.
    public static let maximumSegments = 64

    /// What a pattern reads from a URL.
    public struct Parameter: Sendable, Hashable {
        /// The name under which its value goes into the info.
        public let name: String
        /// What its text has to be.
        public let kind: Kind
        /// Whether a URL may do without it.
        public let isOptional: Bool
    }

    // Each behind a reference: compiling a pattern goes over its segments several times.
    /// A part of a path, between slashes.
    public indirect enum Segment: Sendable, Hashable {
        /// This text, decoded; as the host of a custom scheme in lower case.
        case literal(ByteString)
        /// One whole segment.
        case parameter(Parameter)
        /// A part of one segment, between literal texts: `/@:user`, `/:name.html`.
        case affixed(Affixes, Parameter)
        /// All the rest: one segment or more, none or more where it is optional.
        case tail(Parameter)
    }

    /// The literal texts around a parameter in its segment; not both are empty.
    public struct Affixes: Sendable, Hashable {
        /// The text before the parameter, decoded.
        public let prefix: ByteString
        /// The text after the parameter, decoded.
        public let suffix: ByteString
    }

    /// A parameter of the query: `page=:page(int)?`.
    public struct QueryParameter: Sendable, Hashable {
        /// The key in the URL, decoded.
        public let key: ByteString
        /// What is read from the value.
        public let parameter: Parameter
    }

    /// The origin that the pattern is for; nil where it is for all.
    public let origin: URLOrigin?
    /// The segments; only optional ones follow an optional one, and only the last is a tail.
    public let segments: [Segment]
    /// What is read from the query, in the order of the text.
    public let query: [QueryParameter]

    /// Creates a pattern.
    ///
    /// - Parameters:
    ///   - text: The pattern, as a script writes it.
    ///   - kinds: The kinds that the script has declared, beside those that are always there.
    /// - Throws: An error with its place in the text.
    @inlinable
    public init(_ text: String, kinds: some Sequence<String> = []) throws(NotationError) {
        try self.init(text, known: Set(kinds))
    }

    @usableFromInline
    init(_ text: String, known kinds: Set<String>) throws(NotationError) {
        var parser = URLPatternParser(text, kinds: kinds)
        (origin, segments, query) = try parser.parse()
    }

    init(origin: URLOrigin?, segments: [Segment], query: [QueryParameter]) {
        (self.origin, self.segments, self.query) = (origin, segments, query)
    }

    /// How many segments a URL has at least.
    public var requiredSegments: Int { segments.count { !$0.isOptional } }

    /// The parameter that reads the first label of the host; nil if there is none.
    public var hostParameter: Parameter? {
        origin?.parameter.map { Parameter(name: $0, kind: .text, isOptional: false) }
    }

    /// The parameters: that of the host, those of the path, then those of the query.
    public var parameters: [Parameter] {
        [hostParameter].compactMap(\.self) + segments.compactMap(\.parameter)
            + query.map(\.parameter)
    }
}

extension URLPattern.Segment {
    /// The parameter or the tail; nil for a literal.
    public var parameter: URLPattern.Parameter? {
        switch self {
        case .literal: nil
        case .parameter(let parameter), .affixed(_, let parameter), .tail(let parameter):
            parameter
        }
    }

    /// Whether a URL may do without the segment.
    public var isOptional: Bool { parameter?.isOptional ?? false }

    /// Whether the segment is a tail.
    public var isTail: Bool {
        if case .tail = self { true } else { false }
    }
}

extension URLPattern: CustomStringConvertible {
    /// The pattern in its canonical spelling, which reads as an equal pattern.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the canonical spelling.
    func append(to text: inout [UInt8]) {
        if let origin {
            text.append(origin.prefix())
            if origin.host != nil { text.append(UInt8(ascii: "/")) }
        } else {
            text.append(UInt8(ascii: "/"))
        }
        for (index, segment) in segments.enumerated() {
            if index > 0 { text.append(UInt8(ascii: "/")) }
            let isHost = index == 0 && origin != nil && origin?.host == nil
            segment.append(to: &text, isHost ? .patternHost : .pattern)
        }
        for (index, item) in query.enumerated() {
            text.append(index == 0 ? UInt8(ascii: "?") : UInt8(ascii: "&"))
            PercentEncoding.append(item.key, .query, to: &text)
            text.append("=:")
            item.parameter.append(to: &text)
        }
    }
}

extension URLPattern.Segment: CustomStringConvertible {
    /// The segment as a pattern has it.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text, .pattern)
        return String(decoding: text, as: UTF8.self)
    }

    fileprivate func append(to text: inout [UInt8], _ place: PercentEncoding.Place) {
        switch self {
        case .literal(let literal): PercentEncoding.append(literal, place, to: &text)
        case .parameter(let parameter):
            text.append(UInt8(ascii: ":"))
            parameter.append(to: &text)
        case .affixed(let affixes, let parameter):
            PercentEncoding.append(affixes.prefix, place, to: &text)
            text.append(UInt8(ascii: ":"))
            parameter.append(to: &text)
            var suffix: [UInt8] = []
            PercentEncoding.append(affixes.suffix, place, to: &suffix)
            // What would go on the name, or begin a kind, is escaped.
            if parameter.kind == .text, let first = suffix.first,
                first.isWordOrHyphen || first == UInt8(ascii: "(")
            {
                text.append(contentsOf: PercentEncoding.escape(first))
                suffix.removeFirst()
            }
            text.append(contentsOf: suffix)
        case .tail(let parameter):
            text.append(UInt8(ascii: "*"))
            parameter.append(to: &text)
        }
    }
}

extension URLPattern.Parameter: CustomStringConvertible {
    /// The name, the kind where it is no plain text, and the optional mark.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    fileprivate func append(to text: inout [UInt8]) {
        text.append(name)
        if kind.code != .text {
            text.append(UInt8(ascii: "("))
            text.append(kind.description)
            text.append(UInt8(ascii: ")"))
        }
        if isOptional { text.append(UInt8(ascii: "?")) }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }
}
