// SPDX-License-Identifier: MIT

/// What refuses scripts.
extension Finding.Code {
    static let unknownRoute = Finding.Code(
        "L0201",
        .error,
        "a route that nothing registers",
        """
        A definition, a tree or 'router.start' names a service and a task that nothing registers. \
        The way of every navigation through it would fail. What is named may be registered \
        anywhere in the scripts, also behind the line that names it.
        """,
        example: """
            router.register("Cart", "show", function() return router.screen("Cart") end)
            router.register("Payment", "show", {
              build = function() return router.screen("Payment") end,
              from = { "Card", "show" },
            })
            """,
        remedy: """
            router.register("Cart", "show", function() return router.screen("Cart") end)
            router.register("Payment", "show", {
              build = function() return router.screen("Payment") end,
              from = { "Cart", "show" },
            })
            """
    )

    static let taskAsRoute = Finding.Code(
        "L0202",
        .error,
        "a task where a route is expected",
        """
        What stands behind a step, or in a tree, is a screen. The name that is given is that of a \
        task, which has none.
        """,
        example: """
            router.registerTask("Cart", "load", function() return {} end)
            router.register("Payment", "show", {
              build = function() return router.screen("Payment") end,
              from = { "Cart", "load" },
            })
            """,
        remedy: """
            router.registerTask("Cart", "load", function() return {} end)
            router.register("Cart", "show", function() return router.screen("Cart") end)
            router.register("Payment", "show", {
              build = function() return router.screen("Payment") end,
              from = { "Cart", "show" },
            })
            """
    )

    static let unknownInterceptor = Finding.Code(
        "L0203",
        .error,
        "an interceptor that nothing declares",
        """
        A definition or 'router.interceptAll' names an interceptor that no 'router.interceptor' \
        declares. The route would stand open, or fail, depending on what it guards.
        """,
        example: """
            router.interceptor("login", function() end)
            router.register("Orders", "show", {
              build = function() return router.screen("Orders") end,
              intercept = "lgoin",
            })
            """,
        remedy: """
            router.interceptor("login", function() end)
            router.register("Orders", "show", {
              build = function() return router.screen("Orders") end,
              intercept = "login",
            })
            """
    )

    static let unknownAction = Finding.Code(
        "L0204",
        .error,
        "an action that nothing declares",
        """
        The 'via' of a step is neither an action that every script has, such as 'push', nor one \
        that 'router.action' declares.
        """,
        example: """
            router.register("Orders", "show", {
              build = function() return router.screen("Orders") end,
              via = "presentt",
            })
            """,
        remedy: """
            router.register("Orders", "show", {
              build = function() return router.screen("Orders") end,
              via = "present",
            })
            """
    )

    static let endlessWay = Finding.Code(
        "L0205",
        .error,
        "a way without a beginning",
        """
        Each of these steps stands on another one of them, so none can be the first. A way begins \
        where a step has no 'from', or one that is a location or a finder, or where the step itself \
        may be found ('find', or a 'reuse' with 'search').
        """,
        example: """
            router.register("Cart", "show", {
              build = function() return router.screen("Cart") end,
              from = { "Payment", "show" },
            })
            router.register("Payment", "show", {
              build = function() return router.screen("Payment") end,
              from = { "Cart", "show" },
            })
            """,
        remedy: """
            router.register("Cart", "show", {
              build = function() return router.screen("Cart") end,
            })
            router.register("Payment", "show", {
              build = function() return router.screen("Payment") end,
              from = { "Cart", "show" },
            })
            """
    )

    static let endlessTree = Finding.Code(
        "L0206",
        .error,
        "a tree that stands inside itself",
        """
        The tree that a route builds holds the screens of other routes, and one of them, directly \
        or through others, holds the tree again.
        """,
        example: """
            router.register("Main", "show", { build = router.nav{ { "Home", "show" } } })
            router.register("Home", "show", { build = router.tabs{ { "Main", "show" } } })
            """,
        remedy: """
            router.register("Main", "show", { build = router.nav{ { "Home", "show" } } })
            router.register("Home", "show", { build = router.screen("Home") })
            """
    )

