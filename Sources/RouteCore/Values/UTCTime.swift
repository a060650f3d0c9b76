// SPDX-License-Identifier: MIT

/// Converts the parts of times in UTC, such as `2026-12-31` and `23:59:59`, to numbers and back.
package enum UTCTime {
    /// Splits a time since 1970 into days.
    ///
    /// - Parameters:
    ///   - time: The time, in any unit.
    ///   - length: The length of a day in this unit.
    /// - Returns: The number of days, rounded down, and the rest, which is not negative.
    package static func split(_ time: Int, dayLength length: Int) -> (days: Int, rest: Int) {
        let days = floorDivide(time, length)
        return (days, time - days * length)
    }

    /// Returns the date of a number of days since 1970, such as `2026-12-31`.
    package static func date(_ days: Int) -> String {
        let (year, month, day) = civil(days)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Returns the time of day of a number of seconds since midnight, such as `23:59:59`.
    package static func timeOfDay(_ seconds: Int) -> String {
        [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
            .joined(separator: ":")
    }

    /// Returns a number with leading zeros.
    package static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Returns the number of days since 1970 of a date such as `2026-12-31`, or nil if there is no
    /// such date.
    package static func days(_ date: Substring) -> Int? {
        guard let date = numbers(date, separator: "-", widths: [4, 2, 2]) else { return nil }
        let (year, month, day) = (date[0], date[1], date[2])
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        // With years that begin in March, the leap day is the last day of the year.
        let shifted = month > 2 ? year : year - 1
        let leapDays =
            floorDivide(shifted, 4) - floorDivide(shifted, 100) + floorDivide(shifted, 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let days = 365 * shifted + leapDays + dayOfYear - 719_468
        // An invalid day, such as 31 April, is converted to a day of the next month.
        return civil(days) == (year, month, day) ? days : nil
    }

    /// Returns the number of seconds since midnight of a time of day such as `23:59` or `23:59:59`,
    /// or nil if there is no such time.
    package static func seconds(_ timeOfDay: Substring) -> Int? {
        guard
            let time = numbers(timeOfDay, separator: ":", widths: [2, 2])
                ?? numbers(timeOfDay, separator: ":", widths: [2, 2, 2]),
            time[0] < 24, time[1...].allSatisfy({ $0 < 60 })
        else { return nil }
        return time[0] * 3_600 + time[1] * 60 + (time.count > 2 ? time[2] : 0)
    }

    /// Converts a number of days since 1970 to a date of the Gregorian calendar.
    private static func civil(_ days: Int) -> (Int, Int, Int) {
        // The calendar repeats after 400 years, which have 146,097 days.
        let era = floorDivide(days + 719_468, 146_097)
        let day = days + 719_468 - era * 146_097
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        return (
            year + era * 400 + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    private static func numbers(
        _ text: Substring,
        separator: Character,
        widths: [Int]
    ) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == widths,
            parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) })
        else { return nil }
        return parts.compactMap { Int($0) }
    }

    private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : (number - divisor + 1) / divisor
    }
}
