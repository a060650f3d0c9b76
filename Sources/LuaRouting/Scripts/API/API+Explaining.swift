// SPDX-License-Identifier: MIT

/// Functions that explain navigations.
extension APIFunction {
    static let explaining: [APIFunction] = [
        APIFunction(
            "explain",
            "Explains how a navigation would proceed, in a dry run without effects. Interceptors are listed as if they proceeded; tasks, navigations and timers that a build requests are listed, not run.",
            parameters: target + [.optional("info", .table, text: "the parameters")],
            results: "table",
            use: .running,
            example: """
                local plan = router.explain("Show", "open", { id = 7 })
                assert(plan.outcome == "done" and plan.operations[1] == "push(Show(id=7))")
                """
        ) { generation, arguments in
            let explanation = try generation.router.explain(
                .route(arguments.target(), info: arguments.table(2)),
                NavigationOptions(origin: .script)
            )
            return [.value(.table(explanation.table))]
        },
        APIFunction(
            "explainUnready",
            "Explains how `router.unready(name, { leave = true })` would proceed: `leaving` lists the screens that the call would remove. The gate stays open.",
            parameters: gate,
            results: "table",
            use: .running,
            example: """
                local plan = router.explainUnready "session"
                assert(plan.outcome == "done" and #plan.leaving == 0)
                """
        ) { generation, arguments in
            let explanation = try generation.router.explain(unreadyLeaving: arguments.text(0))
            return [.value(.table(explanation.table))]
        },
    ]
}