    package static let badPattern = Finding.Code(
        "L0207",
        .error,
        "a URL pattern that cannot be read",
        """
        The text is no pattern of URLs: the message says at which column and why. Kinds in \
        parentheses are 'int', 'uint', 'number', 'uuid', 'slug', 'date', alternatives such as \
        'a|b', or declared by 'router.kind'.
        """,
        example: """
            router.register("Show", "open", {
              info = { id = "integer" },
              url = "/shows/:id(integer)",
              build = function() return router.screen("Show") end,
            })
            """,
        remedy: """
            router.register("Show", "open", {
              info = { id = "integer" },
              url = "/shows/:id(int)",
              build = function() return router.screen("Show") end,
            })
            """
    )

    package static let ambiguousPattern = Finding.Code(
        "L0208",
        .error,
        "two URL patterns that match the same URLs",
        """
        Two patterns have the same shape, so nothing says which of them wins; the order of \
        registration does not count. Names of parameters make no difference, and neither do \
        optional parts where they are left out.
        """,
        example: """
            router.register("Show", "open", {
              info = { id = "string" },
              url = "/shows/:id",
              build = function() return router.screen("Show") end,
            })
            router.register("Show", "list", {
              info = { genre = "string" },
              url = "/shows/:genre",
              build = function() return router.screen("Shows") end,
            })
            """,
        remedy: """
            router.register("Show", "open", {
              info = { id = "string" },
              url = "/shows/:id",
              build = function() return router.screen("Show") end,
            })
            router.register("Show", "list", {
              info = { genre = "string" },
              url = "/genres/:genre/shows",
              build = function() return router.screen("Shows") end,
            })
            """
    )

    package static let badAlias = Finding.Code(
        "L0209",
        .error,
        "an alias that stands for no pattern",
        """
        The second argument of 'router.alias' is the 'url' of a route, with or without the kinds of \
        its parameters, but no other route has the same without them. The first has all the \
        parameters that it requires, of the same kinds or without one.
        """,
        example: """
            router.register("Show", "open", {
              info = { id = "integer" },
              url = "/shows/:id(int)",
              build = function() return router.screen("Show") end,
            })
            router.alias("/s/:id(int)", "/show/:id(int)")
            """,
        remedy: """
            router.register("Show", "open", {
              info = { id = "integer" },
              url = "/shows/:id(int)",
              build = function() return router.screen("Show") end,
            })
            router.alias("/s/:id(int)", "/shows/:id(int)")
            """
    )

    static let leafBuildsNothing = Finding.Code(
        "L0210",
        .error,
        "a route in a tree that builds nothing",
        """
        A tree is built anew each time, with a new screen for each of its routes. This route has \
        no 'build': it can only be found.
        """,
        example: """
            router.register("Home", "show", { find = "Home" })
            router.register("Main", "show", { build = router.tabs{ { "Home", "show" } } })
            """,
        remedy: """
            router.register("Home", "show", { find = "Home", build = router.screen("Home") })
            router.register("Main", "show", { build = router.tabs{ { "Home", "show" } } })
            """
    )

    static let nothingRegistered = Finding.Code(
        "L0211",
        .error,
        "nothing is registered",
        """
        The scripts ran to their end and declared no route, no task and no first tree. Half of a \
        file is often valid Lua: this is how one is told that was read while it was being written.
        """,
        example: """
            local register = router.register
            """,
        remedy: """
            local register = router.register
            register("Home", "show", function() return router.screen("Home") end)
            """
    )

    static let loadFailed = Finding.Code(
        "L0301",
        .error,
        "a script does not load",
        """
        The text is no Lua, or it raised an error while it ran. Nothing that stands behind that \
        line was looked at.
        """,
        example: """
            router.register("Home", "show", function() return router.screen("Home") end
            """,
        remedy: """
            router.register("Home", "show", function() return router.screen("Home") end)
            """
    )

    static let loadOverBudget = Finding.Code(
        "L0401",
        .error,
        "a script broke its budget as it loaded",
        """
        What loading may spend, in instructions, time and memory, is bounded; the host sets it, and \
        '--budget' does for the command. Scripts register, and do their work when they are called.
        """,
        example: """
            while true do end
            """,
        remedy: """
            router.register("Home", "show", function() return router.screen("Home") end)
            """
    )

    static let mistakes: [Finding.Code] = [
        unknownRoute, taskAsRoute, unknownInterceptor, unknownAction, endlessWay, endlessTree,
        badPattern, ambiguousPattern, badAlias, leafBuildsNothing, nothingRegistered,
    ]
    static let failures: [Finding.Code] = [loadFailed, loadOverBudget]
}
