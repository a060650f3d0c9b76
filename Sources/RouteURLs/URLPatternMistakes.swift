// SPDX-License-Identifier: MIT

package import RouteCore

/// Errors in URL patterns.
extension NotationError {
    static func patternTooLong(_ count: Int) -> NotationError {
        NotationError(
            "a pattern of at most \(URLPattern.maximumLength) bytes expected, got \(count)",
            at: 0..<count
        )
    }

    static func spelledTooLong(_ count: Int, _ textCount: Int) -> NotationError {
        NotationError(
            "a pattern of at most \(URLPattern.maximumLength) bytes expected, got \(count) bytes after escaping",
            at: 0..<textCount
        )
    }

    static func patternTooManySegments(at range: Range<Int>) -> NotationError {
        NotationError("the pattern has more than \(URLPattern.maximumSegments) segments", at: range)
    }

    /// The error for a relative pattern that is not in a group with a `url`.
    package static func relativePattern(_ text: String) -> NotationError {
        NotationError(
            "'/' or a scheme expected",
            at: 0..<text.utf8.count,
            help: "write '/\(text)'; only a pattern in a group with 'url' can begin without '/'"
        )
    }

    static func unknownURLKind(
        _ kind: String,
        of name: String,
        among known: [String],
        at range: Range<Int>
    ) -> NotationError {
        if let ours = ForeignParameter(name: name, kind: kind).ours {
            return NotationError("unknown kind '\(kind)'", at: range, help: "write '\(ours)'")
        }
        return NotationError(
            "unknown kind '\(kind)'",
            at: range,
            help: (Suggestion.nearestWord(to: kind, among: known).map { "did you mean '\($0)'? " }
                ?? "")
                + "the kinds are \(known.joined(separator: ", ")) and alternatives such as 'a|b|c'"
        )
    }

    /// The error for an alternative that looks like a regular expression.
    static func regularExpression(
        _ text: String,
        of name: String,
        at range: Range<Int>
    ) -> NotationError {
        let ours = ForeignParameter(name: name, kind: text).ours ?? ":\(name)"
        return NotationError(
            "the alternatives of ':\(name)' contain the regular expression '\(text)'",
            at: range,
            help:
                "'|' separates literal texts: write one pattern with '\(ours)' and one for each text"
        )
    }

    static func optionalMarkAlone(at range: Range<Int>) -> NotationError {
        NotationError(
            "a parameter expected before '?'",
            at: range,
            help: "only ':name' and '*name' can be optional, and a query begins with '?key='"
        )
    }

    static func secondQuery(at range: Range<Int>) -> NotationError {
        NotationError(
            "the query contains a second '?'",
            at: range,
            help: "separate the parameters of a query with '&'"
        )
    }

    static func fragment(at range: Range<Int>) -> NotationError {
        NotationError(
            "one '#' expected, followed by a path or a query",
            at: range,
            help: "as in '#/room/:id' or '#?tab=:tab'; a literal '#' is written '%23'"
        )
    }

    static func notLast(_ tail: String, at range: Range<Int>) -> NotationError {
        NotationError(
            "a segment follows the tail '\(tail)'",
            at: range,
            help: "a tail must be the last segment"
        )
    }

    static func tooManyOptional(_ count: Int, at range: Range<Int>) -> NotationError {
        NotationError(
            "the pattern has \(count) optional segments before required segments",
            at: range,
            help:
                "at most \(URLPattern.maximumOptional) are allowed before a required segment, and any number at the end"
        )
    }

    static func matchesTwice(_ count: Int) -> NotationError {
        NotationError(
            "the pattern matches some URLs in two ways",
            at: 0..<count,
            help: "give its optional parameters different kinds, or write two patterns"
        )
    }

    static func keyTwice(_ key: ByteString, at range: Range<Int>) -> NotationError {
        NotationError("key '\(key.displayText)' is given twice", at: range)
    }

    static func namedTwice(_ name: String, at range: Range<Int>) -> NotationError {
        NotationError("parameter '\(name)' is named twice", at: range)
    }

    static func schemeWithoutSlashes(at range: Range<Int>) -> NotationError {
        NotationError(
            "unexpected ':' in the first word of the pattern",
            at: range,
            help:
                "a scheme ends with '://', and a path begins with '/'; a literal ':' is written '%3A'"
        )
    }

    static func tailInSegment(at range: Range<Int>) -> NotationError {
        NotationError(
            "unexpected '*' in the middle of a segment",
            at: range,
            help: "a tail must be a whole segment; a literal '*' is written '%2A'"
        )
    }

