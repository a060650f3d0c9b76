// SPDX-License-Identifier: MIT

/// URLs: what the router answers for, and what they lead to.
extension APIFunction {
    /// The fields of a navigation about its URL.
    static let urlMembers: [(name: String, text: String)] = [
        ("url", "the URL, as it came; nil for a navigation by name or by a route string"),
        ("path", "the pattern that matched, as the script writes it; of an alias the route's own"),
        (
            "params",
            "the parameters that the pattern reads, converted, by name; of a route string its payload"
        ),
        ("query", "the last value of each key of the query"),
        ("queryItems", "all pairs of the query in order, a list of `{ key =, value = }`"),
        ("fragment", "what follows the `#`"),
    ]

    static let urls: [APIFunction] = [
        APIFunction(
            "open",
            "Opens a URL: goes to the screen of the route that it matches best; or a route string, `identifier|{json}`: goes where its handler says.",
            [
                .required("url", .string, "the URL, a bare path, or a route string"),
                .optional("options", .options(navigationOptions), "what to do otherwise"),
            ],
            results: "navigation",
            use: .acting
        ) { generation, arguments in
            guard case .string(let text) = arguments[0] else { return [] }
            return [try generation.begin(.url(text), arguments, options: 1, origin: .url)]
        },
        APIFunction(
            "links",
            "Says what the router answers for, once; else it answers for every origin.",
            [
                .required(
                    "origins",
                    .list(.string, []),
                    "custom schemes, such as `podcast`, and web hosts, such as `https://podcasts.example`, `https://*.example.com` or `https://:tenant.example.com`, which gives each match the parameter `tenant`"
                ),
                .optional(
                    "options",
                    .options([
                        .optional(
                            "case",
                            .word(["exact", "ignore"]),
                            "whether literals of patterns are compared with their case; else `exact`"
                        )
                    ]),
                    "what to do otherwise"
                ),
            ],
            use: .declaring
        ) { generation, arguments in
            try generation.declareOrigins(arguments)
            return []
        },
        APIFunction(
            "kind",
            "Declares a kind of parameters, for patterns such as `/shows/:show(isbn)`.",
            [
                .required("name", .name, "its name"),
                .required(
                    "function",
                    .function,
                    "`(text)` → the value, which may be `false`, or nil if the text is not of the kind; it has no effects"
                ),
            ],
            use: .declaring
        ) { generation, arguments in
            try generation.declareKind(arguments)
            return []
        },
        APIFunction(
            "alias",
            "Has an old pattern stand for one that a route has.",
            [
                .required(
                    "old",
                    .string,
                    "the old pattern; parameters without a kind have those of the new one"
                ),
                .required(
                    "new",
                    .string,
                    "the pattern, as the route has it, without kinds if only one is meant; values may be in place of its parameters: `/books/popular` of `/books/:list`"
                ),
            ],
            use: .declaring
        ) { generation, arguments in
            try generation.declareAlias(arguments)
            return []
        },
        APIFunction(
            "url",
            "Prints the URL that leads to a route: by the first of its patterns that the info fills.",
            [
                .required("service", .name, "the service"),
                .required("task", .name, "its task"),
                .optional("info", .table, "the parameters"),
            ],
            results: "url",
            use: .running
        ) { generation, arguments in
            let url = try generation.url(of: arguments.target(), arguments.table(2))
            return [.value(Value(url))]
        },
    ]
}
