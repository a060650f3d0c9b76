// SPDX-License-Identifier: MIT

/// The declarations that a script makes once, about itself and its host.
extension APIFunction {
    private static let budget: [APIParameter] = [
        .optional("instructions", .integer, text: "the maximum number of instructions"),
        .optional("seconds", .number, text: "the maximum time, in seconds"),
        .optional("bytes", .integer, text: "the maximum memory of all values, in bytes"),
    ]

    static let setup: [APIFunction] = [
        APIFunction(
            "api",
            "Declares the API level that the scripts need. Call this function first in the entry file. If the host does not support the level, the scripts are rejected. Scripts without this call need level 1.",
            parameters: [.required("level", .integer, text: "the level, at least 1")],
            use: .declaring,
            example: "router.api(1)",
            steps: ["navigate Show/open(id=7)", "expect done"]
        ) { generation, arguments in
            let level = Int(clamping: arguments[0].integer ?? 1)
            // An unsupported level is kept even if the script catches the error, so that loading
            // fails.
            if generation.speaksAPI { generation.namedLevel = level }
            guard generation.speaksAPI else { throw RouteError.unknownLevel(generation.apiLevel) }
            return []
        },
        APIFunction(
            "remove",
            "Removes a task, or a whole service.",
            parameters: [
                .required("service", .name(of: .service), text: "the service"),
                .optional(
                    "task",
                    .name(of: .task),
                    text: "its task; default: all tasks of the service"
                ),
            ],
            use: .declaring,
            example: "router.remove(\"Show\", \"open\")",
            steps: ["navigate Show/open(id=7)", "expect error notFound"]
        ) { generation, arguments in
            try generation.removeRoutes(of: arguments.text(0), task: arguments[1].text)
            return []
        },
        APIFunction(
            "services",
            "Returns the names of the registered tasks in a table, whose keys are the names of the services.",
            results: "table",
            example: "assert(router.services().Show[1] == \"open\")"
        ) { generation, _ in
            var services = InfoTable()
            for (name, tasks) in generation.declarations.routes.services {
                services[name] = .table(InfoTable(list: tasks.map { Value($0) }))
            }
            return [.value(.table(services))]
        },
        APIFunction(
            "fallback",
            "Declares the functions that are called if a route or a task is not registered.",
            parameters: [
                .required(
                    "functions",
                    .options([
                        .optional(
                            "screen",
                            .function,
                            text: "for an unknown route: `(service, task, info)` → screen or nil"
                        ),
                        .optional(
                            "task",
                            .function,
                            text: "for an unknown task: `(service, task, info, done)` → value"
                        ),
                    ]),
                    text: "the functions"
                )
            ],
            use: .declaring,
            example: """
                router.fallback {
                  screen = function(service) return router.screen("Missing", { service = service }) end,
                }
                """,
            steps: ["navigate Help/show", "expect top Missing(service=Help)"]
        ) { generation, arguments in
            try generation.declareFallback(arguments)
            return []
        },
        APIFunction(
            "expects",
            "Declares what the host must provide.",
            parameters: [
                .required(
                    "needs",
                    .options([
                        .optional(
                            "tasks",
                            .targetNames,
                            text:
                                "the tasks, as `Service/task`. `[\"Service/task\"] = { info = …, result = … }` also declares the types, which are checked as for `router.registerTask`"
                        ),
                        .optional(
                            "screens",
                            .list(.name(of: .class), []),
                            text:
                                "the classes of screens that the host builds; the scripts must use no other classes"
                        ),
                        .optional(
                            "dependencies",
                            .list(.name(of: .dependency), []),
                            text: "the names of the dependencies"
                        ),
                    ]),
                    text: "the requirements of the scripts"
                )
            ],
            use: .declaring,
            example: """
                router.expects {
                  tasks = { "Account/load", ["Player/play"] = { info = { id = "integer" }, result = "string" } },
                  screens = { "Home", "Show" },
                }
                """,
            steps: [
                "doTask Account/load", "complete Account/load finished (name=\"ann\")",
                "expect result {name=\"ann\"}",
                "doTask Player/play(id=7)", "complete Player/play finished (\"playing\")",
                "expect result \"playing\"",
            ]
        ) { generation, arguments in
            try generation.declareExpectations(arguments)
            return []
        },
        APIFunction(
            "export",
            "Lets the host and scenarios call a function, which receives one table. The function may wait, unless the host calls it synchronously; it has the same deadline as a task.",
            parameters: [
                .required(
                    "name",
                    .newName(of: .export),
                    text: "the name that the host and scenarios use"
                ),
                .required("function", .function, text: "`(table)` → the result"),
            ],
            use: .declaring,
            example: "router.export(\"double\", function(info) return info.value * 2 end)",
            steps: ["call double(value=4)", "expect result 8"]
        ) { generation, arguments in
            try generation.declareExport(arguments)
            return []
        },
        APIFunction(
            "onBack",
            "Handles the user's back action in a window that has no screen to go back to. The function cannot wait.",
            parameters: [
                .required(
                    "function",
                    .function,
                    text:
                        "`(window)` → `true` if the function has handled the action; otherwise the user leaves the app. `window` is the name of the window"
                )
            ],
            use: .declaring,
            example: """
                router.onBack(function(window)
                  router.log.info("back in " .. window)
                  return true
                end)
                """,
            steps: ["given nav[Home]", "user back", "expect log info \"back in main\""]
        ) { generation, arguments in
            try generation.declareBackHandler(arguments)
            return []
        },
        APIFunction(
            "activated",
            "Declares a function that is called when these scripts become active: once they have loaded, after a reload, and after a rollback. The function cannot wait. It is the place to set timers.",
            parameters: [
                .required(
                    "function",
                    .function,
                    text:
                        "`(previous)`; `previous` is the number of the generation that was active before, or nil for the first scripts of a router"
                )
            ],
            use: .declaring,
            example: """
                router.activated(function(previous)
                  router.delay(60, function() router.state.refreshed = previous == nil end)
                end)
                """,
            steps: ["advance 60s", "expect state.refreshed = true"]
        ) { generation, arguments in
            try generation.declareActivated(arguments)
            return []
        },
        APIFunction(
            "on",
            "Declares a function that is called for each event of a kind.",
            parameters: [
                .required("event", .word(Event.Kind.heard.map(\.rawValue)), text: "the kind"),
                .required(
                    "function",
                    .function,
                    text: "`(event)`; `event` is a table with the fields of the event"
                ),
            ],
            use: .declaring,
            example: """
                router.on("failed", function(event) router.log.warn("failed: " .. event.code) end)
                """,
            steps: [
                "navigate Show/open(id=seven)", "expect log warn \"failed: badInfo\"",
                "expect error badInfo",
            ]
        ) { generation, arguments in
            try generation.listen(arguments)
            return []
        },
        APIFunction(
            "options",
            "Sets the options of the router. Can be called once.",
            parameters: [
                .required(
                    "options",
                    .options([
                        .optional(
                            "atDialog",
                            .word(DialogPolicy.allCases.map(\.rawValue)),
                            text:
                                "what happens if a link would put a screen on a dialog, such as a login for which a navigation waits, or would remove the dialog: `leave` closes the dialog, and its navigations end `superseded`; `wait` waits until these have ended; `join` puts the screen on the dialog; default `leave`"
                        ),
                        .optional(
                            "budget",
                            .options(budget),
                            text:
                                "the limits of each call into the scripts; this key can only lower the limits"
                        ),
                        .optional(
                            "drain",
                            .number,
                            text:
                                "the maximum time that pending work may continue after a reload, in seconds; with 0, pending work ends immediately; default 30"
                        ),
                        .optional(
                            "foreign",
                            .word(ForeignPolicy.allCases.map(\.rawValue)),
                            text:
                                "what a navigation to a route does while a screen that the host shows without the router is on top of the navigation's window: `wait` waits until that screen is gone; `cover` pushes on the stack below that screen, or presents a modal over it; `dismiss` dismisses it; default `wait`"
                        ),
                        .optional(
                            "policy",
                            .word(Policy.allCases.map(\.rawValue)),
                            text:
                                "what to do with a navigation while another one is pending; default `queue`"
                        ),
                        .optional(
                            "timeout",
                            .number,
                            text:
                                "the maximum total time that an interceptor, a task or another function without its own timeout waits, in seconds; default 30"
                        ),
                    ]),
                    text: "the options"
                )
            ],
            use: .declaring,
            example: """
                router.options { timeout = 5 }
                router.interceptor("slow", function() router.sleep(60) end)
                router.interceptAll("slow", { only = { "Show" } })
                """,
            steps: ["navigate Show/open(id=7)", "advance 5s", "expect error timeout"]
        ) { generation, arguments in
            try generation.setOptions(arguments)
            return []
        },
    ]
}
