// SPDX-License-Identifier: MIT

internal import RouteCore

/// A parser of URL patterns.
struct URLPatternParser {
    private let bytes: [UInt8]
    /// The kinds that scripts declare, or nil to accept any kind name.
    private let kinds: Set<String>?
    private var position = 0
    /// The names of the parameters that have been parsed.
    private var names: Set<String> = []

    init(_ text: String, kinds: Set<String>?) {
        bytes = Array(text.utf8)
        self.kinds = kinds
    }

    mutating func parse() throws(NotationError) -> URLPattern {
        guard !bytes.isEmpty else {
            throw NotationError("a pattern expected, got an empty text", at: 0..<0)
        }
        guard bytes.count <= URLPattern.maximumLength else {
            throw .patternTooLong(bytes.count)
        }
        let origin = try parseOrigin()
        if let name = origin?.parameter { names.insert(name) }
        let isHost = origin != nil && origin?.host == nil
        let segments = try parsePath(hasHostFirst: isHost)
        let query = try parseQuery()
        let pattern = URLPattern(
            origin: origin,
            segments: segments,
            query: query,
            fragment: try parseFragment()
        )
        // Tables store the canonical spelling of a pattern and parse it again. In this spelling, a
        // byte can become three bytes.
        if bytes.count > URLPattern.maximumLength / 3 {
            let count = pattern.description.utf8.count
            guard count <= URLPattern.maximumLength else {
                throw .spelledTooLong(count, bytes.count)
            }
        }
        let shapes = pattern.forms.count > 1 ? pattern.shapes(ignoringCase: true) : []
        guard Set(shapes).count == shapes.count else { throw .matchesTwice(bytes.count) }
        return pattern
    }

    // MARK: The origin

    private mutating func parseOrigin() throws(NotationError) -> URLOrigin? {
        guard let end = URLOrigin.endOfScheme(bytes[...]) else { return nil }
        guard bytes[end...].starts(with: "://".utf8) else {
            guard bytes[end...].first == UInt8(ascii: ":") else { return nil }
            throw .schemeWithoutSlashes(at: end..<(end + 1))
        }
        let scheme = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        position = end + 3
        guard URLOrigin.isWeb(scheme) else { return URLOrigin(scheme: scheme) }
        let start = position
        while let byte = peek(), byte != UInt8(ascii: "/"), byte != UInt8(ascii: "?"),
            byte != UInt8(ascii: "#")
        {
            position += 1
        }
        return try URLOrigin.web(bytes[start..<position], of: scheme)
    }

    // MARK: The path

    private mutating func parsePath(
        hasHostFirst: Bool = false
    ) throws(NotationError) -> [URLPattern.Segment] {
        let start = position
        var segments: [URLPattern.Segment] = []
        segments.reserveCapacity(4)
        var isHost = hasHostFirst && peek() != UInt8(ascii: "/")
        loop: while let byte = peek() {
            switch byte {
            case UInt8(ascii: "/"):
                position += 1
                continue
            case UInt8(ascii: "?"):
                guard !isOptionalMark else { throw .optionalMarkAlone(at: here) }
                break loop
            case UInt8(ascii: "#"): break loop
            default: break
            }
            guard segments.last?.isTail != true else {
                throw .notLast("*\(segments.last?.parameter?.name ?? "")", at: partRange)
            }
            guard segments.count < URLPattern.maximumSegments else {
                throw .patternTooManySegments(at: partRange)
            }
            let part = partRange
            let segment = try parseSegment(isHost: isHost)
            // With a custom scheme, the first segment is the host, whether or not a slash precedes
            // the segment. The case of hosts is ignored.
            segments.append(hasHostFirst && segments.isEmpty ? segment.folded(.ascii) : segment)
            for parameter in segment.parameters { try add(parameter, at: part) }
            isHost = false
        }
        let optional = segments[..<URLPattern.endOfRequired(segments)].count(where: \.isOptional)
        guard optional <= URLPattern.maximumOptional else {
            throw .tooManyOptional(optional, at: start..<position)
        }
        return segments
    }

    /// Checks the name of a parameter and adds it to `names`.
    private mutating func add(
        _ parameter: URLPattern.Parameter,
        at range: Range<Int>
    ) throws(NotationError) {
        guard parameter.name == URLPattern.noName || names.insert(parameter.name).inserted else {
            throw .namedTwice(parameter.name, at: range)
        }
    }

