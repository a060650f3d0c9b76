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
            "a pattern of at most \(URLPattern.maximumLength) bytes expected, got \(count) with its escapes",
            at: 0..<textCount
        )
    }

    static func patternTooManySegments(at range: Range<Int>) -> NotationError {
        NotationError("more than \(URLPattern.maximumSegments) segments", at: range)
    }

    /// The error for a relative pattern that is not in a group with a `url`.
    package static func relativePattern(_ text: String) -> NotationError {
        NotationError(
            "'/' or a scheme expected",
            at: 0..<text.utf8.count,
            help: "write '/\(text)'; a pattern continues another one only in a group with 'url'"
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
                ?? "") + "the kinds are \(known.joined(separator: ", ")) and 'a|b|c'"
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
            "the regular expression '\(text)' among the alternatives of ':\(name)'",
            at: range,
            help:
                "'|' separates plain texts: write several patterns, one with '\(ours)' and one for each text"
        )
    }

    static func optionalMarkAlone(at range: Range<Int>) -> NotationError {
        NotationError(
            "a parameter expected before '?'",
            at: range,
            help: "only ':name' and '*name' can be optional; a query continues with 'key=:name'"
        )
    }

    static func secondQuery(at range: Range<Int>) -> NotationError {
        NotationError(
            "a second '?' in the query",
            at: range,
            help: "more parameters of the query follow after '&'"
        )
    }

    static func fragment(at range: Range<Int>) -> NotationError {
        NotationError(
            "a path or a query expected after one '#'",
            at: range,
            help: "as in '#/room/:id' or '#?tab=:tab'; '#' itself is '%23'"
        )
    }

    static func notLast(_ tail: String, at range: Range<Int>) -> NotationError {
        NotationError("a segment after '\(tail)'", at: range, help: "a tail is the last segment")
    }

    static func tooManyOptional(_ count: Int, at range: Range<Int>) -> NotationError {
        NotationError(
            "\(count) optional segments before required ones",
            at: range,
            help:
                "at most \(URLPattern.maximumOptional) are allowed there; at the end there is no limit"
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
            "':' in the first word of a pattern",
            at: range,
            help: "a scheme ends with '://', a path begins with '/'; ':' itself is '%3A'"
        )
    }

    static func tailInSegment(at range: Range<Int>) -> NotationError {
        NotationError(
            "'*' in the middle of a segment",
            at: range,
            help: "a tail is a whole segment; '*' itself is '%2A'"
        )
    }

    static func twoParameters(at range: Range<Int>) -> NotationError {
        NotationError(
            "parameters in one segment without text between them, or more than two",
            at: range,
            help: "as in '/:from-:to'; ':' itself is '%3A'"
        )
    }

    static func optionalPart(_ name: String, at range: Range<Int>) -> NotationError {
        NotationError(
            "the optional ':\(name)' has literal text around it",
            at: range,
            help: "only a whole segment can be optional"
        )
    }

    static func kindOfTail(
        _ tail: URLPattern.Parameter,
        at range: Range<Int>
    ) -> NotationError {
        NotationError(
            "a tail has no kind unless it is a list",
            at: range,
            help: "'*\(tail.name)(\(tail.kind) list)' matches a list of values of this kind"
        )
    }

    static func listInSegment(_ name: String, at range: Range<Int>) -> NotationError {
        NotationError(
            "the list ':\(name)' in a segment",
            at: range,
            help: "lists are '*\(name)(list)', the remaining segments, and '?key=:\(name)(list)'"
        )
    }

    static func nullCharacter(at range: Range<Int>) -> NotationError {
        NotationError("a NUL character, which no URL matches", at: range)
    }

    static func dotSegment(at range: Range<Int>) -> NotationError {
        NotationError("a dot segment, which no URL matches", at: range)
    }

    /// The error for `:name*` and `:name+`.
    static func repeated(_ name: String, _ sign: UInt8, at range: Range<Int>) -> NotationError {
        let (code, tail) = sign == UInt8(ascii: "*") ? ("2A", "*\(name)?") : ("2B", "*\(name)")
        let sign = Character(Unicode.Scalar(sign))
        return NotationError(
            "'\(sign)' after ':\(name)'",
            at: range,
            help:
                "write '\(tail)', or '*\(name)(list)' for a list of segments; '\(sign)' itself is '%\(code)'"
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
            help: "a parameter is written '\(ours)'; '\(sign)' itself is '%\(code)'"
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
