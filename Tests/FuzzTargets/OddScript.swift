// SPDX-License-Identifier: MIT

/// Writes a script of calls whose functions and arguments are chosen by bytes.
///
/// Each call is inside its own `pcall`, so that a rejected call does not stop the others.
struct OddScript {
    private(set) var source: ByteSource
    private var depth = 0

    init(_ source: ByteSource) { self.source = source }

    mutating func text() -> String {
        var lines = [Self.head]
        for _ in 0..<source.below(10) + 2 { lines.append(attempt(declaration())) }
        for number in 0..<4 {
            let body = (0..<source.below(5) + 1).map { _ in statement() }.joined(separator: "\n")
            lines.append("router.export(\"f\(number)\", function(t)\n\(body)\nend)")
        }
        return lines.joined(separator: "\n")
    }

    /// The arguments of the calls: screens, routes and navigations with one-letter names.
    private static let head = """
        -- odd
        local s, n, k, w = nil, nil, nil, nil
        local r, l = router.routing "/r/:x?", nil
        local function odd(x, y) s = y or s return x end
        router.class("A", { fields = { "x", "n" } })
        router.class("G", { kind = "container", shows = "selected", max = 2 })
        router.start(function()
          s = router.screen("A", { x = 0 })
          return router.nav { s }
        end)
        router.register("A", "show", {
          build = function(info) s = router.screen("A", { x = info.x }) return s end,
        })
        router.expects { tasks = { "H/do" } }
        """

    private func attempt(_ call: String) -> String { "pcall(function() \(call) end)" }

