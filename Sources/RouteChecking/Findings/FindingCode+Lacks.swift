// SPDX-License-Identifier: MIT

/// What scripts need and a host lacks.
extension Finding.Code {
    static let missingTask = Finding.Code(
        "L0231",
        .error,
        "a task that the host does not do",
        """
        The scripts say by 'router.expects' that the host does a task, and the manifest of the host does \
        not have it.
        """,
        example: """
            router.expects{ tasks = { "Player/paly" } }
            router.start(function() return router.screen("Home") end)
            """,
        remedy: """
            router.expects{ tasks = { "Player/play" } }
            router.start(function() return router.screen("Home") end)
            """,
        host: """
            { "schema": "luaroute.host/1", "tasks": ["Player/play"] }
            """
    )

    static let missingClass = Finding.Code(
        "L0232",
        .error,
        "a class that the host does not show",
        """
        A class of screens that 'router.expects' or a definition names is not in the manifest of the \
        host.
        """,
        example: """
            router.register("Show", "open", { build = router.screen("ShowPgae") })
            """,
        remedy: """
            router.register("Show", "open", { build = router.screen("ShowPage") })
            """,
        host: """
            { "schema": "luaroute.host/1", "screens": ["ShowPage"] }
            """
    )

    static let missingDependency = Finding.Code(
        "L0233",
        .error,
        "a dependency that the host does not provide",
        """
        The scripts say by 'router.expects' that the host provides a dependency, and the manifest of the \
        host does not have it.
        """,
        example: """
            router.expects{ dependencies = { "sesion" } }
            router.start(function() return router.screen("Home") end)
            """,
        remedy: """
            router.expects{ dependencies = { "session" } }
            router.start(function() return router.screen("Home") end)
            """,
        host: """
            { "schema": "luaroute.host/1", "dependencies": ["session"] }
            """
    )

    static let otherClass = Finding.Code(
        "L0234",
        .error,
        "a class that the host knows otherwise",
        """
        The class that 'router.class' declares is of another kind in the manifest of the host, or has a \
        field that the host does not know.
        """,
        example: """
            router.class("ShowPage", { fields = { "showid" } })
            router.register("Show", "open", { build = router.screen("ShowPage") })
            """,
        remedy: """
            router.class("ShowPage", { fields = { "showId" } })
            router.register("Show", "open", { build = router.screen("ShowPage") })
            """,
        host: """
            { "schema": "luaroute.host/1", "screens": { "ShowPage": { "kind": "leaf", "fields": ["showId"] } } }
            """
    )

    package static let notGranted = Finding.Code(
        "L0235",
        .error,
        "a capability that the scripts need and do not have",
        """
        The scripts use a screen, a task, a URL or a change of the tree that the capabilities of the \
        bundle do not include. Using it ends with 'forbidden' or 'budget'. What functions use is \
        guessed from the text of the scripts. Capabilities come from '--capabilities', or from the \
        field 'capabilities' in the manifest of the host.
        """,
        example: """
            router.register("Show", "open", { build = router.screen("ShowPage"), via = "replaceRoot" })
            """,
        remedy: """
            router.register("Show", "open", { build = router.screen("ShowPage"), via = "push" })
            """,
        host: """
            { "schema": "luaroute.host/1", "capabilities": { "tree": ["push"] } }
            """
    )

    static let brokenContract = Finding.Code(
        "L0236",
        .error,
        "a change that breaks the calls of the app",
        """
        The app was compiled against other scripts: a route, task, exported function or class that it         uses is gone, wants a parameter that the app does not give, or gives a value of another type.         What the app was compiled against is in the file that 'luaroute types --swift' writes.         Compatible are new routes, new optional parameters, a type that accepts more, and a result or         a field that can be less.
        """,
        example: """
            router.register("Show", "open", {
              info = { id = "integer", size = "string" },
              build = router.screen("ShowPage"),
            })
            """,
        remedy: """
            router.register("Show", "open", {
              info = { id = "integer", size = "string?" },
              build = router.screen("ShowPage"),
            })
            """,
        contract: """
            luaroute.contract/1
            route Show/open {id="integer"}
            """
    )

    static let lacks: [Finding.Code] = [
        missingTask, missingClass, missingDependency, otherClass, notGranted, brokenContract,
    ]
}
