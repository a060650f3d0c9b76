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
