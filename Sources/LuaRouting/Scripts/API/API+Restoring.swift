// SPDX-License-Identifier: MIT

/// Functions that create and restore snapshots.
extension APIFunction {
    static let restoring: [APIFunction] = [
        APIFunction(
            "snapshot",
            "Returns a snapshot as plain data: windows, screens, state, open gates, and the queued deep links that were dispatched with `persist`.",
            results: "table",
            use: .running,
            example: """
                local snapshot = router.snapshot()
                assert(snapshot.screens)
                """
        ) { generation, _ in
            if case .staging = generation.router.turn { throw RouteError.snapshotOfStage() }
            return [.value(.table(generation.router.snapshot().table))]
        },
        APIFunction(
            "restore",
            "Restores a snapshot, which replaces all windows and screens. No interceptor or `leaving` is called.",
            parameters: [
                .required("snapshot", .table, text: "a result of `router.snapshot`"),
                .optional(
                    "options",
                    .options([
                        .optional(
                            "animated",
                            .boolean,
                            text: "whether the host animates; default true"
                        )
                    ]),
                    text: "the options"
                ),
            ],
            results: "navigation",
            use: .acting,
            example: """
                local snapshot = router.snapshot()
                router.popToRoot():await()
                router.restore(snapshot):await()
                assert(router.visible().id == 1)
                """
        ) { generation, arguments in
            let snapshot = try Snapshot(arguments.table(0))
            return [try generation.begin(.restore(snapshot), arguments, options: 1)]
        },
    ]
}
