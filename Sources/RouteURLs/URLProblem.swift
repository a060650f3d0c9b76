// SPDX-License-Identifier: MIT

/// The reason why a URL matches no pattern.
///
/// ```swift
/// if case .none(let problem) = table.match("/shows/../7") { print(problem) }
/// // a dot segment at byte 8, which URL parsers read differently
/// ```
public enum URLProblem: Error, Sendable, Equatable {
    /// The URL is longer than ``URLPattern/maximumLength``.
    ///
    /// The associated value is the length of the URL in bytes.
    case tooLong(Int)
    /// The URL has more than ``URLPattern/maximumSegments`` segments.
    case tooManySegments
    /// The text at these offsets is a `%` without two hexadecimal digits after it, or the first
    /// byte or escape of a character that does not decode to UTF-8.
    case malformed(Range<Int>)
    /// URL parsers may disagree about the text at these offsets.
    case ambiguous(Ambiguity, Range<Int>)
    /// The URL contains user information before the host, such as `me@` in
    /// `https://me@podcasts.example/`.
    case userInformation(Range<Int>)
    /// The host contains an invalid ASCII character.
    case badHost(Range<Int>)
    /// The port is not a number from 1 to 65535.
    case badPort(Range<Int>)
    /// A URL with the scheme `https` or `http` has no host.
    case noHost
    /// The URL's origin is not one of the table's origins.
    case foreignOrigin
    /// No pattern matches.
    case noPattern

    /// A part of a URL that different URL parsers read differently.
    public enum Ambiguity: Sendable, Equatable {
        /// White space before the URL.
        case leadingSpace
        /// White space after the URL.
        case trailingSpace
        /// A tab or a line break in the query or the fragment, which some parsers remove.
        case lineBreak
        /// An encoded NUL character (`%00`), at which some parsers end the text.
        case nullCharacter
        /// A backslash before the query, which some parsers read as a slash.
        case backslash
        /// A control character before the query, which some parsers remove.
        case controlCharacter
        /// A path that begins with `//`, which some parsers read as a host.
        case doubledSlash
        /// A segment that is `.` or `..`, possibly encoded, which some parsers remove.
        case dotSegment
    }
}

extension URLProblem: CustomStringConvertible {
    /// The reason as a text for messages.
    public var description: String {
        switch self {
        case .tooLong(let count):
            "longer than \(URLPattern.maximumLength) bytes (\(count) bytes)"
        case .tooManySegments: "more than \(URLPattern.maximumSegments) segments"
        case .malformed(let range):
            "malformed escape or invalid character at byte \(range.lowerBound + 1)"
        case .ambiguous(let ambiguity, let range):
            "\(ambiguity) at byte \(range.lowerBound + 1), which URL parsers read differently"
        case .userInformation(let range):
            "user information at byte \(range.lowerBound + 1), which is not allowed"
        case .badHost(let range):
            "a host in ASCII expected at byte \(range.lowerBound + 1) (write other letters as 'xn--…')"
        case .badPort(let range):
            "a port from 1 to 65535 expected at byte \(range.lowerBound + 1)"
        case .noHost: "no host after the scheme"
        case .foreignOrigin: "this router does not handle the URL's origin"
        case .noPattern: "no pattern matches"
        }
    }
}

extension URLProblem.Ambiguity: CustomStringConvertible {
    /// The name of the ambiguous part in messages.
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
