// SPDX-License-Identifier: MIT

/// The keys of definitions, and the functions that create parts of definitions.
extension Step {
    // Keys that several of the tables below share.

    private static let find: APIParameter = .optional(
        "find",
        .either([
            .declaration([Finder.declarationName]), .name(of: .class), .screen, .function,
            Finder.table,
        ]),
        text: "the finder that looks for an existing screen"
    )
    private static let build: APIParameter = .optional(
        "build",
        .either([.function, .screen, .declaration([Blueprint.declarationName])]),
        text:
            "`(info, nav)` → screen, or a tree to copy; without `build`, the parent steps create the screen. Each parameter is then stored in the field of the same name, if the screen's class declares this field. If the class declares no fields, all parameters are stored, but only in a screen that was copied"
    )
    private static let update: APIParameter = .optional(
        "update",
        .function,
        text: "`(screen, info, nav)`, called with the screen that was found or built"
    )
    private static let via: APIParameter = .optional(
        "via",
        viaType,
        text: "the action that puts the screen into the tree; default `push`"
    )
    private static let from: APIParameter = .optional(
        "from",
        From.type,
        text:
            "the parent screen, at which the action is performed: \(From.text); default: the visible screen"
    )
    private static let intercept: APIParameter = .optional(
        "intercept",
        .either([
            .name(of: .interceptor), .function,
            .list(.either([.name(of: .interceptor), .function]), []),
        ]),
        text:
            "the name of an interceptor, a function `(nav)` that lets the navigation proceed or stops it, or a list of these"
    )
    private static let after: APIParameter = .optional(
        "after",
        .function,
        text: "`(screen, info, nav)`, called after the navigation is committed"
    )

    private static let prepare: APIParameter = .optional(
        "prepare",
        .function,
        text:
            "`(info, nav)`, called before the navigation changes anything; an error or `router.stop` stops the navigation. Not called for a step whose screen is found"
    )
    private static let adapt: APIParameter = .optional(
        "adapt",
        .function,
        text: "`(info, nav)` → the info for the parent steps"
    )

    /// The table that defines a route.
    static let definition: APIType = .options(
        [
            .optional(
                "info",
                .table,
                text:
                    "the parameters and their types. Without `info`, any parameter is accepted, but only the parameters in `url` become fields of the screen and are known to editors"
            ),
            .optional(
                "result",
                .any,
                text:
                    "the type of the value with which the route's screen is closed, written as in `info`"
            ),
            find,
            .optional(
                "reuse",
                .any,
                text:
                    "the rule for reusing an existing screen, instead of `find`: `never`, `class`, `top`, `{ by =, move =, search =, start = }`, or `(screen, info, nav)` → whether to reuse the screen. Without `search` or `start`, only the existing stack on which the action pushes is searched. With `present` or `presentWithNav` there is no such stack, so use `find` or `{ search = \"fullStack\" }`. A screen that is built on the screen of `from` removes the screens above that screen, so later navigations cannot reuse them"
            ),
            prepare,
            build,
            update,
            via,
            from,
            intercept,
            after,
            .optional(
                "closed",
                .function,
                text: "`(screen, value, nav)`, called after a screen of this route was removed"
            ),
            adapt,
            .optional(
                "needs",
                .either([.name(of: .dependency), .list(.name(of: .dependency), [])]),
                text:
                    "names of dependencies, which the functions of the definition read from `nav.deps`"
            ),
            .optional(
                "enabled",
                .function,
                text:
                    "`(info, nav)` → whether the feature flag of the route is on; default: always on"
            ),
            .optional(
                "fallback",
                .list(.name(of: .target), []),
                text: "`{ service, task }`, the route to use if the feature flag is off"
            ),
            .optional(
                "redirect",
                .table,
                text:
                    "`{ service, task }`, the route to use instead of this one, or `{ to = { targets }, pick = }` with `pick(info, nav)` → one of the targets. The target gets the parameters that it declares. Besides `redirect`, such a definition can have only the keys `info`, `url`, `origin`, `enabled`, `fallback`, `examples` and `private`"
            ),
            .optional(
                "origin",
                .either([
                    .word(["any"] + Origin.ofRoutes.map(\.rawValue)),
                    .list(.word(Origin.ofRoutes.map(\.rawValue)), []),
                ]),
                text: "the origins from which the route accepts navigations; default: any"
            ),
            .optional(
                "url",
                .either([.string, .list(.string, [])]),
                text:
                    "the pattern of the route's URLs, such as `/shows/:showId(int)`, or a list of patterns"
            ),
            .optional(
                "vanished",
                .word(["keep", "pop"]),
                text:
                    "what a reload does with the screens of the route if the new scripts do not have the route; default `keep`"
            ),
            .optional(
                "ready",
                .either([.name(of: .gate), .list(.name(of: .gate), [])]),
                text:
                    "names of gates; a navigation to this route waits until all of them are open, see `router.ready`"
            ),
            .optional(
                "atDialog",
                .word(DialogPolicy.allCases.map(\.rawValue)),
                text:
                    "what a deep link to this route does if it would put a screen on a dialog or remove the dialog; default: the `atDialog` of `router.options`"
            ),
            .optional(
                "private",
                .either([.name, .list(.name, [])]),
                text:
                    "names of parameters whose values appear as `•••` in events, logs, reports and snapshots"
            ),
            .optional(
                "examples",
                .list(.table, []),
                text: "examples of `info` tables, used by the documentation and by exploration"
            ),
            APIFunction.override,
        ],
        title: "Definition"
    )

