// SPDX-License-Identifier: MIT

/// Why a URL matches nothing.
public enum URLProblem: Error, Sendable, Equatable {
    /// More than ``URLPattern/maximumLength`` bytes.
    case tooLong(Int)
    /// More than ``URLPattern/maximumSegments`` segments.
    case tooManySegments
    /// An escape that is no `%` with two hexadecimal digits, or bytes that are no UTF-8, in the
    /// part of the URL at these offsets.
    case malformed(Range<Int>)
    /// The table does not answer for the URL's origin.
    case foreignOrigin
    /// No pattern matches.
    case noPattern
}

extension URLProblem: CustomStringConvertible {
    /// The reason, as messages have it.
    public var description: String {
        switch self {
        case .tooLong(let count):
            "longer than \(URLPattern.maximumLength) bytes (\(count))"
        case .tooManySegments: "more than \(URLPattern.maximumSegments) segments"
        case .malformed(let range):
            "malformed escape or text at byte \(range.lowerBound + 1)"
        case .foreignOrigin: "this router does not answer for the URL's origin"
        case .noPattern: "no pattern matches"
        }
    }
}
