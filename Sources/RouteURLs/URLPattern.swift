// SPDX-License-Identifier: MIT

public import RouteCore

/// A URL pattern, such as `/shows/:showId(int)/:tab(about|reviews)?`.
///
/// A pattern consists of an optional origin, a list of segments, the parameters that it reads from
/// the query, and an optional fragment. A pattern can be matched with URLs, and can print the URLs
/// that it matches.
///
/// ```swift
/// let pattern = try URLPattern("/shows/:showId(int)/:tab(about|reviews)?")
/// let url = try pattern.url(["showId": 7, "tab": "about"])
/// print(pattern.parameters.map(\.name), url)  // ["showId", "tab"] /shows/7/about
/// ```
public struct URLPattern: Sendable, Hashable {
    /// The maximum length of a pattern or a URL, in bytes.
    public static let maximumLength = 8192
    /// The maximum number of segments of a pattern or a URL.
    public static let maximumSegments = 64

    /// A parameter that a pattern reads from a URL.
    public struct Parameter: Sendable, Hashable {
        /// The name of the parameter, which is the key of its value in `info`.
        public let name: String
        /// The kind of text that the parameter accepts.
        public let kind: Kind
        /// Whether a URL may omit the parameter.
        public let isOptional: Bool
        /// Whether the value of the parameter is a list.
        ///
        /// The list contains the remaining segments, or all values of a query key.
        public let isList: Bool

        init(name: String, kind: Kind, isOptional: Bool, isList: Bool = false) {
            (self.name, self.kind, self.isOptional) = (name, kind, isOptional)
            self.isList = isList
        }
    }

    // Indirect, so that segments are cheap to copy. Compiling a pattern iterates over its segments
    // several times.
    /// A segment of a path, the part between two slashes.
    public indirect enum Segment: Sendable, Hashable {
        /// A decoded text, in lower case if it is the host of a custom scheme.
        case literal(ByteString)
        /// A parameter that reads one whole segment.
        case parameter(Parameter)
        /// A parameter that reads part of a segment, with literal text around it: `/@:user`,
        /// `/:name.html`.
        case affixed(Affixes, Parameter)
        /// Two parameters in one segment, with literal text between them: `/:from-:to`.
        case pair(Pair)
        /// A parameter that reads all remaining segments.
        ///
        /// At least one segment is required unless the parameter is optional.
        case tail(Parameter)
    }

    /// The elements of the pattern syntax, each with its description, a pattern and a URL that the
    /// pattern matches.
    package static let forms: [(form: String, help: String, pattern: String, url: String)] = [
        ("text", "a literal segment, compared after decoding", "/shows/all", "/shows/all"),
        (
            "%3A", "a literal `:`; in the same way, `%2A` is a literal `*`",
            "/wiki/Special%3ARandom", "/wiki/Special:Random"
        ),
        (":name", "one whole segment", "/shows/:id", "/shows/a%2Fb"),
        (
            ":name(kind)", "a segment of the given kind, whose value is converted",
            "/shows/:id(int)",
            "/shows/7"
        ),
        (
            ":name(a|b)", "one of the listed texts", "/shows/:tab(about|reviews)", "/shows/about"
        ),
        (
            ":_", "a parameter without a name, whose value is dropped", "/shows/:_/all",
            "/shows/7/all"
        ),
        (
            ":name?", "an optional segment", "/:lang(de|en)?/shows/:id?",
            "/de/shows"
        ),
        ("text:name", "a parameter after literal text", "/@:user", "/@ann"),
        (":name.text", "a parameter before literal text", "/docs/:name.html", "/docs/a.b.html"),
        (
            ":name-:name", "two parameters with literal text between them", "/flights/:from-:to",
            "/flights/oslo-rome"
        ),
        ("*name", "all remaining segments, one or more", "/files/*path", "/files/a/b"),
        ("*name?", "all remaining segments, possibly none", "/files/*path?", "/files"),
        (
            "*name(list)", "all remaining segments, as a list", "/files/*path(list)",
            "/files/a%2Fb//c"
        ),
        ("?key=:name", "a required key of the query", "/search?q=:text", "/search?q=swift"),
        (
            "?key=:name?", "an optional key of the query", "/search?q=:text&page=:page(int)?",
            "/search?q=swift"
        ),
        (
            "?key=text", "a key of the query with this value", "/open?start=true",
            "/open?start=true"
        ),
        (
            "?key=:name(list)", "all values of a key, as a list", "/search?tag=:tags(list)",
            "/search?tag=a&tag=b"
        ),
        (
            "(kind list)", "a list whose values have the given kind", "/sum/*terms(int list)",
            "/sum/1/2"
        ),
        (
            "#/text/:name", "a path in the fragment", "/app#/room/:id(int)", "/app#/room/7"
        ),
        ("#?key=:name", "a key of a query in the fragment", "/app#?tab=:tab", "/app#?tab=new"),
        ("scheme://", "only URLs of this scheme", "podcast://player/:id", "podcast://player/x"),
        (
            "https://:name.host", "the first label of a host", "https://:tenant.example.com/a",
            "https://acme.example.com/a"
        ),
    ]

