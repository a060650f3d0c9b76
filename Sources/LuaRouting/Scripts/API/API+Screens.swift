// SPDX-License-Identifier: MIT

/// Functions that create screens, declare classes, or declare the first tree.
extension APIFunction {
    private static let children = "the screens in the container, or routes as `{ service, task }`"

    private static func container(
        _ kind: Screen.Kind,
        text: String,
        keys: [APIParameter],
        example: String
    ) -> APIFunction {
        let name = kind.rawValue
        let keys =
            keys + [
                .optional(
                    "class",
                    .name(of: .class),
                    text: "the class of the container; default `\(name)`"
                )
            ]
        return APIFunction(
            name,
            text,
            parameters: [.optional("children", .list(Blueprint.childType, keys), text: children)],
            results: "screen or tree",
            example: example
        ) { generation, arguments in
            let contents = arguments.table(0)
            let screenClass = try generation.containerClass(kind, contents["class"].text)
            return [.value(try generation.makeContainer(screenClass, contents))]
        }
    }

    static let screens: [APIFunction] = [
        APIFunction(
            "screen",
            "Makes a detached screen.",
            parameters: [
                .required("class", .name(of: .class), text: "the class of the screen"),
                .optional("fields", .table, text: "the values of the screen's fields"),
            ],
            results: "screen",
            example: """
                local show = router.screen("Show", { id = 2 })
                assert(show.id == 2 and not show.isAlive)
                """
        ) { generation, arguments in
            let (name, fields) = (arguments.text(0), arguments.table(1))
            let its = generation.declarations.state.classes[name]
            // Names that are not valid text are rejected below.
            for case (.string(let field), _) in fields.entries {
                if let field = field.text { try its.checkField(field) }
            }
            return [
                .value(try generation.makeScreen(name, fields: fields, at: arguments.location))
            ]
        },
        container(
            .nav,
            text: "Makes a detached stack.",
            keys: [],
            example: """
                local stack = router.nav { router.screen "Home", router.screen "Search" }
                assert(stack.children[2].class == "Search")
                """
        ),
        container(
            .tabs,
            text: "Makes detached tabs.",
            keys: [
                .optional(
                    "selected",
                    .integer,
                    text: "the number of the selected tab, starting at 1; default 1"
                )
            ],
            example: """
                local tabs = router.tabs { router.screen "Home", router.screen "Search", selected = 2 }
                router.openWindow("second", tabs):await()
                assert(router.visible("second").class == "Search")
                """
        ),
        container(
            .split,
            text: "Makes a detached split with a primary and a detail screen.",
            keys: [],
            example: """
                local split = router.split { router.screen "Inbox", router.screen "Message" }
                assert(split.children[2].class == "Message")
                """
        ),
        APIFunction(
            "container",
            "Makes a detached container of a declared class.",
            parameters: [
                .required("class", .name(of: .class), text: "the class of the container"),
                .optional(
                    "children",
                    .list(
                        Blueprint.childType,
                        [
                            .optional(
                                "selected",
                                .integer,
                                text: "the number of the selected child, starting at 1; default 1"
                            )
                        ]
                    ),
                    text: children
                ),
            ],
            results: "screen or tree",
            example: """
                router.class("Pager", { kind = "container", shows = "selected" })
                router.start(function()
                  return router.container("Pager", { router.screen "Home", router.screen "Search", selected = 2 })
                end)
                """,
            steps: ["restart", "start", "expect top Search"]
        ) { generation, arguments in
            let screenClass = generation.declarations.classes[arguments.text(0)]
            guard screenClass.kind == .container else {
                throw RouteError.wrongKind(screenClass, expected: .container)
            }
            return [.value(try generation.makeContainer(screenClass, arguments.table(1)))]
        },
        APIFunction(
            "class",
            "Declares a class of screens.",
            parameters: [
                .required("name", .newName(of: .class), text: "the name of the class"),
                .required(
                    "declaration",
                    .options([
                        .optional(
                            "fields",
                            .fieldNames,
                            text:
                                "the names of its fields, in order; parameters set only these fields. If a name has a type, as in `title = \"string?\"`, the value of the field is checked as in `info`, and scripts can set only declared fields"
                        ),
                        .optional(
                            "kind",
                            .word(Screen.Kind.allCases.map(\.rawValue)),
                            text:
                                "the kind of the screens; default: the kind with the same name as the class, or `leaf`"
                        ),
                        .optional(
                            "shows",
                            .word(Screen.Shows.allCases.map(\.rawValue)),
                            text: "which of its children a container shows; default `last`"
                        ),
                        .optional(
                            "max",
                            .integer,
                            text: "the maximum number of children; default: no limit"
                        ),
                        .optional(
                            "dismissible",
                            .either([.function, .boolean]),
                            text: "`(screen)` → whether the screen can be dismissed; default true"
                        ),
                        .optional(
                            "leaving",
                            .function,
                            text:
                                "`(nav, screen)` or `(nav, screen, proceed)`, an interceptor that is called before the screen is removed"
                        ),
                        .optional(
                            "guarded",
                            .function,
                            text:
                                "`(screen)` → whether `leaving` is called before the screen is removed, including by a user gesture; default: true if `leaving` is declared"
                        ),
                        .optional(
                            "reselected",
                            .either([.function, .boolean]),
                            text:
                                "for tabs: `(tabs, screen)`, called when the user taps the selected tab, `screen`; with false, nothing happens; by default the stack of the tab is popped to its first screen"
                        ),
                        .optional(
                            "foreign",
                            .word(ForeignPolicy.allCases.map(\.rawValue)),
                            text:
                                "for the kind `foreign`: what a navigation does while a screen of this class is on top of the navigation's window; default: the `foreign` of `router.options`"
                        ),
                        .optional(
                            "private",
                            .either([.name(of: .field), .list(.name(of: .field), [])]),
                            text:
                                "names of fields whose values appear as `•••` in events, logs, reports and snapshots"
                        ),
                        .optional(
                            "restore",
                            .function,
                            text:
                                "`(fields)` → fields, a screen, or nil to leave the screen out; called to restore a screen of this class from a snapshot; by default the screen is restored with its fields"
                        ),
                        .optional(
                            "offers",
                            .list(.string, []),
                            text:
                                "the routes to which controls on the screens lead, as `Service/task`; used by exploration and `luaroute graph`"
                        ),
                        override,
                    ]),
                    text: "the properties of the class"
                ),
            ],
            use: .declaring,
            example: """
                router.class("Draft", {
                  fields = { "text" },
                  dismissible = function(draft) return draft.text == nil end,
                })
                """,
            steps: [
                "given nav[Home, Draft(text=\"hello\")]", "back as leave",
                "expect leave error notDismissible",
            ]
        ) { generation, arguments in
            try generation.declareClass(arguments)
            return []
        },
        APIFunction(
            "start",
            "Declares the first tree.",
            parameters: [
                .required(
                    "build",
                    .either([.function, .list(.name(of: .target), [])]),
                    text:
                        "`(info)` → the root screen; or a route as `{ service, task }`, whose screen is put into a nav"
                )
            ],
            use: .declaring,
            example: """
                router.start(function() return router.nav { router.screen "Home" } end)
                """,
            steps: ["restart", "start", "expect tree nav[Home]"]
        ) { generation, arguments in
            try generation.declareStart(arguments)
            return []
        },
    ]
}