    /// The table that contains the options of a group.
    static let group: APIType = .options(
        [
            .optional(
                "url",
                .string,
                text:
                    "the path that is put before the relative patterns of the group's routes; if this path is relative, the path of the outer group is put before it"
            ),
            .optional(
                "info",
                .table,
                text: "the parameters that all routes of the group have, and their types"
            ),
            intercept, from, via,
            .optional(
                "exclusive",
                .boolean,
                text:
                    "whether URLs of the origin in the group's `url` match only routes of the group; an origin can have only one exclusive group"
            ),
        ],
        title: "Group options"
    )

    private static func newContainer(
        _ name: String,
        _ kind: Screen.Kind,
        via action: String
    ) -> APIFunction {
        APIFunction(
            name,
            "Makes a step for `from` that finds an existing container of the kind `\(kind.rawValue)`, or builds an empty one.",
            parameters: [
                .optional(
                    "options",
                    .options(
                        [
                            .optional(
                                "class",
                                .name(of: .class),
                                text: "the class of the container; default: the name of its kind"
                            ),
                            find, via, from, intercept, update, after,
                        ],
                        title: "Container step"
                    ),
                    text: "the options"
                )
            ],
            results: "link",
            example: """
                router.register("Share", "show", {
                  build = function() return router.screen "Share" end,
                  via = "\(action)",
                  from = router.\(name) { via = "present", from = "current" },
                })
                """,
            steps: ["navigate Share/show", "expect modal \(kind.rawValue)[Share]"]
        ) { generation, arguments in
            let name = arguments.table(0)["class"].text
            let step = try Step(
                nil,
                at: arguments.location,
                arguments.definition(0),
                container: try generation.containerClass(kind, name),
                in: generation.router.tree
            )
            try generation.adopt(step)
            return [.value(Value(step))]
        }
    }

