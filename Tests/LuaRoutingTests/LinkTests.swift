// SPDX-License-Identifier: MIT

import LuaRouting
import RandomNumbers
import TestSupport
import Testing

/// Tests of queued deep links that an app dispatches.
@Suite(.failureReports)
struct LinkTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        local person = router.routing "/people/:id(int)"
        local people = router.routing "/people"
        router.kind("word", function(text)
          if text == "raise" then error("bad word") end
          return #text < 6 and text or nil
        end)
        local word = router.routing "/words/:word(word)"
        router.register("Page", "show", function(info) return router.screen("Page", { id = info.id }) end)
        router.register("Slow", "show", {
          build = function() return router.screen "Slow" end,
          intercept = function() router.sleep(1) end,
        })
        local actions = {}
        function actions.give(request) return request.parameters end
        function actions.page(request)
          return router.navigate("Page", "show", { id = request.parameters.id })
        end
        function actions.table(request) return { router.navigate("Page", "show") } end
        function actions.raise() error({}) end
        function actions.wait() router.sleep(2) return "waited" end
        router.export("set", function(of) person:setAction(actions[of.action]) end)
        router.export("unset", function(of) return person:unsetAction(actions[of.action]) end)
        router.export("add", function(of) router.routing(of.pattern, { override = of.override }) end)
        router.export("links", function(of) router.links(of) end)
        router.export("members", function()
          local ticket = router.dispatch("/people/1", { key = "a" })
          return { ticket.status, ticket.url, person.pattern, tostring(ticket), tostring(person) }
        end)
        router.export("same", function()
          local a, b = router.routing "/a", router.routing "/b"
          return { a == a:setAction(print), a == b }
        end)
        router.export("held", function()
          router.state.value = router.dispatch("/people")
        end)
        """

    @Test("a link reports its events, and its completion runs once")
    func tells() throws {
        let fixture = try RouterFixture(Self.script)
        var ends: [String] = []
        let options = DispatchOptions(timeout: 5, key: "start", persist: true, origin: .external)
        let link = fixture.router.dispatch("/people/7?a=b", options: options) {
            ends.append($0.status.name)
        }
        #expect(link.isPending)
        #expect(link.url == "/people/7?a=b")
        #expect(link.pattern == "/people/:id(int)")
        #expect(link.key == "start")
        #expect(link.isPersistent)
        #expect(link.origin == .external)
        #expect(link.deadline == 5)
        #expect(link.pathParameters == ["id": 7])
        #expect(link.queryParameters == ["a": "b"])
        #expect(link.parameters == ["id": 7, "a": "b"])
        #expect(fixture.router.queuedLinks.map(\.id) == [link.id])
        #expect(fixture.router.nextTimeout == 5)
        #expect(ends == [])
        try fixture.call("set", ["action": "give"])
        #expect(link.status.name == "done")
        #expect(link.result.isEqual(to: .table(["id": 7, "a": "b"])))
        #expect(ends == ["done"])
        #expect(link.completions == 1)
        #expect(fixture.router.queuedLinks.isEmpty)
        #expect(fixture.router.nextTimeout == nil)
        #expect(!fixture.router.cancel(link))
    }

    @Test(
        "each deep link is reported once when it ends, with its outcome",
        arguments: ["done", "failed", "timeout", "cancelled", "all"]
    )
    func ends(how: String) throws {
        let fixture = try RouterFixture(Self.script)
        let router = fixture.router
        var ends: [String] = []
        let link = router.dispatch("/people/7", options: DispatchOptions(timeout: 1)) {
            ends.append($0.status.name)
        }
        switch how {
        case "done": try fixture.call("set", ["action": "give"])
        case "failed": try fixture.call("set", ["action": "raise"])
        case "timeout": router.advance(to: router.now + 1)
        case "cancelled": #expect(router.cancel(link))
        default: router.cancelLinks()
        }
        router.cancelLinks()
        router.advance(to: router.now + 10)
        try fixture.call("set", ["action": "give"])
        #expect(ends.count == 1)
        #expect(ends.first == link.status.name)
        #expect(link.completions == 1)
    }

    @Test("a deep link without a match ends immediately, and is reported")
    func notFound() throws {
        let fixture = try RouterFixture(Self.script)
        var ends = 0
        let link = fixture.router.dispatch("/nobody?a=b") { _ in ends += 1 }
        #expect(link.error?.code == .notFound)
        #expect(link.queryParameters == ["a": "b"])
        #expect(link.pattern == nil)
        #expect(ends == 1)
        #expect(fixture.events.last { $0.kind == .link }?["phase"] == "failed")
    }

    @Test("a key longer than the limit is an error")
    func longKey() throws {
        let fixture = try RouterFixture("router.routing '/a'")
        let key = String(repeating: "k", count: 256)
        #expect(fixture.router.dispatch("/a", options: DispatchOptions(key: key)).isPending)
        let refused = fixture.router.dispatch("/a", options: DispatchOptions(key: key + "k"))
        guard case .failed(let error) = refused.status else {
            Issue.record("\(refused.status)")
            return
        }
        #expect(error.code == .badInfo)
        #expect(fixture.router.queuedLinks.count == 1)
    }

    @Test("a kind that raises an error fails the link; a kind that rejects the text does not match")
    func kinds() throws {
        let fixture = try RouterFixture(Self.script)
        let raised = fixture.router.dispatch("/words/raise")
        #expect(raised.error?.code == .script)
        #expect(raised.error?.message.contains("bad word") == true)
        #expect(fixture.router.dispatch("/words/longer").error?.code == .notFound)
        #expect(fixture.router.dispatch("/words/short").isPending)
    }

    @Test("the configuration limits the number of queued deep links")
    func limit() throws {
        var configuration = Router.Configuration.patient
        configuration.linkLimit = 2
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": Self.script]),
            host: HeadlessHost(),
            configuration: configuration
        )
        let links = (1...3).map { router.dispatch("/people/\($0)") }
        #expect(links.map(\.status.name) == ["pending", "pending", "failed"])
        #expect(links[2].error?.code == .busy)
        // One that takes the place of another needs no more room.
        router.cancel(links[0])
        let first = router.dispatch("/people/4", options: DispatchOptions(key: "a"))
        let second = router.dispatch("/people/5", options: DispatchOptions(key: "a"))
        #expect(first.error?.code == .superseded)
        #expect(second.isPending)
        #expect(router.queuedLinks.map(\.url) == ["/people/2", "/people/5"])
    }

    @Test("the result of a link is nil if its action returns the navigation that it started")
    func navigation() throws {
        let fixture = try RouterFixture(Self.script)
        try fixture.call("set", ["action": "page"])
        let link = fixture.router.dispatch("/people/7")
        #expect(link.status.name == "done")
        #expect(link.result.isNil)
        #expect(fixture.tree == "nav[Main, Page(id=7)]")
        try fixture.call("set", ["action": "table"])
        let other = fixture.router.dispatch("/people/7")
        #expect(other.error?.code == .badInfo)
    }

    @Test("an action that raises a value other than a string fails the deep link")
    func raises() throws {
        let fixture = try RouterFixture(Self.script)
        try fixture.call("set", ["action": "raise"])
        #expect(fixture.router.dispatch("/people/7").error?.code == .script)
        #expect(try fixture.call("unset", ["action": "give"]).isEqual(to: .boolean(false)))
        #expect(try fixture.call("unset", ["action": "raise"]).isEqual(to: .boolean(true)))
        #expect(fixture.router.dispatch("/people/7").isPending)
    }

    @Test("a deep link waits for the end of the current turn")
    func turn() throws {
        let fixture = try RouterFixture(Self.script)
        try fixture.call("set", ["action": "page"])
        fixture.host.holds = true
        fixture.navigate("Page", "show", ["id": 1])
        let link = fixture.router.dispatch("/people/2")
        #expect(link.isPending)
        fixture.host.holds = false
        fixture.host.answer()
        #expect(link.status.name == "done")
        #expect(fixture.tree == "nav[Main, Page(id=1), Page(id=2)]")
    }

    @Test("a navigation that a deep link starts before the first tree exists waits for that tree")
    func start() throws {
        let fixture = try RouterFixture(Self.script, starts: false)
        try fixture.call("set", ["action": "page"])
        let link = fixture.router.dispatch("/people/2")
        #expect(link.status.name == "done")
        let navigation = try #require(fixture.router.pending.first)
        #expect(navigation.origin == .script)
        guard case .pending(waitingFor: "started") = navigation.status else {
            Issue.record("it is \(navigation.status)")
            return
        }
        fixture.router.start()
        #expect(fixture.tree == "nav[Main, Page(id=2)]")
    }

    @Test("a routing that is added later must have another shape or use 'override'")
    func adding() throws {
        let fixture = try RouterFixture(Self.script)
        #expect(throws: RouteError.self) { try fixture.call("add", ["pattern": "/people/:n(int)"]) }
        let first = fixture.router.dispatch("/people/1")
        #expect(first.pattern == "/people/:id(int)")
        try fixture.call("add", ["pattern": "/people/:n(int)", "override": true])
        let second = fixture.router.dispatch("/people/1")
        #expect(second.pattern == "/people/:n(int)")
        // The one that waits is still that of the routing that it matched.
        try fixture.call("set", ["action": "give"])
        #expect(first.status.name == "done")
        #expect(second.isPending)
    }

    @Test("declared origins also apply to routings")
    func origins() throws {
        let fixture = try RouterFixture(Self.script)
        #expect(fixture.router.dispatch("other://people").isPending)
        try fixture.call("links", [1: "app"])
        #expect(fixture.router.dispatch("other://people").error?.code == .notFound)
        #expect(fixture.router.dispatch("app://people").isPending)
    }

    @Test("queued deep links are matched again in order, and links without a match fail")
    func rematching() throws {
        let fixture = try RouterFixture(Self.script)
        let router = fixture.router
        let first = router.dispatch("other://people/1", options: DispatchOptions(timeout: 3))
        let second = router.dispatch("/people/2")
        let third = router.dispatch("/people")
        try fixture.call("add", ["pattern": "/people/2"])
        try fixture.call("links", [1: "app"])
        router.rematchLinks()
        #expect(first.error?.code == .notFound)
        #expect(second.isPending && third.isPending)
        #expect(second.pattern == "/people/2")
        #expect(second.pathParameters.isEmpty)
        #expect(router.queuedLinks.map(\.id) == [second.id, third.id])
        #expect(router.nextTimeout == nil)
        #expect(fixture.events.last { $0.kind == .link }?["phase"] == "failed")
    }

    @Test("matching all queued deep links again is limited by one shared budget")
    func rematchingBudget() throws {
        let script = """
            router.routing "/:word(slow)"
            router.routing "/plain"
            router.kind("slow", function(text)
              for n = 1, 1000 do end
              return text
            end)
            """
        let fixture = try RouterFixture(script)
        let router = fixture.router
        let links = (1...20).map { router.dispatch("/w\($0)") } + [router.dispatch("/plain")]
        #expect(links.allSatisfy { $0.isPending })
        let later = script.replacing("1000", with: "1000000")
        #expect(router.reload(ScriptBundle(files: ["main.lua": later])).isAccepted)
        // A call of the function takes some million of the five million instructions of a load.
        let failed = links.filter { !$0.isPending }
        #expect((14...19).contains(failed.count))
        #expect(failed.allSatisfy { $0.error?.code == .notFound && $0.completions == 1 })
        #expect(failed.first?.error?.message.contains("exceeds the budget") == true)
        #expect(failed.map(\.id) == failed.map(\.id).sorted())
        // A deep link that needs no function of a script is matched all the same.
        #expect(links.last?.isPending == true)
        #expect(router.queuedLinks.map(\.id) == links.filter { $0.isPending }.map(\.id))
    }

    @Test(
        "after overriding routings, the table is as if the old routings had never been registered"
    )
    func overriding() throws {
        let patterns = ["/a/:x?", "/a", "/a/:y", "/:p/:q?", "/a/*r?", "/b/:x(int)?", "/b", "/:z"]
        var numbers = RandomNumbers(seed: 3)
        for _ in 0..<300 {
            var script = ""
            var standing: [String] = []
            var isRefused = false
            for number in 0..<8 {
                let pattern = patterns.randomElement(using: &numbers) ?? "/"
                let overrides = Bool.random(using: &numbers) || Bool.random(using: &numbers)
                script += "router.routing('\(pattern)', { override = \(overrides) })\n"
                let rivals = try standing.filter { try Self.areRivals($0, pattern) }
                if !rivals.isEmpty, !overrides {
                    isRefused = true
                    #expect(number > 0)
                    break
                }
                standing = standing.filter { !rivals.contains($0) } + [pattern]
            }
            let fixture = try? RouterFixture(script, starts: false)
            #expect((fixture == nil) == isRefused, "\(script)")
            guard let fixture else { continue }
            for url in ["/a", "/a/1", "/b", "/b/2", "/c", "/c/d", "/a/1/2"] {
                let table = try URLTable(
                    standing.map { URLTable.Route(try URLPattern($0), at: "") }
                )
                var expected: String?
                if case .match(let match) = table.match(ByteString(url)) {
                    expected = standing[match.route]
                }
                #expect(fixture.router.dispatch(url).pattern == expected, "\(url) \(script)")
            }
        }
    }

    private static func areRivals(_ left: String, _ right: String) throws -> Bool {
        let routes = try [left, right].map { URLTable.Route(try URLPattern($0), at: "") }
        return !URLTable.conflicts(among: routes).isEmpty
    }

    struct Unmatched: Sendable, CustomTestStringConvertible {
        let url: String
        let opened: String
        let dispatched: String

        var testDescription: String { url }
    }

    static let unmatched = [
        Unmatched(
            url: "/nothing/x",
            opened: "no route for URL '/nothing/x' (no pattern matches)",
            dispatched: "no routing for link '/nothing/x' (no pattern matches)"
        ),
        Unmatched(
            url: "app://shwos/7",
            opened:
                "no route for URL 'app://shwos/7' (segment 1 is 'shwos', not 'shows'; the nearest pattern is '/shows/:id(int)'), did you mean 'shows'?",
            dispatched: "no routing for link 'app://shwos/7' (no pattern matches)"
        ),
        Unmatched(
            url: "/people/new/x",
            opened: "no route for URL '/people/new/x' (no pattern matches)",
            dispatched:
                "no routing for link '/people/new/x' (segment 3 ('x') is unexpected; the nearest pattern is '/people/:id')"
        ),
        Unmatched(
            url: "/shows/7",
            opened: "",
            dispatched:
                "no routing for link '/shows/7' (a route matches this URL: use 'router.open')"
        ),
        Unmatched(
            url: "/people/ann",
            opened:
                "no route for URL '/people/ann' (a routing matches this URL: use 'router.dispatch')",
            dispatched: ""
        ),
        Unmatched(
            url: "/words/abc",
            opened:
                "no route for URL '/words/abc' (a routing matches this URL: use 'router.dispatch')",
            dispatched: ""
        ),
        Unmatched(
            url: "/words/abcdefg",
            opened: "no route for URL '/words/abcdefg' (no pattern matches)",
            dispatched:
                "no routing for link '/words/abcdefg' (segment 2 ('abcdefg') is not a valid word; the nearest pattern is '/words/:word(word)')"
        ),
        Unmatched(
            url: "/%zz",
            opened: "no route for URL '/%zz' (malformed escape or invalid character at byte 2)",
            dispatched:
                "no routing for link '/%zz' (malformed escape or invalid character at byte 2)"
        ),
    ]

    @Test(
        "the error for a deep link without a match has near misses, or the call that opens the URL",
        arguments: unmatched
    )
    func nearMisses(_ test: Unmatched) throws {
        let fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.kind("word", function(text) return #text < 6 and text or nil end)
            router.routing "/people/:id"
            router.routing "/words/:word(word)"
            router.routing "/"
            router.register("Show", "open", { url = "/shows/:id(int)", build = router.screen "Show" })
            router.register("Home", "open", { url = "/", build = router.screen "Home" })
            """
        )
        #expect((fixture.router.open(test.url).error?.message ?? "") == test.opened)
        #expect((fixture.router.dispatch(test.url).error?.message ?? "") == test.dispatched)
    }

    @Test("a script can read the properties of a deep link")
    func members() throws {
        let fixture = try RouterFixture(Self.script)
        let members = try fixture.call("members")
        #expect(
            members.isEqual(
                to: .table(
                    InfoTable(list: [
                        "pending", "/people/1", "/people/:id(int)", "ticket", "routing",
                    ])
                )
            )
        )
        #expect(
            try fixture.call("same").isEqual(
                to: .table(InfoTable(list: [.boolean(true), .boolean(false)]))
            )
        )
        #expect(throws: RouteError.self) { try fixture.call("held") }
    }

    @Test("a completion may dispatch and cancel deep links")
    func completions() throws {
        let fixture = try RouterFixture(Self.script)
        let router = fixture.router
        var second: QueuedLink?
        router.dispatch("/people/1") { _ in
            second = router.dispatch("/people/2")
            router.cancelLinks()
        }
        router.cancelLinks()
        #expect(second?.status.name == "cancelled")
        #expect(router.queuedLinks.isEmpty)
    }

    @Test("after a waiting deep link is cancelled, the next link of its routing runs")
    func cancelsWaiting() throws {
        let fixture = try RouterFixture(Self.script)
        let router = fixture.router
        try fixture.call("set", ["action": "wait"])
        let link = router.dispatch("/people/1")
        let next = router.dispatch("/people/2")
        #expect(router.activeLinks.map(\.id) == [link.id])
        #expect(router.queuedLinks.map(\.id) == [next.id])
        #expect(router.cancel(link))
        #expect(link.error?.code == .cancelled)
        #expect(router.activeLinks.map(\.id) == [next.id])
        router.advance(to: 2)
        #expect(next.result == "waited")
        #expect(router.nextDeadline == nil)
    }

    @Test("a deep link whose action is waiting is superseded when its generation is closed")
    func superseded() throws {
        let fixture = try RouterFixture("router.options { drain = 1 }" + Self.script)
        try fixture.call("set", ["action": "wait"])
        let link = fixture.router.dispatch("/people/1")
        fixture.router.reload(ScriptBundle(files: ["main.lua": Self.script]))
        #expect(link.isPending)
        fixture.router.advance(to: 10)
        #expect(link.error?.code == .superseded)
        #expect(fixture.router.generationCount == 1)
    }

    @Test("a navigation that an action starts after it has waited waits for the first tree")
    func waitsForTree() throws {
        let script = """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Page", "show", function() return router.screen "Page" end)
            router.routing("/page"):setAction(function()
              router.sleep(1)
              return router.navigate("Page", "show"):await()
            end)
            """
        let fixture = try RouterFixture(script, starts: false)
        let link = fixture.router.dispatch("/page")
        fixture.router.advance(to: 1)
        #expect(fixture.router.pending.count == 1)
        fixture.router.start()
        #expect(link.result == true)
        #expect(fixture.tree == "nav[Main, Page]")
    }

    @Test("releasing a router cancels its deep links")
    func leaving() throws {
        var ends = 0
        var link: QueuedLink?
        weak var weakRouter: Router?
        do {
            let fixture = try RouterFixture(Self.script)
            weakRouter = fixture.router
            link = fixture.router.dispatch("/people/1", options: DispatchOptions(timeout: 1)) { _ in
                ends += 1
            }
        }
        #expect(weakRouter == nil)
        #expect(link?.status.name == "cancelled")
        #expect(ends == 1)
    }
}

extension QueuedLink {
    /// The error with which the deep link ended; nil if it did not fail.
    var error: RouteError? {
        switch status {
        case .failed(let error), .cancelled(let error): error
        default: nil
        }
    }
}
