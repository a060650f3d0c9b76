// SPDX-License-Identifier: MIT

import LuaRouteObservation
import LuaRouting
import Observation
import Testing

/// Tests of a model as the host of a router, and of the model's bindings.
@MainActor
struct RouterModelTests {
    private let fixture: Fixture
    private var model: RouterModel { fixture.model }

    init() throws { fixture = try Fixture() }

    private func push(_ count: Int) {
        for _ in 0..<count { fixture.navigate("push") }
    }

    @Test("the model answers the router when the view of a new screen has appeared")
    func appeared() throws {
        let fixture = try Fixture()
        // Nobody has said that a view appeared.
        let first = fixture.navigate("push")
        #expect(first.status.name == "done")
        fixture.model.appeared(fixture.visible)
        let second = fixture.navigate("push")
        #expect(second.isPending)
        fixture.model.appeared(fixture.root)
        #expect(second.isPending)
        fixture.model.appeared(fixture.visible)
        #expect(second.status.name == "done")
        // The view of a screen that was there does not appear anew.
        #expect(fixture.router.back().status.name == "done")
    }

    @Test(
        "after the settle time the model answers the router, and the log names the view that has not appeared"
    )
    func notAppeared() throws {
        let fixture = try Fixture()
        var warnings: [Value] = []
        fixture.router.onEvent = { if $0.kind == .log { warnings.append($0["message"]) } }
        fixture.model.settleTime = 2
        fixture.model.appeared(fixture.visible)
        let push = fixture.navigate("push")
        fixture.router.advance(to: fixture.router.now + 1.9)
        #expect(push.isPending)
        fixture.router.advance(to: fixture.router.now + 0.1)
        #expect(push.status.name == "done")
        #expect(
            warnings == [
                Value(
                    "the view of 'Page' has not appeared within 2.0 s (call 'appeared' in 'onAppear' "
                        + "of the view, or look for a view that does not read the model)"
                )
            ]
        )
    }

    @Test("a view that appears during the transaction of its change counts as appeared")
    func appearedAtOnce() throws {
        let fixture = try Fixture()
        fixture.model.appeared(fixture.root)
        fixture.model.transaction = { [model = fixture.model] _, update in
            update()
            model.windows.forEach { model.appeared(model.tree.visibleLeaf(of: $0)) }
        }
        #expect(fixture.navigate("push").status.name == "done")
    }

    private final class Log {
        var messages: [Value] = []
    }

    /// Returns a router with the given script, its model, and the messages that the router logs.
    private func logged(_ script: String) throws -> (Router, RouterModel, Log) {
        let (model, log) = (RouterModel(), Log())
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: model,
            onEvent: { if $0.kind == .log { log.messages.append($0["message"]) } }
        )
        return (router, model, log)
    }

    @Test("an expected screen for which the app has no view is reported immediately")
    func expectedScreens() throws {
        let (router, model, log) = try logged(
            """
            router.start(function() return router.screen "Page" end)
            router.expects { screens = { "Page", "Draft" } }
            """
        )
        model.connect(to: router, screens: ["Page"])
        #expect(
            log.messages == [
                Value(
                    "the scripts expect the screen 'Draft', which the host cannot make (add a view for "
                        + "this screen)"
                )
            ]
        )
    }

    @Test("a task that the model does not perform is logged at the call")
    func unperformedTask() throws {
        let (router, model, log) = try logged(
            """
            router.start(function() return router.screen "Page" end)
            router.expects { tasks = { "Wallet/pay" } }
            """
        )
        model.connect(to: router)
        let task = router.doTask(Target("Wallet", "pay"))
        #expect("\(task.status)".contains("the host does not perform tasks"))
        #expect(
            log.messages == [
                "the host does not perform the task 'Wallet/pay' (override 'doTask' of the model)"
            ]
        )
    }

    @Test("a model logs that its router was never started, and a failed start can be repeated")
    func unstarted() throws {
        let (router, model, log) = try logged("router.start(function() error 'no tabs' end)")
        model.connect(to: router)
        router.advance(to: router.now + 10)
        #expect(
            log.messages == [
                "nothing is on screen: the host has not started the router (call 'start' of the router)"
            ]
        )
        router.start()
        router.reload(
            ScriptBundle(files: [
                "main.lua": "router.start(function() return router.screen 'Page' end)"
            ])
        )
        #expect(model[window: "main"] != nil)
    }

    @Test("the bindings return values of the tree")
    func reading() throws {
        #expect(model[window: "main"] == fixture.root)
        #expect(model[selection: fixture.root] == fixture.child(0))
        #expect(model[path: fixture.child(0)].isEmpty)
        #expect(model[detail: fixture.child(1)] == fixture.child(1, 1))
        #expect(model[screen: fixture.child(0, 0)]?.class == "Home")
        push(2)
        #expect(model[path: fixture.child(0)] == [fixture.child(0, 1), fixture.child(0, 2)])
        #expect(fixture.shown == [fixture.tree])
    }

    @Test("removing the last screens from a path pops them")
    func pop() {
        push(3)
        model[path: fixture.child(0)].removeLast(2)
        #expect(fixture.tree == "tabs[*nav[Home, Page], split[nav[List], Page]]")
        model[path: fixture.child(0)] = []
        #expect(fixture.tree == "tabs[*nav[Home], split[nav[List], Page]]")
        #expect(fixture.shown == [fixture.tree])
        #expect(fixture.ignored.isEmpty)
    }

    @Test("setting the selected tab selects it in the tree")
    func select() {
        model[selection: fixture.root] = fixture.child(1)
        #expect(fixture.tree == "tabs[nav[Home], *split[nav[List], Page]]")
        #expect(model[selection: fixture.root] == fixture.child(1))
    }

    @Test("setting a detail to nil removes it")
    func detail() {
        model[detail: fixture.child(1)] = nil
        #expect(fixture.tree == "tabs[*nav[Home], split[nav[List]]]")
        #expect(model[detail: fixture.child(1)] == nil)
    }

    @Test(
        "a modal is the item of the binding for its style, and setting nil dismisses the modal",
        arguments: ["sheet", "cover"]
    )
    func modal(_ task: String) throws {
        fixture.navigate(task)
        let presenter = try #require(
            fixture.router.tree.screens(under: fixture.root).first {
                fixture.router.tree[$0].modal != nil
            }
        )
        let modal = fixture.router.tree[presenter].modal
        #expect(model[sheet: presenter]?.id == (task == "sheet" ? modal : nil))
        #expect(model[cover: presenter]?.id == (task == "cover" ? modal : nil))
        #expect(model[contextual: presenter] == nil)
        let style = model[sheet: presenter] ?? model[cover: presenter]
        #expect(style?.presentation.style == (task == "sheet" ? "formSheet" : "fullScreen"))
        if task == "sheet" { model[cover: presenter] = nil } else { model[sheet: presenter] = nil }
        #expect(fixture.router.tree[presenter].modal == modal)
        if task == "sheet" { model[sheet: presenter] = nil } else { model[cover: presenter] = nil }
        #expect(fixture.tree == "tabs[*nav[Home], split[nav[List], Page]]")
        #expect(fixture.ignored.isEmpty)
    }

    @Test("a contextual modal has a separate binding")
    func contextual() {
        let home = fixture.child(0, 0)
        fixture.navigate("overlay", from: home)
        #expect(fixture.tree == "tabs[*nav[Home ^ Page], split[nav[List], Page]]")
        #expect(model[sheet: home] == nil)
        #expect(model[cover: home] == nil)
        #expect(model[contextual: home]?.id == fixture.router.tree[home].modal)
        model[contextual: home] = nil
        #expect(fixture.tree == "tabs[*nav[Home], split[nav[List], Page]]")
    }

    @Test("a screen that the host presents without the router is not an item of a binding")
    func foreign() {
        model.report(.presented(foreign: "Alert", over: fixture.root))
        #expect(fixture.tree.hasSuffix(" ^ Alert:foreign"))
        #expect(model[cover: fixture.root] == nil)
        #expect(fixture.shown == [fixture.tree])
    }

    /// The actions of the user that remove a draft, each named after the task that shows the draft.
    nonisolated static let removals = ["draft", "draftSheet", "draftDetail"]

    private func remove(by task: String) {
        switch task {
        case "draft": model[path: fixture.child(0)] = []
        case "draftSheet": model[sheet: fixture.root] = nil
        default: model[detail: fixture.child(1)] = nil
        }
    }

    @Test(
        "setting a binding asks a guarded screen first, and the view reads the value again",
        arguments: removals
    )
    func guarded(_ task: String) throws {
        if task == "draftDetail" { model[selection: fixture.root] = fixture.child(1) }
        fixture.navigate(task)
        let before = fixture.tree
        let draft = try #require(fixture.draft)
        #expect(model[guard: draft] == .asks)
        nonisolated(unsafe) var readings = 0
        withObservationTracking {
            _ = (model[path: fixture.child(0)], model[sheet: fixture.root])
            _ = model[detail: fixture.child(1)]
        } onChange: {
            readings += 1
        }
        remove(by: task)
        #expect(fixture.tree == before)
        #expect(readings == 1)
        #expect(fixture.ignored == [])
        try fixture.router.setState("leaves", to: true)
        remove(by: task)
        #expect(!fixture.tree.contains("Draft"))
        #expect(fixture.shown == [fixture.tree])
    }

    @Test("setting a binding is ignored if a screen cannot be dismissed", arguments: removals)
    func neverDismissed(_ task: String) throws {
        if task == "draftDetail" { model[selection: fixture.root] = fixture.child(1) }
        fixture.navigate(task)
        let draft = try #require(fixture.draft)
        withObservationTracking {
            #expect(model[guard: draft] == .asks)
        } onChange: {
        }
        try fixture.router.call("lock")
        #expect(model[guard: draft] == .never)
        let before = fixture.tree
        remove(by: task)
        #expect(fixture.tree == before)
        #expect(fixture.ignored == ["the screen cannot be dismissed"])
    }

    @Test("a tap on the selected tab pops its stack")
    func reselect() {
        push(2)
        model[selection: fixture.root] = fixture.child(0)
        #expect(fixture.tree == "tabs[*nav[Home], split[nav[List], Page]]")
        #expect(model[path: fixture.child(0)] == [])
        model[selection: fixture.root] = fixture.child(0)
        #expect(fixture.ignored == [])
    }

    @Test(
        "if the app sets a value that only the router can create, the model ignores the value with a reason"
    )
    func ignored() throws {
        push(2)
        let (nav, page) = (fixture.child(0), fixture.child(1, 1))
        let before = fixture.tree
        model[path: nav].append(page)
        model[path: nav].removeFirst()
        model[selection: fixture.root] = page
        model[selection: fixture.root] = nil
        model[detail: fixture.child(1)] = nav
        model[sheet: fixture.root] = PresentedScreen(id: page, presentation: .init())
        #expect(fixture.tree == before)
        let path =
            "a path can only lose its last screens; call 'navigate' of the router to push a screen"
        let tab = "the selected screen is not one of the tabs"
        #expect(
            fixture.ignored == [
                path, path, tab, tab,
                "a detail can only be removed; call 'navigate' of the router to show another "
                    + "detail",
                "a modal can only be dismissed; call 'navigate' of the router to present another "
                    + "modal",
            ]
        )
    }

    @Test("the bindings of a removed screen are empty, and setting them changes nothing")
    func gone() throws {
        fixture.navigate("stack")
        let nav = try #require(fixture.router.tree[fixture.root].modal)
        fixture.navigate("push")
        let path = model[path: nav]
        #expect(path.count == 1)
        fixture.router.dismiss()
        #expect(model[path: nav].isEmpty)
        #expect(model[screen: nav] == nil)
        let before = fixture.tree
        model[path: nav] = []
        model[sheet: nav] = nil
        #expect(fixture.ignored.isEmpty)
        model[path: nav] = path
        model[selection: nav] = path[0]
        #expect(fixture.ignored.count == 2)
        #expect(fixture.tree == before)
    }

    @Test("setting a binding in an observer of a tree change does not undo that change")
    func setDuringChange() {
        push(1)
        let nav = fixture.child(0)
        let model = model
        let path = withObservationTracking {
            model[path: nav]
        } onChange: {
            MainActor.assumeIsolated { model[path: nav] = [] }
        }
        #expect(path.count == 1)
        push(1)
        #expect(model[path: nav].count == 2)
        #expect(fixture.ignored == ["the router is changing the tree"])
    }

    @Test("a navigation started by an observer of a change is shown after that change")
    func navigationDuringChange() {
        let (model, nav) = (model, fixture.child(0))
        let router = Unchecked(fixture.router)
        withObservationTracking {
            _ = model[path: nav]
        } onChange: {
            MainActor.assumeIsolated { _ = router.value.navigate(Target("Page", "cover")) }
        }
        push(1)
        #expect(fixture.tree == "tabs[*nav[Home, Page], split[nav[List], Page]] ^ Page")
        #expect(fixture.shown == [fixture.tree])
    }

    @Test("a navigation started by an observer during a refresh is shown after the refresh")
    func navigationDuringRefresh() throws {
        let model = model
        let router = Unchecked(fixture.router)
        try fixture.router.setTree(TreeNotation("nav[Home]"))
        withObservationTracking {
            _ = model.tree
        } onChange: {
            MainActor.assumeIsolated { _ = router.value.navigate(Target("Page", "push")) }
        }
        model.refresh()
        #expect(fixture.tree == "nav[Home, Page]")
        #expect(fixture.shown == [fixture.tree])
    }

    @Test("a navigation that an observer starts when the app sets an invalid value is shown")
    func navigationAfterIgnoredSet() {
        let (model, root) = (model, fixture.root)
        let router = Unchecked(fixture.router)
        withObservationTracking {
            _ = model[selection: root]
        } onChange: {
            MainActor.assumeIsolated { _ = router.value.navigate(Target("Page", "push")) }
        }
        model[selection: root] = nil
        #expect(fixture.ignored.count == 1)
        #expect(fixture.tree == "tabs[*nav[Home, Page], split[nav[List], Page]]")
        #expect(fixture.shown == [fixture.tree])
    }

    @Test("an observer that sets a value whenever it is called does not loop forever")
    func setByEachObserver() {
        let observer = GreedyObserver(model, fixture.child(0))
        observer.observe()
        observer.set()
        #expect(observer.calls == 1)
        push(1)
        // For the change, and for what the observer set in vain.
        #expect(observer.calls == 3)
        #expect(fixture.shown == [fixture.tree])
    }

    /// An observer that sets a path in each call.
    @MainActor
    private final class GreedyObserver {
        private let model: RouterModel
        private let nav: ScreenID
        private(set) var calls = 0

        init(_ model: RouterModel, _ nav: ScreenID) { (self.model, self.nav) = (model, nav) }

        func set() { model[path: nav] = [nav] }

        func observe() {
            withObservationTracking {
                _ = model[path: nav]
            } onChange: {
                MainActor.assumeIsolated {
                    self.calls += 1
                    self.observe()
                    self.set()
                }
            }
        }
    }

    private struct Unchecked<Value>: @unchecked Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    @Test("each window has a root, until it is closed")
    func windows() throws {
        fixture.router.openWindow("second", try fixture.router.nav([fixture.router.screen("Home")]))
        let root = try #require(model[window: "second"])
        #expect(model.windows.map(\.name) == ["main", "second"])
        #expect(model[screen: root]?.class == "nav")
        model.report(.closed(window: "second"))
        #expect(fixture.router.tree.windows.map(\.name) == ["main"])
        #expect(model[window: "second"] == nil)
        #expect(model[screen: root] == nil)
    }

    @Test("a report that the router ignores returns the reason")
    func refusedReport() {
        model.report(.closed(window: "none"))
        #expect(fixture.ignored == ["there is no window 'none'"])
    }

    @Test("a change is passed to the transaction closure, and `done` is called after the change")
    func transaction() {
        var animated: [Bool] = []
        model.transaction = { change, update in
            animated.append(change.isAnimated)
            #expect(self.fixture.router.pending.count == 1)
            update()
        }
        fixture.navigate("push")
        fixture.router.navigate(
            Target("Page", "push"),
            options: NavigationOptions(isAnimated: false)
        )
        #expect(animated == [true, false])
        model.transaction = { _, _ in }
        fixture.navigate("cover")
        #expect(fixture.shown == [fixture.tree], "the tree is shown whatever the closure does")
        #expect(fixture.router.pending.isEmpty)
    }

    @Test("a new tree that the app sets is shown after a refresh")
    func refresh() throws {
        try fixture.router.setTree(TreeNotation("nav[Home, Page(id=1)]"))
        model.refresh()
        #expect(fixture.shown == ["nav[Home, Page(id=1)]"])
    }

    @Test("a model without a router ignores reports, and gives the reason")
    func disconnected() throws {
        let model = RouterModel()
        var ignored: [String] = []
        model.onIgnoredSet = { ignored.append($0) }
        model.report(.closed(window: "main"))
        #expect(
            ignored == [
                "the model has no router; call 'connect(to:)' when the model and the router exist"
            ]
        )
    }

    @Test("the model does not retain its router")
    func lifetime() throws {
        let model = RouterModel()
        weak var router: Router?
        do {
            let fixture = try Fixture(model)
            router = fixture.router
            #expect(router != nil)
        }
        #expect(router == nil)
        #expect(model.windows.count == 1)
    }

    private final class WorkingModel: RouterModel {
        override func doTask(_ task: HostTask) { task.end(true, "done") }
    }

    @Test("a subclass of the model can perform host tasks")
    func subclass() throws {
        let fixture = try Fixture(WorkingModel())
        #expect(fixture.router.doTask(Target("App", "work")).status.name == "done")
        #expect(
            self.fixture.router.doTask(Target("App", "work")).status.name == "failed"
        )
    }
}