    /// The literal texts around a parameter in its segment.
    ///
    /// At least one of the two texts is not empty, except in a ``URLPattern/Pair``.
    public struct Affixes: Sendable, Hashable {
        /// The text before the parameter, decoded.
        public let prefix: ByteString
        /// The text after the parameter, decoded.
        public let suffix: ByteString

        /// The prefix and the suffix, concatenated.
        var texts: [UInt8] { prefix.withBytes(Array.init) + suffix.withBytes(Array.init) }
    }

    /// A query key with its parameter or fixed text: `page=:page(int)?`, `start=true`.
    public struct QueryParameter: Sendable, Hashable {
        /// The key in the URL, decoded.
        public let key: ByteString
        /// The parameter that reads the value.
        ///
        /// For a fixed text, this parameter has no name.
        public let parameter: Parameter

        /// The decoded text that the value must equal, or nil if a parameter reads the value.
        public var literal: ByteString? {
            // An enumeration that is written in a pattern has at least two alternatives, so a
            // single alternative is a fixed text.
            if case .enumeration(let texts) = parameter.kind, texts.count == 1 { return texts[0] }
            return nil
        }
    }

    /// The part of a pattern after the `#`.
    ///
    /// A fragment is a path with its own query: `#/room/:id?mode=:mode`.
    public struct Fragment: Sendable, Hashable {
        /// Whether printed URLs have a slash after the `#`.
        ///
        /// Matching ignores this slash.
        public let hasSlash: Bool
        /// The segments of the fragment's path.
        public let segments: [Segment]
        /// The parameters of the fragment's query, in source order.
        public let query: [QueryParameter]
    }

    /// The origin to which the pattern is limited, or nil if the pattern matches URLs of all
    /// origins.
    public let origin: URLOrigin?
    /// The segments, of which only the last can be a tail.
    public let segments: [Segment]
    /// The query parameters, in source order.
    public let query: [QueryParameter]
    /// The pattern of the fragment, or nil if the pattern matches any fragment.
    public let fragment: Fragment?

    /// Creates a pattern from its text.
    ///
    /// - Parameters:
    ///   - text: The text of the pattern, as written in a script.
    ///   - kinds: The names of the kinds that the script declares, in addition to the built-in
    ///     kinds.
    /// - Throws: An error with the position of the mistake in the text.
    @inlinable
    public init(_ text: String, kinds: some Sequence<String> = []) throws(NotationError) {
        try self.init(text, known: Set(kinds))
    }

    /// Creates a pattern from its text.
    ///
    /// - Parameters:
    ///   - text: The text of the pattern.
    ///   - kinds: The names of the kinds that the script declares, or nil to accept any kind name.
    /// - Throws: An error with the position of the mistake in the text.
    @usableFromInline
    package init(_ text: String, known kinds: Set<String>?) throws(NotationError) {
        var parser = URLPatternParser(text, kinds: kinds)
        self = try parser.parse()
    }

    /// Whether the pattern begins with neither a slash nor a scheme.
    package static func isRelative(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.first != UInt8(ascii: "/") else { return false }
        guard let end = URLOrigin.endOfScheme(bytes[...]) else { return true }
        return !bytes[end...].starts(with: "://".utf8)
    }

    init(
        origin: URLOrigin?,
        segments: [Segment],
        query: [QueryParameter],
        fragment: Fragment? = nil
    ) {
        (self.origin, self.segments, self.query) = (origin, segments, query)
        self.fragment = fragment
    }

    /// The minimum number of segments of a URL that matches the pattern.
    public var requiredSegments: Int { segments.count { !$0.isOptional } }

    /// The parameter that reads the first label of the host, or nil if there is none.
    public var hostParameter: Parameter? {
        origin?.parameter.map { Parameter(name: $0, kind: .text, isOptional: false) }
    }

    /// The name of a parameter whose value is not added to `info`, as in `/shows/:_/episodes`.
    static let noName = "_"

    /// The named parameters, in the order host, path, query, fragment.
    public var parameters: [Parameter] {
        let all =
            [hostParameter].compactMap(\.self) + segments.flatMap(\.parameters)
            + query.map(\.parameter) + (fragment?.segments.flatMap(\.parameters) ?? [])
            + (fragment?.query.map(\.parameter) ?? [])
        return all.filter { $0.name != Self.noName }
    }
}

