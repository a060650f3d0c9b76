// SPDX-License-Identifier: MIT

/// The reason why a URL matches no pattern.
///
/// ```swift
/// if case .none(let problem) = table.match("/shows/../7") { print(problem) }
/// // a dot segment at byte 8, which URL parsers read differently
/// ```
public enum URLProblem: Error, Sendable, Equatable {
    /// More than ``URLPattern/maximumLength`` bytes.
    case tooLong(Int)
    /// More than ``URLPattern/maximumSegments`` segments.
    case tooManySegments
    /// An escape that is not `%` with two hexadecimal digits, or bytes that are not UTF-8, in the
    /// part of the URL at these offsets.
    case malformed(Range<Int>)
    /// Text that two parsers of URLs may read differently, at these offsets.
    case ambiguous(Ambiguity, Range<Int>)
    /// User information before the host: `me@` in `https://me@podcasts.example/`.
    case userInformation(Range<Int>)
    /// A host with an invalid ASCII character.
    case badHost(Range<Int>)
    /// A port that is not a number from 1 to 65535.
    case badPort(Range<Int>)
    /// An `https` URL without a host.
    case noHost
    /// The URL's origin is not one of the table's origins.
    case foreignOrigin
    /// No pattern matches.
    case noPattern

    /// A part of a URL that URL parsers read differently.
    public enum Ambiguity: Sendable, Equatable {
        /// White space before the text.
        case leadingSpace
        /// White space after the text.
        case trailingSpace
        /// A tab or a line break in the query or the fragment, which some parsers drop.
        case lineBreak
        /// An encoded NUL character, `%00`, which ends a text for some parsers.
        case nullCharacter
        /// A backslash before the query, which some parsers read as a slash.
        case backslash
        /// A control character before the query, which some parsers drop.
        case controlCharacter
        /// A path that begins with `//`, which some parsers read as a host.
        case doubledSlash
        /// A segment `.` or `..`, possibly encoded, which some parsers remove.
        case dotSegment
    }
}

extension URLProblem: CustomStringConvertible {
    /// The reason as text for messages.
    public var description: String {
        switch self {
        case .tooLong(let count):
            "longer than \(URLPattern.maximumLength) bytes (\(count))"
        case .tooManySegments: "more than \(URLPattern.maximumSegments) segments"
        case .malformed(let range):
            "malformed escape or text at byte \(range.lowerBound + 1)"
        case .ambiguous(let ambiguity, let range):
            "\(ambiguity) at byte \(range.lowerBound + 1), which URL parsers read differently"
        case .userInformation(let range):
            "user information at byte \(range.lowerBound + 1)"
        case .badHost(let range):
            "a host in ASCII expected at byte \(range.lowerBound + 1); other letters are written 'xn--…'"
        case .badPort(let range):
            "a port from 1 to 65535 expected at byte \(range.lowerBound + 1)"
        case .noHost: "a host expected after the scheme"
        case .foreignOrigin: "this router does not answer for the URL's origin"
        case .noPattern: "no pattern matches"
        }
    }
}

extension URLProblem.Ambiguity: CustomStringConvertible {
    /// The name of the part in messages.
    public var description: String {
        switch self {
        case .leadingSpace: "white space"
        case .trailingSpace: "white space at the end"
        case .lineBreak: "a tab or a line break"
        case .nullCharacter: "an encoded NUL character"
        case .backslash: "a backslash"
        case .controlCharacter: "a control character"
        case .doubledSlash: "'//'"
        case .dotSegment: "a dot segment"
        }
    }
}
