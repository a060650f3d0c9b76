// SPDX-License-Identifier: MIT

/// The keys of definitions, and the functions that make their parts.
extension Step {
    /// An action.

    private static let find: APIParameter = .optional(
        "find",
        .either([
            .declaration([Finder.declarationName]), .name, .screen, .function,
            Finder.table,
        ]),
        "where an existing screen would be: a finder"
    )
    private static let build: APIParameter = .optional(
        "build",
        .either([.function, .screen, .declaration([Blueprint.declarationName])]),
        "`(info, nav)` → screen, or a tree to copy; else the steps behind create the screen"
    )
    private static let update: APIParameter = .optional(
        "update",
        .function,
        "`(screen, info, nav)`, on the screen found or built"
    )
    private static let via: APIParameter = .optional("via", viaType, "the action; else `push`")
    private static let from: APIParameter = .optional(
        "from",
        From.type,
        "the step behind, where the action is performed: \(From.text); else around what is visible"
    )
    private static let intercept: APIParameter = .optional(
        "intercept",
        .either([.name, .function, .list(.either([.name, .function]), [])]),
        "names of interceptors, or `(nav)` that lets pass or stops, or a list"
    )
    private static let after: APIParameter = .optional(
        "after",
        .function,
        "`(screen, info, nav)`, when all is applied"
    )

    private static let prepare: APIParameter = .optional(
        "prepare",
        .function,
        "`(info, nav)`, refuses before anything happens: by an error or `router.stop`; not called for a step that is found"
    )
    private static let adapt: APIParameter = .optional(
        "adapt",
        .function,
        "`(info, nav)` → the info of the steps behind"
    )

    /// The table that defines a route.
    static let definition: APIType = .options(
        [
            .optional("info", .table, "the parameters and their types"),
            .optional(
                "result",
                .any,
                "the type of the value with which its screen is closed, written as in `info`"
            ),
            find,
            .optional(
                "reuse",
                .any,
                "in place of `find`: `never` `class` `top`, `{ by =, move =, search =, start = }` or `(screen, info, nav)` → whether"
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
                "`(screen, value, nav)`, when a screen of this route has left"
            ),
            adapt,
            .optional(
                "needs",
                .either([.name, .list(.name, [])]),
                "names of dependencies, which its functions have in `nav.deps`"
            ),
            .optional(
                "enabled",
                .function,
                "`(info, nav)` → whether the route is switched on; else it always is"
            ),
            .optional(
                "fallback",
                .list(.name, []),
                "`{ service, task }`, the route that is taken where it is switched off"
            ),
            .optional(
                "origin",
                .either([
                    .word(["any"] + Origin.allCases.map(\.rawValue)),
                    .list(.word(Origin.allCases.map(\.rawValue)), []),
                ]),
                "who may ask; else anybody"
            ),
            .optional(
                "url",
                .either([.string, .list(.string, [])]),
                "the pattern of its URLs, such as `/shows/:showId(int)`, or a list"
            ),
            .optional(
                "vanished",
                .word(["keep", "pop"]),
                "what becomes of its screens when later scripts lack the route; else `keep`"
            ),
            .optional(
                "ready",
                .either([.name, .list(.name, [])]),
                "names of gates; a navigation waits until all are open, see `router.ready`"
            ),
            .optional(
                "private",
                .either([.name, .list(.name, [])]),
                "names of parameters whose values are `•••` in events, logs, reports and snapshots"
            ),
            .optional("examples", .list(.table, []), "tables of info, for documentation"),
            APIFunction.override,
        ],
        title: "Definition"
    )

