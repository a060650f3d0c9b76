// SPDX-License-Identifier: MIT

/// A writer of a world as a script, in the style of a human author.
enum LuaWriter {
    static func script(_ world: World) -> String {
        var lines: [String] = []
        if world.routes.contains(where: \.step.hasAfterAnywhere) { lines += names }
        if !world.interceptors.isEmpty { lines += step }
        for declaration in world.classes { lines.append(line(declaration)) }
        for action in world.actions { lines.append(line(action)) }
        for interceptor in world.interceptors { lines += self.lines(interceptor) }
        if let update = world.updateAll {
            lines.append(
                "router.updateAll(function(screen, info) "
                    + "router.log.info(\"updateAll:\" .. screen.class) "
                    + "screen.\(update.field) = \(text(update.source)) end)"
            )
        }
        if world.hasAfterAll {
            lines.append(
                "router.afterAll(function(screen) "
                    + "router.log.info(\"afterAll:\" .. screen.class) end)"
            )
        }
        for route in world.routes {
            let name = "\"\(route.name.service)\", \"\(route.name.task)\""
            lines.append("router.register(\(name), {")
            lines += entries(route.step).map { "  \($0)," }
            lines.append("})")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A Lua function that formats a list of screens.
    private static let names = [
        "local function names(screens)",
        "  local list = {}",
        "  for _, screen in ipairs(screens) do",
        "    list[#list + 1] = screen.class",
        "  end",
        "  return table.concat(list, \",\")",
        "end",
    ]

    /// A Lua function that formats the step of an interceptor and the step's `id`.
    private static let step = [
        "local function step(nav)",
        "  local isLink = nav.step:find(\" \", 1, true)",
        "  local id = nav.info.id",
        "  if type(id) == \"string\" then id = \"\\\"\" .. id .. \"\\\"\" end",
        "  return (isLink and \"link\" or nav.step) .. \":\" .. tostring(id)",
        "end",
    ]

    // MARK: Declarations

    private static func line(_ declaration: ClassDeclaration) -> String {
        var entries = ["fields = \(list(declaration.fields))"]
        if case .container(let shows, let max) = declaration.kind {
            entries += ["kind = \"container\"", "shows = \"\(shows.rawValue)\""]
            if let max { entries.append("max = \(max)") }
        } else {
            entries.append("kind = \"\(declaration.kind.word)\"")
        }
        switch declaration.dismissible {
        case .always: break
        case .never: entries.append("dismissible = false")
        case .unless(let field, let datum):
            entries.append(
                "dismissible = function(screen) return screen.\(field) ~= \(datum.written) end"
            )
        }
        return "router.class(\"\(declaration.name)\", { \(entries.joined(separator: ", ")) })"
    }

    private static func line(_ action: DeclaredAction) -> String {
        let needs = action.needs.map { "needs = \"\($0)\"" } ?? ""
        let body =
            switch action.body {
            case .act(let action): "nav:act(\(text(action)), place, screen)"
            case .prepend:
                "nav:setChildren(place, { screen, table.unpack(place.children) })"
            case .below:
                "local list = place.children table.insert(list, math.max(1, #list), screen) "
                    + "nav:setChildren(place, list)"
            case .replace: "nav:setChildren(place, { screen })"
            }
        return "router.action(\"\(action.name)\", { \(needs) }, "
            + "function(place, screen, nav) \(body) end)"
    }

    private static func lines(_ interceptor: Interceptor) -> [String] {
        let deed =
            switch interceptor.outcome {
            case .passes: "return true"
            case .stops: "router.stop(\"no\")"
            case .refuses: "return false, \"no\""
            case .stays: "router.stay(\"no\")"
            case .raises: "error(\"no\")"
            case .redirects(let target, let sources):
                "router.redirect(\"\(target.service)\", \"\(target.task)\", "
                    + "\(table(sources, "nav.info")))"
            }
        var options = ""
        if let prepare = interceptor.prepare {
            options =
                "{ prepare = function(nav) if \(text(prepare, "nav.info")) "
                + "then router.stop(\"no\") end end }, "
        }
        var lines = [
            "router.interceptor(\"\(interceptor.name)\", \(options)function(nav)",
            "  router.log.info(\"intercept:\(interceptor.name):\" .. step(nav))",
            "  if \(text(interceptor.condition, "nav.info")) then \(deed) end",
            "end)",
        ]
        if let everywhere = interceptor.everywhere {
            let services: String =
                switch everywhere.services {
                case .all: ""
                case .only(let names): ", only = \(list(names))"
                case .except(let names): ", except = \(list(names))"
                }
            lines.append(
                "router.interceptAll(\"\(interceptor.name)\", "
                    + "{ before = \"\(everywhere.before)\"\(services) })"
            )
        }
        return lines
    }

    // MARK: Steps

    private static func entries(_ step: Step) -> [String] {
        var entries: [String] = []
        if let info = step.info {
            let list = info.map {
                "\($0.name) = \"\($0.kind.rawValue)\($0.isOptional ? "?" : "")\""
            }
            entries.append("info = { \(list.joined(separator: ", ")) }")
        }
        if let find = step.find { entries.append("find = \(text(find))") }
        if let reuse = step.reuse { entries.append("reuse = \(text(reuse))") }
        if let prepare = step.prepare {
            let deed = prepare.raises ? "error(\"no\")" : "router.stop(\"no\")"
            let condition = text(prepare.condition, "info")
            entries.append(
                "prepare = function(info) if \(condition) then \(deed) end end"
            )
        }
        if let build = step.build, step.form != .container {
            entries.append("build = \(text(build))")
        }
        if let update = step.update {
            entries.append(
                "update = function(screen, info) router.log.info(\"update:\(step.label)\") "
                    + "screen.\(update.field) = \(text(update.source)) end"
            )
        }
        if let via = step.via { entries.append("via = \(text(via))") }
        if let from = step.from { entries.append("from = \(text(from))") }
        if !step.intercept.isEmpty { entries.append("intercept = \(list(step.intercept))") }
        if step.hasAfter {
            entries.append(
                "after = function(screen, info, nav) "
                    + "router.log.info(\"after:\(step.label):\" .. names(nav.stack)) end"
            )
        }
        if let adapt = step.adapt { entries.append("adapt = \(function(adapt))") }
        return entries
    }

    private static func function(_ sources: Sources) -> String {
        "function(info) return \(table(sources)) end"
    }

    private static func text(_ reuse: Reuse) -> String {
        var options = search(reuse.search, reuse.start)
        if reuse.moves { options.append("move = true") }
        return switch reuse.policy {
        case .sameClass:
            options.isEmpty ? "\"class\"" : "{ \(options.joined(separator: ", ")) }"
        case .top: "\"top\""
        case .by(let fields): "{ \((["by = \(list(fields))"] + options).joined(separator: ", ")) }"
        case .function(let match): function(match)
        }
    }

    private static func text(_ build: Build) -> String {
        switch build {
        case .screen(let name, let sources, let condition):
            let guarded =
                condition == .always
                ? "" : "if not (\(text(condition, "info"))) then return nil end "
            return
                "function(info) \(guarded)return router.screen(\"\(name)\", \(table(sources))) end"
        case .recycling(let name, let match, let sources):
            let fields = sources.sorted { $0.key < $1.key }
                .map { "screen.\($0.key) = \(text($0.value)) " }
            return
                "function(info) local screen = router.reuse(function(screen) "
                + "return \(text(match)) end) or router.screen(\"\(name)\") "
                + "\(fields.joined())return screen end"
        case .template(let template): return text(template)
        case .routes(let tree): return text(tree)
        case .empty: return "nil"
        }
    }

    private static func text(_ template: Template) -> String {
        let children = template.children.map { text($0) }
        return container(template.name, children, selected: template.selected)
            ?? "router.screen(\"\(template.name)\", \(table(template.fields)))"
    }

    private static func text(_ tree: RouteTree) -> String {
        switch tree {
        case .screen(let name, let fields):
            return "router.screen(\"\(name)\", \(table(fields)))"
        case .container(let name, let children, let selected):
            return container(name, children.map { text($0) }, selected: selected) ?? "nil"
        case .route(let name, let adapt, let via):
            var entries = ["\"\(name.service)\"", "\"\(name.task)\""]
            if let adapt { entries.append("adapt = \(function(adapt))") }
            if let via { entries.append("via = \(text(via))") }
            return "{ \(entries.joined(separator: ", ")) }"
        }
    }

    /// The kinds of containers that worlds declare or contain.
    static let makers = [
        "nav": "nav", "exnav": "nav", "tabs": "tabs", "split": "split",
        "box": "container", "pager": "container", "grid": "container",
    ]

    private static func container(_ name: String, _ children: [String], selected: Int) -> String? {
        guard let maker = makers[name] else { return nil }
        var entries = children
        if maker == "container" {
            let selection = name == "pager" && selected > 0 ? ["selected = \(selected + 1)"] : []
            return "router.container(\"\(name)\", { "
                + "\((entries + selection).joined(separator: ", ")) })"
        }
        if maker != name { entries.append("class = \"\(name)\"") }
        if maker == "tabs", !children.isEmpty { entries.append("selected = \(selected + 1)") }
        return "router.\(maker) { \(entries.joined(separator: ", ")) }"
    }

    // MARK: Actions and places

    static func text(_ action: Action) -> String {
        switch action {
        case .present(let start, let isContextual):
            if action == .plainPresent { return "\"present\"" }
            var entries: [String] = []
            switch start {
            case .current: break
            case .topmostParent: entries.append("start = \"topmostParent\"")
            case .finder(let finder): entries.append("start = \(text(finder))")
            }
            if isContextual { entries.append("contextual = true") }
            return "router.present { \(entries.joined(separator: ", ")) }"
        case .addTab(let at?, let replacing):
            return "router.addTab { at = \(at)\(replacing ? ", replacing = true" : "") }"
        default: return "\"\(action.word)\""
        }
    }

    private static func text(_ start: Start) -> String {
        switch start {
        case .current: return "\"current\""
        case .root: return "\"root\""
        case .finder(let finder): return text(finder)
        case .route(let name): return "{ \"\(name.service)\", \"\(name.task)\" }"
        case .step(let step):
            let entries = entries(step)
            guard step.form == .container, case .empty(let name) = step.build else {
                return "router.link { \(entries.joined(separator: ", ")) }"
            }
            let maker = makers[name] ?? name
            let own = maker == name ? [] : ["class = \"\(name)\""]
            let verb = "new" + maker.prefix(1).uppercased() + maker.dropFirst()
            return "router.\(verb) { \((own + entries).joined(separator: ", ")) }"
        case .choice(let cases, let other):
            var entries = cases.map { choice in
                let when: String =
                    switch choice.when {
                    case .predicate(let condition):
                        "when = function(info) return \(text(condition, "info")) end, "
                    case .finder(let finder): "when = \(tableText(finder)), "
                    case nil: ""
                    }
                return "{ \(when)from = \(text(choice.from)) }"
            }
            if let other { entries.append("default = \(text(other))") }
            return "router.switch { \(entries.joined(separator: ", ")) }"
        case .function(let condition, let start):
            return "function(info) if \(text(condition, "info")) then return \(text(start)) end end"
        }
    }

    // MARK: Finders

    private static func text(_ finder: Finder) -> String {
        switch finder {
        case .never: "\"never\""
        case .name(let name): "\"\(name)\""
        case .presenting: "router.presenting()"
        case .function(let match): function(match)
        case .table(let table): text(table)
        }
    }

    /// Returns a finder that cannot be mistaken for a predicate.
    private static func tableText(_ finder: Finder) -> String {
        if case .function(let match) = finder { return "{ match = \(function(match)) }" }
        return text(finder)
    }

    private static func text(_ table: TableFinder) -> String {
        var entries: [String] = []
        if let name = table.name { entries.append("class = \"\(name)\"") }
        if let kind = table.kind { entries.append("kind = \"\(kind)\"") }
        if !table.by.isEmpty { entries.append("by = \(list(table.by))") }
        if let match = table.match { entries.append("match = \(function(match))") }
        entries += search(table.search, table.start)
        if table.isTopDown { entries.append("direction = \"topDown\"") }
        return "{ \(entries.joined(separator: ", ")) }"
    }

    private static func search(_ search: Search?, _ start: TableFinder.StartPoint?) -> [String] {
        var entries: [String] = []
        switch search {
        case .options(let options):
            let all = SearchOption.allCases.filter(options.contains)
            entries.append("search = \(list(all.map(\.rawValue)))")
        case .combination(let name): entries.append("search = \"\(name)\"")
        case .words(let words): entries.append("search = \(list(words))")
        case nil: break
        }
        switch start {
        case .topmost: entries.append("start = \"topmost\"")
        case .root: entries.append("start = \"root\"")
        case .visible: entries.append("start = function() return router.visible() end")
        case .found(let name):
            entries.append("start = function() return router.find(\"\(name)\") end")
        case nil: break
        }
        return entries
    }

    private static func function(_ match: Match) -> String {
        "function(screen, info) return \(text(match)) end"
    }

    private static func text(_ match: Match) -> String {
        var terms: [String] = []
        if let name = match.name { terms.append("screen.class == \"\(name)\"") }
        if let field = match.field { terms.append("screen.\(field) == info.\(field)") }
        return terms.isEmpty ? "true" : terms.joined(separator: " and ")
    }

    // MARK: Values

    private static func text(_ condition: Condition, _ info: String) -> String {
        switch condition {
        case .always: "true"
        case .has(let name): "\(info).\(name) ~= nil"
        case .equals(let name, let datum): "\(info).\(name) == \(datum.written)"
        }
    }

    private static func text(_ source: Source, _ info: String = "info") -> String {
        switch source {
        case .info(let name): "\(info).\(name)"
        case .constant(let datum): datum.written
        case .next(let name): "(\(info).\(name) or 0) + 1"
        }
    }

    private static func table(_ sources: Sources, _ info: String = "info") -> String {
        braces(sources.mapValues { text($0, info) })
    }

    private static func table(_ info: Info) -> String { braces(info.mapValues(\.written)) }

    private static func braces(_ entries: [String: String]) -> String {
        if entries.isEmpty { return "{}" }
        let list = entries.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
        return "{ \(list.joined(separator: ", ")) }"
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "{}" : "{ \(names.map { "\"\($0)\"" }.joined(separator: ", ")) }"
    }
}

extension Step {
    /// Whether the step, or a step inside it, runs a function after the commit.
    fileprivate var hasAfterAnywhere: Bool {
        hasAfter || (from?.steps ?? []).contains(where: \.hasAfterAnywhere)
    }
}
