// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Why a request ends otherwise.
extension RouteError.Code {
    static let disabledArticle = CodeArticle(
        "disabled",
        "the route is switched off",
        """
        The 'enabled' of the route, or of a step behind it, says no, and it has no 'fallback'. \
        Say where to go instead, or see to what the flag asks for.
        """,
        found: .script(
            """
            router.register("Beta", "show", {
              enabled = function() return router.state.beta == true end,
              build = function() return router.screen "Beta" end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Beta/show
                expect error disabled
                """
        ),
        mended: .steps(
            """
            given nav[Main]
            set state.beta = true
            navigate Beta/show
            expect done
            """
        )
    )

    static let missingDependencyArticle = CodeArticle(
        "missingDependency",
        "a dependency is not provided",
        """
        The route 'needs' a value, or a script asked for it by 'router.dependency', that nothing \
        provides, whose provider returned nil, or whose providers need each other. \
        'router.provide' makes one; what the host brings is named in the 'dependencies' of \
        'router.expects'.
        """,
        found: .script(
            """
            router.register("Cart", "show", {
              needs = { "cart" },
              build = function() return router.screen "Cart" end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Cart/show
                expect error missingDependency
                """
        ),
        mended: .script(
            """
            router.provide("cart", function() return { count = 0 } end)
            router.register("Cart", "show", {
              needs = { "cart" },
              build = function() return router.screen "Cart" end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Cart/show
                expect done
                """
        )
    )

    static let timeoutArticle = CodeArticle(
        "timeout",
        "a wait was longer than its deadline",
        """
        An interceptor, a task or an 'after' waited for longer than 30 seconds or than its own \
        'timeout', or a navigation for longer than its options say. The time stands still while \
        it awaits a navigation of its own or the result of a screen. Give the wait a longer \
        'timeout', or end it.
        """,
        found: .script(
            """
            router.interceptor("ask", { timeout = 5 }, function() router.sleep(60) end)
            router.register("Orders", "show", {
              intercept = "ask",
              build = function() return router.screen "Orders" end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Orders/show
                advance 5s
                expect error timeout
                """
        ),
        mended: .script(
            """
            router.interceptor("ask", { timeout = 90 }, function() router.sleep(60) end)
            router.register("Orders", "show", {
              intercept = "ask",
              build = function() return router.screen "Orders" end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Orders/show
                advance 1m
                expect done
                """
        )
    )

    static let busyArticle = CodeArticle(
        "busy",
        "another navigation is pending",
        """
        The policy is 'reject', of the router or of this navigation, and another one is on its \
        way. Wait for its end, or take the policy 'queue', which has the second one wait, or \
        'latest', which cancels the first.
        """,
        found: .script(
            """
            router.options{ policy = "reject" }
            router.register("Show", "open", {
              info = { id = "integer" },
              intercept = function() router.sleep(1) end,
              build = function(info) return router.screen("Show", { id = info.id }) end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Show/open(id=1) as first
                navigate Show/open(id=2)
                expect error busy
                advance 1s
                expect first done
                """
        ),
        mended: .steps(
            """
            given nav[Main]
            navigate Show/open(id=1) as first
            advance 1s
            expect first done
            navigate Show/open(id=2)
            advance 1s
            expect done
            """
        )
    )

    static let scriptArticle = CodeArticle(
        "script",
        "a script raised an error",
        """
        A function of a script called 'error', or Lua did: a nil that was indexed or called, a \
        wrong argument, an effect where there may be none, such as navigating from a finder. The \
        message has the file and the line.
        """,
        found: .script(
            """
            router.register("Show", "open", function(info)
              return router.screen("Show", { id = info.id.number })
            end)
            """,
            steps: """
                given nav[Main]
                navigate Show/open
                expect error script
                """
        ),
        mended: .script(
            """
            router.register("Show", "open", function(info)
              return router.screen("Show", { id = info.id and info.id.number })
            end)
            """,
            steps: """
                given nav[Main]
                navigate Show/open
                expect done
                """
        )
    )

