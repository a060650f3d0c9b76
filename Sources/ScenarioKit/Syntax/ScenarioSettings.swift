// SPDX-License-Identifier: MIT

/// What a file sets for its scenarios.
package struct ScenarioSettings: Sendable {
    /// One line `set`.
    package enum Setting: Sendable {
        /// The seed of random numbers.
        case seed(UInt64)
        /// The time at which the clock starts, in seconds since 1970.
        case start(Double)
        /// Whether a warning that nobody expects fails the scenario.
        case strict(Bool)

        var key: String {
            switch self {
            case .seed: "seed"
            case .start: "start"
            case .strict: "strict"
            }
        }
    }

    /// The names of all settings.
    static let keys = ["seed", "start", "strict"]

    /// The seed, nil where the file says nothing.
    package private(set) var seed: UInt64?
    /// The time at which the clock starts, nil where the file says nothing.
    package private(set) var start: Double?
    /// Whether a warning that nobody expects fails the scenario.
    package private(set) var isStrict = false

    mutating func apply(_ setting: Setting) {
        switch setting {
        case .seed(let seed): self.seed = seed
        case .start(let start): self.start = start
        case .strict(let isStrict): self.isStrict = isStrict
        }
    }
}

/// A moment as text has it: `2026-01-01T09:00`, with seconds where they matter; UTC.
enum Moment {
    /// The seconds since 1970, nil where the text is no moment.
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
        return Double(days(date[0], date[1], date[2]) * 86_400 + seconds)
    }

    private static func numbers(
        _ text: Substring,
        separator: Character,
        widths: [Int]
    ) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == widths else { return nil }
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } ? Int(part) : nil
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

    /// The days since 1970 of a date of the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years that start with March have the odd day at their end.
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
