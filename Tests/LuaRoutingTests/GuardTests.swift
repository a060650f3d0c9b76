// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of guards as a host reads and receives them.
///
/// `pass/guards.scenario` tests the effects of guards on actions of the user.
@Suite(.failureReports)
struct GuardTests {
    private func fixture(_ tree: String) throws -> RouterFixture {
        let fixture = try RouterFixture(
            """
            router.class("Free", { guarded = function() return false end, leaving = function() end })
            router.class("Asks", { leaving = function() router.stop("unsaved") end })
            router.class("Never", { dismissible = false, guarded = function() return false end })
            router.class("Draft", {
              fields = { "dirty", "locked" },
              dismissible = function(draft) return not draft.locked end,
              guarded = function(draft) return draft.dirty end,
            })
            router.class("Shared", { guarded = function() return router.state.isShared end })
            router.class("Broken", { guarded = function() error("no") end })
            router.class("BrokenToo", { dismissible = function() error("no") end })
            router.class("AskingNav", { kind = "nav", leaving = function() end })
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", {
              info = { origin = "string" }, origin = { "host" }, build = router.screen "Page",
            })
            router.register("Any", "show", { build = router.screen "Page" })
            router.routing("/any"):setAction(function() end)
            router.export("set", function(info)
              local draft = router.find("Draft")
              draft.dirty, draft.locked = info.dirty, info.locked
            end)
            """
        )
        try fixture.router.setTree(TreeNotation(tree))
        fixture.host.forgetChanges()
        return fixture
    }

    private func screen(_ name: String, _ fixture: RouterFixture) throws -> ScreenID {
        let tree = fixture.router.tree
        let screens = tree.windows.flatMap { tree.screens(under: $0.root) }
        return try #require(screens.first { tree[$0].class == name })
    }

    @Test(
        "the guard of a screen is the strictest guard among all screens that would be removed with it",
        arguments: [
            ("nav[Home, X]", .free), ("nav[Home, X(dirty=true)]", .free),
            ("nav[Home, X, Free]", .free), ("nav[Home, X, Asks]", .asks),
            ("nav[Home, Asks, X]", .free), ("nav[Home, X, Asks, Never]", .never),
            ("nav[Home, X] ^ nav[Asks]", .free), ("X ^ nav[Home, Asks]", .asks),
            ("nav[Home, X ^ Never]", .never), ("nav[X, AskingNav[Home]]", .asks),
            ("tabs[*nav[X], nav[Asks]]", .free),
            ("nav[Home, X, tabs[*nav[Home], nav[Never]]]", .never),
            ("nav[Home, X, Draft(dirty=true)]", .asks), ("nav[Home, X, Draft(dirty=false)]", .free),
            ("nav[Home, X, Draft(dirty=true, locked=true)]", .never),
            ("nav[Home, X, Broken]", .asks), ("nav[Home, X, BrokenToo]", .asks),
            ("nav[Home, X, BrokenToo, Never]", .never),
        ] as [(String, Guard)]
    )
    func strictest(tree: String, expected: Guard) throws {
        let fixture = try fixture(tree)
        #expect(fixture.router.guard(of: [try screen("X", fixture)]) == expected)
        #expect(fixture.events.allSatisfy { $0.kind == .host })
    }

    @Test(
        "the guard of several screens is the strictest of their guards; removed screens have none"
    )
    func several() throws {
        let fixture = try fixture("split[nav[Asks], nav[Home, Never]]")
        let (asks, never) = (try screen("Asks", fixture), try screen("Never", fixture))
        #expect(fixture.router.guard(of: [asks, never]) == .never)
        #expect(fixture.router.guard(of: []) == .free)
        try fixture.router.setTree(TreeNotation("nav[Home]"))
        #expect(fixture.router.guard(of: [asks, never]) == .free)
        fixture.router.shutDown()
        #expect(fixture.router.guard(of: [asks]) == .free)
    }

    @Test(
        "a change contains the guards of the visible screens; guards that change later are sent again"
    )
    func told() throws {
        let fixture = try fixture("nav[Home, Draft]")
        let (nav, draft) = (try screen("nav", fixture), try screen("Draft", fixture))
        func guards() -> [[ScreenID: Guard]] {
            defer { fixture.host.forgetChanges() }
            return fixture.host.changes.map(\.guards)
        }
        // With the change of the field that causes it.
        try fixture.call("set", ["dirty": true])
        #expect(fixture.host.operations == [["update"]])
        #expect(guards() == [[nav: .asks, draft: .asks]])
        try fixture.call("set", ["dirty": true])
        #expect(guards() == [])
        try fixture.call("set", ["dirty": true, "locked": true])
        #expect(guards() == [[nav: .never, draft: .never]])
        // A covered screen is not listed, and one that is uncovered is.
        fixture.router.navigate(Target("Any", "show"), options: .init(via: .present))
        #expect(guards() == [[:]])
        fixture.router.dismiss()
        #expect(guards() == [[nav: .never, draft: .never]])
    }

    @Test("a turn that changes only a guard sends the host a change without operations")
    func alone() throws {
        let fixture = try fixture("nav[Home, Shared]")
        let shared = try screen("Shared", fixture)
        try fixture.router.setState("isShared", to: true)
        #expect(fixture.operations == [])
        #expect(fixture.host.changes.map { $0.guards[shared] } == [.asks])
        try fixture.router.setState("isShared", to: false)
        #expect(fixture.host.changes.last?.guards == [:])
        try fixture.router.setState("other", to: false)
        #expect(fixture.host.changes.count == 2)
        // One that the host refuses is followed by a resynchronization, which has the guards too.
        fixture.host.refuses = true
        try fixture.router.setState("isShared", to: true)
        #expect(fixture.host.resynchronizations.map { $0.guards[shared] } == [.asks])
        #expect(fixture.router.pending.isEmpty)
    }