    /// The functions that create parts of a definition.
    static let functions: [APIFunction] = [
        APIFunction(
            "link",
            "Makes an unnamed step for `from`.",
            parameters: [
                .required(
                    "step",
                    .options(
                        [find, prepare, build, via, from, intercept, update, after, adapt],
                        title: "Step"
                    ),
                    text: "the step"
                )
            ],
            results: "link",
            example: """
                router.register("Player", "show", {
                  build = function() return router.screen "Player" end,
                  from = router.link { find = "Queue", build = function() return router.screen "Queue" end },
                })
                """,
            steps: ["navigate Player/show", "expect stack ... > Queue > Player"]
        ) { generation, arguments in
            let tree = generation.router.tree
            let step = try Step(nil, at: arguments.location, arguments.definition(0), in: tree)
            try generation.adopt(step)
            return [.value(Value(step))]
        },
        newContainer("newNav", .nav, via: "push"),
        newContainer("newTabs", .tabs, via: "addTab"),
        newContainer("newSplit", .split, via: "setAsPrimary"),
        APIFunction(
            "switch",
            "Makes a switch for `from`, which chooses the parent of a step: the parent of the first case that applies, otherwise the default.",
            parameters: [
                .required(
                    "cases",
                    .list(
                        .options(Switch.caseKeys, title: "Case"),
                        [
                            .optional(
                                "default",
                                From.type,
                                text: "the parent if no case applies"
                            )
                        ]
                    ),
                    text: "the cases, in order"
                )
            ],
            results: "switch",
            example: """
                router.register("Share", "show", {
                  build = function() return router.screen "Share" end,
                  from = router.switch {
                    { when = function(info) return info.id ~= nil end, from = { "Show", "open" } },
                    default = "current",
                  },
                })
                """,
            steps: ["navigate Share/show(id=7)", "expect stack ... > Show(id=7) > Share"]
        ) { generation, arguments in
            let choice = try Switch(arguments.table(0), at: arguments.location)
            return [.value(Value(choice))]
        },
        APIFunction(
            "presenting",
            "Makes a finder for the screen that presents the topmost level.",
            results: "finder",
            example: """
                router.navigate("Login", "show"):await()
                assert(router.find(router.presenting()) == router.root())
                """
        ) { _, _ in [.value(Value(Finder.presenter))] },
        APIFunction(
            "present",
            "Makes an action that presents a screen.",
            parameters: [
                .optional(
                    "options",
                    .options(Action.options(of: "present")),
                    text: "the options"
                )
            ],
            results: "action",
            example: """
                router.register("Share", "show", {
                  build = function() return router.screen "Share" end,
                  via = router.present { style = "sheet" },
                })
                """,
            steps: ["navigate Share/show", "expect modal Share"]
        ) { _, arguments in
            [.value(Value(Action(word: "present", options: arguments.table(0))))]
        },
        APIFunction(
            "addTab",
            "Makes an action that adds a tab.",
            parameters: [
                .optional(
                    "options",
                    .options(Action.options(of: "addTab")),
                    text: "the options"
                )
            ],
            results: "action",
            example: """
                router.register("Share", "show", {
                  build = function() return router.screen "Share" end,
                  via = router.addTab { at = 1 },
                })
                """,
            steps: [
                "given tabs[*nav[Home]]", "navigate Share/show",
                "expect tree tabs[*Share, nav[Home]]",
            ]
        ) { _, arguments in
            [.value(Value(Action(word: "addTab", options: arguments.table(0))))]
        },
        APIFunction(
            "action",
            "Declares an action.",
            parameters: [
                .required(
                    "name",
                    .newName(of: .action),
                    text: "the name of the action, used in `via`"
                ),
                .required(
                    "options",
                    .either([
                        .function,
                        .options([
                            .optional(
                                "needs",
                                .name(of: .class),
                                text:
                                    "the kind or class of the container that the action needs, at or above the starting screen; default: the starting screen itself, of any kind"
                            )
                        ]),
                    ]),
                    text: "the options; can be omitted"
                ),
                .optional(
                    "body",
                    .function,
                    text:
                        "`(place, screen, nav)`, which puts `screen` into the tree with `nav:act` or `nav:setChildren`"
                ),
            ],
            results: "action",
            use: .declaring,
            example: """
                router.action("pushBelow", { needs = "nav" }, function(stack, screen, nav)
                  local children = stack.children
                  table.insert(children, #children, screen)
                  nav:setChildren(stack, children)
                end)
                router.register("Share", "show", {
                  build = function() return router.screen "Share" end,
                  via = "pushBelow",
                })
                """,
            steps: ["navigate Share/show", "expect tree nav[Home, Share, Show(id=1)]"]
        ) { generation, arguments in
            try generation.declareAction(arguments)
            return [.value(Value(Action.declared(arguments.text(0))))]
        },
    ]
}