    private mutating func declaration() -> String {
        switch source.below(15) {
        case 0, 1, 2, 3, 4:
            return "router.register(\(name()), \"show\", \(definition()))"
        case 5: return "router.registerTask(\(name()), \"do\", \(function()))"
        case 6: return "router.interceptor(\(interceptor()), \(options()), \(function()))"
        case 7:
            return
                "router.interceptAll(\(interceptor()), { before = \(source.pick(["\"search\"", "\"stage\"", "1"])) })"
        case 8:
            return
                "router.class(\(name()), { kind = \(kind()), dismissible = \(value()), leaving = \(function()), override = true })"
        case 9: return "router.on(\(event()), \(function()))"
        case 10: return "router.action(\"act\", { needs = \(kind()) }, \(function()))"
        case 11: return "router.start(\(function()))"
        case 13:
            return
                "router.routing(\(url()), { override = \(source.below(2) == 0) }):setAction(\(function()))"
        case 14:
            let group = "router.group { url = \(url()), intercept = \(function()) }"
            return source.below(2) == 0
                ? "router.rewrite(\(function()))"
                : "\(group):register(\(name()), \"show\", \(definition()))"
        case 12: return "router.options { policy = \(policy()), timeout = \(value()) }"
        default: return statement()
        }
    }

    private mutating func definition() -> String {
        if source.below(4) == 0 { return function() }
        var parts = ["override = true"]
        for _ in 0..<source.below(6) + 1 {
            switch source.below(14) {
            case 0, 1: parts.append("build = \(source.below(2) == 0 ? function() : tree())")
            case 2: parts.append("find = \(finder())")
            case 3: parts.append("via = \(action())")
            case 4: parts.append("from = \(from())")
            case 5: parts.append("intercept = \(source.below(2) == 0 ? interceptor() : function())")
            case 6: parts.append("after = \(function())")
            case 7: parts.append("closed = \(function())")
            case 8: parts.append("adapt = \(function())")
            case 9: parts.append("prepare = \(function())")
            case 12: parts.append("ready = \(gate())")
            case 10: parts.append("update = \(function())")
            case 11:
                parts.append(
                    "reuse = \(source.pick(["\"class\"", "\"top\"", "\"never\"", "{ by = \"x\", move = true }", "1"]))"
                )
            default:
                parts.append(
                    "info = { x = \(source.pick(["\"any?\"", "\"integer\"", "\"table?\"", "\"screen\"", "{}", "\"\""])) }"
                )
            }
        }
        return "{ \(parts.joined(separator: ", ")) }"
    }

    private mutating func function() -> String {
        guard depth < 3 else { return "odd" }
        depth += 1
        defer { depth -= 1 }
        switch source.below(6) {
        case 0: return "function(a, b, c) return a end"
        case 1: return "function(a, b, c) return \(tree()) end"
        case 2: return "odd"
        case 3: return "function(a, b, c) s = a k = c or b return \(value()) end"
        default:
            var body = ""
            for _ in 0..<source.below(3) + 1 { body += statement() + " " }
            return
                "function(a, b, c) k = c or b or a \(body)return \(source.below(2) == 0 ? tree() : value()) end"
        }
    }

    private mutating func statement() -> String {
        let call: String
        switch source.below(43) {
        case 0, 1, 2: call = "n = router.navigate(\(name()), \"show\", \(info()), \(options()))"
        case 3: call = "n = router.navigate(\(value()), \(value()), \(value()), \(value()))"
        case 4: call = "router.doTask(\(name()), \"do\", \(info()), \(value()))"
        case 5: call = "n = router.back(\(value()), \(options()))"
        case 6: call = "n = router.popTo(\(screen()), \(options()))"
        case 7: call = "n = router.popToRoot(\(options()))"
        case 8: call = "n = router.dismiss(\(options()))"
        case 9: call = "n = router.dismissAll(\(options()))"
        case 10, 11: call = "n = router.close(\(screen()), \(value()), \(options()))"
        case 12: call = "n = router.select(\(screen()), \(options()))"
        case 13: call = "n = router.replace(\(screen()), \(tree()), \(options()))"
        case 14: call = "s = \(tree())"
        case 15:
            call =
                "\(screen()).\(source.pick(["x", "n", "serial", "class", "children"])) = \(value())"
        case 16: call = "router.state.\(source.pick(["x", "y"])) = \(value())"
        case 17: call = "k:act(\(action()), \(screen()), \(tree()))"
        case 18: call = "k:setChildren(\(screen()), { \(screen()), \(tree()) })"
        case 19: call = "n:await(\(options()))"
        case 20: call = "n:result(\(options()))"
        case 21: call = "n:cancel()"
        case 22: call = "router.sleep(\(number()))"
        case 23: call = "router.delay(\(number()), \(function()))"
        case 24: return "router.stop(\(value()))"
        case 25: return "router.stay(\(value()))"
        case 26: return "router.redirect(\(name()), \"show\", \(info()))"
        case 27: call = "s = router.find(\(finder()), \(info()))"
        case 28: call = "s = router.reuse(\(function()), { inside = \(screen()) })"
        case 29: call = "router.remove(\(name()), \(source.pick(["nil", "\"show\"", "1"])))"
        case 30: call = "print(\(screen()), n, k, router.state.x)"
        case 31: call = "for _ in pairs(\(screen())) do end"
        case 32:
            call =
                "w = router.link { build = \(function()), find = \(finder()), via = \(action()), from = \(from()) }"
        case 33: call = "while \(value()) do end"
        case 35, 36:
            call =
                "l = router.dispatch(\(url()), { timeout = \(number()), key = \(source.pick(["nil", "\"k\"", "1"])) })"
        case 37: call = "r:setAction(\(function()))"
        case 38: call = "r:unsetAction(\(source.pick(["odd", "\(function())"])))"
        case 39: call = "router.\(source.pick(["ready", "unready"]))(\(gate()))"
        case 40: call = "l:cancel() print(l.status, l.url, r.pattern)"
        case 41: call = "router.cancelLinks()"
        case 34: return "error(\(value()), \(source.below(3)))"
        default: call = declaration()
        }
        // Some errors are to come out.
        return source.below(4) == 3 ? call : attempt(call)
    }

    // MARK: Arguments

    private mutating func name() -> String {
        source.pick(["\"A\"", "\"B\"", "\"C\"", "\"A\"", "\"T\"", "\"H\"", "\"nav\"", "\"\"", "1"])
    }

    private mutating func interceptor() -> String {
        source.pick(["\"i\"", "\"j\"", "{ \"i\", \"j\" }", "{}", "1"])
    }

    private mutating func url() -> String {
        source.pick([
            "\"/r/1\"", "\"/r/1\"", "\"/r\"", "\"/q?x=:x?\"", "\"/q?x=1\"", "\"/%zz\"", "1",
        ])
    }

    private mutating func gate() -> String {
        source.pick(["\"g\"", "\"h\"", "{ \"g\", \"h\" }", "\"started\"", "{}", "1"])
    }

    private mutating func kind() -> String {
        source.pick([
            "\"leaf\"", "\"nav\"", "\"tabs\"", "\"split\"", "\"container\"", "\"foreign\"", "\"A\"",
        ])
    }

    private mutating func policy() -> String {
        source.pick(["\"queue\"", "\"latest\"", "\"reject\"", "\"parallel\"", "nil"])
    }

    private mutating func event() -> String {
        source.pick([
            "\"navigate\"", "\"plan\"", "\"stage\"", "\"commit\"", "\"done\"", "\"failed\"",
            "\"shown\"", "\"removed\"", "\"created\"", "\"log\"", "\"task\"", "\"timer\"",
            "\"cancelled\"", "\"after\"", "\"link\"", "\"gate\"",
        ])
    }

    private mutating func number() -> String {
        source.pick(["0", "1", "0.5", "-1", "1e300", "0/0", "2^53", "math.huge"])
    }

    private mutating func info() -> String {
        source.pick([
            "{}", "nil", "{ x = 1 }", "{ x = s }", "{ x = odd, n = { 1, { s } } }", "t", "a",
            "{ x = n }", "{ 1, 2, nil, 4 }", "{ [1.5] = 1 }",
        ])
    }

    private mutating func options() -> String {
        switch source.below(8) {
        case 0, 1, 2: "nil"
        case 3: "{ force = true }"
        case 4: "{ timeout = \(number()) }"
        case 5: "{ via = \(action()), from = \(screen()), policy = \(policy()), again = true }"
        case 6: "{ window = \(source.pick(["\"main\"", "\"other\"", "1"])), animated = false }"
        default: "{ completion = \(function()), policy = \(policy()) }"
        }
    }

    private mutating func screen() -> String {
        source.pick([
            "s", "s", "a", "router.visible()", "router.topmost()", "router.root()", "s.parent",
            "s.presenter", "s.modal", "router.root().children[1]", "\"A\"", "nil",
        ])
    }

    private mutating func tree() -> String {
        guard depth < 5 else { return "router.screen \"A\"" }
        depth += 1
        defer { depth -= 1 }
        switch source.below(10) {
        case 0, 1: return "router.screen(\(name()), { x = \(value()) })"
        case 2: return "router.nav { \(tree()), \(tree()) }"
        case 3: return "router.tabs { \(tree()), \(tree()), selected = \(source.below(4)) }"
        case 4: return "router.split { \(tree()), \(tree()) }"
        case 5: return "router.container(\"G\", { \(tree()), selected = \(source.below(3)) })"
        case 6: return "router.nav { { \(name()), \"show\" }, \(tree()) }"
        case 7: return "router.nav {}"
        case 8: return screen()
        default: return "router.screen \"A\""
        }
    }

    private mutating func action() -> String {
        switch source.below(15) {
        case 0, 1: "\"push\""
        case 2: "\"pushAsRoot\""
        case 3: "\"pushReplacingLast\""
        case 4: "\"present\""
        case 5: "\"presentWithNav\""
        case 6: "\"replaceRoot\""
        case 7: "\"replaceLast\""
        case 8: "\"addTab\""
        case 9: "\"setAsPrimary\""
        case 10: "\"pushToDetails\""
        case 11: "\"pushOnToDetails\""
        case 12: "router.present { start = \(finder()), contextual = \(source.below(2) == 0) }"
        case 13: "router.addTab { at = \(number()), replacing = \(source.below(2) == 0) }"
        default: source.pick(["\"none\"", "\"act\""])
        }
    }

    private mutating func from() -> String {
        guard depth < 4 else { return "\"current\"" }
        depth += 1
        defer { depth -= 1 }
        switch source.below(11) {
        case 0: return "\"current\""
        case 1: return "\"root\""
        case 2: return "{ \(name()), \"show\" }"
        case 3: return "router.newNav { via = \(action()), from = \(from()) }"
        case 4: return "router.newTabs { via = \(action()) }"
        case 5: return "router.newSplit { via = \(action()), from = \(from()) }"
        case 6:
            return
                "router.switch { { when = \(function()), from = \(from()) }, default = \(from()) }"
        case 7:
            return
                "router.link { build = \(function()), via = \(action()), from = \(from()), intercept = \(interceptor()) }"
        case 8: return "w"
        case 9: return screen()
        default: return finder()
        }
    }

    private mutating func finder() -> String {
        switch source.below(9) {
        case 0: "\"A\""
        case 1: "{ class = \(name()), by = \(source.pick(["\"x\"", "{ \"x\", \"n\" }", "{}"])) }"
        case 2: "{ kind = \(kind()), match = \(function()), direction = \"topDown\" }"
        case 3:
            "{ class = \"A\", search = \(source.pick(["\"currentAndUp\"", "\"allVisible\"", "{ \"current\", \"parent\" }", "{}", "\"currentAndDown\""])), start = \(source.pick(["\"root\"", "\"topmost\"", "odd"])) }"
        case 4: "router.presenting()"
        case 5: "\"never\""
        case 6: screen()
        case 7: function()
        default: "\"topmostParent\""
        }
    }

    private mutating func value() -> String {
        source.pick([
            "nil", "true", "1", "\"x\"", "{}", "{ 1, x = 2 }", "s", "odd", "n", "0/0",
            "math.mininteger",
            "(\"x\"):rep(1000)", "{ { { s } } }", "false", "k", "a",
        ])
    }
}
