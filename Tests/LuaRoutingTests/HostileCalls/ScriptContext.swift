// SPDX-License-Identifier: MIT

import LuaRouting

/// A situation in which scripts run: a callback that a script declares, and the event that calls
/// it.
///
/// The callback calls `run(NAME, …)`, which calls the chosen function.
struct ScriptContext: Sendable {
    /// The event that calls the callback.
    enum Trigger: Sendable {
        /// An action of the host on a started router; `number` is different for each call.
        case action(@Sendable (_ router: Router, _ number: Int) -> Void)
        /// The scripts are loaded in place of other scripts.
        case reload
        /// The scripts are loaded into a new router, which is then started.
        case start
    }

    let name: String
    /// The parameter of the Lua API that accepts the callback, such as `register.build`.
    let parameter: String?
    /// The Lua statements that declare the callback.
    let declaration: String
    let trigger: Trigger
    var isAction: Bool {
        if case .action = trigger { true } else { false }
    }

    /// Whether the callback exists only for scripts with the profile `trusted`.
    var isTrusted = false

    private init(
        _ name: String,
        for parameter: String? = nil,
        _ declaration: String = "",
        trigger: Trigger
    ) {
        self.name = name
        self.parameter = parameter
        self.declaration = declaration.replacing("NAME", with: "\"\(name)\"")
        self.trigger = trigger
    }

    private static func on(
        _ name: String,
        for parameter: String? = nil,
        _ declaration: String,
        _ action: @escaping @Sendable (Router) -> Void
    ) -> ScriptContext {
        ScriptContext(
            name,
            for: parameter,
            declaration,
            trigger: .action { router, _ in action(router) }
        )
    }

    /// Returns a context that runs in a navigation to its own route.
    private static func route(
        _ name: String,
        for parameter: String? = nil,
        _ keys: String,
        with declaration: String = ""
    ) -> ScriptContext {
        let service = name.filter(\.isLetter)
        return on(
            name,
            for: parameter,
            """
            \(declaration)
            define("\(service)", { \(keys) })
            """
        ) { $0.navigate(Target(service, "show"), info: ["id": 1]) }
    }

    /// Returns a context that runs in an exported function.
    private static func export(
        _ name: String,
        for parameter: String? = nil,
        _ body: String
    ) -> ScriptContext {
        let function = name.filter(\.isLetter)
        return ScriptContext(
            name,
            for: parameter,
            "router.export(\"\(function)\", function(info) \(body) end)",
            trigger: .action { router, number in
                _ = try? router.call(function, ["number": .integer(Int64(number))])
            }
        )
    }
}

extension ScriptContext {
    static let all = loading + definitions + links + interceptors + screens + work + tree + inner

    /// The contexts while scripts are loading.
    private static let loading: [ScriptContext] = [
        ScriptContext("loading", trigger: .reload),
        ScriptContext(
            "migrate",
            for: "migrate.function",
            "router.migrate(function() run(NAME) end)",
            trigger: .reload
        ),
        ScriptContext(
            "activated",
            for: "activated.function",
            "router.activated(function() run(NAME) end)",
            trigger: .reload
        ),
        ScriptContext(
            "start",
            for: "start.build",
            "starting = NAME",
            trigger: .start
        ),
        export("module", "require(\"vendor.case\" .. info.number)"),
    ]

