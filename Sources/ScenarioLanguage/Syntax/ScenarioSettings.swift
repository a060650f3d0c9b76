// SPDX-License-Identifier: MIT

/// The settings in a scenario file.
///
/// The settings apply to all scenarios of the file.
package struct ScenarioSettings: Sendable {
    /// A setting made by a `set` line.
    package enum Setting: Sendable {
        /// The seed for random numbers.
        case seed(UInt64)
        /// The time at which the clock starts, in seconds since 1970.
        case start(Double)
        /// Whether unexpected warnings fail the scenario.
        case strict(Bool)
        /// The timeout of requests, in seconds.
        case timeout(Double)
        /// The names of the windows that exist when the app starts.
        case windows([String])
        /// The profile of the scripts.
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

    /// The name of a setting.
    package enum Key: String, CaseIterable {
        case seed
        case start
        case strict
        case timeout
        case windows
        case profile

        /// The meaning of the setting.
        ///
        /// The text continues a sentence that begins with the name.
        package var help: String {
            switch self {
            case .seed: "is the seed of the scripts' random numbers"
            case .start: "is the time of the clock at the beginning of each scenario"
            case .strict:
                "fails the scenario if a warning is logged that no step expects, if the script ignores a failure, or if a condition contains an unknown name"
            case .timeout:
                "is the timeout of navigations and deep links whose step sets no timeout; 'none' means no timeout"
            case .windows:
                "names the windows that exist before the scripts start, each with an empty stack"
            case .profile:
                "is 'strict' or 'trusted'; 'trusted' also lets scripts use 'coroutine', all of 'string' and 'os.getenv'"
            }
        }

        /// An example value, for messages.
        package var example: String {
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

    /// The set of functions that scripts may use.
    package enum Profile: String, Sendable, CaseIterable {
        /// The functions that are available to all scripts.
        case strict
        /// The functions of the profile `strict` and, in addition, 'coroutine', all of 'string',
        /// and 'os.getenv'.
        case trusted
    }

    /// The seed for random numbers, or nil if the file does not set it.
    package private(set) var seed: UInt64?
    /// The start time of the clock in seconds since 1970, or nil if the file does not set it.
    package private(set) var start: Double?
    /// Whether unexpected warnings fail the scenario.
    package private(set) var isStrict = false
    /// The timeout, in seconds, of navigations and deep links whose step has no timeout.
    ///
    /// There is no timeout if the value is nil, zero or negative.
    package private(set) var timeout: Double?
    /// The names of the windows that exist when the app starts, each with an empty stack.
    ///
    /// If the array is empty, a step creates the first tree.
    package private(set) var windows: [String] = []
    /// The profile of the scripts, or nil if the file does not set it.
    package private(set) var profile: Profile?

    /// Creates the settings of a file without `set` lines.
    package init() {}

    package mutating func apply(_ setting: Setting) {
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
