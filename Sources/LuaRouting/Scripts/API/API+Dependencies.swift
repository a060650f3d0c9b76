// SPDX-License-Identifier: MIT

/// Functions that declare the providers of dependencies, and that return dependencies.
extension APIFunction {
    static let dependencies: [APIFunction] = [
        APIFunction(
            "provide",
            "Declares the function that provides a dependency. The function is called when the dependency is first needed, and the value is shared while a screen that received it is alive.",
            parameters: [
                .required(
                    "name",
                    .newName(of: .dependency),
                    text: "the name of the dependency, used in `needs` and `router.dependency`"
                ),
                .required(
                    "function",
                    .function,
                    text:
                        "`()` → the value, of any type; the function may set `router.state`, but must have no other effects"
                ),
                .optional("options", .options([override]), text: "the options"),
            ],
            use: .declaring,
            example: """
                router.provide("player", function() return { volume = 5 } end)
                router.register("Player", "show", {
                  needs = "player",
                  build = function(_, nav) return router.screen("Player", { volume = nav.deps.player.volume }) end,
                })
                """,
            steps: ["navigate Player/show", "expect top Player(volume=5)"]
        ) { generation, arguments in
            try generation.declareProvider(arguments)
            return []
        },
        APIFunction(
            "dependency",
            "Returns the value of a dependency: the shared value, or a new value, which is kept while the screens of the active navigation are alive.",
            parameters: [
                .required("name", .name(of: .dependency), text: "the name of the dependency")
            ],
            results: "value",
            use: .running,
            example: """
                router.provide("greeting", function() return "hello" end)
                router.export("greeting", function() return router.dependency "greeting" end)
                """,
            steps: ["call greeting", "expect result \"hello\""]
        ) { generation, arguments in
            [.reference(try generation.router.dependency(arguments.text(0)))]
        },
    ]
}
