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
        /// How long what a step asks for may take, in seconds.
        case timeout(Double)
        /// The names of the windows that stand when the app begins.
        case windows([String])
        /// What the scripts may use.
        case profile(Profile)

        var key: Key {
            switch self {
            case .seed: .seed
            case .start: .start
            case .strict: .strict
            case .timeout: .timeout
            case .windows: .windows
            case .profile: .profile
            }
        }
    }

    /// The names of the settings.
    enum Key: String, CaseIterable {
        case seed
        case start
        case strict
        case timeout
        case windows
        case profile

        /// A value, for messages.
        var example: String {
            switch self {
            case .seed: "7"
            case .start: "2026-01-01T09:00"
            case .strict: "true"
            case .timeout: "30s"
            case .windows: "main, second"
            case .profile: "trusted"
            }
        }
    }

    /// What scripts may use.
    package enum Profile: String, Sendable, CaseIterable {
        /// What every script may.
        case strict
        /// Also 'coroutine', all of 'string', and 'os.getenv'.
        case trusted
    }

    /// The seed, nil where the file says nothing.
    package private(set) var seed: UInt64?
    /// The time at which the clock starts, nil where the file says nothing.
    package private(set) var start: Double?
    /// Whether a warning that nobody expects fails the scenario.
    package private(set) var isStrict = false
    /// How long a navigation or a link may take whose step does not say it, in seconds; nil, zero
    /// or less for as long as it does.
    package private(set) var timeout: Double?
    /// The windows that stand when the app begins, each with an empty stack; none where the first
    /// tree is for a step to make.
    package private(set) var windows: [String] = []
    /// What the scripts may use, nil where the file says nothing.
    package private(set) var profile: Profile?

    mutating func apply(_ setting: Setting) {
        switch setting {
        case .seed(let seed): self.seed = seed
        case .start(let start): self.start = start
        case .strict(let isStrict): self.isStrict = isStrict
        case .timeout(let timeout): self.timeout = timeout
        case .windows(let windows): self.windows = windows
        case .profile(let profile): self.profile = profile
        }
    }
}
