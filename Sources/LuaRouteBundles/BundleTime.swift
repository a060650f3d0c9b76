// SPDX-License-Identifier: MIT

#if Bundles
internal import RouteCore

/// Converts times in seconds since 1970 to text in UTC, such as `2026-12-31T23:59:59Z`, and back.
package enum BundleTime {
    private static let day = 86_400

    /// Returns the text of a time.
    package static func text(_ seconds: Int) -> String {
        let (days, rest) = UTCTime.split(seconds, dayLength: day)
        return "\(UTCTime.date(days))T\(UTCTime.timeOfDay(rest))Z"
    }

    /// Reads the text of a time.
    ///
    /// - Parameters:
    ///   - text: A time in UTC since 1970, or a day without a time.
    ///   - endsDay: Whether a day without a time means its last second. Otherwise it means its
    ///     first second.
    /// - Returns: The time in seconds since 1970; nil for any other text.
    package static func seconds(_ text: String, endsDay: Bool = false) -> Int? {
        guard let days = UTCTime.days(text.prefix(10)), days >= 0 else { return nil }
        let time = text.dropFirst(10)
        if time.isEmpty { return days * day + (endsDay ? day - 1 : 0) }
        guard time.utf8.count == 10, time.first == "T", time.last == "Z" else { return nil }
        return UTCTime.seconds(time.dropFirst().dropLast()).map { days * day + $0 }
    }
}
#endif
