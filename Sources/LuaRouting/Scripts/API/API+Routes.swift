// SPDX-License-Identifier: MIT

/// The verbs: registering, navigating, working, recycling, leaving.
extension APIFunction {
    private static let target: [APIParameter] = [
        .required("service", .name, "the service"),
        .required("task", .name, "its task"),
    ]

    private static let window: APIParameter = .optional(
        "window",
        .string,
        "the window; else that of `from`, of the navigation that asks, or the first"
    )
    static let animated: APIParameter = .optional(
        "animated",
        .boolean,
        "whether the host animates; else true"
    )
    static let force: APIParameter = .optional(
        "force",
        .boolean,
        "whether screens go without being asked: `leaving` and `dismissible` are skipped"
    )

    private static let leavingOptions: [APIParameter] = [window, animated, force]

    static let navigationOptions: [APIParameter] = [
        window, animated, force,
        .optional("via", Step.viaType, "the action, in place of the route's `via` and `from`"),
        .optional("from", .screen, "the screen at which the navigation starts"),
        .optional(
            "timeout",
            .number,
            "how long it may take, in seconds; zero or less, or none: as long as it does"
        ),
        .optional(
            "policy",
            .word(Policy.allCases.map(\.rawValue)),
            "what becomes of it while another one is pending; else as `router.options` says"
        ),
        .optional("again", .boolean, "whether it is made although an equal one is pending"),
        .optional("completion", .function, "called once at the end, with `finished, why`"),
    ]

    static let override: APIParameter = .optional(
        "override",
        .boolean,
        "whether it takes the place of an earlier one; else that is an error"
    )

