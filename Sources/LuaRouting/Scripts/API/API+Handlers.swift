// SPDX-License-Identifier: MIT

/// Functions for route strings and their handlers.
extension APIFunction {
    static let handlers: [APIFunction] = [
        APIFunction(
            "handle",
            "Declares the destinations of route strings with the given identifiers: `identifier|{json object}`.",
            parameters: [
                .required(
                    "identifiers",
                    .either([.string, .list(.string, [])]),
                    text: "the text before the `|`, or a list of such texts"
                ),
                .required(
                    "options",
                    .either([
                        .function,
                        .options([
                            .optional(
                                "info",
                                .table,
                                text: "the parameters of the payload, and their types"
                            ),
                            override,
                        ]),
                    ]),
                    text: "the options; can be omitted"
                ),
                .optional(
                    "function",
                    .function,
                    text:
                        "`(route, from)` → service, task, info. `route` has the fields `identifier`, `info` and `text`. `from` is the requesting screen, or the visible one if there is none. If no info is returned, the payload is passed on. The function may set `router.state`, but must have no other effects"
                ),
            ],
            use: .declaring,
            example: """
                router.handle("show", { info = { id = "integer" } }, function(route)
                  return "Show", "open", route.info
                end)
                """,
            steps: ["open show|{\"id\":7}", "expect top Show(id=7)"]
        ) { generation, arguments in
            try generation.declareHandler(arguments)
            return []
        }
    ]
}
