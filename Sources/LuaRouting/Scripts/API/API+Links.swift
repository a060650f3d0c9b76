// SPDX-License-Identifier: MIT

/// Functions for queued deep links, their routings, and gates.
extension APIFunction {
    private static let url: APIParameter = .required(
        "url",
        .string,
        text: "the URL, or a bare path"
    )
    static let gate: [APIParameter] = [
        .required(
            "gate",
            .name(of: .gate),
            text:
                "the name of the gate, as written in `ready` of definitions; only the router opens and closes `started` and `foreign`"
        )
    ]

    static let links: [APIFunction] = [
        APIFunction(
            "routing",
            "Declares a routing: a pattern for deep links, with an action that can be set later.",
            parameters: [
                .required("pattern", .string, text: "the pattern, as in `url`"),
                .optional("options", .options([override]), text: "the options"),
            ],
            results: "routing",
            use: .declaring,
            example: """
                local gifts = router.routing "/gifts/:code"
                gifts:setAction(function(request) router.state.gift = request.parameters.code end)
                """,
            steps: ["dispatch podcast://gifts/SUMMER", "expect state.gift = \"SUMMER\""]
        ) { generation, arguments in
            [.routing(try generation.declareRouting(arguments))]
        },
        APIFunction(
            "dispatch",
            "Dispatches a deep link to the routing that matches best. The action of the routing runs in the next turn; if there is no action, the deep link is queued.",
            parameters: [
                url,
                .optional(
                    "options",
                    .options([
                        .optional(
                            "timeout",
                            .number,
                            text:
                                "the maximum time that the deep link may be queued, in seconds; `math.huge` or nil: no limit"
                        ),
                        .optional(
                            "key",
                            .string,
                            text:
                                "the key of the deep link; a queued deep link with the same key is replaced"
                        ),
                        .optional(
                            "persist",
                            .boolean,
                            text: "whether a snapshot contains the deep link while it is queued"
                        ),
                    ]),
                    text: "the options"
                ),
            ],
            results: "ticket, or nil, reason",
            use: .acting,
            example: """
                local ticket = router.dispatch("/promo/SUMMER", { timeout = 60 })
                assert(ticket.status == "pending")
                ticket:cancel()
                """
        ) { generation, arguments in
            try generation.dispatch(arguments)
        },
        APIFunction(
            "cancelLinks",
            "Cancels all queued deep links. A single event `link` reports all of them.",
            use: .acting,
            example: """
                local ticket = router.dispatch "/promo/SUMMER"
                router.cancelLinks()
                assert(ticket.status == "cancelled")
                """
        ) { generation, _ in
            try generation.router.checkStage(of: "'router.cancelLinks'")
            generation.router.withdrawLinks()
            return []
        },
        APIFunction(
            "ready",
            "Opens a gate. Navigations that wait for the gate continue: their routes name it in `ready`.",
            parameters: gate,
            use: .acting,
            example: """
                local profile = router.navigate("Profile", "show")
                router.ready "session"
                assert(profile:await())
                """
        ) { generation, arguments in
            try generation.router.checkStage(of: "'router.ready'")
            try generation.router.openGate(arguments.text(0))
            return []
        },
        APIFunction(
            "unready",
            "Closes a gate. Navigations that have already passed the gate continue. With `leave = true`, they wait at the gate again, and the screens that were built by routes with this gate are removed in all windows, together with the screens above them; `leaving` is not called. If the root of `main` is removed, `router.start` builds a new tree. A modal of the host, such as an alert, stays if the screen that presents it stays.",
            parameters: gate + [
                .optional(
                    "options",
                    .options([
                        animated,
                        .optional(
                            "leave",
                            .boolean,
                            text:
                                "whether the screens that were built by routes with this gate are removed; default false"
                        ),
                    ]),
                    text: "the options"
                )
            ],
            results: "navigation or nil",
            use: .acting,
            example: """
                router.ready "session"
                router.unready "session"
                local profile = router.navigate("Profile", "show")
                assert(profile.status == "pending")
                profile:cancel()
                router.unready("session", { leave = true }):await()
                """
        ) { generation, arguments in
            try generation.router.checkStage(of: "'router.unready'")
            let gate = arguments.text(0)
            guard arguments.table(1)["leave"].boolean == true else {
                try generation.router.closeGate(gate)
                return []
            }
            try generation.router.closeGateAgain(gate)
            return [try generation.begin(.unready(gate), arguments, options: 1)]
        },
    ]

    /// The methods of a routing, such as `routing:setAction(…)`.
    static let routing: [APIFunction] = [
        APIFunction(
            "setAction",
            "Sets the action for matching deep links, including queued ones.",
            parameters: [
                .required(
                    "action",
                    .function,
                    text:
                        "`(request)` → any value; `request` has the fields `url`, `parameters`, `pathParameters`, `queryParameters` and `origin`. The action may wait; the next link of this routing then waits until the action has ended"
                )
            ],
            results: "routing",
            use: .declaring,
            example: """
                router.routing("/latest/:id(int)"):setAction(function(request)
                  router.navigate("Show", "open", { id = request.parameters.id })
                end)
                """,
            steps: ["dispatch podcast://latest/7", "expect top Show(id=7)"]
        ) { generation, arguments in
            guard let routing = arguments.routing else { return [] }
            routing.action = arguments[0].luaFunction
            return [.routing(routing)]
        },
        APIFunction(
            "unsetAction",
            "Removes the action if it is still the given one; matching deep links are then queued.",
            parameters: [.required("action", .function, text: "the action that was set")],
            results: "boolean",
            use: .declaring,
            example: """
                local gifts = router.routing "/gifts/:code"
                local function accept(request) router.state.gift = request.parameters.code end
                gifts:setAction(accept)
                gifts:unsetAction(accept)
                """,
            steps: ["dispatch podcast://gifts/SUMMER", "cancel links", "expect cancelled"]
        ) { generation, arguments in
            guard let routing = arguments.routing, let action = arguments[0].luaFunction else {
                return []
            }
            return [.value(.boolean(generation.unsetAction(of: routing, action)))]
        },
    ]

    /// The methods of a ticket, such as `ticket:cancel()`.
    static let ticket: [APIFunction] = [
        APIFunction(
            "cancel",
            "Cancels the deep link, unless it has ended or its action is running.",
            results: "boolean",
            use: .acting,
            example: """
                local ticket = router.dispatch "/promo/SUMMER"
                assert(ticket:cancel() and ticket.status == "cancelled")
                """
        ) { generation, arguments in
            guard let link = arguments.link else { return [] }
            try generation.router.checkStage(of: "'cancel' of a ticket")
            return [.value(.boolean(generation.router.withdraw(link)))]
        }
    ]

    /// The fields of a ticket.
    static let ticketMembers: [APIMember] = [
        ("status", "`pending`, `done`, `failed` or `cancelled`"),
        ("url", "the URL as it was dispatched"),
    ]
}

extension Arguments {
    var routing: Routing? {
        if case .routing(let routing)? = owner { routing } else { nil }
    }

    var link: QueuedLink? {
        if case .link(let link)? = owner { link } else { nil }
    }
}

extension Router {
    /// Throws an error if a navigation is building screens, because a rollback cannot undo `what`.
    func checkStage(of what: String) throws(RouteError) {
        if case .staging = turn { throw .calledWhileBuilding(what) }
    }
}
