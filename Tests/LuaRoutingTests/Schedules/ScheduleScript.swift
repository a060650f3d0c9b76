// SPDX-License-Identifier: MIT

import RandomNumbers

/// A piece of a script that can be left out to make a failing script smaller.
struct ScheduleNode {
    var head: String
    var children: [ScheduleNode] = []
    var tail: String?
    /// Whether the piece cannot be left out.
    var isFixed = false

    /// The lines of the piece.
    func lines(_ indent: String = "") -> [String] {
        [indent + head] + children.flatMap { $0.lines(indent + "  ") }
            + (tail.map { [indent + $0] } ?? [])
    }

    /// The paths of all pieces that may be left out, larger pieces first.
    var paths: [[Int]] {
        var level: [[Int]] = children.indices.map { [$0] }
        var all: [[Int]] = []
        while !level.isEmpty {
            all += level.filter { !self[$0].isFixed }
            level = level.flatMap { path in self[path].children.indices.map { path + [$0] } }
        }
        return all
    }

    subscript(path: [Int]) -> ScheduleNode {
        path.reduce(self) { $0.children[$1] }
    }

    /// Returns the script without the piece at a path.
    func without(_ path: some Collection<Int>) -> ScheduleNode {
        var copy = self
        guard let first = path.first else { return self }
        if path.count == 1 {
            copy.children.remove(at: first)
        } else {
            copy.children[first] = children[first].without(path.dropFirst())
        }
        return copy
    }
}

/// Makes scripts with routes that wait for each other.
///
/// A function calls only functions with lower numbers, so every script terminates.
struct ScheduleScript {
    static let routeCount = 12
    static let taskCount = 5
    static let interceptorCount = 4

    private var numbers: RandomNumbers

    /// The routes and tasks that a function may call: those with numbers below the given ones.
    private struct Reach {
        var routes: Int
        var tasks: Int
        var waits = true
        var depth = 0

        var nested: Reach { Reach(routes: routes, tasks: tasks, waits: false, depth: depth + 1) }
    }

    /// Returns a random script.
    static func make(_ numbers: inout RandomNumbers) -> ScheduleNode {
        var script = ScheduleScript(numbers: numbers)
        let node = script.script()
        numbers = script.numbers
        return node
    }

    /// The first lines of every script.
    private static let opening = """
        local kept, ends, count = {}, {}, 0
        local function ended(k, ok, why)
          router.log.info("ended " .. k)
          local code = type(why) == "table" and why.code
          ends[#ends + 1] = k .. " " .. tostring(ok) .. " " .. tostring(code)
        end
        local function go(service, n, options, fn)
          count = count + 1
          local k = count
          options.completion = function(ok, why)
            ended(k, ok, why)
            if fn then fn(ok, why) end
          end
          local navigation = router.navigate(service, "show", { n = n }, options)
          router.log.info("begun " .. k)
          kept[#kept + 1] = navigation
          return navigation
        end
        local function work(service, fn)
          count = count + 1
          local k = count
          local _, task = router.doTask(service, "do", {}, function(ok, info)
            ended(k, ok, info)
            if fn then fn(ok, info) end
          end)
          router.log.info("begun " .. k)
          kept[#kept + 1] = task
          return task
        end
        local function run(fn, ...)
          count = count + 1
          local k = count
          router.log.info("entered " .. k)
          fn(...)
          router.log.info("left " .. k)
        end
        local function drop(k)
          local one = kept[#kept - k]
          if one then one:cancel() end
        end
        router.expects{ tasks = { "H0/do", "H1/do" } }
        router.register("End", "show", {
          build = function() return router.screen "End" end,
          via = "replaceRoot",
        })
        router.export("forget", function() kept = {} end)
        router.export("ends", function() return table.concat(ends, "; ") end)
        """

