// SPDX-License-Identifier: MIT

/// The members of `router.log`.
extension APIFunction {
    static let log: [APIFunction] = ["debug", "info", "warn", "error"].map { level in
        APIFunction(
            level,
            "Writes a line to the log at the level '\(level)'.",
            [.optional("message", .any, "what to write")]
        ) { generation, arguments in
            try generation.log(level, arguments[0], at: arguments.location)
            return []
        }
    }
}

extension APIFunction {
    /// All functions of `router`.
    static let all =
        verbs + windows + restoring + urls + links + handlers + screens + Step.functions
        + interceptors + waiting + reading + explaining + dependencies + setup + reloading
}
