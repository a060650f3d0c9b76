// SPDX-License-Identifier: MIT

/// Functions that register routes, navigate, run tasks, and reuse or leave screens.
extension APIFunction {
    static let target: [APIParameter] = [
        .required("service", .name(of: .service), text: "the service"),
        .required("task", .name(of: .task), text: "its task"),
    ]

    private static let newTarget: [APIParameter] = [
        .required("service", .newName(of: .service), text: "the service"),
        .required("task", .newName(of: .task), text: "its task"),
    ]

    private static let window: APIParameter = .optional(
        "window",
        .string,
        text:
            "the window; default: the window of `from`, otherwise the window of the calling navigation, otherwise the first window"
    )
    static let animated: APIParameter = .optional(
        "animated",
        .boolean,
        text: "whether the host animates; default true"
    )
    static let force: APIParameter = .optional(
        "force",
        .boolean,
        text: "whether to skip `leaving` and `dismissible`"
    )

    private static let leavingOptions: APIType = .options(
        [window, animated, force],
        title: "Leaving options"
    )
    private static let replacingOptions: APIType = .options([
        window, animated, force,
        .optional("value", .any, text: "the result for the code that opened the screen"),
    ])

    static let navigationOptions: APIType = .options(
        [
            window, animated, force,
            .optional(
                "via",
                Step.viaType,
                text: "the action, which replaces the route's `via` and `from`"
            ),
            .optional("from", .screen, text: "the screen from which the plan starts"),
            .optional(
                "timeout",
                .number,
                text:
                    "the maximum time until the navigation ends, in seconds; `math.huge` or nil: no limit"
            ),
            .optional(
                "policy",
                .word(Policy.allCases.map(\.rawValue)),
                text:
                    "what to do while another navigation is pending; default: as in `router.options`"
            ),
            .optional(
                "again",
                .boolean,
                text: "whether to start a new navigation even if an identical one is pending"
            ),
            .optional(
                "completion",
                .function,
                text: "called once, when the navigation has ended, with `finished, why`"
            ),
        ],
        title: "Navigation options"
    )

    static let override: APIParameter = .optional(
        "override",
        .boolean,
        text:
            "whether this declaration replaces an earlier one; by default a second declaration is an error"
    )

    static let verbs: [APIFunction] = [
        APIFunction(
            "register",
            "Registers a route to a screen.",
            parameters: newTarget + [
                .required(
                    "provider",
                    .either([.function, Step.definition]),
                    text:
                        "`(info, nav)` → screen, or nil if the screen cannot be built from the info; or a definition"
                ),
                .optional("options", .options([override]), text: "the options"),
            ],
            use: .declaring,
            example: """
                router.register("Episode", "open", {
                  info = { id = "integer" },
                  url = "/episodes/:id(int)",
                  build = function(info) return router.screen("Episode", { id = info.id }) end,
                })
                """,
            steps: ["open podcast://episodes/7", "expect top Episode(id=7)"]
        ) { generation, arguments in
            try generation.registerScreen(arguments)
            return []
        },
        APIFunction(
            "group",
            "Makes a group of routes, which share the group's keys.",
            parameters: [
                .required(
                    "options",
                    Step.group,
                    text: "the keys that apply to all routes of the group"
                )
            ],
            results: "group",
            use: .declaring,
            example: """
                local project = router.group { url = "/projects/:creator", info = { creator = "string" } }
                project:register("Project", "files", {
                  url = "files/:id(int)",
                  info = { id = "integer" },
                  build = function(info) return router.screen("Files", info) end,
                })
                """,
            steps: ["open podcast://projects/ann/files/7", "expect top Files(creator=ann, id=7)"]
        ) { generation, arguments in
            [.value(Value(try generation.declareGroup(arguments)))]
        },
        APIFunction(
            "registerTask",
            "Registers a task, which shows no screen.",
            parameters: newTarget + [
                .required(
                    "worker",
                    .function,
                    text:
                        "`(info, done)` → the value with which the task ends; if the worker returns nothing, the task stays pending until `done(finished, info)` is called, or fails with `timeout`"
                ),
                .optional(
                    "options",
                    .options([
                        .optional(
                            "timeout",
                            .number,
                            text:
                                "the maximum total time that the task waits, in seconds, including the time until `done` is called; default: the `timeout` of `router.options`, or no limit after `router.later`. Waiting for a navigation that the task began does not count"
                        ),
                        .optional(
                            "info",
                            .table,
                            text:
                                "the parameters and their types; a type cannot be a script function"
                        ),
                        .optional(
                            "result",
                            .any,
                            text:
                                "the type of the value with which the task ends, written as in `info`"
                        ),
                        override,
                    ]),
                    text: "the options"
                ),
            ],
            use: .declaring,
            example: """
                router.registerTask("Cart", "add", function(info)
                  router.state.count = (router.state.count or 0) + info.count
                  return router.state.count
                end)
                """,
            steps: ["doTask Cart/add(count=2)", "expect result 2"]
        ) { generation, arguments in
            try generation.registerTask(arguments)
            return []
        },
        APIFunction(
            "navigate",
            "Navigates to a route.",
            parameters: target + [
                .optional("info", .table, text: "the parameters"),
                .optional("options", navigationOptions, text: "the options"),
            ],
            results: "navigation",
            use: .acting,
            example: """
                local finished = router.navigate("Show", "open", { id = 7 }, { animated = false }):await()
                assert(finished and router.visible().id == 7)
                """
        ) { generation, arguments in
            let request = Act<ScreenID>.route(arguments.target(), info: arguments.table(2))
            return [try generation.begin(request, arguments, options: 3)]
        },
        APIFunction(
            "doTask",
            "Runs a task, which shows no screen.",
            parameters: target + [
                .optional("info", .table, text: "the parameters"),
                .optional(
                    "completion",
                    .function,
                    text: "called once, when the task has ended, with `finished, info`"
                ),
            ],
            results: "value, task",
            use: .acting,
            example: """
                local total, task = router.doTask("Cart", "total", { count = 3 })
                assert(total == 15 and task.status == "done")
                """
        ) { generation, arguments in
            generation.doTask(arguments)
        },
        APIFunction(
            "reuse",
            "Finds an existing screen in a stack, to reuse that screen. By default the search goes from the top down.",
            parameters: [
                .required("predicate", .function, text: "`(screen)` → whether to reuse the screen"),
                .optional(
                    "options",
                    .options([
                        .optional(
                            "inside",
                            .screen,
                            text: "the stack; default: the stack on which the action pushes"
                        ),
                        .optional(
                            "direction",
                            .word(["topDown", "bottomUp"]),
                            text: "the order of the search; default `topDown`"
                        ),
                    ]),
                    text: "the options of the search"
                ),
            ],
            results: "screen?",
            use: .running,
            example: """
                router.register("Episode", "open", function(info)
                  local page = router.reuse(function(screen) return screen.class == "Episode" end)
                    or router.screen "Episode"
                  page.id = info.id
                  return page
                end)
                """,
            steps: [
                "navigate Episode/open(id=1)", "navigate Episode/open(id=2)",
                "expect stack ... > Show > Episode(id=2)",
            ]
        ) { generation, arguments in
            [.value(try generation.reuse(arguments))]
        },
    ]

