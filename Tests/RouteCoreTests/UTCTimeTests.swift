// SPDX-License-Identifier: MIT

import RouteCore
import Testing

/// Tests of dates and times of day in UTC.
struct UTCTimeTests {
    @Test(
        "a date is converted to the number of days since 1970 and back",
        arguments: [
            ("1970-01-01", 0), ("1969-12-31", -1), ("1968-02-29", -672), ("1900-02-28", -25_509),
            ("1900-03-01", -25_508), ("1600-02-29", -135_081), ("0001-01-01", -719_162),
            ("0000-02-29", -719_469), ("0000-01-01", -719_528), ("2000-02-29", 11_016),
            ("2024-02-29", 19_782), ("2026-12-31", 20_818), ("2100-02-28", 47_540),
            ("2100-03-01", 47_541), ("9999-12-31", 2_932_896),
        ]
    )
    func dates(_ text: String, _ days: Int) {
        #expect(UTCTime.days(text[...]) == days)
        #expect(UTCTime.date(days) == text)
    }

    @Test("each day of 400 years, and of the years around 0 and 9999, follows the day before it")
    func sequence() {
        for days in [-719_528 ..< -718_000, -60_000..<86_097, 2_932_000..<2_932_897] {
            let wrong = days.filter { UTCTime.days(UTCTime.date($0)[...]) != $0 }
            #expect(wrong.isEmpty)
        }
    }

    @Test(
        "a date that does not exist has no number of days",
        arguments: [
            "2026-02-29", "1900-02-29", "2100-02-29", "2026-04-31", "2026-00-01", "2026-13-01",
            "2026-01-00", "2026-01-32", "26-01-01", "2026-1-01", "+026-01-01", "2026-01-01-01",
            "2026/01/01", "",
        ]
    )
    func noDates(_ text: String) { #expect(UTCTime.days(text[...]) == nil) }

    @Test(
        "a time of day is converted to the number of seconds since midnight",
        arguments: [
            ("00:00", 0), ("09:05", 32_700), ("23:59:59", 86_399), ("24:00", nil),
            ("23:60", nil), ("23:59:60", nil), ("9:05", nil), ("09:05:", nil), ("+9:05", nil),
            ("", nil),
        ] as [(String, Int?)]
    )
    func times(_ text: String, _ seconds: Int?) {
        #expect(UTCTime.seconds(text[...]) == seconds)
        guard let seconds else { return }
        #expect(UTCTime.timeOfDay(seconds).hasPrefix(text))
    }
}