    static let verbs: [APIFunction] = [
        APIFunction(
            "register",
            "Registers a route to a screen.",
            target + [
                .required(
                    "provider",
                    .either([.function, .options(Step.definitionKeys)]),
                    "`(info, nav)` → screen, or nil where the info will not do; or a definition"
                ),
                .optional("options", .options([override]), "what to do otherwise"),
            ],
            use: .declaring
        ) { generation, arguments in
            try generation.registerScreen(arguments)
            return []
        },
        APIFunction(
            "registerTask",
            "Registers a piece of work without a screen.",
            target + [
                .required(
                    "worker",
                    .function,
                    "`(info, done)` → value; or `done(finished, info)` later"
                ),
                .optional(
                    "options",
                    .options([
                        .optional(
                            "timeout",
                            .number,
                            "the deadline of its waits, in seconds; else that of `router.options`, and none after `router.later`"
                        ),
                        .optional(
                            "info",
                            .table,
                            "the parameters and their types, without functions"
                        ),
                        .optional(
                            "result",
                            .any,
                            "the type of the value with which it ends, written as in `info`"
                        ),
                        override,
                    ]),
                    "what to do otherwise"
                ),
            ],
            use: .declaring
        ) { generation, arguments in
            try generation.registerTask(arguments)
            return []
        },
        APIFunction(
            "navigate",
            "Goes to a screen.",
            target + [
                .optional("info", .table, "the parameters"),
                .optional("options", .options(navigationOptions), "what to do otherwise"),
            ],
            results: "navigation",
            use: .acting
        ) { generation, arguments in
            let request = NavigationRequest.route(arguments.target(), info: arguments.table(2))
            return [try generation.begin(request, arguments, options: 3)]
        },
        APIFunction(
            "doTask",
            "Does a piece of work without a screen.",
            target + [
                .optional("info", .table, "the parameters"),
                .optional("completion", .function, "called once at the end, with `finished, info`"),
            ],
            results: "value, task",
            use: .acting
        ) { generation, arguments in
            generation.doTask(arguments)
        },
        APIFunction(
            "reuse",
            "Finds a screen of the stack to recycle, from the top down.",
            [
                .required("predicate", .function, "`(screen)` → whether it is the one"),
                .optional(
                    "options",
                    .options([
                        .optional("inside", .screen, "the stack; else the one on which to push"),
                        .optional("direction", .word(["topDown", "bottomUp"]), "else `topDown`"),
                    ]),
                    "where to look"
                ),
            ],
            results: "screen?",
            use: .running
        ) { generation, arguments in
            [.value(try generation.reuse(arguments))]
        },
        APIFunction(
            "back",
            "Pops the visible stack; at its first screen dismisses the level.",
            [
                .optional(
                    "count",
                    .either([.integer, .options(leavingOptions)]),
                    "how often, else 1; may be left out"
                ),
                .optional("options", .options(leavingOptions), "what to do otherwise"),
            ],
            results: "navigation",
            use: .acting
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
            [.optional("options", .options(leavingOptions), "what to do otherwise")],
            results: "navigation",
            use: .acting
        ) { generation, arguments in
            [try generation.begin(.dismiss, arguments, options: 0)]
        },
        APIFunction(
            "popTo",
            "Goes back to a screen; one that is elsewhere is made visible.",
            [
                .required(
                    "screen",
                    .either([.screen, .name, .function]),
                    "the screen, its class, or `(screen)` → whether"
                ),
                .optional("options", .options(leavingOptions), "what to do otherwise"),
            ],
            results: "navigation",
            use: .acting
        ) { generation, arguments in
            [try generation.begin(.pop(to: Finder(arguments[0])), arguments, options: 1)]
        },
        APIFunction(
            "popToRoot",
            "Pops the visible stack to its first screen.",
            [.optional("options", .options(leavingOptions), "what to do otherwise")],
            results: "navigation",
            use: .acting
        ) { generation, arguments in
            [try generation.begin(.popToRoot, arguments, options: 0)]
        },
        APIFunction(
            "dismissAll",
            "Dismisses all levels above the root.",
            [.optional("options", .options(leavingOptions), "what to do otherwise")],
            results: "navigation",
            use: .acting
        ) { generation, arguments in
            [try generation.begin(.dismissAll, arguments, options: 0)]
        },
        APIFunction(
            "close",
            "Closes a screen, however it was opened.",
            [
                .required("screen", .screen, "the screen"),
                .optional("value", .any, "what it leaves to whoever opened it"),
                .optional("options", .options(leavingOptions), "what to do otherwise"),
            ],
            results: "navigation",
            use: .acting
        ) { generation, arguments in
            guard let screen = arguments.screen(0) else { return [] }
            return [
                try generation.begin(.close(screen, value: arguments[1]), arguments, options: 2)
            ]
        },
        APIFunction(
            "replace",
            "Puts a new screen in the place of one.",
            [
                .required("screen", .screen, "the screen"),
                .required("with", .screen, "what takes its place"),
                .optional("options", .options(leavingOptions), "what to do otherwise"),
            ],
            results: "navigation",
            use: .acting
        ) { generation, arguments in
            guard let screen = arguments.screen(0), let other = arguments.screen(1) else {
                return []
            }
            let request = NavigationRequest.replace(screen, with: other)
            return [try generation.begin(request, arguments, options: 2)]
        },
        APIFunction(
            "select",
            "Makes a screen visible: dismisses what covers it, selects the tabs and pops the stacks around it; or selects a tab by its number.",
            [
                .required(
                    "tab",
                    .either([.screen, .integer]),
                    "the screen, in a tab or anywhere else; or the number of a tab, from 1 on, in the innermost tabs around the visible screen, or around what that covers"
                ),
                .optional("options", .options(leavingOptions), "what to do otherwise"),
            ],
            results: "navigation",
            use: .acting
        ) { generation, arguments in
            let number = Int(clamping: arguments[0].integer ?? 0)
            let request = arguments.screen(0).map(NavigationRequest.select)
            return [try generation.begin(request ?? .selectTab(number), arguments, options: 1)]
        },
    ]
}
