// SPDX-License-Identifier: MIT

/// Waiting, and the clock.
extension APIFunction {
    private static let timeout: APIParameter = .optional(
        "timeout",
        .number,
        "the longest that this call waits, in seconds"
    )

    /// The functions of scripts that may wait, for messages and documentation.
    static let waiters =
        "an interceptor, a task, 'after', 'closed', a listener, the action of a link, or an exported function whose caller waits"

    /// Sleeping, timers and the clock.
    static let waiting: [APIFunction] = [
        APIFunction(
            "sleep",
            "Waits.",
            [.required("seconds", .number, "how long; at least a millisecond")],
            use: .waiting
        ) { generation, arguments in
            try generation.router.sleep(arguments[0].double ?? 0, arguments)
            return [.waits]
        },
        APIFunction(
            "delay",
            "Calls a function later.",
            [
                .required("seconds", .number, "when, from now; at least a millisecond"),
                .required("body", .function, "what is called"),
            ],
            results: "timer",
            use: .acting
        ) { generation, arguments in
            guard let body = arguments[1].luaFunction else { return [] }
            return [.timer(try generation.router.delay(arguments[0].double ?? 0, body))]
        },
        APIFunction("now", "The router's clock, in seconds since 1970.", results: "number") {
            generation,
            _ in [.value(.number(generation.router.now))]
        },
    ]

    private static let cancelNavigation = APIFunction(
        "cancel",
        "Cancels the navigation, unless it has ended or the host applies it.",
        results: "boolean",
        use: .acting
    ) { generation, arguments in
        guard let navigation = arguments.navigation else { return [] }
        let isCancelled = generation.router.cancel(navigation, .cancelledByCaller())
        return [.value(.boolean(isCancelled))]
    }

    /// The functions of a navigation, which scripts call as `nav:await()`.
    static let navigation: [APIFunction] =
        [
            APIFunction(
                "await",
                "Waits for the end: whether it arrived, and if not why.",
                [.optional("options", .options([timeout]), "how long")],
                results: "finished, why",
                use: .waiting
            ) { generation, arguments in
                guard let navigation = arguments.navigation else { return [] }
                navigation.isAwaited = true
                return try generation.router.awaitEnd(of: navigation, arguments)
            },
            APIFunction(
                "result",
                "Waits until the screen that it reached was left: `true, value` where it was closed with a value, else `false` and `closed` `left` `failed` `cancelled`.",
                [.optional("options", .options([timeout]), "how long")],
                results: "finished, value",
                use: .waiting
            ) { generation, arguments in
                guard let navigation = arguments.navigation else { return [] }
                navigation.isAwaited = true
                return try generation.router.awaitResult(of: navigation, arguments)
            },
            cancelNavigation,
        ]

    /// The functions of a task, which scripts call as `task:await()`.
    static let task: [APIFunction] = [
        APIFunction(
            "await",
            "Waits for the end: whether it did what was asked, and with what, or why not.",
            [.optional("options", .options([timeout]), "how long")],
            results: "finished, info",
            use: .waiting
        ) { generation, arguments in
            guard let task = arguments.task else { return [] }
            task.isAwaited = true
            return try generation.router.awaitEnd(of: task, arguments)
        },
        APIFunction(
            "cancel",
            "Cancels the task, unless it has ended.",
            results: "boolean",
            use: .acting
        ) { generation, arguments in
            guard let task = arguments.task else { return [] }
            return [.value(.boolean(generation.router.cancel(task, .cancelledByCaller())))]
        },
    ]

    /// The functions of a timer.
    static let timer: [APIFunction] = [
        APIFunction("cancel", "Has the function not be called.", use: .acting) {
            generation,
            arguments in
            if let timer = arguments.timer { generation.router.timers.remove(timer) }
            return []
        }
    ]
}