    static func twoParameters(at range: Range<Int>) -> NotationError {
        NotationError(
            "a segment has more than two parameters, or no text between two parameters",
            at: range,
            help: "write two parameters as in '/:from-:to'; a literal ':' is written '%3A'"
        )
    }

    static func optionalPart(_ name: String, at range: Range<Int>) -> NotationError {
        NotationError(
            "the optional parameter ':\(name)' is only a part of a segment",
            at: range,
            help: "only a whole segment can be optional"
        )
    }

    static func kindOfTail(
        _ tail: URLPattern.Parameter,
        at range: Range<Int>
    ) -> NotationError {
        NotationError(
            "a tail can have a kind only if it is a list",
            at: range,
            help: "'*\(tail.name)(\(tail.kind) list)' matches a list of values of this kind"
        )
    }

    static func listInSegment(_ name: String, at range: Range<Int>) -> NotationError {
        NotationError(
            "':\(name)' is a list, but a segment has only one value",
            at: range,
            help:
                "write '*\(name)(list)' for the remaining segments, or '?key=:\(name)(list)' for the values of a key"
        )
    }

    static func nullCharacter(at range: Range<Int>) -> NotationError {
        NotationError("the pattern contains a NUL character, so no URL can match", at: range)
    }

    static func dotSegment(at range: Range<Int>) -> NotationError {
        NotationError("the pattern contains a dot segment, so no URL can match", at: range)
    }

    /// The error for `:name*` and `:name+`.
    static func repeated(_ name: String, _ sign: UInt8, at range: Range<Int>) -> NotationError {
        let (code, tail) = sign == UInt8(ascii: "*") ? ("2A", "*\(name)?") : ("2B", "*\(name)")
        let sign = Character(Unicode.Scalar(sign))
        return NotationError(
            "unexpected '\(sign)' after ':\(name)'",
            at: range,
            help:
                "write '\(tail)', or '*\(name)(list)' for a list of segments; a literal '\(sign)' is written '%\(code)'"
        )
    }

    // `text` is the part of the pattern that begins with the sign.
    static func foreignSign(
        _ sign: UInt8,
        of text: String,
        at range: Range<Int>
    ) -> NotationError {
        let ours = ForeignParameter(text)?.ours ?? ":name"
        let sign = Character(Unicode.Scalar(sign))
        let code = ["{": "7B", "}": "7D", "<": "3C", ">": "3E"][sign] ?? ""
        return NotationError(
            "unexpected '\(sign)'",
            at: range,
            help: "write a parameter as '\(ours)', and a literal '\(sign)' as '%\(code)'"
        )
    }
}

/// A parameter in the syntax of other routers: `{id}`, `{id:int}`, `<int:id>`, `:id(\d+)`.
private struct ForeignParameter {
    let name: String
    let kind: String

    /// Kinds and regular expressions of other routers, each with its luaroute equivalent.
    ///
    /// An empty equivalent means plain text; `*` means a tail.
    private static let kinds: [(theirs: [String], ours: String)] = [
        (["", "str", "string", "alpha", "\\w+", "[^/]+", "\\S+"], ""),
        (["int", "long", "\\d+", "\\d*", "-?\\d+", "[0-9]+", "[0-9]*"], "int"),
        (["float", "double", "decimal"], "number"), (["bool"], "bool"), (["uuid", "guid"], "uuid"),
        (["slug", "[a-z0-9-]+", "[\\w-]+"], "slug"), (["path", ".*", ".+"], "*"),
    ]

    init(name: String, kind: String) { (self.name, self.kind) = (name, kind) }

    /// Parses a parameter that begins with `{` or `<`.
    init?(_ text: String) {
        let close: Character = text.first == "{" ? "}" : ">"
        guard let end = text.firstIndex(of: close) else { return nil }
        let parts = text[..<end].dropFirst().split(separator: ":", maxSplits: 1).map(String.init)
        guard let first = parts.first, let last = parts.last else { return nil }
        let kind = parts.count == 1 ? "" : close == "}" ? last : first
        self.init(name: close == "}" ? first : last, kind: kind)
    }

    /// The parameter in luaroute syntax, or nil if no equivalent is known.
    var ours: String? {
        // '{/:id}' is an optional segment.
        if name == "/" { return Name.isValid(kind) ? "/:\(kind)?" : nil }
        guard Name.isValid(name),
            let ours = Self.kinds.first(where: { $0.theirs.contains(kind) })?.ours
        else { return nil }
        return ours == "*" ? "*\(name)" : ours.isEmpty ? ":\(name)" : ":\(name)(\(ours))"
    }
}
