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
            use: .declaring
        ) { generation, arguments in
            try generation.declareMigration(arguments)
            return []
        },
        APIFunction(
            "complete",
            "Says that the scripts are whole: from then on, those without it are not loaded in their place.",
            use: .declaring
        ) { generation, _ in
            generation.isComplete = true
            return []
        },
    ]
}
