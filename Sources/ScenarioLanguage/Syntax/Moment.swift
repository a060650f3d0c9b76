// SPDX-License-Identifier: MIT

internal import RouteCore

/// A time in UTC, written as `2026-01-01T09:00` with optional seconds.
package enum Moment {
    /// Returns the number of seconds since 1970, or nil if the text is not a valid time.
    static func seconds(_ text: String) -> Double? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2,
            let date = numbers(halves[0], separator: "-", widths: [4, 2, 2]),
            let time = numbers(halves[1], separator: ":", widths: [2, 2])
                ?? numbers(halves[1], separator: ":", widths: [2, 2, 2])
        else { return nil }
        guard (1...12).contains(date[1]), (1...length(ofMonth: date[1], date[0])).contains(date[2]),
            time[0] < 24, time[1...].allSatisfy({ $0 < 60 })
        else { return nil }
        let seconds = time[0] * 3600 + time[1] * 60 + (time.count > 2 ? time[2] : 0)
        return Double(days(year: date[0], month: date[1], day: date[2]) * 86_400 + seconds)
    }

    /// Returns a time as text.
    ///
    /// Seconds are omitted if the time is a whole minute, and milliseconds if it is a whole second.
    package static func text(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1000).rounded())
        let day = floorDivide(milliseconds, 86_400_000)
        let time = milliseconds - day * 86_400_000
        let (year, month, dayOfMonth) = date(day)
        var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T"
        text += "\(padded(time / 3_600_000, 2)):\(padded(time / 60_000 % 60, 2))"
        guard time % 60_000 > 0 else { return text }
        text += ":\(padded(time / 1000 % 60, 2))"
        return time % 1000 > 0 ? text + ".\(padded(time % 1000, 3))" : text
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : (number - divisor + 1) / divisor
    }

    /// Converts a number of days since 1970 to a date.
    private static func date(_ day: Int) -> (year: Int, month: Int, day: Int) {
        // Because of leap years, this year may be too late for days since 1970, and too early for
        // days before 1970.
        var year = 1970 + floorDivide(day, 365)
        while days(year: year, month: 1, day: 1) > day { year -= 1 }
        while days(year: year + 1, month: 1, day: 1) <= day { year += 1 }
        var month = 12
        while days(year: year, month: month, day: 1) > day { month -= 1 }
        return (year, month, day - days(year: year, month: month, day: 1) + 1)
    }

    private static func numbers(
        _ text: Substring,
        separator: Character,
        widths: [Int]
    ) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == widths else { return nil }
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy(\.isDigit) ? Int(part) : nil
        }
        return numbers.count == parts.count ? numbers : nil
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Converts a date of the Gregorian calendar to the number of days since 1970.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        // If years begin in March, the leap day is the last day of the year.
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        // January and February of the year 0 belong to the year -1, so the division must round down.
        let leapDays = floorDivide(year, 4) - floorDivide(year, 100) + floorDivide(year, 400)
        return year * 365 + leapDays + dayOfYear - 719_468
    }
}
