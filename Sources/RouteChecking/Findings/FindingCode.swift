// SPDX-License-Identifier: MIT

extension Finding {
    /// The kind of a finding, as people and tools cite it: `L0203`.
    ///
    /// Codes do not change their meaning. The families: `L01` what is suspicious, `L02` what
    /// refuses scripts, `L03` and `L04` why they do not run to their end.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code itself.
        public let description: String
        /// How grave such a finding is.
        public let severity: Severity
        /// What it stands for, in a few words.
        public let title: String
        /// Why it is told, and what to do, in a few sentences.
        public let explanation: String
        /// A script in which it is found.
        public let example: String
        /// The script as it was probably meant.
        public let remedy: String
        /// The manifest of a host, as JSON, that makes it show in the example.
        public let host: String?
        /// The contract of an app, as in its Swift file, that makes it show in the example.
        public let contract: String?

        init(
            _ code: String,
            _ severity: Severity,
            _ title: String,
            _ explanation: String,
            example: String,
            remedy: String,
            host: String? = nil,
            contract: String? = nil
        ) {
            description = code
            self.severity = severity
            self.title = title
            self.explanation = explanation
            self.example = example
            self.remedy = remedy
            self.host = host
            self.contract = contract
        }

        /// All kinds, in the order of their codes.
        public static let all: [Code] = suspicions + mistakes + lacks + failures

        /// Whether two kinds are the same.
        public static func == (left: Code, right: Code) -> Bool {
            left.description == right.description
        }

        /// Hashes the code.
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }
    }
}