    private mutating func parseSegment(isHost: Bool) throws(NotationError) -> URLPattern.Segment {
        let start = position
        if peek() == UInt8(ascii: "*") {
            let parameter = try parseParameter(mayBeList: true)
            guard parameter.kind == .text || parameter.isList else {
                throw .kindOfTail(parameter, at: start..<position)
            }
            try expectEndOfSegment(after: "*\(parameter.name)")
            return .tail(parameter)
        }
        let prefix = try parseLiteral(isHost: isHost)
        guard peek() == UInt8(ascii: ":") else {
            guard !isOptionalMark else { throw .optionalMarkAlone(at: here) }
            guard !prefix.isDotSegment else { throw .dotSegment(at: start..<position) }
            return .literal(prefix)
        }
        let parameter = try parseParameter()
        if prefix.count == 0, let sign = peek(),
            sign == UInt8(ascii: "*") || sign == UInt8(ascii: "+"),
            position + 1 == bytes.count || "/?#".utf8.contains(bytes[position + 1])
        {
            throw .repeated(parameter.name, sign, at: here)
        }
        let isLast = parameter.isOptional
        let suffix = try isLast ? ByteString("") : parseLiteral(isHost: isHost)
        if peek() == UInt8(ascii: ":") {
            guard suffix.count > 0 else {
                throw .twoParameters(at: start..<partRange.upperBound)
            }
            let second = try parseParameter()
            let end = try second.isOptional ? ByteString("") : parseLiteral(isHost: isHost)
            guard peek() != UInt8(ascii: ":") else {
                throw .twoParameters(at: start..<partRange.upperBound)
            }
            guard !second.isOptional, !isOptionalMark else {
                throw .optionalPart(second.name, at: start..<position)
            }
            let affixes = URLPattern.Affixes(prefix: prefix, suffix: end)
            return .pair(
                URLPattern.Pair(
                    affixes: affixes,
                    between: suffix,
                    first: parameter,
                    second: second
                )
            )
        }
        guard prefix.count > 0 || suffix.count > 0 else {
            try expectEndOfSegment(after: ":\(parameter.name)")
            return .parameter(parameter)
        }
        guard !isLast, !isOptionalMark else {
            throw .optionalPart(parameter.name, at: start..<(isLast ? position : position + 1))
        }
        let affixes = URLPattern.Affixes(prefix: prefix, suffix: suffix)
        return .affixed(affixes, parameter)
    }

