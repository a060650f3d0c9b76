// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LuaRouting

/// Tests of URLs that an app opens, and of the results that it reads.
@Suite(.failureReports)
struct URLOpeningTests {
    private static let script = """
        router.class("Show", { fields = { "showId" } })
        router.start(function() return router.nav { router.screen "Main" } end)
        router.links { "podcast" }
        router.kind("small", function(text) return #text < 4 and text or nil end)
        router.interceptor("pass", function() end)
        router.register("Show", "open", {
          info = { showId = "integer" },
          url = { "/shows/:showId(int)", "/show/:showId(int)/:tab?" },
          reuse = { by = "showId" },
          build = function() return router.screen "Show" end,
          intercept = { "pass", function() end },
          origin = { "url", "external" },
        })
        router.register("Show", "small", {
          url = "/shows/:name(small)",
          build = function() return router.screen "Small" end,
        })
        router.register("Slow", "open", {
          url = "/slow/:id",
          build = function() return router.screen "Slow" end,
          intercept = function() router.sleep(1) end,
        })
        router.registerTask("Work", "do", function() return 1 end)
        router.alias("/s/:showId(int)", "/shows/:showId(int)")
        """

    @Test("a navigation that opens a URL has the properties of that URL")
    func tells() throws {
        let fixture = try RouterFixture(Self.script)
        let navigation = fixture.router.open("podcast://show/7/about?a=1&a=2&b#top%20")
        #expect(navigation.status.name == "done")
        #expect(navigation.target == Target("Show", "open"))
        #expect(navigation.url == "podcast://show/7/about?a=1&a=2&b#top%20")
        #expect(navigation.path == "/show/:showId(int)/:tab?")
        #expect(navigation.params == ["showId": 7, "tab": "about"])
        #expect(navigation.info == ["showId": 7])
        #expect(navigation.query == ["a": "2", "b": ""])
        #expect(navigation.queryItems.map(\.key) == ["a", "a", "b"])
        #expect(navigation.queryItems.map(\.value) == ["1", "2", ""])
        #expect(navigation.fragment == "top ")
        #expect(navigation.origin == .url)
        #expect(navigation.goesByURL)
        #expect(navigation.completions == 1)
    }

    @Test("a navigation by name has no URL, and the origin 'host'")
    func byName() throws {
        let fixture = try RouterFixture(Self.script)
        let navigation = fixture.navigate("Slow", "open")
        #expect(navigation.url == nil)
        #expect(navigation.path == nil)
        #expect(navigation.params.isEmpty)
        #expect(navigation.queryItems.isEmpty)
        #expect(navigation.fragment == nil)
        #expect(navigation.origin == .host)
        #expect(!navigation.goesByURL)
    }

    @Test(
        "a router can open a URL if a route or routing of the active scripts matches the URL",
        arguments: [
            ("podcast://shows/7", true), ("/s/7", true), ("podcast://wait/7", true),
            ("podcast://shows/abcd", false), ("podcast://shows/abc", true), ("podcast://p/7", true),
            ("podcast://p/x/y", false), ("other://shows/7", false), ("other://p/7", false),
            ("podcast://fails", false), ("podcast://shows/%ZZ", false), ("", false),
            ("a|{}", false),
        ]
    )
    func answers(_ url: String, _ expected: Bool) throws {
        let script =
            Self.script + """

                router.routing "/wait/:id"
                router.handle("a", function() return "Slow", "open" end)
                router.rewrite(function(url)
                  if url == "podcast://fails" then error "no" end
                  return (url:gsub("://p/", "://shows/"))
                end)
                """
        let fixture = try RouterFixture(script)
        let count = fixture.events.count
        #expect(fixture.router.answers(url) == expected)
        #expect(fixture.events.count == count)
        fixture.router.reload(
            ScriptBundle(files: [
                "main.lua": "router.start(function() return router.screen 'A' end)"
            ])
        )
        #expect(!fixture.router.answers(url))
    }

