// SPDX-License-Identifier: MIT

/// Functions that read the tree.
extension APIFunction {
    private static let window: [APIParameter] = [
        .optional(
            "window",
            .name,
            text: "the window; default: the window of the navigation, otherwise `main`"
        )
    ]

    static let reading: [APIFunction] = [
        APIFunction(
            "root",
            "Returns the root screen of a window.",
            parameters: window,
            results: "screen?",
            example: "assert(router.root().kind == \"nav\")"
        ) {
            generation,
            arguments in
            let window = generation.window(arguments)
            return [.value(window.map { .screen($0.root) } ?? .nil)]
        },
        APIFunction(
            "topmost",
            "Returns the root screen of a window's topmost level.",
            parameters: window,
            results: "screen?",
            example: "assert(router.topmost() == router.root())"
        ) {
            generation,
            arguments in
            let window = generation.window(arguments)
            return [.value(window.map { .screen(generation.router.tree.topmost(of: $0)) } ?? .nil)]
        },
        APIFunction(
            "visible",
            "Returns the visible screen of a window.",
            parameters: window,
            results: "screen?",
            example: "assert(router.visible().class == \"Show\")"
        ) {
            generation,
            arguments in
            let window = generation.window(arguments)
            return [
                .value(window.map { .screen(generation.router.tree.visibleLeaf(of: $0)) } ?? .nil)
            ]
        },
        APIFunction(
            "windows",
            "Returns the names of the windows, in the order in which they were opened.",
            results: "table",
            example: "assert(router.windows()[1] == \"main\")"
        ) {
            generation,
            _ in
            let names = generation.router.tree.windows.map { Value($0.name) }
            return [.value(.table(InfoTable(list: names)))]
        },
        APIFunction(
            "find",
            "Finds a screen in the window of the navigation, or in all windows if the caller is not part of a navigation. Visible screens are searched first, then the others from the bottom up.",
            parameters: [
                .required(
                    "finder",
                    .either([
                        .declaration([Finder.declarationName]), .name(of: .class), .screen,
                        .function,
                        Finder.table,
                    ]),
                    text:
                        "a class, a screen, `(screen, info)` → whether the screen matches, or a table that describes the screen"
                ),
                .optional(
                    "info",
                    .table,
                    text: "the values that `by` and functions compare with the screen"
                ),
            ],
            results: "screen?",
            example: """
                local show = router.find({ class = "Show", by = "id" }, { id = 1 })
                assert(show == router.visible())
                """
        ) { generation, arguments in
            let finder = Finder(arguments[0])
            let found = try generation.router.find(finder, arguments.table(1))
            return [.value(found.map(Value.screen) ?? .nil)]
        },
    ]
}
