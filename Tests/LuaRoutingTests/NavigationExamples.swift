// SPDX-License-Identifier: MIT

import LuaRouting

/// The examples of navigations, deep links, reloads and snapshots.
extension TypeExamples {
    static let navigations: [Example] = [
        Example("ScriptBundle", scriptBundle),
        Example("BundleError", bundleError),
        Example("Target", target),
        Example("Navigation", navigation),
        Example("NavigationOptions", navigationOptions),
        Example("Action", action),
        Example("Origin", origin),
        Example("Policy", policy),
        Example("RouteTask", routeTask),
        Example("RouteError", routeError),
        Example("Event", event),
        Example("Finding", finding),
        Example("RouteDescription", routeDescription),
        Example("Explanation", explanation),
        Example("DispatchOptions", dispatchOptions),
        Example("QueuedLink", queuedLink),
        Example("RoutingDescription", routingDescription),
        Example("AnyRoute", anyRoute),
        Example("Checkpoint", checkpoint),
        Example("Metrics", metrics),
        Example("Metrics", metricsDifference),
        Example("Router", flightRecording),
        Example("Reload", reload),
        Example("Snapshot", snapshot),
        Example("Restoration", restoration),
        Example("RestorationLoss", restorationLoss),
        Example("Budget", budget),
        Example("ScriptProfile", scriptProfile),
    ]

    private static func scriptBundle() throws {
        let bundle = ScriptBundle(files: [
            "main.lua": "require 'settings'",
            "settings.lua": "router.registerTask('Settings', 'load', function() return true end)",
        ])
        let router = try Router(scripts: bundle, host: HeadlessHost())
        print(router.services[0].name, bundle.files.keys.sorted())
        // Settings ["main.lua", "settings.lua"]
    }

    private static func bundleError() {
        do {
            _ = try ScriptBundle(path: "no/such/folder")
        } catch {
            print(error.reason)  // missing
            print(error)  // no such file 'no/such/folder'
        }
    }

    private static func target() {
        let target = Target("ShowPage", "open")
        print(target, target.service, target.task)  // ShowPage/open ShowPage open
    }

    private static func navigation() throws {
        let router = try startedRouter()
        let navigation = router.navigate(Target("Page", "show"), info: ["id": 7]) { navigation in
            print(navigation.status.name)  // done
        }
        print(navigation.isPending, navigation.screen.map(router.notation) ?? "")
        // false Page(id=7)
        print(navigation)  // navigation 2 'Page/show': done
    }

    private static func navigationOptions() throws {
        let router = try startedRouter()
        let options = NavigationOptions(via: .present, isAnimated: false, timeout: 10)
        router.navigate(Target("Page", "show"), info: ["id": 7], options: options)
        print(router.treeNotation())  // nav[Home] ^ Page(id=7)
    }

    private static func action() throws {
        let router = try startedRouter()
        let sheet = Action.present(Screen.Presentation(style: "sheet"))
        let options = NavigationOptions(via: sheet)
        let page = router.navigate(Target("Page", "show"), info: ["id": 7], options: options).screen
        print(page.map { router.tree[$0].presentation.style } ?? "")  // sheet
    }

    private static func origin() throws {
        let router = try startedRouter()
        let navigation = router.open("app://pages/7", origin: .external)
        print(navigation.origin, router.treeNotation())  // external nav[Home, Page(id=7)]
    }

    private static func policy() throws {
        let router = try startedRouter()
        let checkout = router.navigate(Target("Checkout", "show"))
        let options = NavigationOptions(policy: .latest)
        router.navigate(Target("Page", "show"), info: ["id": 7], options: options)
        print(checkout.status.name)  // cancelled
    }

    private static func routeTask() throws {
        let router = try startedRouter()
        let task = router.doTask(Target("Settings", "load"))
        print(task.status.name, task.value)  // done {theme="dark"}
    }

    private static func routeError() async throws {
        let router = try startedRouter()
        do {
            try await router.navigate(Target("Page", "show"), info: ["id": "seven"])
        } catch {
            print(error.code)  // badInfo
            print(error)  // main.lua:4: bad field 'id' (integer expected, got string)
        }
    }

    private static func event() throws {
        let router = try startedRouter()
        router.onEvent = { event in
            if event.kind == .shown { print(event["screen"].text ?? "") }  // Page(id=7)
        }
        router.navigate(Target("Page", "show"), info: ["id": 7])
    }

    private static func finding() throws {
        let router = try Router(
            scripts: ScriptBundle(files: [
                "main.lua": """
                router.start(function() return router.screen "Home" end)
                router.interceptor("login", function() end)
                """
            ]),
            host: HeadlessHost()
        )
        for finding in router.check() {
            print(finding.code, finding.severity)  // L0102 warning
            print(finding.message)  // interceptor 'login' is declared but never used
        }
    }

    private static func routeDescription() throws {
        let router = try startedRouter()
        let route = try router.registration(of: Target("Page", "show"))
        print(route.urls, route.screens, route.reuse ?? "")
        // ["app://pages/:id(int)"] ["Page"] by id
    }

