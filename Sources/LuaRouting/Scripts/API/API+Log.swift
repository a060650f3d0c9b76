// SPDX-License-Identifier: MIT

/// The functions of `router.log`.
extension APIFunction {
    static let log: [APIFunction] = ["debug", "info", "warn", "error"].map { level in
        APIFunction(
            level,
            "Writes a line to the log at the level '\(level)'.",
            parameters: [.optional("message", .any, text: "the value to write")],
            example: "router.log.\(level)(\"the show \" .. router.visible().id)"
        ) { generation, arguments in
            try generation.log(level, arguments[0], at: arguments.location)
            return []
        }
    }
}