    /// The functions that are keys of definitions.
    private static let definitions: [ScriptContext] = [
        on(
            "provider",
            for: "register.provider",
            "router.register(\"Provider\", \"show\", function() run(NAME) return leaf() end)"
        ) { $0.navigate(Target("Provider", "show")) },
        route("find", for: "register.find", "find = function() run(NAME) end"),
        route(
            "find.match",
            for: "register.match",
            "find = { class = \"Main\", match = function() run(NAME) end }"
        ),
        route(
            "find.start",
            for: "register.start",
            "find = { class = \"Main\", start = function() run(NAME) end }"
        ),
        route("reuse", "reuse = function() run(NAME) end"),
        route("info", "info = { id = function(id) run(NAME) return id or 1 end }"),
        route("prepare", for: "register.prepare", "prepare = function() run(NAME) end"),
        route("build", for: "register.build", "build = function() run(NAME) return leaf() end"),
        route("update", for: "register.update", "update = function() run(NAME) end"),
        route(
            "from",
            for: "register.from",
            "from = function(screen) run(NAME) return screen.kind == \"nav\" end"
        ),
        route(
            "switch.when",
            for: "switch.when",
            "from = router.switch { { when = function() run(NAME) end, from = \"current\" }, default = \"current\" }"
        ),
        route(
            "switch.from",
            for: "switch.from",
            "from = router.switch { { from = function() run(NAME) end }, default = \"current\" }"
        ),
        route(
            "switch.default",
            for: "switch.default",
            """
            from = router.switch {
              default = function(screen) run(NAME) return screen.kind == "nav" end,
            }
            """
        ),
        route(
            "leaf.adapt",
            for: "nav.adapt",
            """
            build = router.nav { { "Quiet", "show", adapt = function(info) run(NAME) return info end } },
            via = "present",
            """
        ),
        route("intercept", for: "register.intercept", "intercept = function() run(NAME) end"),
        route("after", for: "register.after", "after = function() run(NAME) end"),
        on(
            "closed",
            for: "register.closed",
            "define(\"Closed\", { closed = function() run(NAME) end })"
        ) {
            $0.navigate(Target("Closed", "show"))
            $0.back()
        },
        route(
            "adapt",
            for: "register.adapt",
            "adapt = function(info) run(NAME) return info end, from = { \"Quiet\", \"show\" }"
        ),
        route("enabled", for: "register.enabled", "enabled = function() run(NAME) return true end"),
        route(
            "link.build",
            """
            from = router.link {
              build = function() run(NAME) return router.screen("nav") end,
              via = "present", from = "current",
            }
            """
        ),
        route(
            "present.start",
            for: "present.start",
            "via = router.present { start = function(screen) run(NAME) return screen.kind == \"nav\" end }"
        ),
        route(
            "action",
            for: "action.body",
            "via = \"odd\"",
            with: """
                router.action("odd", { needs = "nav" }, function(place, screen, nav)
                  run(NAME, nav)
                  nav:act("push", place, screen)
                end)
                """
        ),
        route(
            "plain action",
            for: "action.options",
            "via = \"plain\"",
            with: """
                router.action("plain", function(place, screen, nav)
                  run(NAME, nav)
                  nav:act("push", place, screen)
                end)
                """
        ),
        route(
            "dependency",
            for: "provide.function",
            "needs = \"thing\"",
            with: "router.provide(\"thing\", function() run(NAME) end)"
        ),
        on(
            "fallback.screen",
            for: "fallback.screen",
            """
            router.fallback {
              screen = function() run(NAME) return leaf() end,
              task = function() run("fallback.task") end,
            }
            """
        ) { $0.navigate(Target("Unknown", "show")) },
        on("fallback.task", for: "fallback.task", "") { $0.doTask(Target("Unknown", "work")) },
    ]

    /// The callbacks that run when a URL or a route string is opened.
    private static let links: [ScriptContext] = [
        on(
            "rewrite",
            for: "rewrite.function",
            "router.rewrite(function() run(NAME) end)"
        ) { $0.open("/rewritten") },
        on(
            "kind",
            for: "kind.function",
            """
            router.kind("odd", function(text) run(NAME) return text end)
            define("Kind", { url = "/kinds/:value(odd)" })
            """
        ) { $0.open("/kinds/one") },
        on(
            "handler",
            for: "handle.function",
            """
            router.handle("route", { info = { id = function(id) run("payload") return id or 1 end } },
              function() run(NAME) return "Quiet", "show" end)
            """
        ) { $0.open("route|{\"id\":1}") },
        on("payload", "") { $0.open("route|{\"id\":1}") },
        on(
            "plain handler",
            for: "handle.options",
            "router.handle(\"plain\", function() run(NAME) return \"Quiet\", \"show\" end)"
        ) { $0.open("plain|{}") },
        on(
            "routing",
            for: "setAction.action",
            "routing:setAction(function() run(NAME) end)"
        ) { $0.dispatch("/links/run") },
    ]

    private static let interceptors: [ScriptContext] = [
        route(
            "interceptor",
            for: "interceptor.body",
            "intercept = \"timed\"",
            with: "router.interceptor(\"timed\", { timeout = 5 }, function() run(NAME) end)"
        ),
        route(
            "plain interceptor",
            for: "interceptor.options",
            "intercept = \"untimed\"",
            with: """
                router.interceptor("untimed", function(nav, proceed)
                  run(NAME)
                  proceed(true)
                end)
                """
        ),
        route(
            "interceptor.prepare",
            for: "interceptor.prepare",
            "intercept = \"prepared\"",
            with: """
                router.interceptor("prepared", { prepare = function() run(NAME) end }, function() end)
                """
        ),
        route(
            "interceptAll",
            "",
            with: """
                router.interceptor("every", function() run(NAME) end)
                router.interceptAll("every", { before = "search", only = { "interceptAll" } })
                """
        ),
        on(
            "updateAll",
            for: "updateAll.body",
            "router.updateAll(function() run(NAME) end)"
        ) { $0.navigate(Target("Quiet", "show")) },
        on(
            "afterAll",
            for: "afterAll.body",
            "router.afterAll(function() run(NAME) end)"
        ) { $0.navigate(Target("Quiet", "show")) },
    ]