    /// The methods of a group, such as `group:register(…)`.
    static let group: [APIFunction] = [
        APIFunction(
            "register",
            "Registers a route with the keys of the group. A pattern that begins neither with `/` nor with a scheme is appended to the group's `url`; `\"\"` means the group's `url` itself. A route without `url` has no URL. A parameter that both the group and the route declare in `info` must have the same type. Interceptors of the group run first. If the route has `from` or `via`, the group's `from` and `via` are both ignored. A route with `redirect` uses only the group's `url` and `info`.",
            parameters: target + [
                .required("definition", Step.definition, text: "the definition"),
                .optional("options", .options([override]), text: "the options"),
            ],
            use: .declaring,
            example: """
                local account = router.group { url = "/account", via = "present" }
                account:register("Account", "show", {
                  url = "",
                  build = function() return router.screen "Account" end,
                })
                """,
            steps: ["open podcast://account", "expect modal Account"]
        ) { generation, arguments in
            guard let group = arguments.group else { return [] }
            try generation.registerScreen(arguments, in: group)
            return []
        },
        APIFunction(
            "group",
            "Makes an inner group, whose keys are merged with the keys of this group in the same way as the keys of a route. An inner group without `url` has the `url` of this group.",
            parameters: [
                .required(
                    "options",
                    Step.group,
                    text: "the keys that apply to all routes of the group"
                )
            ],
            results: "group",
            use: .declaring,
            example: """
                local account = router.group { url = "/account" }
                local orders = account:group { url = "orders", via = "present" }
                orders:register("Order", "show", {
                  url = ":id(int)",
                  build = function(info) return router.screen("Order", info) end,
                })
                """,
            steps: ["open podcast://account/orders/7", "expect modal Order(id=7)"]
        ) { generation, arguments in
            [.value(Value(try generation.declareGroup(arguments)))]
        },
        APIFunction(
            "alias",
            "Declares an old pattern as an alias for the pattern of a route, like `router.alias`; relative patterns are appended to the group's `url`.",
            parameters: [
                .required("old", .string, text: "the old pattern"),
                .required("new", .string, text: "the pattern of the route"),
            ],
            use: .declaring,
            example: """
                local shows = router.group { url = "/shows" }
                shows:alias("number/:id(int)", ":id(int)")
                """,
            steps: ["open podcast://shows/number/7", "expect top Show(id=7)"]
        ) { generation, arguments in
            guard let group = arguments.group else { return [] }
            try generation.declareAlias(arguments, in: group)
            return []
        },
    ]

