// SPDX-License-Identifier: MIT

/// Functions that open and close windows.
extension APIFunction {
    static let windows: [APIFunction] = [
        APIFunction(
            "openWindow",
            "Opens a window and adds it at the end of the list of windows.",
            parameters: [
                .required(
                    "name",
                    .name,
                    text: "the name of the window; the first window is `main`"
                ),
                .required(
                    "screen",
                    .screen,
                    text: "the root screen of the window; it must be detached"
                ),
                .optional("options", .options([animated]), text: "the options"),
            ],
            results: "navigation",
            use: .acting,
            example: """
                router.openWindow("second", router.nav { router.screen "Search" }):await()
                assert(router.visible("second").class == "Search")
                """
        ) { generation, arguments in
            guard let screen = arguments.screen(1) else { return [] }
            let name = arguments.text(0)
            let request = Act<ScreenID>.openWindow(name, screen)
            return [try generation.begin(request, arguments, options: 2, window: name)]
        },
        APIFunction(
            "closeWindow",
            "Closes a window, unless it is the only one, and cancels its pending navigations.",
            parameters: [
                .required("name", .name, text: "the name of the window"),
                .optional("options", .options([animated, force]), text: "the options"),
            ],
            results: "navigation",
            use: .acting,
            example: """
                router.openWindow("second", router.screen "Search"):await()
                router.closeWindow("second"):await()
                assert(#router.windows() == 1)
                """
        ) { generation, arguments in
            let name = arguments.text(0)
            return [
                try generation.begin(.closeWindow(name), arguments, options: 1, window: name)
            ]
        },
    ]
}