    static let cancelledArticle = CodeArticle(
        "cancelled",
        "it was cancelled",
        """
        Somebody cancelled the navigation, task or link, its window was closed, or what began it \
        has ended: a navigation that ends other than 'done' cancels those that its interceptors \
        began. It is an end of its own, never 'failed': 'expect cancelled' looks at it.
        """,
        found: .script(
            """
            router.register("Account", "show", {
              ready = "session",
              build = function() return router.screen "Account" end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Account/show
                cancel
                expect cancelled
                """
        ),
        mended: .steps(
            """
            given nav[Main]
            navigate Account/show
            ready session
            expect done
            """
        )
    )

    static let supersededArticle = CodeArticle(
        "superseded",
        "something newer took its place",
        """
        The policy is 'latest', and a newer navigation came while this one was pending; or \
        scripts were reloaded, and what still went on by the old ones was cancelled when its time \
        was over. It is an end of its own: 'expect cancelled superseded' looks at it.
        """,
        found: .script(
            """
            router.options{ policy = "latest" }
            router.register("Show", "open", {
              info = { id = "integer" },
              intercept = function() router.sleep(1) end,
              build = function(info) return router.screen("Show", { id = info.id }) end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Show/open(id=1) as first
                navigate Show/open(id=2)
                expect first cancelled superseded
                advance 1s
                """
        ),
        mended: .script(
            """
            router.options{ policy = "queue" }
            router.register("Show", "open", {
              info = { id = "integer" },
              intercept = function() router.sleep(1) end,
              build = function(info) return router.screen("Show", { id = info.id }) end,
            })
            """,
            steps: """
                given nav[Main]
                navigate Show/open(id=1) as first
                navigate Show/open(id=2)
                advance 2s
                expect first done
                expect done
                """
        )
    )

    static let budgetArticle = CodeArticle(
        "budget",
        "a limit was reached",
        """
        A call into a script ran for too many instructions or for too long, its values took too \
        much memory, or a table, a text or the state became too large. Usually a loop does not \
        end, or grows a table without end. '--budget' and 'router.options' set the limits.
        """,
        found: .script(
            """
            router.register("Show", "open", function()
              local number = 1
              while number > 0 do number = number + 1 end
              return router.screen "Show"
            end)
            """,
            steps: """
                given nav[Main]
                navigate Show/open
                expect error budget
                """
        ),
        mended: .script(
            """
            router.register("Show", "open", function()
              local number = 1
              while number < 100 do number = number + 1 end
              return router.screen "Show"
            end)
            """,
            steps: """
                given nav[Main]
                navigate Show/open
                expect done
                """
        )
    )

    static let hostArticle = CodeArticle(
        "host",
        "the host refused",
        """
        The app could not make a screen or apply a change; the message has its reason. The tree \
        is as the host reports it, mostly as it was. Without a device a host refuses where 'host \
        refuses OPERATION' says so, and what its manifest lacks.
        """,
        found: .script(
            """
            router.register("Show", "open", function() return router.screen "Show" end)
            """,
            steps: """
                given nav[Main]
                host refuses push
                navigate Show/open
                expect error host
                """
        ),
        mended: .steps(
            """
            given nav[Main]
            navigate Show/open
            expect done
            """
        )
    )

    static let parseArticle = CodeArticle(
        "parse",
        "a text does not parse",
        """
        A route string, a JSON document or a tree in notation has not the form of one; the \
        message says where it goes wrong. A route string is 'identifier|{…}', with a JSON object \
        behind the bar.
        """,
        found: .script(
            """
            router.handle({ "profile" }, {}, function(route)
              return "Profile", "show", route.info
            end)
            router.register("Profile", "show", function() return router.screen "Profile" end)
            """,
            steps: """
                given nav[Main]
                open "profile|{id:7}"
                expect error parse
                """
        ),
        mended: .steps(
            """
            given nav[Main]
            open "profile|{\\"id\\":7}"
            expect done
            """
        )
    )
}
