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

    static let unused = Finding.Code(
        "L0102",
        .warning,
        "a declaration that nothing names",
        """
        An interceptor, an action or a kind of URL parameters is declared, and no definition names it. \
        An interceptor that is named nowhere guards nothing. Functions of scripts are not run to see what \
        they name: this is told only where the name stands in quotes nowhere else.
        """,
        example: """
            router.interceptor("login", function() end)
            router.register("Orders", "show", { build = router.screen("Orders") })
            """,
        remedy: """
            router.interceptor("login", function() end)
            router.register("Orders", "show", { build = router.screen("Orders"), intercept = "login" })
            """
    )

    static let droppedParameter = Finding.Code(
        "L0103",
        .warning,
        "a parameter of a URL that is dropped",
        """
        A definition that declares 'info' gets nothing else: what the URL has and 'info' has not is left \
        out. Functions that take the navigation still find it in 'nav.params'; this is told where none of \
        the definition's does, or where another parameter was probably meant.
        """,
        example: """
            router.register("Show", "open", {
              info = { showId = "integer" },
              url = "/shows/:showId(int)?sort=:sort?",
              build = function(info) return router.screen("Show") end,
            })
            """,
        remedy: """
            router.register("Show", "open", {
              info = { showId = "integer", sort = "string?" },
              url = "/shows/:showId(int)?sort=:sort?",
              build = function(info) return router.screen("Show") end,
            })
            """
    )

    static let missingParameter = Finding.Code(
        "L0104",
        .warning,
        "a parameter that a URL does not give",
        """
        The definition requires a parameter that the URL does not have, or may leave out. Such a URL \
        matches, and its navigation fails with 'badInfo'.
        """,
        example: """
            router.register("Show", "open", {
              info = { showId = "integer", tab = "string" },
              url = "/shows/:showId(int)/:tab?",
              build = function(info) return router.screen("Show") end,
            })
            """,
        remedy: """
            router.register("Show", "open", {
              info = { showId = "integer", tab = "string?" },
              url = "/shows/:showId(int)/:tab?",
              build = function(info) return router.screen("Show") end,
            })
            """
    )

    static let otherParameter = Finding.Code(
        "L0105",
        .warning,
        "a parameter of a URL that never fits",
        """
        What a URL gives is a string, unless its kind in parentheses says otherwise: 'int', 'uint' and \
        'number' give numbers. Nothing is converted behind that, so the navigation fails with 'badInfo'.
        """,
        example: """
            router.register("Show", "open", {
              info = { showId = "integer" },
              url = "/shows/:showId",
              build = function(info) return router.screen("Show") end,
            })
            """,
        remedy: """
            router.register("Show", "open", {
              info = { showId = "integer" },
              url = "/shows/:showId(int)",
              build = function(info) return router.screen("Show") end,
            })
            """
    )

    static let badExample = Finding.Code(
        "L0106",
        .warning,
        "an example that its own declaration refuses",
        """
        One of the 'examples' of a definition is no 'info' that it would take. Functions that check a \
        parameter are not run for this.
        """,
        example: """
            router.register("Show", "open", {
              info = { showId = "integer" },
              examples = { { showId = "7" } },
              build = function(info) return router.screen("Show") end,
            })
            """,
        remedy: """
            router.register("Show", "open", {
              info = { showId = "integer" },
              examples = { { showId = 7 } },
              build = function(info) return router.screen("Show") end,
            })
            """
    )

    static let closedToURLs = Finding.Code(
        "L0107",
        .warning,
        "a URL that no URL may ask for",
        """
        The definition has a 'url', and an 'origin' with neither 'url' nor 'external': each URL that \
        matches ends with 'forbidden'.
        """,
        example: """
            router.register("Payment", "show", {
              url = "/payment",
              origin = { "script" },
              build = router.screen("Payment"),
            })
            """,
        remedy: """
            router.register("Payment", "show", {
              origin = { "script" },
              build = router.screen("Payment"),
            })
            """
    )

    static let unexpectedClass = Finding.Code(
        "L0108",
        .warning,
        "a class that is not expected",
        """
        Where 'router.expects' lists 'screens', no other class can be made, and a finder that looks for \
        another one finds nothing.
        """,
        example: """
            router.expects{ screens = { "Show", "Player" } }
            router.register("Show", "open", {
              find = "Shwo",
              build = function() return router.screen("Show") end,
            })
            """,
        remedy: """
            router.expects{ screens = { "Show", "Player" } }
            router.register("Show", "open", {
              find = "Show",
              build = function() return router.screen("Show") end,
            })
            """
    )

    static let unreachablePattern = Finding.Code(
        "L0109",
        .warning,
        "a URL pattern that no URL reaches",
        """
        All URLs that the pattern matches go elsewhere. Of two patterns that match one URL the \
        segments decide, from the first on: a literal goes before a parameter with a kind, that \
        before one of plain text, and that before a tail. Or the pattern is for an origin that \
        'router.links' does not list.
        """,
        example: """
            router.register("Page", "show", {
              info = { name = { "about", "news" } },
              url = "/:name(about|news)",
              build = function(info) return router.screen("Page") end,
            })
            router.register("About", "show", { url = "/about", build = router.screen("About") })
            router.register("News", "show", { url = "/news", build = router.screen("News") })
            """,
        remedy: """
            router.register("Page", "show", {
              info = { name = { "imprint", "terms" } },
              url = "/:name(imprint|terms)",
              build = function(info) return router.screen("Page") end,
            })
            router.register("About", "show", { url = "/about", build = router.screen("About") })
            router.register("News", "show", { url = "/news", build = router.screen("News") })
            """
    )

    static let fallbackCircle = Finding.Code(
        "L0110",
        .warning,
        "fallbacks in a circle",
        """
        Each of these routes is taken where the one before it is switched off. With all of them off, a \
        navigation ends with 'redirectLoop'; a last one that is always on would be shown.
        """,
        example: """
            local function off() return false end
            local function build() return router.screen("Page") end
            router.register("New", "show", {
              enabled = off, fallback = { "Old", "show" }, build = build,
            })
            router.register("Old", "show", {
              enabled = off, fallback = { "New", "show" }, build = build,
            })
            """,
        remedy: """
            local function off() return false end
            local function build() return router.screen("Page") end
            router.register("New", "show", {
              enabled = off, fallback = { "Old", "show" }, build = build,
            })
            router.register("Old", "show", { build = build })
            """
    )

    static let unknownDependency = Finding.Code(
        "L0111",
        .warning,
        "a dependency that nobody provides",
        """
        The definition needs what no 'router.provide' makes, and what 'router.expects' does not ask of \
        the host: each navigation there ends with 'missingDependency'.
        """,
        example: """
            router.provide("session", function() return { user = "ann" } end)
            router.register("Orders", "show", {
              needs = { "sesion" },
              build = function(info, nav) return router.screen("Orders") end,
            })
            """,
        remedy: """
            router.provide("session", function() return { user = "ann" } end)
            router.register("Orders", "show", {
              needs = { "session" },
              build = function(info, nav) return router.screen("Orders") end,
            })
            """
    )

    static let nearlyAnotherGate = Finding.Code(
        "L0112",
        .warning,
        "a gate whose name is nearly that of another",
        """
        A gate has no declaration: whoever misspells its name waits at a gate that nobody opens.
        """,
        example: """
            local function build() return router.screen("Page") end
            router.register("Orders", "show", { ready = "session", build = build })
            router.register("Account", "show", { ready = "session", build = build })
            router.register("Wishes", "show", { ready = "sesion", build = build })
            """,
        remedy: """
            local function build() return router.screen("Page") end
            router.register("Orders", "show", { ready = "session", build = build })
            router.register("Account", "show", { ready = "session", build = build })
            router.register("Wishes", "show", { ready = "session", build = build })
            """
    )

    static let missingFallback = Finding.Code(
        "L0113",
        .warning,
        "a flag without a fallback",
        """
        Where 'enabled' says no, a navigation takes the route that 'fallback' names. Without one it ends \
        with 'disabled', and whoever asked sees nothing.
        """,
        example: """
            local function isOn() return router.state.redesign end
            local function build() return router.screen("Page") end
            router.register("New", "show", { enabled = isOn, build = build })
            router.register("Old", "show", { build = build })
            """,
        remedy: """
            local function isOn() return router.state.redesign end
            local function build() return router.screen("Page") end
            router.register("New", "show", {
              enabled = isOn, fallback = { "Old", "show" }, build = build,
            })
            router.register("Old", "show", { build = build })
            """
    )

    static let sharedPattern = Finding.Code(
        "L0114",
        .warning,
        "a routing with the shape of a route's URL",
        """
        A pattern of 'router.routing' and the 'url' of a route have the same shape. That is no error, \
        for routes and routings do not compete: 'router.open' finds the route alone, and \
        'router.dispatch' the routing alone. Which of the two happens is up to whoever hands the URL on, \
        and what is set for the routing never runs for a URL that is opened.
        """,
        example: """
            router.register("Show", "open", {
              info = { id = "integer" },
              url = "/shows/:id(int)",
              build = function(info) return router.screen("Show") end,
            })
            router.routing("/shows/:showId(int)")
            """,
        remedy: """
            router.register("Show", "open", {
              info = { id = "integer" },
              url = "/shows/:id(int)",
              build = function(info) return router.screen("Show") end,
            })
            router.routing("/later/shows/:showId(int)")
            """
    )

    static let suspicions: [Finding.Code] = [
        unknownService, unused, droppedParameter, missingParameter, otherParameter, badExample,
        closedToURLs, unexpectedClass, unreachablePattern, fallbackCircle,
        unknownDependency, nearlyAnotherGate, missingFallback, sharedPattern,
    ]
}
