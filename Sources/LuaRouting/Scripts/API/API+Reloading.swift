// SPDX-License-Identifier: MIT

/// Functions that scripts use for reloads.
extension APIFunction {
    static let reloading: [APIFunction] = [
        APIFunction(
            "migrate",
            "Converts the state of the previous generation when these scripts replace it.",
            parameters: [
                .required(
                    "function",
                    .function,
                    text:
                        "`(state)` → state, from a copy of `router.state`; an error rejects the reload"
                )
            ],
            use: .declaring,
            example: """
                router.migrate(function(state)
                  state.visits = state.visits or 0
                  return state
                end)
                """,
            steps: ["reload", "expect state.visits = 0"]
        ) { generation, arguments in
            try generation.declareMigration(arguments)
            return []
        },
        APIFunction(
            "complete",
            "Marks the scripts as complete: a reload with scripts that do not call it is rejected.",
            use: .declaring,
            example: "router.complete()",
            steps: ["reload failing app.lua", "navigate Show/open(id=7)", "expect done"]
        ) { generation, _ in
            generation.isComplete = true
            return []
        },
    ]
}