    private mutating func parseLiteral(isHost: Bool) throws(NotationError) -> ByteString {
        let start = position
        loop: while let byte = peek() {
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: ":"): break loop
            case UInt8(ascii: "?"): break loop
            case _ where byte.isWordOrHyphen: position += 1
            case UInt8(ascii: "*"): throw .tailInSegment(at: here)
            case _ where isForeign(byte): throw foreignSign(byte)
            case UInt8(ascii: "@") where isHost:
                throw NotationError("a host cannot contain a user", at: here)
            default: position += 1
            }
        }
        return start == position ? "" : try decode(start..<position)
    }

    private func expectEndOfSegment(
        after part: @autoclosure () -> String
    ) throws(NotationError) {
        switch peek() {
        case nil, UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return
        default:
            throw NotationError(
                "'/' or the end of the pattern expected after '\(part())', got \(found)",
                at: position..<partRange.upperBound
            )
        }
    }

    // MARK: Parameters

    /// Parses `:name(kind)?` or `*name?`.
    private mutating func parseParameter(
        mayBeList: Bool = false
    ) throws(NotationError) -> URLPattern.Parameter {
        let sign = position
        position += 1
        let start = position
        while let byte = peek(),
            // A name cannot contain a dot: in `:id.json` the dot begins the suffix.
            position == start ? byte.isLetter : byte.isWordOrHyphen
        {
            position += 1
        }
        // Hyphens at the end of a name are literal text.
        while position > start, bytes[position - 1] == UInt8(ascii: "-") { position -= 1 }
        // '_' means that the parameter has no name, as in Lua.
        if position == start, peek() == UInt8(ascii: "_"),
            position + 1 == bytes.count || !bytes[position + 1].isWord
        {
            position += 1
        }
        guard position > start else {
            let character = Character(Unicode.Scalar(bytes[sign]))
            throw NotationError(
                "a name expected after '\(character)', got \(found)",
                at: sign..<max(position, sign + 1),
                help: character == ":"
                    ? "a literal ':' is written '%3A'"
                    : "a tail has a name, as in '*rest'; a literal '*' is written '%2A'"
            )
        }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        let begin = position
        let (kind, isList) = try parseKind(of: name)
        guard !isList || mayBeList else { throw .listInSegment(name, at: begin..<position) }
        let isOptional = isOptionalMark
        if isOptional { position += 1 }
        return URLPattern.Parameter(
            name: name,
            kind: kind,
            isOptional: isOptional,
            isList: isList
        )
    }

    private mutating func parseKind(
        of name: String
    ) throws(NotationError) -> (URLPattern.Kind, isList: Bool) {
        guard peek() == UInt8(ascii: "(") else { return (.text, false) }
        let open = position
        position += 1
        let start = position
        while let byte = peek(), byte != UInt8(ascii: ")"), byte != UInt8(ascii: "/") {
            position += 1
        }
        var range = start..<position
        guard peek() == UInt8(ascii: ")") else {
            throw NotationError("')' expected, got \(found)", at: open..<position)
        }
        position += 1
        guard !range.isEmpty else {
            throw NotationError("a kind expected between '(' and ')'", at: open..<position)
        }
        let list = URLPattern.Kind.list
        if bytes[range].elementsEqual(list.utf8) { return (.text, true) }
        let isList = bytes[range].reversed().starts(with: " \(list)".utf8.reversed())
        if isList { range = range.lowerBound..<(range.upperBound - list.utf8.count - 1) }
        return (try kind(range, of: name), isList)
    }

    private func kind(
        _ range: Range<Int>,
        of parameter: String
    ) throws(NotationError) -> URLPattern.Kind {
        guard !bytes[range].contains(UInt8(ascii: "|")) else {
            return try enumeration(range, of: parameter)
        }
        let name = String(decoding: bytes[range], as: UTF8.self)
        if let kind = URLPattern.Kind(name: name) { return kind }
        if let kinds, !kinds.contains(name) {
            // Do not list very many kinds, because each error would contain the whole list.
            let declared = kinds.count <= 256 ? kinds.sorted() : []
            throw .unknownURLKind(
                name,
                of: parameter,
                among: URLPattern.Kind.names + declared,
                at: range
            )
        }
        return .custom(name)
    }

    private func enumeration(
        _ range: Range<Int>,
        of parameter: String
    ) throws(NotationError) -> URLPattern.Kind {
        var alternatives: [ByteString] = []
        var start = range.lowerBound
        while true {
            let end =
                bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "|"))
                ?? range.upperBound
            guard start < end else {
                throw NotationError("the parameter has an empty alternative", at: range)
            }
            let alternative = try decode(start..<end)
            if isRegularExpression(bytes[start..<end]) {
                let text = String(decoding: bytes[start..<end], as: UTF8.self)
                throw .regularExpression(text, of: parameter, at: start..<end)
            }
            guard !alternatives.contains(alternative) else {
                throw NotationError(
                    "alternative '\(alternative.displayText)' is given twice",
                    at: start..<end
                )
            }
            alternatives.append(alternative)
            if end == range.upperBound { return .enumeration(alternatives) }
            start = end + 1
        }
    }

    /// Whether an alternative is clearly meant as a regular expression.
    private func isRegularExpression(_ text: ArraySlice<UInt8>) -> Bool {
        text.first == UInt8(ascii: "^")
            || text.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "[") }
            || zip(text, text.dropFirst()).contains {
                $0 == UInt8(ascii: ".") && $1 == UInt8(ascii: "*")
            }
    }

    // MARK: The query

    private mutating func parseQuery() throws(NotationError) -> [URLPattern.QueryParameter] {
        guard peek() == UInt8(ascii: "?") else { return [] }
        var query: [URLPattern.QueryParameter] = []
        repeat {
            position += 1
            let part = position
            let key = try parseKey()
            let parameter = try parseValue()
            switch peek() {
            case nil, UInt8(ascii: "&"), UInt8(ascii: "#"): break
            case UInt8(ascii: "?"): throw .secondQuery(at: here)
            default:
                throw NotationError(
                    "'&' or the end of the pattern expected after ':\(parameter.name)', got \(found)",
                    at: here
                )
            }
            guard !query.contains(where: { $0.key == key }) else {
                throw .keyTwice(key, at: part..<position)
            }
            try add(parameter, at: part..<position)
            query.append(URLPattern.QueryParameter(key: key, parameter: parameter))
        } while peek() == UInt8(ascii: "&")
        return query
    }

    // MARK: The fragment

    private mutating func parseFragment() throws(NotationError) -> URLPattern.Fragment? {
        guard peek() == UInt8(ascii: "#") else { return nil }
        let start = position
        position += 1
        let hasSlash = peek() == UInt8(ascii: "/")
        let segments = try parsePath()
        let query = try parseQuery()
        guard peek() == nil, hasSlash || !segments.isEmpty || !query.isEmpty else {
            throw .fragment(at: (peek() == nil ? start : position)..<bytes.count)
        }
        return URLPattern.Fragment(hasSlash: hasSlash, segments: segments, query: query)
    }

    /// Parses a parameter, or the fixed text that the value must equal.
    private mutating func parseValue() throws(NotationError) -> URLPattern.Parameter {
        if peek() == UInt8(ascii: ":") { return try parseParameter(mayBeList: true) }
        let start = position
        while let byte = peek(), byte != UInt8(ascii: "&"), byte != UInt8(ascii: "?"),
            byte != UInt8(ascii: "#")
        {
            if isForeign(byte) { throw foreignSign(byte) }
            position += 1
        }
        return URLPattern.Parameter(
            name: URLPattern.noName,
            kind: .enumeration([try decode(start..<position)]),
            isOptional: false
        )
    }

    /// Parses a key and the `=` after it.
    private mutating func parseKey() throws(NotationError) -> ByteString {
        let start = position
        while let byte = peek(), byte != UInt8(ascii: "="), byte != UInt8(ascii: "&") {
            if byte == UInt8(ascii: "?") { throw .secondQuery(at: here) }
            if byte == UInt8(ascii: "#") { break }
            position += 1
        }
        let range = start..<position
        guard !range.isEmpty else {
            throw NotationError("a query key expected, got \(found)", at: here)
        }
        guard peek() == UInt8(ascii: "=") else {
            let key = String(decoding: bytes[range], as: UTF8.self)
            throw NotationError("'=:name' expected after '\(key)', got \(found)", at: range)
        }
        position += 1
        return try decode(range)
    }

    // MARK: Bytes

    /// Whether a byte marks a parameter in the patterns of other routers.
    private func isForeign(_ byte: UInt8) -> Bool { "{}<>".utf8.contains(byte) }

    private func foreignSign(_ byte: UInt8) -> NotationError {
        let text = String(decoding: bytes[position...].prefix(256), as: UTF8.self)
        return .foreignSign(byte, of: text, at: here)
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether the next byte is a `?` that makes the preceding part optional, as opposed to a `?`
    /// that begins the query.
    private var isOptionalMark: Bool {
        guard peek() == UInt8(ascii: "?") else { return false }
        guard position + 1 < bytes.count else { return true }
        switch bytes[position + 1] {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"): return true
        default: return false
        }
    }

    private var here: Range<Int> { position..<min(position + 1, bytes.count) }

    /// The range from the current position to the end of the segment.
    private var partRange: Range<Int> {
        position..<(bytes[position...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count)
    }

    private var found: String {
        guard let byte = peek() else { return "the end" }
        // Show a whole character, not a single byte of it.
        let rest = String(decoding: bytes[position...].prefix(16), as: UTF8.self)
        return "'\(rest.first ?? Character(Unicode.Scalar(byte)))'"
    }

    private func decode(_ range: Range<Int>) throws(NotationError) -> ByteString {
        let decoded = bytes[range].withUnsafeBytes { PercentEncoding.decode($0) }
        if decoded?.hasNull == true { throw .nullCharacter(at: range) }
        guard let decoded else {
            let text = String(decoding: bytes[range], as: UTF8.self)
            throw NotationError(
                "malformed escape in '\(text)'",
                at: range,
                help:
                    "'%' must be followed by two hexadecimal digits, and the decoded bytes must be UTF-8; a literal '%' is written '%25'"
            )
        }
        return decoded
    }
}
