// SPDX-License-Identifier: MIT

/// Functions that open and print URLs, and declare how URLs are matched.
extension APIFunction {
    /// The members of a navigation that describe its URL.
    package static let urlMembers: [NavigationMember] = [
        (
            "url", "the URL as given; nil for a navigation by name or by a route string",
            "nav.url == \"podcast://sample/7?ref=mail#top\""
        ),
        (
            "path",
            "the pattern that matched, as in the script; for an alias, the pattern of the route",
            "nav.path == \"/sample/:id(int)\""
        ),
        (
            "params",
            "the converted parameters by name; for a route string, its payload",
            "nav.params.id == 7"
        ),
        ("query", "the last value of each key of the query", "nav.query.ref == \"mail\""),
        (
            "queryItems", "all pairs of the query in order, a list of `{ key =, value = }`",
            "nav.queryItems[1].key == \"ref\""
        ),
        ("fragment", "the text after the `#`", "nav.fragment == \"top\""),
    ]

    static let urls: [APIFunction] = [
        APIFunction(
            "open",
            "Opens a URL with the route whose pattern matches best, or a route string, `identifier|{json}`, with its handler.",
            parameters: [
                .required("url", .string, text: "the URL, a bare path, or a route string"),
                .optional("options", navigationOptions, text: "the options"),
            ],
            results: "navigation",
            use: .acting,
            example: """
                router.open("podcast://shows/7"):await()
                assert(router.visible().id == 7)
                """
        ) { generation, arguments in
            guard case .string(let text) = arguments[0] else { return [] }
            return [try generation.begin(.url(text), arguments, options: 1, origin: .url)]
        },
        APIFunction(
            "links",
            "Declares the origins whose URLs the router opens. Can be called once; without a call, the router opens URLs of all origins.",
            parameters: [
                .required(
                    "origins",
                    .list(.string, []),
                    text:
                        "custom schemes, such as `podcast`, and web hosts, such as `https://podcasts.example`, `https://*.example.com` or `https://:tenant.example.com`, which gives each match the parameter `tenant`"
                ),
                .optional(
                    "options",
                    .options([
                        .optional(
                            "case",
                            .word(["exact", "ignore"]),
                            text:
                                "how upper and lower case are compared in the literals of patterns: `exact` for case-sensitive, `ignore` for case-insensitive; default `exact`"
                        )
                    ]),
                    text: "the options"
                ),
            ],
            use: .declaring,
            example: "router.links { \"podcast\", \"https://podcasts.example\" }",
            steps: [
                "open https://podcasts.example/shows/7", "expect top Show(id=7)",
                "open https://other.example/shows/7", "expect error notFound",
            ]
        ) { generation, arguments in
            try generation.declareOrigins(arguments)
            return []
        },
        APIFunction(
            "kind",
            "Declares a kind of URL parameter, used in patterns such as `/shows/:show(isbn)`.",
            parameters: [
                .required("name", .name, text: "the name of the kind"),
                .required(
                    "function",
                    .function,
                    text:
                        "`(text)` → the value, which may be `false`, or nil if the text is not a value of this kind; the function must have no effects"
                ),
            ],
            use: .declaring,
            example: """
                router.kind("code", function(text) return text:match "^%u+$" and text:lower() end)
                router.register("Gift", "open", {
                  url = "/gifts/:code(code)",
                  build = function(info) return router.screen("Gift", { code = info.code }) end,
                })
                """,
            steps: ["open podcast://gifts/SUMMER", "expect top Gift(code=summer)"]
        ) { generation, arguments in
            try generation.declareKind(arguments)
            return []
        },
        APIFunction(
            "rewrite",
            "Declares the function that changes URLs before they are matched. Can be called once. The original URL and the result must each have a declared origin, and the result is not rewritten again. The function must have no effects, and cannot wait.",
            parameters: [
                .required(
                    "function",
                    .function,
                    text:
                        "`(url)` → the URL to match instead, or nil to keep it; `nav.url` is the original URL"
                )
            ],
            use: .declaring,
            example: """
                router.rewrite(function(url)
                  return (url:gsub("^podcast://p/", "podcast://shows/"))
                end)
                """,
            steps: ["open podcast://p/7", "expect top Show(id=7)"]
        ) { generation, arguments in
            try generation.declareRewriting(arguments)
            return []
        },
        APIFunction(
            "alias",
            "Declares an old pattern as an alias for the pattern of a route.",
            parameters: [
                .required(
                    "old",
                    .string,
                    text:
                        "the old pattern; a parameter without a kind gets the kind from the new pattern"
                ),
                .required(
                    "new",
                    .string,
                    text:
                        "the pattern as declared for the route; kinds can be omitted if only one pattern fits. Values can replace parameters: `/books/popular` for `/books/:list`"
                ),
            ],
            use: .declaring,
            example: "router.alias(\"/program/:id(int)\", \"/shows/:id(int)\")",
            steps: ["open podcast://program/7", "expect top Show(id=7)"]
        ) { generation, arguments in
            try generation.declareAlias(arguments)
            return []
        },
        APIFunction(
            "url",
            "Returns the URL of a route. The URL is printed with the route's first pattern for which `info` has all parameters.",
            parameters: target + [.optional("info", .table, text: "the parameters")],
            results: "url",
            use: .running,
            example: "assert(router.url(\"Show\", \"open\", { id = 7 }) == \"/shows/7\")"
        ) { generation, arguments in
            let url = try generation.url(of: arguments.target(), arguments.table(2))
            return [.value(Value(url))]
        },
    ]
}
