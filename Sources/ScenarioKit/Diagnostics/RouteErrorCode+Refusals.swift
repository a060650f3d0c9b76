// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Why a request is refused, by the scripts or by the tree.
extension RouteError.Code {
    static let notFoundArticle = CodeArticle(
        "notFound",
        "nothing is there for what was asked",
        """
        No service, task, route identifier, gate or URL pattern is registered that fits, and no \
        fallback takes it. Usually a name is misspelt, the file that registers it is not \
        required, or a URL has another form than its pattern. 'luaroute routes' lists what there \
        is, and 'luaroute explain URL' tells which patterns come near.
        """,
        found: .script(
            """
            router.register("Show", "open", {
              info = { id = "integer" },
              build = function(info) return router.screen("Show", { id = info.id }) end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Shwo/open(id=7)
                expect error notFound
                """
        ),
        mended: .steps(
            """
            given nav[Main]
            navigate Show/open(id=7)
            expect done
            """
        )
    )

    static let wrongKindArticle = CodeArticle(
        "wrongKind",
        "a task is no screen, and a screen no task",
        """
        'navigate' goes to what 'router.register' made, 'doTask' does what 'router.registerTask' \
        made, and this is the other one. Use the other verb, or register the other kind.
        """,
        found: .script(
            """
            router.registerTask("Cart", "load", function() return { count = 2 } end)
            """,
            steps: """
                given nav[Main]
                navigate Cart/load
                expect error wrongKind
                """
        ),
        mended: .steps(
            """
            given nav[Main]
            doTask Cart/load
            expect done
            """
        )
    )

    static let badInfoArticle = CodeArticle(
        "badInfo",
        "a parameter does not fit",
        """
        A parameter is missing, is of another type than 'info' declares, or is declared by \
        nobody; or the provider returned nil, which says that it cannot build its screen of these \
        parameters. The message names the parameter, what was expected and what came. Nothing is \
        converted but a float without a fraction to an integer.
        """,
        found: .script(
            """
            router.register("Show", "open", {
              info = { id = "integer" },
              build = function(info) return router.screen("Show", { id = info.id }) end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Show/open(id=seven)
                expect error badInfo
                """
        ),
        mended: .steps(
            """
            given nav[Main]
            navigate Show/open(id=7)
            expect done
            """
        )
    )

    static let forbiddenArticle = CodeArticle(
        "forbidden",
        "the origin may not ask",
        """
        The route says by 'origin' who may ask for it, and this navigation came from somebody \
        else: 'host' is the app, 'script' a script, 'url' a URL that was opened, 'external' what \
        came from outside. Usually a URL leads to what only the app shall reach. A step \
        'navigate' has the origin 'host'.
        """,
        found: .script(
            """
            router.register("Secret", "show", {
              origin = { "script" },
              build = function() return router.screen "Secret" end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Secret/show
                expect error forbidden
                """
        ),
        mended: .script(
            """
            router.register("Secret", "show", {
              origin = { "script", "host" },
              build = function() return router.screen "Secret" end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Secret/show
                expect done
                """
        )
    )

    static let startNotFoundArticle = CodeArticle(
        "startNotFound",
        "the way begins at a screen that is not there",
        """
        The steps behind a route are walked back until one finds a screen, and the last of them \
        finds none: a class that is not in the tree, a switch of which no case holds, or no tree \
        at all. Usually a step lacks a 'build', or a 'from' that leads further back. 'luaroute \
        explain' shows what was looked at.
        """,
        found: .script(
            """
            router.register("Payment", "show", {
              build = function() return router.screen "Payment" end,
              from = "Cart",
            })
            """,
            steps: """
                given nav[Main]
                navigate Payment/show
                expect error startNotFound
                """
        ),
        mended: .script(
            """
            router.register("Cart", "show", {
              find = "Cart",
              build = function() return router.screen "Cart" end,
            })
            router.register("Payment", "show", {
              build = function() return router.screen "Payment" end,
              from = { "Cart", "show" },
            })
            """,
            steps: """
                given nav[Main]
                navigate Payment/show
                expect tree nav[Main, Cart, Payment]
                """
        )
    )

