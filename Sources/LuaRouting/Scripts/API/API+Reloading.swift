// SPDX-License-Identifier: MIT

/// The functions of scripts for their reload.
extension APIFunction {
    static let reloading: [APIFunction] = [
        APIFunction(
            "migrate",
            "Makes of the state of earlier scripts what these need, when they are loaded in their place.",
            [
                .required(
                    "function",
                    .function,
                    "`(state)` → state, a copy of `router.state` that it may change; what it raises keeps the earlier scripts"
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
            "Says that the scripts are whole: from then on, those without it are not loaded in their place.",
            use: .declaring,
            example: "router.complete()",
            steps: ["reload failing app.lua", "navigate Show/open(id=7)", "expect done"]
        ) { generation, _ in
            generation.isComplete = true
            return []
        },
    ]
}