    private static func newContainer(
        _ name: String,
        _ kind: Screen.Kind,
        via action: String
    ) -> APIFunction {
        APIFunction(
            name,
            "Makes a step that finds or builds an empty \(kind.rawValue), for `from`.",
            [
                .optional(
                    "options",
                    .options(
                        [
                            .optional("class", .name, "its class; else `\(kind.rawValue)`"),
                            find, via, from, intercept, update, after,
                        ],
                        title: "Container step"
                    ),
                    "what it is and where it is put"
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

    /// The functions that make the parts of a definition.
    static let functions: [APIFunction] = [
        APIFunction(
            "link",
            "Makes a step without a name, for `from`.",
            [
                .required(
                    "step",
                    .options(
                        [find, prepare, build, via, from, intercept, update, after, adapt],
                        title: "Step"
                    ),
                    "what the step does"
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
            "Picks the step behind, for `from`: the first case that holds, else the default.",
            [
                .required(
                    "cases",
                    .list(
                        .options(Switch.caseKeys),
                        [
                            .optional(
                                "default",
                                From.type,
                                "the parent if no case is true"
                            )
                        ]
                    ),
                    "the cases, in order"
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
            "Makes a finder of the screen that presents the topmost level.",
            results: "finder",
            example: """
                router.navigate("Login", "show"):await()
                assert(router.find(router.presenting()) == router.root())
                """
        ) { _, _ in [.value(Value(Finder.presenter))] },
        APIFunction(
            "present",
            "Makes an action that presents a screen.",
            [
                .optional(
                    "options",
                    .options([
                        .optional("style", .string, "how it is shown; else `fullScreen`"),
                        .optional("transition", .string, "how it comes; else `coverVertical`"),
                        .optional(
                            "start",
                            .either([
                                .declaration([Finder.declarationName]), .name, .screen, .function,
                                Finder.table,
                            ]),
                            "from where: `current`, `topmostParent` or a finder; else `current`"
                        ),
                        .optional(
                            "contextual",
                            .boolean,
                            "whether it covers only the place inside its container"
                        ),
                        .optional(
                            "size",
                            .options([
                                .required("width", .number, "in points"),
                                .required("height", .number, "in points"),
                            ]),
                            "its size; else the style's"
                        ),
                        .optional("modal", .boolean, "whether a person cannot swipe it away"),
                        .optional("options", .table, "whatever else the host understands"),
                    ]),
                    "how, and from where"
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
            [.value(Value(Action(kind: .present(PresentOptions(arguments.table(0))))))]
        },
        APIFunction(
            "addTab",
            "Makes an action that adds a tab.",
            [
                .optional(
                    "options",
                    .options([
                        .optional("at", .integer, "at which tab, from 1 on; else behind the last"),
                        .optional("replacing", .boolean, "whether the tab there goes"),
                    ]),
                    "where"
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
            let table = arguments.table(0)
            let index = table["at"].integer.map { Int(clamping: $0) }
            let isReplacing = table["replacing"].boolean ?? false
            return [.value(Value(Action(kind: .addTab(at: index, isReplacing: isReplacing))))]
        },
        APIFunction(
            "action",
            "Declares an action.",
            [
                .required("name", .name, "its name, for `via`"),
                .required(
                    "options",
                    .either([
                        .function,
                        .options([
                            .optional(
                                "needs",
                                .name,
                                "the kind or class of the container at or above the place; else the place itself"
                            )
                        ]),
                    ]),
                    "what it needs; may be left out"
                ),
                .optional(
                    "body",
                    .function,
                    "`(place, screen, nav)`, which uses `nav:act` and `nav:setChildren`"
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

extension PresentOptions {
    /// Reads what a script says, which is checked already.
    init(_ table: InfoTable) {
        self.init()
        presentation.isContextual = table["contextual"].boolean ?? false
        presentation.isModal = table["modal"].boolean ?? false
        if let style = table["style"].text { presentation.style = style }
        if let transition = table["transition"].text { presentation.transition = transition }
        if case .table(let size) = table["size"] {
            presentation.size = Screen.Presentation.Size(
                width: size["width"].double ?? 0,
                height: size["height"].double ?? 0
            )
        }
        if case .table(let options) = table["options"] { presentation.options = options }
        switch table["start"] {
        case .nil: start = .current
        case .string(let word) where word.text == "current": start = .current
        case .string(let word) where word.text == "topmostParent": start = .topmostParent
        case let finder: start = .finder(Finder(finder))
        }
    }
}
