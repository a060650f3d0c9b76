// SPDX-License-Identifier: MIT

/// Functions that declare or end interceptors, and functions that apply to all routes.
extension APIFunction {
    static let interceptors: [APIFunction] = [
        APIFunction(
            "interceptor",
            "Declares an interceptor, which definitions name in `intercept`.",
            parameters: [
                .required("name", .newName(of: .interceptor), text: "the name of the interceptor"),
                .required(
                    "options",
                    .either([
                        .function,
                        .options([
                            .optional(
                                "timeout",
                                .number,
                                text:
                                    "the maximum total time that the interceptor waits, in seconds; default: the `timeout` of `router.options`. Waiting for a navigation that the interceptor began, as with `:result()`, does not count; limit such a wait with `:result { timeout = }`"
                            ),
                            .optional(
                                "prepare",
                                .function,
                                text:
                                    "`(nav)`, called while the navigation is planned; an error or `router.stop` stops the navigation"
                            ),
                            override,
                        ]),
                    ]),
                    text: "the options; can be omitted"
                ),
                .optional(
                    "body",
                    .function,
                    text:
                        "`(nav)` → nothing or true to let the navigation proceed, `false, why` to stop it; or `(nav, proceed)`, which later calls `proceed(true)` or `proceed(false, why)`"
                ),
            ],
            use: .declaring,
            example: """
                router.interceptor("adult", function(nav)
                  if nav.info.age < 18 then return false, "not of age" end
                end)
                router.register("Film", "show", {
                  build = function() return router.screen "Film" end,
                  intercept = "adult",
                })
                """,
            steps: ["navigate Film/show(age=12)", "expect error stopped \"not of age\""]
        ) { generation, arguments in
            try generation.declareInterceptor(arguments)
            return []
        },
        APIFunction(
            "interceptAll",
            "Runs an interceptor for every route.",
            parameters: [
                .required("name", .name(of: .interceptor), text: "the interceptor"),
                .optional(
                    "options",
                    .options([
                        .optional(
                            "before",
                            .word(["search", "stage"]),
                            text:
                                "the phase before which the interceptor runs: `search`, the search for existing screens, or `stage`, the building of screens; default `stage`"
                        ),
                        .optional(
                            "only",
                            .list(.name(of: .service), []),
                            text: "the services whose routes run the interceptor"
                        ),
                        .optional(
                            "except",
                            .list(.name(of: .service), []),
                            text: "the services whose routes do not run the interceptor"
                        ),
                    ]),
                    text: "the options"
                ),
            ],
            use: .declaring,
            example: """
                router.interceptor("remember", function(nav) router.state.last = nav.service end)
                router.interceptAll("remember", { except = { "Login" } })
                """,
            steps: ["navigate Show/open(id=7)", "expect state.last = \"Show\""]
        ) { generation, arguments in
            try generation.declareInterceptAll(arguments)
            return []
        },
        APIFunction(
            "updateAll",
            "Calls a function with the screen of every step, before the step's own `update`.",
            parameters: [.required("body", .function, text: "`(screen, info, nav)`")],
            use: .declaring,
            example: """
                router.updateAll(function(screen, info, nav) screen.origin = nav.origin end)
                """,
            steps: ["navigate Show/open(id=7)", "expect top Show(id=7, origin=host)"]
        ) { generation, arguments in
            if let function = arguments[0].luaFunction {
                generation.declarations.updates.append(function)
            }
            return []
        },
        APIFunction(
            "afterAll",
            "Calls a function with the screen of every step, before the step's own `after`.",
            parameters: [.required("body", .function, text: "`(screen, info, nav)`")],
            use: .declaring,
            example: """
                router.afterAll(function(screen) router.log.info("showed " .. screen.class) end)
                """,
            steps: ["navigate Show/open(id=7)", "expect log info \"showed Show\""]
        ) { generation, arguments in
            if let function = arguments[0].luaFunction {
                generation.declarations.afters.append(function)
            }
            return []
        },
        APIFunction(
            "stop",
            "Ends the interceptor or `prepare` immediately: the navigation fails with `stopped`.",
            parameters: [.optional("why", .string, text: "the reason, as a readable message")],
            use: .running,
            example: """
                router.interceptor("closed", function() router.stop "closed until Monday" end)
                router.interceptAll("closed", { only = { "Show" } })
                """,
            steps: ["navigate Show/open(id=7)", "expect error stopped \"closed until Monday\""]
        ) { generation, arguments in
            throw try generation.interceptorEnd(
                .stop(arguments[0].text),
                "stop",
                at: arguments.location
            )
        },
        APIFunction(
            "stay",
            "Ends the interceptor immediately: the navigation ends `stayed`, which is not an error.",
            parameters: [.optional("why", .string, text: "the reason, as a readable message")],
            use: .running,
            example: """
                router.interceptor("closed", function() router.stay "closed until Monday" end)
                router.interceptAll("closed", { only = { "Show" } })
                """,
            steps: ["navigate Show/open(id=7)", "expect stayed"]
        ) { generation, arguments in
            throw try generation.interceptorEnd(
                .stay(arguments[0].text),
                "stay",
                at: arguments.location
            )
        },
        APIFunction(
            "redirect",
            "Ends the interceptor immediately: the navigation continues to another target.",
            parameters: target + [.optional("info", .table, text: "the parameters")],
            use: .running,
            example: """
                router.interceptor("guest", function() router.redirect("Login", "show") end)
                router.interceptAll("guest", { only = { "Show" } })
                """,
            steps: ["navigate Show/open(id=7)", "expect top Login"]
        ) { generation, arguments in
            let answer = InterceptorEnd.Answer.redirect(arguments.target(), arguments.table(2))
            throw try generation.interceptorEnd(answer, "redirect", at: arguments.location)
        },
    ]
}
