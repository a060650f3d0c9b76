// SPDX-License-Identifier: MIT

/// The keys of definitions, and the functions that create parts of definitions.
extension Step {
    /// The keys that several tables have.

    private static let find: APIParameter = .optional(
        "find",
        .either([
            .declaration([Finder.declarationName]), .name(of: .class), .screen, .function,
            Finder.table,
        ]),
        text: "a finder of an existing screen"
    )
    private static let build: APIParameter = .optional(
        "build",
        .either([.function, .screen, .declaration([Blueprint.declarationName])]),
        text:
            "`(info, nav)` → screen, or a tree to copy; without `build`, the parent steps create the screen. Parameters then become the fields of the same names that the class declares. If the class declares no fields, all parameters become fields of a copied screen"
    )
    private static let update: APIParameter = .optional(
        "update",
        .function,
        text: "`(screen, info, nav)`, on the screen found or built"
    )
    private static let via: APIParameter = .optional(
        "via",
        viaType,
        text: "the action; default `push`"
    )
    private static let from: APIParameter = .optional(
        "from",
        From.type,
        text: "the parent, where the action is performed: \(From.text); default: the visible place"
    )
    private static let intercept: APIParameter = .optional(
        "intercept",
        .either([
            .name(of: .interceptor), .function,
            .list(.either([.name(of: .interceptor), .function]), []),
        ]),
        text:
            "names of interceptors, or `(nav)`, which lets the navigation proceed or stops it, or a list of these"
    )
    private static let after: APIParameter = .optional(
        "after",
        .function,
        text: "`(screen, info, nav)`, after the commit"
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
        text: "`(info, nav)` → the info of the parent steps"
    )

    /// The table that defines a route.
    static let definition: APIType = .options(
        [
            .optional(
                "info",
                .table,
                text:
                    "the parameters and their types. Without `info`, any parameter is accepted; the parameters in `url` are known"
            ),
            .optional(
                "result",
                .any,
                text: "the type of the value with which its screen is closed, written as in `info`"
            ),
            find,
            .optional(
                "reuse",
                .any,
                text:
                    "used instead of `find`: `never`, `class`, `top`, `{ by =, move =, search =, start = }`, or `(screen, info, nav)` → whether to reuse the screen. Without `search` or `start`, only the existing stack on which the action pushes is searched. With `present` or `presentWithNav` there is no such stack, so use `find` or `{ search = \"fullStack\" }`"
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
                text: "`(info, nav)` → whether the feature flag of the route is on; default: always"
            ),
            .optional(
                "fallback",
                .list(.name(of: .target), []),
                text: "`{ service, task }`, the route to use if the flag is off"
            ),
            .optional(
                "redirect",
                .table,
                text:
                    "`{ service, task }`, the route to use instead of this one, or `{ to = { targets }, pick = }` with `pick(info, nav)` → one of the targets. The target gets the parameters that it declares. A definition with `redirect` can have only the keys `info`, `url`, `origin`, `enabled`, `fallback`, `examples` and `private` besides"
            ),
            .optional(
                "origin",
                .either([
                    .word(["any"] + Origin.ofRoutes.map(\.rawValue)),
                    .list(.word(Origin.ofRoutes.map(\.rawValue)), []),
                ]),
                text: "the origins that may navigate to it; default: any"
            ),
            .optional(
                "url",
                .either([.string, .list(.string, [])]),
                text: "the pattern of its URLs, such as `/shows/:showId(int)`, or a list"
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
                    "what a link to this route does at a dialog; default: the `atDialog` of `router.options`"
            ),
            .optional(
                "private",
                .either([.name, .list(.name, [])]),
                text:
                    "names of parameters whose values are `•••` in events, logs, reports and snapshots"
            ),
            .optional(
                "examples",
                .list(.table, []),
                text: "tables of info, for documentation and exploration"
            ),
            APIFunction.override,
        ],
        title: "Definition"
    )

    /// The table of options of a group.
    static let group: APIType = .options(
        [
            .optional(
                "url",
                .string,
                text:
                    "the path that relative patterns of its routes continue; in a group, a relative path continues the path of the outer group"
            ),
            .optional(
                "info",
                .table,
                text: "parameters that all of its routes have, and their types"
            ),
            intercept, from, via,
            .optional(
                "exclusive",
                .boolean,
                text:
                    "whether URLs of the origin in the group's `url` match only routes of the group; an origin can have only one such group"
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
            "Makes a step that finds or builds an empty \(kind.rawValue), for `from`.",
            parameters: [
                .optional(
                    "options",
                    .options(
                        [
                            .optional(
                                "class",
                                .name(of: .class),
                                text: "its class; default: the name of its kind"
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
            "Makes a step without a name, for `from`.",
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
            "Chooses the parent of a step, for `from`: the first case that is true, otherwise the default.",
            parameters: [
                .required(
                    "cases",
                    .list(
                        .options(Switch.caseKeys, title: "Case"),
                        [
                            .optional(
                                "default",
                                From.type,
                                text: "the parent if no case is true"
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
            "Makes a finder that finds the screen that presents the topmost level.",
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
                .required("name", .newName(of: .action), text: "its name, for `via`"),
                .required(
                    "options",
                    .either([
                        .function,
                        .options([
                            .optional(
                                "needs",
                                .name(of: .class),
                                text:
                                    "the kind or class of the container at or above the starting screen; default: that screen itself"
                            )
                        ]),
                    ]),
                    text: "the options; can be omitted"
                ),
                .optional(
                    "body",
                    .function,
                    text: "`(place, screen, nav)`, which uses `nav:act` and `nav:setChildren`"
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