    /// Functions that leave screens.
    static let leaving: [APIFunction] = [
        APIFunction(
            "back",
            "Pops the visible stack, or dismisses the level if the stack has only one screen left.",
            parameters: [
                .optional(
                    "count",
                    .either([.integer, leavingOptions]),
                    text: "the number of screens; default 1; can be omitted"
                ),
                .optional("options", leavingOptions, text: "the options"),
            ],
            results: "navigation",
            use: .acting,
            example: """
                router.back():await()
                assert(router.visible().class == "Home")
                """
        ) { generation, arguments in
            if case .table = arguments[0] {
                guard arguments[1].isNil else { throw RouteError.optionsTwice("back") }
                return [try generation.begin(.back(1), arguments, options: 0)]
            }
            let count = Int(clamping: arguments[0].integer ?? 1)
            return [try generation.begin(.back(count), arguments, options: 1)]
        },
        APIFunction(
            "dismiss",
            "Dismisses the topmost level.",
            parameters: [.optional("options", leavingOptions, text: "the options")],
            results: "navigation",
            use: .acting,
            example: """
                router.navigate("Login", "show"):await()
                router.dismiss():await()
                assert(router.visible().class == "Show")
                """
        ) { generation, arguments in
            [try generation.begin(.dismiss, arguments, options: 0)]
        },
        APIFunction(
            "popTo",
            "Goes back to a screen; a screen outside of the visible stack is made visible.",
            parameters: [
                .required(
                    "screen",
                    .either([.screen, .name(of: .class), .function]),
                    text: "the screen, its class, or `(screen)` → whether to go back to the screen"
                ),
                .optional("options", leavingOptions, text: "the options"),
            ],
            results: "navigation",
            use: .acting,
            example: """
                router.popTo("Home"):await()
                assert(router.visible().class == "Home")
                """
        ) { generation, arguments in
            [try generation.begin(.pop(to: Finder(arguments[0])), arguments, options: 1)]
        },
        APIFunction(
            "popToRoot",
            "Pops the visible stack to its first screen.",
            parameters: [.optional("options", leavingOptions, text: "the options")],
            results: "navigation",
            use: .acting,
            example: """
                router.popToRoot():await()
                assert(#router.root().children == 1)
                """
        ) { generation, arguments in
            [try generation.begin(.popToRoot, arguments, options: 0)]
        },
        APIFunction(
            "dismissAll",
            "Dismisses all levels above the root.",
            parameters: [.optional("options", leavingOptions, text: "the options")],
            results: "navigation",
            use: .acting,
            example: """
                router.navigate("Login", "show"):await()
                router.dismissAll():await()
                assert(router.topmost() == router.root())
                """
        ) { generation, arguments in
            [try generation.begin(.dismissAll, arguments, options: 0)]
        },
        APIFunction(
            "close",
            "Closes a screen, regardless of how it was opened.",
            parameters: [
                .required("screen", .screen, text: "the screen"),
                .optional("value", .any, text: "the result for the code that opened the screen"),
                .optional("options", leavingOptions, text: "the options"),
            ],
            results: "navigation",
            use: .acting,
            example: """
                router.close(router.visible(), "seen"):await()
                assert(router.visible().class == "Home")
                """
        ) { generation, arguments in
            guard let screen = arguments.screen(0) else { return [] }
            return [
                try generation.begin(.close(screen, value: arguments[1]), arguments, options: 2)
            ]
        },
        APIFunction(
            "replace",
            "Replaces a screen with a new one.",
            parameters: [
                .required("screen", .screen, text: "the screen"),
                .required("with", .screen, text: "the new screen"),
                .optional("options", replacingOptions, text: "the options"),
            ],
            results: "navigation",
            use: .acting,
            example: """
                router.replace(router.visible(), router.screen("Show", { id = 2 })):await()
                assert(router.visible().id == 2)
                """
        ) { generation, arguments in
            guard let screen = arguments.screen(0), let other = arguments.screen(1) else {
                return []
            }
            let value = arguments.table(2)["value"]
            let request = Act<ScreenID>.replace(screen, with: other, value: value)
            return [try generation.begin(request, arguments, options: 2)]
        },
        APIFunction(
            "select",
            "Makes a screen visible: dismisses the modals that cover the screen, selects the tabs and pops the stacks that contain it. A number selects a tab instead.",
            parameters: [
                .required(
                    "tab",
                    .either([.screen, .integer]),
                    text:
                        "the screen, which can be anywhere in the tree; or the number of a tab, starting at 1. A number refers to the innermost tabs that contain the visible screen, or a screen that the visible screen covers"
                ),
                .optional("options", leavingOptions, text: "the options"),
            ],
            results: "navigation",
            use: .acting,
            example: """
                router.select(router.root().children[1]):await()
                assert(router.visible().class == "Home")
                """
        ) { generation, arguments in
            let number = Int(clamping: arguments[0].integer ?? 0)
            let request = arguments.screen(0).map(Act<ScreenID>.select)
            return [try generation.begin(request ?? .selectTab(number), arguments, options: 1)]
        },
    ]
}

extension Arguments {
    var group: RouteGroup? {
        if case .group(let group)? = owner { group } else { nil }
    }
}
