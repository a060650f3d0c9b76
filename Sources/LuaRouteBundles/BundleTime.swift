// SPDX-License-Identifier: MIT

#if Bundles
/// Converts times in seconds since 1970 to text in UTC, such as `2026-12-31T23:59:59Z`, and back.
package enum BundleTime {
    private static let day = 86_400

    /// Returns the text of a time.
    package static func text(_ seconds: Int) -> String {
        let days = seconds >= 0 ? seconds / day : (seconds - day + 1) / day
        let rest = seconds - days * day
        let (year, month, date) = civil(days)
        return "\(padded(year, 4))-\(padded(month))-\(padded(date))"
            + "T\(padded(rest / 3_600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))Z"
    }

    /// Reads the text of a time.
    ///
    /// - Parameters:
    ///   - text: A time in UTC, or a day without a time.
    ///   - endsDay: Whether a day without a time means its last second. Otherwise it means its
    ///     first second.
    /// - Returns: The time in seconds since 1970; nil for any other text.
    package static func seconds(_ text: String, endsDay: Bool = false) -> Int? {
        guard let days = days(text.prefix(10)) else { return nil }
        let time = text.dropFirst(10)
        if time.isEmpty { return days * day + (endsDay ? day - 1 : 0) }
        guard time.utf8.count == 10, time.first == "T", time.last == "Z" else { return nil }
        let parts = time.dropFirst().dropLast()
            .split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { number($0, digits: 2) }
        guard parts.count == 3, numbers.count == 3, numbers[0] < 24, numbers[1] < 60,
            numbers[2] < 60
        else { return nil }
        return days * day + numbers[0] * 3_600 + numbers[1] * 60 + numbers[2]
    }

    private static func days(_ text: Substring) -> Int? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = number(parts[0], digits: 4),
            let month = number(parts[1], digits: 2), let date = number(parts[2], digits: 2),
            year >= 1970, (1...12).contains(month), (1...31).contains(date)
        else { return nil }
        // With years that begin in March, the leap day is the last day of the year.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + date - 1
        let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        // An invalid day, such as 31 April, is converted to a day of the next month.
        return civil(days) == (year, month, date) ? days : nil
    }

    private static func civil(_ days: Int) -> (Int, Int, Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let day = shifted - era * 146_097
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        return (
            year + era * 400 + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        text.utf8.count == digits && text.utf8.allSatisfy { (48...57).contains($0) }
            ? Int(text) : nil
    }

    private static func padded(_ number: Int, _ count: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
#endif