    /// The declarations of dialogs: a login, and a question before a screen is left.
    static let dialogs = """
        router.register("Login", "show", {
          find = "Login",
          build = router.screen "Login",
          via = "presentWithNav",
        })
        router.register("Ask", "show", {
          find = "Ask",
          build = router.screen "Ask",
          via = "present",
        })
        router.interceptor("login", function()
          if router.state.user then return end
          local ok, user = go("Login", 0, {}):result()
          if not (ok and user) then router.stop "no login" end
          router.state.user = user
        end)
        local function ask()
          local ok, isLeft = go("Ask", 0, {}):result()
          if not (ok and isLeft) then router.stop "it stays" end
        end
        """

    private mutating func script() -> ScheduleNode {
        var nodes = Self.opening.split(separator: "\n").map {
            ScheduleNode(head: String($0), isFixed: true)
        }
        let policy = numbers.pick(["queue", "queue", "latest", "reject", "parallel"])
        let timeout = numbers.pick(["", "", ", timeout = 3", ", timeout = 0.5"])
        nodes.append(ScheduleNode(head: "router.options{ policy = \"\(policy)\"\(timeout) }"))
        for index in 0..<Self.routeCount where numbers.isTrue(oneIn: 3) {
            nodes.append(screenClass(index))
        }
        for index in 0..<Self.interceptorCount { nodes.append(interceptor(index)) }
        for index in 0..<Self.taskCount { nodes.append(task(index)) }
        if numbers.isTrue(oneIn: 4) {
            let before = numbers.pick(["search", "stage"])
            nodes.append(
                ScheduleNode(
                    head:
                        "router.interceptAll(\"I0\", { before = \"\(before)\", except = { \"R0\", \"End\" } })"
                )
            )
        }
        for index in 0..<Self.routeCount { nodes.append(route(index)) }
        if numbers.isTrue(oneIn: 4) {
            let event = numbers.pick(["done", "failed", "cancelled", "shown", "removed", "commit"])
            var children = [ScheduleNode(head: "heard = heard + 1", isFixed: true)]
            children.append(ScheduleNode(head: "if heard > 4 then return end", isFixed: true))
            children += statements(Reach(routes: 1, tasks: 0))
            nodes.append(
                ScheduleNode(
                    head: "local heard = 0 router.on(\"\(event)\", function(event)",
                    children: children,
                    tail: "end)"
                )
            )
        }
        for index in 0..<3 {
            nodes.append(
                ScheduleNode(
                    head: "router.export(\"call\(index)\", function()",
                    children: statements(
                        Reach(routes: Self.routeCount, tasks: Self.taskCount, waits: false)
                    ),
                    tail: "end)"
                )
            )
        }
        nodes.append(
            ScheduleNode(
                head: "router.start(function() return \(numbers.pick(Self.starts)) end)",
                isFixed: true
            )
        )
        return ScheduleNode(head: "-- generated", children: nodes)
    }

    private static let starts = [
        "router.nav { router.screen \"P0\" }",
        "router.nav { router.screen \"P0\", router.screen \"P1\" }",
        "router.nav { { \"R1\", \"show\" } }",
        "router.tabs { router.nav { router.screen \"P0\" }, router.nav { { \"R2\", \"show\" } } }",
        "router.split { router.nav { router.screen \"P0\" } }",
    ]

    // MARK: Declarations

    private mutating func screenClass(_ index: Int) -> ScheduleNode {
        var children: [ScheduleNode] = []
        if numbers.isTrue(oneIn: 3) {
            children.append(ScheduleNode(head: "fields = { \"n\" },"))
        }
        if numbers.isTrue(oneIn: 6) {
            children.append(
                ScheduleNode(head: "dismissible = function(screen) return screen.n ~= 2 end,")
            )
        }
        if !numbers.isTrue(oneIn: 4) {
            let proceeds = numbers.isTrue(oneIn: 3)
            var body = statements(Reach(routes: 0, tasks: 0))
            body += proceeds ? [proceeding()] : verdict(redirects: 0)
            children.append(
                ScheduleNode(
                    head: "leaving = function(nav, screen\(proceeds ? ", proceed" : ""))",
                    children: body,
                    tail: "end,"
                )
            )
        }
        return ScheduleNode(
            head: "router.class(\"P\(index)\", {",
            children: children,
            tail: "})"
        )
    }

