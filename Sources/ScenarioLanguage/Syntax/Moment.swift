// SPDX-License-Identifier: MIT

internal import RouteCore

/// A time in UTC, written as `2026-01-01T09:00` with optional seconds.
package enum Moment {
    /// Returns the number of seconds since 1970, or nil if the text is not a valid time.
    static func seconds(_ text: String) -> Double? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, let days = UTCTime.days(halves[0]),
            let seconds = UTCTime.seconds(halves[1])
        else { return nil }
        return Double(days * 86_400 + seconds)
    }

    /// Returns a time as text.
    ///
    /// Seconds are omitted if the time is a whole minute, and milliseconds if it is a whole second.
    package static func text(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1000).rounded())
        let (days, time) = UTCTime.split(milliseconds, dayLength: 86_400_000)
        let text = "\(UTCTime.date(days))T\(UTCTime.timeOfDay(time / 1000))"
        guard time % 60_000 > 0 else { return String(text.dropLast(3)) }
        return time % 1000 > 0 ? text + ".\(UTCTime.padded(time % 1000, 3))" : text
    }
}
