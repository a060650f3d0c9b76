// SPDX-License-Identifier: MIT

/// Functions that wait or use the clock.
extension APIFunction {
    private static let timeout: APIParameter = .optional(
        "timeout",
        .number,
        text: "the maximum time that this call waits, in seconds; `math.huge`: no limit"
    )

    /// A list of the script functions that may wait, for messages and documentation.
    static let waiters =
        "an interceptor, a task, 'after', 'closed', a listener, the action of a link, or an exported function whose caller waits"

    /// Functions for sleeps, timers and the clock.
    static let waiting: [APIFunction] = [
        APIFunction(
            "sleep",
            "Waits for the given time.",
            parameters: [
                .required("seconds", .number, text: "the time, in seconds; at least a millisecond")
            ],
            use: .waiting,
            example: """
                local start = router.now()
                router.sleep(2)
                assert(router.now() == start + 2)
                """
        ) { generation, arguments in
            try generation.router.sleep(arguments[0].double ?? 0, arguments)
            return [.waits]
        },
        APIFunction(
            "delay",
            "Calls a function later. Scripts that a reload has retired cannot set a timer, unless the timer belongs to one of their pending navigations or tasks.",
            parameters: [
                .required(
                    "seconds",
                    .number,
                    text: "the time from now until the call, in seconds; at least a millisecond"
                ),
                .required("body", .function, text: "the function"),
            ],
            results: "timer",
            use: .acting,
            example: """
                router.export("remindLater", function()
                  router.delay(5, function() router.state.reminded = true end)
                end)
                """,
            steps: ["call remindLater", "advance 5s", "expect state.reminded = true"]
        ) { generation, arguments in
            guard let body = arguments[1].luaFunction else { return [] }
            return [.timer(try generation.router.delay(arguments[0].double ?? 0, body))]
        },
        APIFunction(
            "now",
            "Returns the time of the router's clock, in seconds since 1970.",
            results: "number",
            example: "assert(router.now() >= os.time())"
        ) {
            generation,
            _ in [.value(.number(generation.router.now))]
        },
    ]

    private static let cancelNavigation = APIFunction(
        "cancel",
        "Cancels the navigation, unless it has ended or the host is applying its change.",
        results: "boolean",
        use: .acting,
        example: """
            local orders = router.navigate("Orders", "show")
            assert(orders:cancel() and orders.status == "cancelled")
            """
    ) { generation, arguments in
        guard let navigation = arguments.navigation else { return [] }
        let isCancelled = generation.router.cancel(navigation, .cancelledByCaller())
        return [.value(.boolean(isCancelled))]
    }

    /// The methods of a navigation, such as `nav:await()`.
    static let navigation: [APIFunction] =
        [
            APIFunction(
                "await",
                "Waits until the navigation has ended. Returns whether it succeeded and, if not, the reason.",
                parameters: [.optional("options", .options([timeout]), text: "the options")],
                results: "finished, why",
                use: .waiting,
                example: """
                    local finished, why = router.navigate("Show", "open", { id = "seven" }):await()
                    assert(not finished and why.code == "badInfo")
                    """
            ) { generation, arguments in
                guard let navigation = arguments.navigation else { return [] }
                navigation.isAwaited = true
                return try generation.router.awaitEnd(of: navigation, arguments)
            },
            APIFunction(
                "result",
                "Waits until the screen that the navigation reached is left. Returns `true` and the value with which the screen was closed. If there is no such value, returns `false` and the reason: `closed`, `left`, `failed` or `cancelled`.",
                parameters: [.optional("options", .options([timeout]), text: "the options")],
                results: "finished, value",
                use: .waiting,
                example: """
                    local login = router.navigate("Login", "show")
                    router.delay(1, function() router.close(router.visible(), { name = "ann" }) end)
                    local closed, user = login:result()
                    assert(closed and user.name == "ann")
                    """
            ) { generation, arguments in
                guard let navigation = arguments.navigation else { return [] }
                navigation.isAwaited = true
                return try generation.router.awaitResult(of: navigation, arguments)
            },
            cancelNavigation,
        ]

    /// The methods of a task object, such as `task:await()`.
    static let task: [APIFunction] = [
        APIFunction(
            "await",
            "Waits until the task has ended. Returns whether the task finished, and the task's value, or the reason if the task failed.",
            parameters: [.optional("options", .options([timeout]), text: "the options")],
            results: "finished, info",
            use: .waiting,
            example: """
                local _, task = router.doTask("Cart", "total", { count = 3 })
                local finished, total = task:await()
                assert(finished and total == 15)
                """
        ) { generation, arguments in
            guard let task = arguments.task else { return [] }
            task.state.isAwaited = true
            return try generation.router.awaitEnd(of: task, arguments)
        },
        APIFunction(
            "cancel",
            "Cancels the task, unless it has ended.",
            results: "boolean",
            use: .acting,
            example: """
                router.registerTask("Player", "play", function() router.sleep(60) end)
                router.export("playAndStop", function()
                  local _, task = router.doTask("Player", "play")
                  assert(task:cancel() and task.status == "cancelled")
                end)
                """,
            steps: ["call playAndStop"]
        ) { generation, arguments in
            guard let task = arguments.task else { return [] }
            return [.value(.boolean(generation.router.cancel(task, .cancelledByCaller())))]
        },
    ]

    /// The methods of a timer.
    static let timer: [APIFunction] = [
        APIFunction(
            "cancel",
            "Cancels the timer, so that its function is not called.",
            use: .acting,
            example: """
                local timer = router.delay(5, function() error "never called" end)
                timer:cancel()
                """
        ) {
            generation,
            arguments in
            if let timer = arguments.timer { generation.router.timers.remove(timer) }
            return []
        }
    ]
}