    private mutating func interceptor(_ index: Int) -> ScheduleNode {
        let proceeds = numbers.isTrue(oneIn: 3)
        let reach = Reach(routes: index == 0 ? 1 : 4, tasks: index == 0 ? 0 : Self.taskCount)
        var body = statements(reach)
        body += proceeds ? [proceeding()] : verdict(redirects: index == 0 ? 0 : 4)
        let options = numbers.pick(["", "", "{ timeout = 2 }, ", "{ timeout = 60 }, "])
        return ScheduleNode(
            head:
                "router.interceptor(\"I\(index)\", \(options)function(nav\(proceeds ? ", proceed" : ""))",
            children: body,
            tail: "end)",
            isFixed: false
        )
    }

    private mutating func task(_ index: Int) -> ScheduleNode {
        var body = statements(Reach(routes: 2, tasks: index))
        let seconds = seconds()
        let end = numbers.pick([
            "do return { 1 } end", "done(true, 1)", "done(false)",
            "router.delay(\(seconds), function() done(true, 2) end)",
            "done(true) done(false)", "done(true) router.sleep(\(seconds))",
            "do return 1, router.later end",
            "do router.delay(\(seconds), function() done(true) end) return 1, router.later end",
            "error \"task\"", "router.sleep(\(seconds)) done(true)", "-- never",
            "router.delay(\(seconds), done) router.delay(\(seconds), done)",
        ])
        body.append(ScheduleNode(head: end))
        // A task with 'router.later' waits forever unless it declares a timeout.
        let deadlines = [", { timeout = 1 }", ", { timeout = 100 }"]
        let options = numbers.pick(end.contains("router.later") ? deadlines : ["", ""] + deadlines)
        return ScheduleNode(
            head: "router.registerTask(\"T\(index)\", \"do\", function(info, done)",
            children: body,
            tail: "end\(options))"
        )
    }

    private mutating func route(_ index: Int) -> ScheduleNode {
        let reach = Reach(routes: index, tasks: index < 2 ? 0 : Self.taskCount)
        var keys: [ScheduleNode] = []
        let declares = numbers.isTrue(oneIn: 2)
        if declares { keys.append(ScheduleNode(head: "info = { n = \"integer?\" },")) }
        switch numbers.below(6) {
        case 0: keys.append(ScheduleNode(head: "reuse = \"class\","))
        case 1: keys.append(ScheduleNode(head: "reuse = \"top\","))
        case 2: keys.append(ScheduleNode(head: "reuse = { by = \"n\" },"))
        case 3: keys.append(ScheduleNode(head: "find = { class = \"P\(index)\", by = \"n\" },"))
        default: break
        }
        var build = numbers.isTrue(oneIn: 8) ? statements(reach.nested) : []
        build.append(
            ScheduleNode(
                head: numbers.isTrue(oneIn: 6)
                    ? "return router.nav { router.screen(\"P\(index)\", { n = info.n }) }"
                    : "return router.screen(\"P\(index)\", { n = info.n })",
                isFixed: true
            )
        )
        keys.append(
            ScheduleNode(
                head: "build = function(info)",
                children: build,
                tail: "end,",
                isFixed: true
            )
        )
        let via = numbers.pick([
            "push", "push", "push", "pushAsRoot", "pushReplacingLast", "present",
            "presentWithNav", "replaceRoot", "addTab", "pushToDetails",
        ])
        if via != "push" { keys.append(ScheduleNode(head: "via = \"\(via)\",")) }
        if index > 1, numbers.isTrue(oneIn: 5) {
            keys.append(
                ScheduleNode(
                    head: numbers.pick([
                        "from = { \"R\(numbers.below(index))\", \"show\" },", "from = \"current\",",
                        "from = router.newNav{ via = \"present\", from = \"current\" },",
                    ])
                )
            )
        }
        if index > 0, !numbers.isTrue(oneIn: 3) { keys.append(intercept(index, reach)) }
        if index > 0, numbers.isTrue(oneIn: 6) {
            keys.append(
                ScheduleNode(
                    head:
                        "update = function(screen, info) screen.seen = (screen.seen or 0) + 1 end,"
                )
            )
        }
        if index > 0, numbers.isTrue(oneIn: 3) {
            keys.append(
                ScheduleNode(
                    head: "after = function(...) run(function(screen, info, nav)",
                    children: statements(reach),
                    tail: "end, ...) end,"
                )
            )
        }
        if index > 0, numbers.isTrue(oneIn: 4) {
            keys.append(
                ScheduleNode(
                    head: "closed = function(...) run(function(screen, value, nav)",
                    children: statements(reach),
                    tail: "end, ...) end,"
                )
            )
        }
        return ScheduleNode(
            head: "router.register(\"R\(index)\", \"show\", {",
            children: keys,
            tail: "})"
        )
    }