extension URLPattern.Segment {
    /// The parameters of the segment: none for a literal, two for a pair, otherwise one.
    package var parameters: [URLPattern.Parameter] {
        if case .pair(let pair) = self { return [pair.first, pair.second] }
        return parameter.map { [$0] } ?? []
    }

    /// The parameter of the segment, or nil for a literal or a pair.
    public var parameter: URLPattern.Parameter? {
        switch self {
        case .literal, .pair: nil
        case .parameter(let parameter), .affixed(_, let parameter), .tail(let parameter):
            parameter
        }
    }

    /// Whether a URL may omit the segment.
    public var isOptional: Bool { parameter?.isOptional ?? false }

    /// The kind of the elements of a list tail.
    ///
    /// The kind is nil for all other segments, and if the elements are plain text.
    var listKind: URLPattern.Kind? {
        if case .tail(let parameter) = self, parameter.kind != .text { parameter.kind } else { nil }
    }

    /// Whether the segment is a tail.
    public var isTail: Bool {
        if case .tail = self { true } else { false }
    }
}

extension URLPattern: CustomStringConvertible {
    /// The pattern in canonical spelling.
    ///
    /// Parsing this text returns an equal pattern.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the canonical spelling of the pattern.
    func append(to text: inout [UInt8]) {
        if let origin {
            text.append(origin.prefix())
            if origin.host != nil { text.append(UInt8(ascii: "/")) }
        } else {
            text.append(UInt8(ascii: "/"))
        }
        Self.append(segments, to: &text, isHostFirst: origin != nil && origin?.host == nil)
        Self.append(query, to: &text)
        guard let fragment else { return }
        text.append(contentsOf: fragment.hasSlash ? "#/".utf8 : "#".utf8)
        Self.append(fragment.segments, to: &text)
        Self.append(fragment.query, to: &text)
    }

    private static func append(
        _ segments: [Segment],
        to text: inout [UInt8],
        isHostFirst: Bool = false
    ) {
        for (index, segment) in segments.enumerated() {
            if index > 0 { text.append(UInt8(ascii: "/")) }
            segment.append(to: &text, index == 0 && isHostFirst ? .patternHost : .pattern)
        }
    }

    private static func append(_ query: [QueryParameter], to text: inout [UInt8]) {
        for (index, item) in query.enumerated() {
            text.append(index == 0 ? UInt8(ascii: "?") : UInt8(ascii: "&"))
            PercentEncoding.append(item.key, .patternQuery, to: &text)
            text.append(UInt8(ascii: "="))
            if let literal = item.literal {
                PercentEncoding.append(literal, .patternQuery, to: &text)
            } else {
                text.append(UInt8(ascii: ":"))
                item.parameter.append(to: &text)
            }
        }
    }
}

extension URLPattern.Segment: CustomStringConvertible {
    /// The segment in pattern syntax.
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
            parameter.append(to: &text, before: affixes.suffix, place)
        case .pair(let pair):
            PercentEncoding.append(pair.affixes.prefix, place, to: &text)
            pair.first.append(to: &text, before: pair.between, place)
            pair.second.append(to: &text, before: pair.affixes.suffix, place)
        case .tail(let parameter):
            text.append(UInt8(ascii: "*"))
            parameter.append(to: &text)
        }
    }
}

extension URLPattern.Parameter: CustomStringConvertible {
    /// The parameter in pattern syntax, without its colon: the name, the kind unless it is plain
    /// text, and `?` if the parameter is optional.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the parameter with its colon, and the literal text after it.
    fileprivate func append(
        to text: inout [UInt8],
        before literal: ByteString,
        _ place: PercentEncoding.Place
    ) {
        text.append(UInt8(ascii: ":"))
        append(to: &text)
        var rest: [UInt8] = []
        PercentEncoding.append(literal, place, to: &rest)
        // Escape a character that would continue the name or begin a kind. Hyphens at the end of a
        // name are literal text and need no escape.
        let isHyphens = rest.allSatisfy { $0 == UInt8(ascii: "-") }
        // A parameter followed by only '+' is a repetition in other routers, and an error in
        // luaroute.
        let isPlus = rest == [UInt8(ascii: "+")]
        if kind == .text || isPlus, let first = rest.first,
            first.isWordOrHyphen && !isHyphens || first == UInt8(ascii: "(") || isPlus
        {
            text.append(contentsOf: PercentEncoding.escape(first))
            rest.removeFirst()
        }
        text.append(contentsOf: rest)
    }

    fileprivate func append(to text: inout [UInt8]) {
        text.append(name)
        if kind.code != .text || isList {
            text.append(UInt8(ascii: "("))
            if kind.code != .text { text.append(kind.description + (isList ? " " : "")) }
            if isList { text.append("list") }
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