    private static func explanation() throws {
        let router = try startedRouter()
        let explanation = try router.explain(Target("Page", "show"), info: ["id": 7])
        print(explanation.outcome, explanation.operations)  // done ["push(Page(id=7))"]
        print(explanation.after ?? "")  // nav[Home, Page(id=7)]
    }

    private static func dispatchOptions() throws {
        let router = try startedRouter()
        let options = DispatchOptions(timeout: 60, key: "order", persist: true, origin: .external)
        router.dispatch("app://orders/7", options: options)
        router.dispatch("app://orders/8", options: options)
        print(router.queuedLinks.map(\.url))  // ["app://orders/8"]
    }

    private static func queuedLink() throws {
        let router = try startedRouter()
        let link = router.dispatch("app://orders/7")
        print(link.status.name, link.parameters)  // pending {id=7}
        try router.call("signIn")
        print(link.status.name, link.result)  // done "order 7"
    }

    private static func routingDescription() throws {
        let router = try startedRouter()
        for routing in router.routings {
            print(routing.pattern, routing.hasAction)  // app://orders/:id(int) false
        }
    }

    private static func anyRoute() throws {
        let route = try AnyRoute(#"page|{"id": 7}"#)
        print(route.identifier, route.info)  // page {id=7}
    }

    private static func reload() throws {
        let router = try startedRouter()
        let reload = router.reload(ScriptBundle(files: ["main.lua": "rooter.start()"]))
        print(reload)
        // reload: rejected (script): main.lua:1: undefined global 'rooter', did you mean 'router'?
        if let rejection = reload.rejection {
            print(rejection.reason)  // script
            print(rejection.findings[0])
            // main.lua:1: undefined global 'rooter', did you mean 'router'?
        }
        print(router.services.count)  // 3
    }

    private static func snapshot() throws {
        let router = try startedRouter(showing: 7)
        let saved = router.snapshot().json
        let snapshot = try Snapshot(json: saved)
        print(snapshot.windows, snapshot.screenCount)  // ["main"] 3
    }

    private static func restoration() throws {
        let snapshot = try startedRouter(showing: 7).snapshot()
        let router = try startedRouter()
        let restoration = router.restore(snapshot)
        print(restoration.navigation.status.name, restoration.losses.count)  // done 0
        print(router.treeNotation())  // nav[Home, Page(id=7)]
    }

    private static func restorationLoss() throws {
        let snapshot = try startedRouter(showing: 7).snapshot()
        let router = try Router(
            scripts: ScriptBundle(files: [
                "main.lua": """
                router.start(function() return router.screen "Home" end)
                router.class("Page", { restore = function() end })
                """
            ]),
            host: HeadlessHost()
        )
        for loss in router.restore(snapshot).losses {
            print(loss.path)  // main/nav/Page[2]
            print(loss.reason)  // 'restore' of class 'Page' returned nothing
        }
    }

    private static func checkpoint() throws {
        let router = try startedRouter()
        let before = try router.checkpoint()
        router.navigate(Target("Page", "show"), info: ["id": 7])
        try router.rewind(to: before)
        print(router.treeNotation())  // nav[Home]
    }

    private static func metrics() throws {
        let router = try startedRouter()
        router.navigate(Target("Page", "show"), info: ["id": 7])
        router.navigate(Target("Page", "missing"))
        let metrics = router.metrics
        print(metrics.navigations["Page/show", default: .init()].done)  // 1
        print(metrics.navigations["unknown", default: .init()].failed)  // 1
        print(metrics.failures[.notFound, default: 0])  // 1
        print(metrics.endedNavigations, metrics.generation)  // 3 1
    }

    private static func flightRecording() throws {
        let router = try startedRouter()
        router.navigate(Target("Page", "missing"))
        let lines = router.flightRecording().split(separator: "\n")
        print(lines.count, lines.last?.contains("notFound") == true)  // 8 true
    }

    private static func metricsDifference() throws {
        let router = try startedRouter()
        let before = router.metrics
        router.navigate(Target("Page", "missing"))
        let after = router.metrics
        let failed = after.failures[.notFound, default: 0] - before.failures[.notFound, default: 0]
        print("\(failed) of \(after.endedNavigations - before.endedNavigations)")  // 1 of 1
    }

    private static func budget() {
        var configuration = Router.Configuration()
        configuration.loadBudget = Budget(instructions: 1_000_000, duration: .milliseconds(50))
        let endless = ScriptBundle(files: ["main.lua": "while true do end"])
        do {
            _ = try Router(scripts: endless, host: HeadlessHost(), configuration: configuration)
        } catch {
            print(error.code)  // budget
        }
    }

    private static func scriptProfile() throws {
        let configuration = Router.Configuration(profile: .trusted)
        let script = "router.registerTask('Task', 'run', function() return type(coroutine) end)"
        let bundle = ScriptBundle(files: ["main.lua": script])
        let router = try Router(scripts: bundle, host: HeadlessHost(), configuration: configuration)
        print(router.doTask(Target("Task", "run")).value)  // "table"
    }
}