    private mutating func intercept(_ index: Int, _ reach: Reach) -> ScheduleNode {
        let names = index >= 4 ? numbers.below(3) : 0
        var parts: [ScheduleNode] = (0..<names).map { _ in
            ScheduleNode(head: "\"I\(1 + numbers.below(Self.interceptorCount - 1))\",")
        }
        if names == 0 || numbers.isTrue(oneIn: 2) {
            let proceeds = numbers.isTrue(oneIn: 4)
            var body = statements(reach)
            body += proceeds ? [proceeding()] : verdict(redirects: index)
            parts.append(
                ScheduleNode(
                    head: "function(nav\(proceeds ? ", proceed" : ""))",
                    children: body,
                    tail: "end,"
                )
            )
        }
        return ScheduleNode(head: "intercept = {", children: parts, tail: "},")
    }

    // MARK: Answers

    private mutating func verdict(redirects: Int) -> [ScheduleNode] {
        switch numbers.below(16) {
        case 0: [ScheduleNode(head: "router.stop \"no\"")]
        case 1: [ScheduleNode(head: "router.stay \"here\"")]
        case 2 where redirects > 0, 3 where redirects > 0:
            [
                ScheduleNode(
                    head:
                        "router.redirect(\"R\(numbers.below(redirects))\", \"show\", { n = \(numbers.below(3)) })"
                )
            ]
        case 4: [ScheduleNode(head: "do return false, \"no\" end")]
        case 5: [ScheduleNode(head: "do return true end")]
        case 6: [ScheduleNode(head: "if nav.info.n == 1 then router.stop() end")]
        default: []
        }
    }

    private mutating func proceeding() -> ScheduleNode {
        let seconds = seconds()
        return ScheduleNode(
            head: numbers.pick([
                "proceed(true)", "proceed(false, \"no\")", "-- never", "-- never either",
                "router.delay(\(seconds), function() proceed(true) end)",
                "router.delay(\(seconds), function() proceed(false) end)",
                "proceed(true) proceed(false)", "proceed(true) router.sleep(\(seconds))",
                "router.delay(\(seconds), function() proceed(true) proceed(true) end)",
                "router.sleep(\(seconds)) proceed(true)",
                "router.doTask(\"H0\", \"do\", {}, function(ok) proceed(ok) end)",
                "proceed(true) do return false end", "router.sleep(\(seconds)) do return true end",
            ])
        )
    }

    // MARK: Statements

    private mutating func seconds() -> String {
        numbers.pick(["0", "0.25", "1", "1", "2.5", "10", "45"])
    }

    private mutating func statements(_ reach: Reach) -> [ScheduleNode] {
        guard reach.depth < 3 else { return [] }
        let count = numbers.pick([0, 1, 1, 2, reach.depth == 0 ? 3 : 1])
        return (0..<count).map { _ in statement(reach) }
    }