    /// The functions of classes.
    private static let screens: [ScriptContext] = [
        on(
            "dismissible",
            for: "class.dismissible",
            """
            router.class("Firm", { dismissible = function() run(NAME) return true end })
            define("Firm", { build = function() return router.screen("Firm") end })
            """
        ) {
            $0.navigate(Target("Firm", "show"))
            $0.back()
        },
        on(
            "leaving",
            for: "class.leaving",
            """
            router.class("Draft", { leaving = function() run(NAME) end })
            define("Draft", { build = function() return router.screen("Draft") end })
            """
        ) {
            $0.navigate(Target("Draft", "show"))
            $0.back()
        },
        on(
            "guarded",
            for: "class.guarded",
            """
            router.class("Guarded", { guarded = function() run(NAME) end })
            define("Guarded", { build = function() return router.screen("Guarded") end })
            """
        ) {
            $0.navigate(Target("Guarded", "show"))
            $0.back()
        },
        on(
            "reselected",
            for: "class.reselected",
            """
            router.class("tabs", { reselected = function() run(NAME) end })
            define("Tabbed", {
              build = function() return router.tabs { router.screen("Tab") } end,
              via = "present",
            })
            """
        ) {
            $0.navigate(Target("Tabbed", "show"))
            let leaf = $0.tree.visibleLeaf(of: $0.tree.windows[0])
            if let tabs = $0.tree[leaf].parent { $0.report(.reselected(tabs)) }
            $0.dismiss()
        },
        on(
            "restore",
            for: "class.restore",
            """
            router.class("Main", { restore = function(fields) run(NAME) return fields end })
            """
        ) { $0.restore($0.snapshot()) },
    ]

    /// Tasks, timers, listeners and functions that the host calls.
    private static let work: [ScriptContext] = [
        export("export", for: "export.function", "run(NAME)"),
        on(
            "waiting export",
            "router.export(\"waiting\", function() run(NAME) end)"
        ) { $0.call("waiting") { _ in } },
        on(
            "task",
            for: "registerTask.worker",
            "router.registerTask(\"Task\", \"run\", function() run(NAME) end)"
        ) { $0.doTask(Target("Task", "run")) },
        export(
            "task completion",
            for: "doTask.completion",
            "router.doTask(\"Quiet\", \"run\", {}, function() run(NAME) end)"
        ),
        export(
            "completion",
            for: "navigate.completion",
            "router.navigate(\"Quiet\", \"show\", {}, { completion = function() run(NAME) end })"
        ),
        on(
            "timer",
            for: "delay.body",
            "router.export(\"timer\", function() router.delay(0.1, function() run(NAME) end) end)"
        ) {
            _ = try? $0.call("timer")
            $0.advance(to: $0.now + 1)
        },
        on(
            "listener",
            for: "on.function",
            "router.on(\"task\", function() run(NAME) end)"
        ) { $0.doTask(Target("Quiet", "run")) },
        on("back", for: "onBack.function", "router.onBack(function() run(NAME) end)") {
            $0.popToRoot(options: NavigationOptions(force: true))
            _ = $0.handleBack()
        },
    ]

    /// Functions that search for a screen immediately.
    private static let tree: [ScriptContext] = [
        export(
            "reuse predicate",
            for: "reuse.predicate",
            "router.reuse(function() run(NAME) end)"
        ),
        export("finder", for: "find.finder", "router.find(function() run(NAME) end)"),
        export(
            "pop predicate",
            for: "popTo.screen",
            "router.popTo(function() run(NAME) return true end)"
        ),
    ]

    /// Functions that are called by a library function, so that a C function is active between the
    /// callback and the entry.
    private static let inner: [ScriptContext] = [
        export("pcall", "pcall(run, NAME)"),
        export("comparator", "table.sort({ 2, 1 }, function(a, b) run(NAME) return a < b end)"),
        export("replacement", "string.gsub(\"a\", \"a\", function() run(NAME) end)"),
        export(
            "metamethod",
            "tostring(setmetatable({}, { __tostring = function() run(NAME) return \"\" end }))"
        ),
        trusted(export("coroutine", "coroutine.wrap(run)(NAME)")),
    ]

    private static func trusted(_ context: ScriptContext) -> ScriptContext {
        var context = context
        context.isTrusted = true
        return context
    }
}
