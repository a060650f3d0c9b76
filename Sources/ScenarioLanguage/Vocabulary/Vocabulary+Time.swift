// SPDX-License-Identifier: MIT

internal import RouteCore

extension Vocabulary {
    /// The only steps that move the clock.
    static let time: [StepForm] = [
        Form(
            "advance DURATION",
            "moves the clock forward by a duration, such as '300ms', '2s', '5m' or '1h'",
            example: ["call remind", "advance 5m", "expect log info \"time to listen\""]
        ) {
            parser throws(SyntaxError) in
            .advance(try parser.duration())
        },
        Form(
            "settle",
            "moves the clock forward from timer to timer until no timer is left, or until the next timer is due after the deadline of a request",
            example: ["call remind", "settle", "expect log info \"time to listen\""]
        ) {
            _ throws(SyntaxError) in
            .settle
        },
        Form(
            "at TIME",
            "moves the clock forward to a time in UTC, such as '2026-01-01T09:00'",
            example: ["call remind", "at 2030-01-01T09:00", "expect log info \"time to listen\""]
        ) {
            parser throws(SyntaxError) in
            .moveClock(to: try parser.moment())
        },
    ]
}

/// A unit of time, as written in a duration.
private enum TimeUnit: String, CaseIterable {
    case milliseconds = "ms"
    case seconds = "s"
    case minutes = "m"
    case hours = "h"

    /// Converts a number of units to seconds.
    func seconds(_ count: Double) -> Double {
        switch self {
        // Divide instead of multiplying by 0.001, which has no exact binary representation.
        case .milliseconds: count / 1000
        case .seconds: count
        case .minutes: count * 60
        case .hours: count * 3600
        }
    }
}

extension StepParser {
    /// The maximum duration, in seconds.
    ///
    /// A longer duration is probably a mistake.
    private static let longestDuration = 1e9

    /// Whether the next word begins with a number that letters follow directly.
    ///
    /// Such a word is a duration, or a misspelled duration.
    var isAtDuration: Bool {
        var rest = bytes[wordAhead()]
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        guard let first = rest.first, first.isDigit else { return false }
        let unit = rest.drop { $0.isDigit || $0 == UInt8(ascii: ".") }
        return switch unit.first.map(Unicode.Scalar.init) {
        case nil: false
        // These letters may be part of a number.
        case "x", "X": first != UInt8(ascii: "0")
        case "e", "E": unit.dropFirst().allSatisfy { $0 >= UInt8(ascii: "A") }
        default: true
        }
    }

    /// Parses a number and its unit.
    ///
    /// Returns the duration in seconds.
    package mutating func duration() throws(SyntaxError) -> Double {
        let ahead = wordAhead()
        guard isAtDigit else { throw expected("a duration such as 300ms, 2s, 5m or 1h") }
        let numberEnd =
            ahead.first { !bytes[$0].isDigit && bytes[$0] != UInt8(ascii: ".") } ?? ahead.upperBound
        let unitRange = numberEnd..<ahead.upperBound
        let numberText = text(ahead.lowerBound..<numberEnd)
        guard let number = Double(numberText) else {
            throw .expected("a number", got: numberText, ahead.lowerBound..<numberEnd)
        }
        guard !unitRange.isEmpty else { throw .missingUnit(numberText, ahead) }
        guard let unit = TimeUnit(rawValue: text(unitRange)) else {
            throw .unknownUnit(text(unitRange), of: number, unitRange)
        }
        let seconds = unit.seconds(number)
        guard seconds <= Self.longestDuration else { throw .durationTooLong(ahead) }
        skip(to: ahead.upperBound)
        return seconds
    }

    /// Parses a timeout, which is a duration or `none`.
    ///
    /// Returns the number of seconds, or 0 for `none`.
    mutating func deadline() throws(SyntaxError) -> Double {
        if take("none") { return 0 }
        let range = wordAhead()
        let seconds = try duration()
        guard seconds > 0 else { throw .badDeadline(text(range), range) }
        return seconds
    }

    /// Parses a time and returns it as the number of seconds since 1970.
    mutating func moment() throws(SyntaxError) -> Double {
        let ahead = wordAhead()
        guard let seconds = Moment.seconds(text(ahead)) else {
            throw expected("a time such as 2026-01-01T09:00")
        }
        skip(to: ahead.upperBound)
        return seconds
    }
}

extension SyntaxError {
    static func badDeadline(_ text: String, _ range: Range<Int>) -> SyntaxError {
        .expected("a timeout above zero or 'none'", got: text, range)
    }

    fileprivate static func missingUnit(_ number: String, _ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .missing,
            message: "the duration '\(number)' has no unit",
            range: range,
            help: "write a unit directly after the number, as in '\(number)s' "
                + "(the units are 'ms', 's', 'm' and 'h')"
        )
    }

    fileprivate static func unknownUnit(
        _ unit: String,
        of number: Double,
        _ range: Range<Int>
    ) -> SyntaxError {
        let known = TimeUnit(rawValue: unit.lowercased()) != nil
        // The lengths, in hours, of units that are not supported but that users may write.
        let hours = ["d": 24.0, "day": 24, "days": 24, "w": 168, "week": 168, "weeks": 168][unit]
        let instead = hours.flatMap { Int(exactly: $0 * number) }.map { ": write '\($0)h'" } ?? ""
        return SyntaxError(
            code: .unknownWord,
            message: "unknown unit of time '\(unit)'"
                + (known ? ", did you mean '\(unit.lowercased())'?" : ""),
            range: range,
            help: "the units of a duration are 'ms', 's', 'm' and 'h'\(instead)"
        )
    }

    fileprivate static func durationTooLong(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            code: .notation,
            message: "the duration is too long (at most 1000000000s expected)",
            range: range
        )
    }
}