    @Test(
        "if each call to 'guarded' has a different result, the host receives one guard per turn",
        arguments: [false, true]
    )
    func impure(holds: Bool) throws {
        let fixture = try RouterFixture(
            """
            local count = 0
            router.class("Home", { guarded = function()
              count = count + 1
              return count % 2 == 0
            end })
            router.start(function() return router.nav { router.screen "Home" } end)
            """
        )
        fixture.host.holds = holds
        for _ in 0..<3 {
            fixture.host.forgetChanges()
            try fixture.router.setState("x", to: true)
            #expect(fixture.host.changes.count <= 1)
            if holds, !fixture.host.changes.isEmpty { fixture.host.answer() }
            #expect(fixture.host.changes.count <= 1)
        }
    }

    @Test("a guard that changes when a timer fires is sent to the host")
    func sleeping() throws {
        let fixture = try RouterFixture(
            """
            local isGuarded = false
            router.class("Home", { guarded = function() return isGuarded end })
            router.start(function() return router.nav { router.screen "Home" } end)
            router.export("run", function()
              for count = 1, 3 do
                isGuarded = not isGuarded
                router.sleep(1)
              end
            end)
            """
        )
        let home = try screen("Home", fixture)
        fixture.router.call("run") { _ in }
        for expected in [Guard.asks, nil, .asks] {
            #expect(fixture.host.changes.last?.guards[home] == expected)
            fixture.router.advance(to: fixture.router.now + 1)
        }
    }

    @Test(
        "'handleBack' calls 'leaving' of guarded screens, and keeps undismissible screens",
        arguments: [
            ("nav[Home, Page]", false, "nav[Home, Page]"),
            ("nav[Home, Free]", false, "nav[Home, Free]"),
            ("nav[Home, Asks]", true, "nav[Home, Asks]"),
            ("nav[Home, Draft(dirty=true)]", true, "nav[Home]"),
            ("nav[Home, Never]", true, "nav[Home, Never]"),
            ("nav[Home] ^ nav[Draft(dirty=true)]", true, "nav[Home]"),
        ]
    )
    func handleBack(tree: String, isHandled: Bool, after: String) throws {
        let fixture = try fixture(tree)
        fixture.router.awaitsAllWork = false
        #expect(fixture.router.handleBack() == isHandled)
        #expect(fixture.tree == after)
        let origins = fixture.events.filter { $0.kind == .navigate }.map { $0["origin"].text }
        #expect(origins == (isHandled && !tree.contains("Never") ? ["person"] : []))
        // "Stay" is no failure.
        #expect(fixture.log == [])
    }

    @Test(
        "if a host removes guarded screens, the router accepts this and warns once for each class"
    )
    func disobedience() throws {
        let fixture = try fixture("nav[Home, Asks, Asks, Never, Free]")
        let nav = try screen("nav", fixture)
        for count in [4, 3, 2, 1] {
            let children = fixture.router.tree[nav].children
            fixture.router.report(.children(Array(children.prefix(count)), of: nav))
        }
        #expect(fixture.tree == "nav[Home]")
        #expect(
            fixture.log.map { $0.contains("'Never', whose guard is 'never'") } == [true, false]
        )
        #expect(fixture.log.map { $0.contains("'Asks', whose guard is 'asks'") } == [false, true])
    }

    @Test("a navigation to a route or a URL cannot have the origin 'person'")
    func origin() throws {
        let fixture = try fixture("nav[Home]")
        let options = NavigationOptions(origin: .person)
        for target in [Target("Page", "show"), Target("Any", "show")] {
            let navigation = fixture.router.navigate(target, options: options)
            #expect(navigation.error?.code == .forbidden)
        }
        #expect(fixture.router.dispatch("/any", options: .init(origin: .person)).status.isFailed)
        #expect(throws: RouteError.self) {
            try RouterFixture("router.register('A', 'b', { origin = 'person', build = print })")
        }
    }

    @Test(
        "tapping the selected tab again calls 'reselected'",
        arguments: [
            ("tabs", "nav[Home, Page]", true), ("nav", "nav[Home, Page]", false),
        ]
    )
    func reselected(name: String, tab: String, isDone: Bool) throws {
        let fixture = try fixture("tabs[*\(tab), nav[Home]]")
        var results: [Bool] = []
        fixture.router.report(.reselected(try screen(name, fixture))) {
            results = $0.map { (try? $0.get()) != nil }
        }
        #expect(results == [isDone])
        #expect(
            fixture.tree
                == (isDone ? "tabs[*nav[Home], nav[Home]]" : "tabs[*nav[Home, Page], nav[Home]]")
        )
    }

    @Test("'reselected' in a class without tabs is an error that says what is expected")
    func reselectedOfOthers() throws {
        let error = #expect(throws: RouteError.self) {
            try RouterFixture("router.class('Page', { reselected = false })")
        }
        #expect(error?.message.contains("tabs expected") == true)
    }

    @Test("a bundle without the capability 'leaving' cannot guard screens")
    func capability() throws {
        var configuration = Router.Configuration.patient
        configuration.capabilities.leaving = false
        #expect(throws: RouteError.self) {
            try RouterFixture(
                "router.class('Page', { guarded = function() return true end })",
                configuration: configuration
            )
        }
    }
}

extension QueuedLink.Status {
    fileprivate var isFailed: Bool { if case .failed = self { true } else { false } }
}
