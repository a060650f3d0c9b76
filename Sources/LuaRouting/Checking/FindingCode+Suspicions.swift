// SPDX-License-Identifier: MIT

/// What is suspicious, and does not keep scripts from loading.
extension Finding.Code {
    static let unknownService = Finding.Code(
        "L0101",
        .warning,
        "a service that nothing registers",
        """
        The 'only' or 'except' of 'router.interceptAll' names a service of which nothing is \
        registered. An 'only' that is misspelt guards nothing, and an 'except' spares nobody. Where 'router.fallback' makes \
        screens, any service may be meant, and this is not told.
        """,
        example: """
            router.interceptor("login", function() end)
            router.interceptAll("login", { only = { "Order" } })
            router.register("Orders", "show", function() return router.screen("Orders") end)
            """,
        remedy: """
            router.interceptor("login", function() end)
            router.interceptAll("login", { only = { "Orders" } })
            router.register("Orders", "show", function() return router.screen("Orders") end)
            """
    )

    static let suspicions: [Finding.Code] = [unknownService]
}
