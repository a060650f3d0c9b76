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
                    text: "the text before the bar, or a list of texts"
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
                        "`(route, from)` → service, task, info; `route` has `identifier` `info` `text`, `from` is the requesting screen, otherwise the visible one; without an info, the payload is passed on; it may set `router.state`, and has no other effects"
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