    private mutating func statement(_ reach: Reach) -> ScheduleNode {
        let limit = numbers.pick(["", "", "{ timeout = \(seconds()) }"])
        let wait = limit.isEmpty ? "()" : limit
        switch numbers.below(14) {
        case 0 where reach.waits, 1 where reach.waits:
            return ScheduleNode(head: "router.sleep(\(seconds()))")
        case 2:
            let task = numbers.pick(["H0", "H1"])
            return ScheduleNode(
                head: "work(\"\(task)\")\(reach.waits ? ":await\(wait)" : "")"
            )
        case 3 where reach.tasks > 0, 4 where reach.tasks > 0:
            let waits = reach.waits && !numbers.isTrue(oneIn: 3) ? ":await\(wait)" : ""
            let name = "T\(numbers.below(reach.tasks))"
            return numbers.isTrue(oneIn: 3)
                ? ScheduleNode(
                    head: "work(\"\(name)\", function(ok, info)",
                    children: statements(reach.nested),
                    tail: "end)\(waits)"
                ) : ScheduleNode(head: "work(\"\(name)\")\(waits)")
        case 5 where reach.routes > 0, 6 where reach.routes > 0, 7 where reach.routes > 0:
            return navigating(reach, wait)
        case 8:
            let verb = numbers.pick([
                "back()", "dismiss()", "dismissAll()", "popToRoot()", "close(router.visible(), 1)",
                "close(router.topmost())", "close(router.visible(), 2, { force = true })",
            ])
            let waits = reach.waits && numbers.isTrue(oneIn: 2) ? ":await\(wait)" : ""
            return ScheduleNode(head: "router.\(verb)\(waits)")
        case 9: return ScheduleNode(head: "router.state.x = (router.state.x or 0) + 1")
        case 10:
            return ScheduleNode(
                head: "do local v = router.visible() if v then v.m = (v.m or 0) + 1 end end"
            )
        case 11:
            return ScheduleNode(
                head: "router.delay(\(seconds()), function()",
                children: statements(reach.nested),
                tail: "end)\(numbers.isTrue(oneIn: 6) ? ":cancel()" : "")"
            )
        case 12:
            return numbers.isTrue(oneIn: 5)
                ? ScheduleNode(head: "error \"raised\"")
                : ScheduleNode(head: "drop(\(numbers.below(3)))")
        default: return ScheduleNode(head: "router.log.info(\"\(numbers.below(100))\")")
        }
    }

    private mutating func navigating(_ reach: Reach, _ wait: String) -> ScheduleNode {
        var options: [String] = []
        if numbers.isTrue(oneIn: 4) {
            options.append("via = \"\(numbers.pick(["push", "present", "presentWithNav"]))\"")
        }
        if numbers.isTrue(oneIn: 5) {
            let policy = numbers.pick(["queue", "latest", "reject", "parallel"])
            options.append("policy = \"\(policy)\"")
        }
        if numbers.isTrue(oneIn: 5) { options.append("timeout = \(seconds())") }
        if numbers.isTrue(oneIn: 5) {
            options.append("again = true")
        }
        if numbers.isTrue(oneIn: 8) { options.append("from = router.visible()") }
        let call =
            "go(\"R\(numbers.below(reach.routes))\", \(numbers.below(3)), { \(options.joined(separator: ", ")) }"
        var waits = ""
        if reach.waits {
            waits = numbers.pick([
                "", ":await\(wait)", ":result\(wait)", ":result\(wait)", ":cancel()",
            ])
        }
        return numbers.isTrue(oneIn: 4)
            ? ScheduleNode(
                head: "\(call), function(ok, why)",
                children: statements(reach.nested),
                tail: "end)\(waits)"
            ) : ScheduleNode(head: "\(call))\(waits)")
    }
}