    @Test(
        "an explanation calls the 'router.rewrite' function only once",
        arguments: ["/p/id/7", "/p/none", "/p/fails"]
    )
    func rewritesOnce(_ url: String) throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.rewrite(function(url)
              router.log.info(url)
              if url == "/p/fails" then error "no" end
              return (url:gsub("^/p/", "/pages/"))
            end)
            router.register("Page", "show", { url = "/pages/id/:id", build = router.screen "Page" })
            """
        )
        let explanation = try fixture.router.explain(url: url)
        #expect(explanation.log.map(\.message) == [url])
        let rewritten = url == "/p/fails" ? nil : url.replacing("/p/", with: "/pages/")
        #expect(explanation.rewritten == rewritten)
    }

    @Test("events contain both the rewritten and the original URL, unless the URL is private")
    func rewritten() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.rewrite(function(url) return (url:gsub("^/p/", "/pages/")) end)
            for _, name in ipairs { "id", "code" } do
              router.register("Page", name, {
                url = "/pages/" .. name .. "/:" .. name,
                private = name == "code" and "code" or nil,
                build = router.screen "Page",
              })
            end
            router.routing "/pages/link/:id"
            """
        )
        let router = fixture.router
        for url in ["/p/id/7", "/pages/id/8", "/p/code/9"] { router.open(url) }
        router.dispatch("/p/link/7")
        router.dispatch("/p/none/7")
        let events = fixture.events.filter { $0.kind == .navigate || $0.kind == .link }
        #expect(events.map { $0["rewritten"].text } == ["/pages/id/7", nil, nil, "/pages/none/7"])
        #expect(
            events.map { $0["url"].text }
                == ["/p/id/7", "/pages/id/8", "/pages/code/:code", "/p/none/7"]
        )
        #expect(!fixture.events.contains { "\($0)".contains("code/9") })
    }

    @Test("the default origin of an opened URL is 'url'")
    func origin() throws {
        let fixture = try RouterFixture(Self.script)
        let timed = fixture.router.open("/shows/7", options: NavigationOptions(timeout: 5))
        #expect(timed.origin == .url)
        let external = fixture.router.open(
            "/shows/8",
            options: NavigationOptions(origin: .external)
        )
        #expect(external.origin == .external)
        #expect(external.status.name == "done")
        let host = fixture.navigate("Show", "open", ["showId": 9])
        #expect(host.error?.code == .forbidden)
    }

    @Test("the completion is called once, with or without a matching route")
    func completion() throws {
        let fixture = try RouterFixture(Self.script)
        var ends: [String] = []
        fixture.router.open("/shows/7") { ends.append($0.status.name) }
        let navigation = fixture.router.open("/nothing") { ends.append($0.status.name) }
        #expect(ends == ["done", "failed"])
        #expect(navigation.error?.code == .notFound)
        #expect(navigation.target == nil)
        #expect(navigation.url == nil)
        #expect(fixture.router.pending.isEmpty)
    }

    @Test("the async form has the same outcome as the completion form")
    @MainActor func asynchronous() async throws {
        let fixture = try RouterFixture(Self.script)
        #expect(try await fixture.router.open("/shows/7").class == "Show")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await fixture.router.open("/shows/8")
        }
        let error = await #expect(throws: RouteError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(fixture.tree == "nav[Main, Show(showId=7)]")
    }

    @Test("the first event of a navigation has its URL")
    func events() throws {
        let fixture = try RouterFixture(Self.script)
        fixture.router.open("/shows/7?x")
        let first = try #require(fixture.events.first)
        #expect(first.kind == .navigate)
        #expect(first.fields.map(\.name) == ["url", "service", "task", "defined", "origin"])
        #expect(first["url"] == "/shows/7?x")
        #expect(first["defined"] == "main.lua:6")
        fixture.router.open("/nothing")
        let failed = fixture.events.filter { $0.navigation == 3 }
        #expect(failed.map(\.kind) == [.navigate, .failed])
        #expect(failed.first?.fields.map(\.name) == ["url", "origin"])
    }

    @Test("scripts can list registrations and the routes of URLs")
    func lists() throws {
        let router = try RouterFixture(Self.script).router
        #expect(
            router.links.entries.map { "\($0.pattern) \($0.target) \($0.location?.line ?? 0)" } == [
                "/shows/:showId(int) Show/open 6", "/show/:showId(int)/:tab? Show/open 6",
                "/shows/:name(small) Show/small 14", "/slow/:id Slow/open 18",
                "/s/:showId(int) Show/open 24",
            ]
        )
        #expect(router.links.entries.map(\.aliasOf) == [nil, nil, nil, nil, "/shows/:showId(int)"])
        #expect(
            router.links.table.entries.map { router.links.entries[$0.route].pattern }.count == 6
        )
        let routes = router.registrations
        #expect(
            routes.map(\.target.description) == [
                "Show/open", "Show/small", "Slow/open", "Work/do",
            ]
        )
        #expect(routes[0].urls == ["/shows/:showId(int)", "/show/:showId(int)/:tab?"])
        #expect(routes[0].reuse == "by showId")
        #expect(routes[0].interceptors == ["pass", "intercept"])
        #expect(routes[0].origins == [.url, .external])
        #expect(routes[0].screens == ["Show"])
        #expect(routes[3].isTask)
    }

    @Test("an explanation calls declared kinds, and changes nothing")
    func explains() throws {
        let fixture = try RouterFixture(Self.script)
        let explanation = try fixture.router.explain(url: "/shows/7")
        #expect(explanation.matches.map(\.pattern).count == 2)
        let other = try fixture.router.explain(url: "/shows/long", limit: 1)
        #expect(other.matches.isEmpty)
        #expect(other.misses.count == 1)
        #expect(fixture.events.isEmpty)
        #expect(fixture.tree == "nav[Main]")
    }

    @Test("a waiting URL navigation can be cancelled, superseded or rejected")
    func policies() throws {
        let fixture = try RouterFixture(Self.script)
        let slow = fixture.router.open("/slow/1")
        let busy = fixture.router.open("/shows/7", options: NavigationOptions(policy: .reject))
        #expect(busy.error?.code == .busy)
        let latest = fixture.router.open("/shows/7", options: NavigationOptions(policy: .latest))
        #expect(slow.error?.code == .superseded)
        #expect(latest.status.name == "done")
        let other = fixture.router.open("/slow/2")
        #expect(fixture.router.cancel(other))
        #expect(other.completions == 1)
    }

    @Test("'router.next' counts as a redirect, and the sixteenth redirect exceeds the limit")
    func redirects() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            for n = 0, 19 do
              local parts = {}
              for i = 1, 20 do parts[i] = i <= n and ":p" .. i or "a" end
              router.register("R" .. n, "open", {
                url = "/" .. table.concat(parts, "/"),
                build = function() return router.next end,
              })
            end
            """
        )
        let url = String(repeating: "/a", count: 20)
        let navigation = fixture.router.open(url)
        #expect(navigation.error?.code == .redirectLoop)
        #expect(fixture.events.filter { $0.kind == .redirect }.count == 15)
        #expect(fixture.tree == "nav[Main]")
        #expect(fixture.brokenRules.isEmpty)
    }

    @Test("screens of a provider that returns 'router.next' are released")
    func screens() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("A", "open", {
              url = "/a",
              build = function()
                for _ = 1, 100 do router.screen("A") end
                return router.next
              end,
            })
            router.register("B", "open", { url = "/:b", build = function() return router.screen "B" end })
            """
        )
        for _ in 0..<10 { fixture.router.open("/a", options: NavigationOptions(again: true)) }
        fixture.router.collectGarbage()
        #expect(fixture.tree.hasPrefix("nav[Main, B, B"))
        #expect(fixture.router.tree.heldCount < 30)
    }

    @Test(
        "a router without declared origins accepts URLs of all origins",
        arguments: [
            "/a/7", "podcast://a/7", "other://a/7", "https://a.example/a/7",
            "http://b.example:8080/a/7",
        ]
    )
    func everyOrigin(_ url: String) throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("A", "open", { url = "/a/:id(int)", build = function() return router.screen "A" end })
            """
        )
        #expect(fixture.router.open(url).params == ["id": 7])
    }

    @Test("'router.links' with the option 'case' matches literals in upper and lower case")
    func ignoredCase() throws {
        let fixture = try RouterFixture(
            """
            router.links({ "podcast" }, { case = "ignore" })
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("A", "open", {
              url = { "/Shows/:id", "/V:major(int)/Notes" },
              build = function() return router.screen "A" end,
            })
            router.routing("/Links/:id"):setAction(function(request) return request.parameters.id end)
            router.alias("/Old/:id", "/Shows/:id")
            """
        )
        #expect(fixture.router.open("/sHOWS/AbC").params == ["id": "AbC"])
        #expect(fixture.router.open("podcast://v7/NOTES").params == ["major": 7])
        #expect(fixture.router.open("/OLD/x").params == ["id": "x"])
        #expect(try fixture.router.explain(url: "/SHOWS/7").matches.count == 1)
        let link = fixture.router.dispatch("/LINKS/x")
        #expect(link.pattern == "/Links/:id")
    }

    @Test(
        "contradictory URL declarations are errors",
        arguments: [
            (
                #"router.links { "good.com" }"#,
                "bad origin 'good.com' at column 1: an origin expected, got 'good.com' (did you mean 'https://good.com'?)"
            ),
            (
                #"router.links { "https://exämple.com" }"#,
                "bad origin 'https://exämple.com' at column 11: a host in ASCII expected (write other letters as 'xn--…')"
            ),
            (
                #"router.links({ "podcast" }, { case = "ignored" })"#,
                "bad argument #2 to 'links' (bad field 'case': 'exact' or 'ignore' expected, got 'ignored', did you mean 'ignore'?)"
            ),
            (
                #"router.links({ "podcast" }, { case = "ignore" }) page("/A") page("/a")"#,
                "url '/a' (main.lua:8) matches the same URLs as '/A' (main.lua:8)"
            ),
            (
                #"page("/@:a") page("/@:b")"#,
                "url '/@:b' (main.lua:8) matches the same URLs as '/@:a' (main.lua:8)"
            ),
            (
                #"page("/a/:x(int)") router.alias("/b", "/a/x")"#,
                "bad alias of '/a/x': no route has this 'url'"
            ),
            (
                #"page("/a/:x") router.alias("/b/:x", "/a/7")"#,
                "the alias has the parameter 'x', but '/a/7' already gives 'x' a value"
            ),
            (
                #"page("/a/:x(even)") router.alias("/b", "/a/odd")"#,
                "bad alias of '/a/odd': the value 'odd' of 'x' is not a valid even"
            ),
            (
                #"page("/a/:x/:y") router.alias("/b", "/a/7/:y")"#,
                "the alias lacks the parameter 'y', which '/a/7/:y' requires"
            ),
            (
                #"page("/a?q=:q") router.alias("/b", "/a?q=1&q=2")"#,
                "bad url '/a?q=1&q=2' at column 8: key 'q' is given twice"
            ),
        ]
    )
    func mistakes(_ line: String, _ message: String) {
        let error = #expect(throws: RouteError.self) {
            try RouterFixture(
                """
                local count = 0
                router.start(function() return router.nav { router.screen "Main" } end)
                router.kind("even", function(text) if #text % 2 == 0 then return text end end)
                local function page(url)
                  count = count + 1
                  router.register("P" .. count, "open", { url = url, build = function() return router.screen "P" end })
                end
                \(line)
                """
            )
        }
        #expect(error?.findings.first?.message == message || error?.message == message)
    }

    @Test("an alias leads to the pattern that matches its target best")
    func bestAlias() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            local function page(name, url)
              router.register(name, "open", { url = url, build = function() return router.screen(name) end })
            end
            page("Text", "/a/:text")
            page("Tail", "/a/*tail")
            page("Number", "/a/:number(int)")
            page("Affixed", "/a/v:major(int)")
            router.alias("/one", "/a/7")
            router.alias("/two", "/a/x")
            router.alias("/three", "/a/x/y")
            router.alias("/four", "/a/v7")
            """
        )
        for (url, target, params) in [
            ("/one", "Number", ["number": 7]), ("/two", "Text", ["text": "x"]),
            ("/three", "Tail", ["tail": "x/y"]), ("/four", "Affixed", ["major": 7]),
        ] as [(String, String, InfoTable)] {
            let navigation = fixture.router.open(url)
            #expect(navigation.target?.service == target)
            #expect(navigation.params == params)
        }
    }

    @Test(
        "a text that starts like a URL is treated as a URL",
        arguments: [
            ("/a|{}", false), ("https://h/a|b", false), ("shop:x|{}", false), ("a|{}", true),
            ("|{}", true), ("a b:c|{}", true), ("?a|{}", true), ("a", false), ("1a:b|{}", true),
        ]
    )
    func routeStrings(_ text: String, _ isRouteString: Bool) {
        #expect(ByteString(text).isRouteString == isRouteString)
    }

    @Test("a redirect keeps the origin, but not the caller's options")
    func redirect() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("A", "open", {
              url = "/a",
              build = function() return router.screen "A" end,
              intercept = function() router.redirect("B", "open") end,
            })
            router.register("B", "open", {
              build = function() return router.screen "B" end,
              origin = { "url" },
            })
            router.register("C", "open", { url = "/c", build = function() return router.next end })
            router.register("D", "open", { url = "/:d", build = function() return router.screen "D" end })
            """
        )
        let presented = NavigationOptions(via: Action(word: "present"))
        let redirected = fixture.router.open("/a", options: presented)
        #expect(redirected.status.name == "done")
        #expect(redirected.url == "/a")
        #expect(!redirected.goesByURL)
        #expect(redirected.origin == .url)
        #expect(fixture.tree == "nav[Main, B]")
        // The next match is of the same URL.
        #expect(fixture.router.open("/c", options: presented).path == "/:d")
        #expect(fixture.tree == "nav[Main, B] ^ D")
    }

    @Test("removed routes match no URL, and other routes can register the same patterns")
    func removed() throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            local function add(name, url)
              router.register(name, "open", { url = url, build = router.screen(name) })
            end
            for _, name in ipairs { "A", "B", "C" } do add(name, "/" .. name) end
            router.export("remove", function(t) router.remove(t.name) end)
            router.export("add", function(t) add(t.name, t.url) end)
            router.export("replace", function(t)
              router.remove(t.name)
              add(t.other, t.url)
            end)
            """
        )
        func patterns() -> [String] { fixture.router.links.entries.map(\.pattern) }
        let before = try fixture.router.checkpoint()
        try fixture.call("remove", ["name": "A"])
        try fixture.call("remove", ["name": "B"])
        #expect(fixture.router.open("/A").status.name == "failed")
        #expect(patterns() == ["/C"])
        try fixture.call("remove", ["name": "C"])
        try fixture.call("add", ["name": "D", "url": "/A"])
        #expect(patterns() == ["/A"])
        try fixture.call("replace", ["name": "D", "other": "E", "url": "/A"])
        #expect(throws: RouteError.self) { try fixture.call("add", ["name": "F", "url": "/A"]) }
        #expect(fixture.router.open("/A").target == Target("E", "open"))
        try fixture.router.rewind(to: before)
        #expect(patterns() == ["/A", "/B", "/C"])
        #expect(fixture.router.open("/A").target == Target("A", "open"))
    }

    @Test("registering or removing a route later either rebuilds the URL table or changes nothing")
    func later() throws {
        let fixture = try RouterFixture(
            Self.script + """

                router.export("register", function(t)
                  router.register("Later", t.task, { url = t.url, build = function() return router.screen "Later" end })
                end)
                router.export("remove", function(t) router.remove(t.service) end)
                router.export("alias", function(t) router.alias(t.old, t.new) end)
                router.export("task", function()
                  router.registerTask("Show", "open", function() end, { override = true })
                end)
                """
        )
        try fixture.call("register", ["task": "open", "url": "/later/:x"])
        #expect(fixture.router.open("/later/1").target == Target("Later", "open"))
        #expect(throws: RouteError.self) {
            try fixture.call("register", ["task": "other", "url": "/later/:y"])
        }
        #expect(throws: RouteError.self) {
            try fixture.call("alias", ["old": "/later/:y", "new": "/slow/:id"])
        }
        #expect(fixture.router.registrations.count == 5)
        #expect(fixture.router.links.entries.count == 6)
        // An alias goes with its route.
        #expect(fixture.router.open("/s/7").status.name == "done")
        try fixture.call("task")
        #expect(fixture.router.open("/s/7").error?.code == .notFound)
        #expect(fixture.router.open("/shows/7").target == Target("Show", "small"))
        try fixture.call("remove", ["service": "Later"])
        #expect(fixture.router.open("/later/1").error?.code == .notFound)
        // An alias without a route leads to one that is registered later.
        try fixture.call("register", ["task": "shows", "url": "/shows/:showId(int)"])
        #expect(fixture.router.open("/s/7").target == Target("Later", "shows"))
    }

    @Test("a route registered later has the same conflicts and suggestions as an earlier route")
    func laterLikeEarlier() throws {
        let fixture = try RouterFixture(
            Self.script + """

                router.export("register", function(t)
                  router.register("Later", t.task, {
                    url = t.url, build = function() return router.screen "Later" end,
                  })
                end)
                """
        )
        try fixture.call("register", ["task": "open", "url": "/later/:x(int)"])
        let message = try #require(
            throws: RouteError.self,
            performing: {
                try fixture.call("register", ["task": "other", "url": "/later/:y(int)"])
            }
        ).message
        #expect(message.contains("url '/later/:y(int)'") && message.contains("'/later/:x(int)'"))
        #expect(fixture.router.open("/later/1").target == Target("Later", "open"))
        let near = try #require(fixture.router.open("/latter/1").error).message
        #expect(near.contains("did you mean 'later'?"))
        // A pattern of an origin that no other one has.
        try fixture.call("register", ["task": "web", "url": "https://later.example/:x"])
        try fixture.call("register", ["task": "text", "url": "/later/:text"])
        #expect(fixture.router.open("/later/one").target == Target("Later", "text"))
        #expect(fixture.router.open("/later/1").target == Target("Later", "open"))
    }
}
