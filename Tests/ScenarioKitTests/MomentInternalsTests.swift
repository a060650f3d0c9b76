// SPDX-License-Identifier: MIT

import Testing

@testable import ScenarioLanguage

/// Times as texts.
struct MomentInternalsTests {
    @Test(
        "a time is printed as a date and a time of day, without parts that are zero",
        arguments: [
            (0, "1970-01-01T00:00"), (1_767_258_000, "2026-01-01T09:00"),
            (1_709_251_199, "2024-02-29T23:59:59"), (0.25, "1970-01-01T00:00:00.250"),
            (-1, "1969-12-31T23:59:59"), (-63_158_400, "1968-01-01T00:00"),
            (-62_135_596_800, "0001-01-01T00:00"), (-62_167_219_200, "0000-01-01T00:00"),
        ]
    )
    func printing(_ seconds: Double, _ text: String) {
        #expect(Moment.text(seconds) == text)
        #expect(seconds != seconds.rounded() || Moment.seconds(text) == seconds)
    }

    @Test("the first and last days of months and years are printed as they are written")
    func days() {
        var wrong: [String] = []
        for year in 0...2400 {
            let digits = String(year)
            let prefix = String(repeating: "0", count: 4 - digits.count) + digits
            for day in ["01-01", "02-28", "03-01", "12-31"] {
                let text = "\(prefix)-\(day)T00:00"
                if Moment.seconds(text).map(Moment.text) != text { wrong.append(text) }
            }
        }
        #expect(wrong.isEmpty)
    }
}
