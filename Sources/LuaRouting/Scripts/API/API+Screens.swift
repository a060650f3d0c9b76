// SPDX-License-Identifier: MIT

/// Making screens and declaring classes and the first tree.
extension APIFunction {
    private static func container(_ kind: Screen.Kind, _ text: String, _ keys: [APIParameter])
        -> APIFunction
    {
        let name = kind.rawValue
        let keys = keys + [.optional("class", .name, "another class of this kind; else `\(name)`")]
        return APIFunction(
            name,
            text,
            [.optional("children", .list(.screen, keys), "the screens in it")],
            results: "screen"
        ) { generation, arguments in
            [.value(try generation.makeContainer(kind, arguments.table(0)))]
        }
    }

    static let screens: [APIFunction] = [
        APIFunction(
            "screen",
            "Makes a detached screen.",
            [
                .required("class", .name, "its class"),
                .optional("fields", .table, "its data"),
            ],
            results: "screen"
        ) { generation, arguments in
            [.value(try generation.makeScreen(arguments.text(0), fields: arguments.table(1)))]
        },
        container(.nav, "Makes a detached stack.", []),
        container(
            .tabs,
            "Makes detached tabs.",
            [.optional("selected", .integer, "the selected tab, from 1 on; else 1")]
        ),
        container(.split, "Makes a detached split of a primary and a detail.", []),
        APIFunction(
            "class",
            "Declares a class of screens.",
            [
                .required("name", .name, "its name"),
                .required(
                    "declaration",
                    .options([
                        .optional("fields", .list(.name, []), "the names of its fields, in order"),
                        .optional(
                            "kind",
                            .word(Screen.Kind.allCases.map(\.rawValue)),
                            "what its screens do with others; else that of its name, or `leaf`"
                        ),
                        override,
                    ]),
                    "what it is"
                ),
            ]
        ) { generation, arguments in
            try generation.declareClass(arguments)
            return []
        },
        APIFunction(
            "start",
            "Declares the first tree.",
            [.required("build", .function, "`(info)` → screen")]
        ) { generation, arguments in
            try generation.declareStart(arguments)
            return []
        },
    ]
}