    static let typeMismatchArticle = CodeArticle(
        "typeMismatch",
        "no place is of the kind that the action needs",
        """
        'push' needs a nav, 'addTab' needs tabs, 'setAsPrimary' a split, and at or above the \
        location from which the route goes there is none. Usually the tree is another one than the \
        route was written for, or 'from' leads to the wrong location. 'via' and 'from' say where the \
        screen goes.
        """,
        found: .script(
            """
            router.register("Show", "open", {
              info = { id = "integer" },
              build = function(info) return router.screen("Show", { id = info.id }) end,
            })
            """,
            steps: """
                given tabs[Main]
                navigate Show/open(id=7)
                expect error typeMismatch
                """
        ),
        mended: .steps(
            """
            given tabs[nav[Main]]
            navigate Show/open(id=7)
            expect done
            """
        )
    )

    static let compositionArticle = CodeArticle(
        "composition",
        "a rule of the tree would be broken",
        """
        A screen lives in one location, presents one modal, and a container takes what its kind \
        allows. Here a screen is inserted that stands elsewhere or is gone, presents twice, is to \
        be replaced as the root and is none, or is not there after its steps; or a navigation had \
        to be planned too often. Nothing has happened: the tree is as it was.
        """,
        found: .script(
            """
            router.register("Main", "peek", {
              build = function() return router.find("Main") end,
              via = "present",
            })
            """,
            steps: """
                given nav[Main]
                navigate Main/peek
                expect error composition
                """
        ),
        mended: .script(
            """
            router.register("Main", "peek", {
              build = function() return router.screen("Main") end,
              via = "present",
            })
            """,
            steps: """
                given nav[Main]
                navigate Main/peek
                expect done
                """
        )
    )

    static let notDismissibleArticle = CodeArticle(
        "notDismissible",
        "a screen would go that may not",
        """
        The navigation would take a screen out of the tree whose class says by 'dismissible' that \
        it may not go now. Bring it to where it may, or ask the person in 'leaving', which can \
        wait; the host can leave with 'force'.
        """,
        found: .script(
            """
            router.class("Draft", {
              dismissible = function() return router.state.saved == true end,
            })
            router.register("Home", "show", {
              find = "Home",
              build = function() return router.screen "Home" end,
            })
            """,
            steps: """
                given nav[Home, Draft]
                navigate Home/show
                expect error notDismissible
                """
        ),
        mended: .steps(
            """
            given nav[Home, Draft]
            set state.saved = true
            navigate Home/show
            expect done
            """
        )
    )

    static let stoppedArticle = CodeArticle(
        "stopped",
        "an interceptor stopped the navigation",
        """
        An interceptor, a 'prepare' or a 'leaving' returned false or called 'router.stop'; the \
        message has its reason. It is the way to refuse, so mostly nothing is wrong: see what it \
        asks for.
        """,
        found: .script(
            """
            router.interceptor("login", function()
              if not router.state.user then router.stop("nobody is logged in") end
            end)
            router.register("Orders", "show", {
              intercept = "login",
              build = function() return router.screen "Orders" end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Orders/show
                expect error stopped "nobody is logged in"
                """
        ),
        mended: .steps(
            """
            given nav[Main]
            set state.user = ann
            navigate Orders/show
            expect done
            """
        )
    )

    static let redirectLoopArticle = CodeArticle(
        "redirectLoop",
        "interceptors redirect in a circle",
        """
        Redirects or fallbacks lead to the same target with the same parameters for the second \
        time, or there were 16 of them; the message has the chain. Usually two interceptors each \
        send on what the other one sends. One of them has to let pass.
        """,
        found: .script(
            """
            local function page(name, other)
              router.register(name, "show", {
                intercept = function() router.redirect(other, "show") end,
                build = function() return router.screen(name) end,
              })
            end
            page("Old", "New")
            page("New", "Old")
            """,
            steps: """
                given nav[Main]
                navigate Old/show
                expect error redirectLoop
                """
        ),
        mended: .script(
            """
            router.register("Old", "show", {
              intercept = function() router.redirect("New", "show") end,
              build = function() return router.screen "Old" end,
            })
            router.register("New", "show", function() return router.screen "New" end)
            """,
            steps: """
                given nav[Main]
                navigate Old/show
                expect top New
                """
        )
    )
}
