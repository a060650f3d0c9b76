// SPDX-License-Identifier: MIT

/// Keeping what stands, and bringing it back.
extension APIFunction {
    static let restoring: [APIFunction] = [
        APIFunction(
            "snapshot",
            "Gives what stands as plain data: windows, screens, state, open gates, and links that are to last.",
            results: "table",
            use: .running
        ) { generation, _ in
            if case .staging = generation.router.turn { throw RouteError.snapshotOfStage() }
            return [.value(.table(generation.router.snapshot().table))]
        },
        APIFunction(
            "restore",
            "Brings back what a snapshot holds, in the place of all that stands; nobody is asked.",
            [
                .required("snapshot", .table, "what `router.snapshot` gave"),
                .optional(
                    "options",
                    .options([
                        .optional("animated", .boolean, "whether the host animates; else true")
                    ]),
                    "what to do otherwise"
                ),
            ],
            results: "navigation",
            use: .acting
        ) { generation, arguments in
            let snapshot = try Snapshot(arguments.table(0))
            return [try generation.begin(.restore(snapshot), arguments, options: 1)]
        },
    ]
}
