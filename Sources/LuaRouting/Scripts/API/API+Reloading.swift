// SPDX-License-Identifier: MIT

/// Functions that scripts use for reloads.
extension APIFunction {
    static let reloading: [APIFunction] = [
        APIFunction(
            "migrate",
            "Declares a function that converts the state of the previous generation when these scripts replace that generation.",
            parameters: [
                .required(
                    "function",
                    .function,
                    text:
                        "`(state)` → the converted state; `state` is a copy of `router.state`, and an error rejects the reload"
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
            "Marks the scripts as complete. From then on, a reload is rejected if the new scripts do not call `router.complete()` too.",
            use: .declaring,
            example: "router.complete()",
            steps: ["reload failing app.lua", "navigate Show/open(id=7)", "expect done"]
        ) { generation, _ in
            generation.isComplete = true
            return []
        },
    ]
}
