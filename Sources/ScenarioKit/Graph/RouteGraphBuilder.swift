// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Builds a route graph from the declarations of scripts.
struct RouteGraphBuilder {
    private(set) var graph = RouteGraph()
    private let declarations: Declarations
    private let source: (RouteError.Location?) -> RouteRow.Source?
    private var indices: [String: Int] = [:]
    /// The node of each step, by the step's identity.
    ///
    /// The title does not identify a step, because all steps that a function makes have the same
    /// title.
    private var steps: [ObjectIdentifier: Int] = [:]
    /// The nodes of the routes that show each class.
    private var routes: [String: [Int]] = [:]
    /// The nodes of the declarations at each location.
    private var declared: [RouteError.Location: [Int]] = [:]
    private var knownEdges: Set<RouteGraph.Edge> = []
    /// The steps whose edges have not been added yet.
    private var pending: [(step: LuaRouting.Step, node: Int)] = []

    /// Builds the graph.
    ///
    /// - Parameters:
    ///   - declarations: The declarations of the scripts.
    ///   - registrations: The routes and tasks, in the order of the nodes.
    ///   - redirects: The redirects in the text of the scripts.
    ///   - tree: The screens at the start of the scripts.
    ///   - source: Returns a location with its path as written on the command line.
    init(
        _ declarations: Declarations,
        registrations: [RouteDescription],
        redirects: [Redirect],
        in tree: ScreenTree,
        source: @escaping (RouteError.Location?) -> RouteRow.Source?
    ) {
        self.declarations = declarations
        self.source = source
        let links = Dictionary(grouping: declarations.links.entries, by: \.target)
        for route in registrations { add(route, links[route.target] ?? []) }
        for (name, interceptor) in declarations.interceptors.sorted(by: { $0.key < $1.key }) {
            add(name, interceptor)
        }
        if let fallback = declarations.fallback, fallback.screen != nil {
            add(
                RouteGraph.Node(
                    kind: .fallback,
                    title: "router.fallback",
                    note: "for targets that are not registered",
                    source: source(fallback.location)
                )
            )
        }
        for window in tree.windows { addScreens(of: window.root, in: tree, within: nil) }
        var next = 0
        while next < pending.count {
            addEdges(to: pending[next].step, pending[next].node)
            next += 1
        }
        for redirect in redirects { add(redirect) }
        for (name, its) in declarations.classDeclarations.all.sorted(by: { $0.key < $1.key }) {
            for target in its.offers ?? [] {
                addEdge(node(forClass: name), to: node(for: target), kind: .offers)
            }
        }
        graph.removeEmptyGroups()
    }

    // MARK: Nodes

    @discardableResult
    private mutating func add(_ node: RouteGraph.Node) -> Int {
        if let index = indices[node.id] { return index }
        graph.nodes.append(node)
        indices[node.id] = graph.nodes.count - 1
        return graph.nodes.count - 1
    }

    private mutating func add(_ route: RouteDescription, _ links: [URLRouteTable.Entry]) {
        guard let step = declarations.routes.route(to: route.target) else { return }
        let index = add(
            RouteGraph.Node(
                kind: .route,
                title: route.target.description,
                patterns: links.map { ($0.pattern, $0.aliasOf) },
                screens: route.screens,
                interceptors: step.interceptorNames,
                source: source(route.location)
            )
        )
        for name in route.screens { routes[name, default: []].append(index) }
        declare(index, at: route.location)
        pending.append((step, index))
    }

    private mutating func add(_ name: String, _ interceptor: DeclaredInterceptor) {
        let notes = declarations.interceptAll.filter { $0.name == name }.map { all in
            if let only = all.only {
                "all routes of \(only.subtracting(all.except).sorted().joined(separator: ", "))"
            } else if all.except.isEmpty {
                "all routes"
            } else {
                "all routes except \(all.except.sorted().joined(separator: ", "))"
            }
        }
        let node = RouteGraph.Node(
            kind: .interceptor,
            title: name,
            note: notes.isEmpty ? nil : notes.joined(separator: "; "),
            source: source(interceptor.location)
        )
        declare(add(node), at: interceptor.location)
    }

    private mutating func declare(_ node: Int, at location: RouteError.Location?) {
        if let location { declared[location, default: []].append(node) }
    }

    private mutating func node(for target: Target) -> Int {
        add(
            RouteGraph.Node(kind: .route, title: target.description, note: "not registered")
        )
    }

    /// Returns the node of the route that shows a class, if there is exactly one; otherwise the
    /// node of the class.
    private mutating func node(forClass name: String) -> Int {
        if let routes = routes[name], routes.count == 1 { return routes[0] }
        return add(RouteGraph.Node(kind: .screen, title: name))
    }

    private mutating func node(for step: LuaRouting.Step) -> Int {
        if let target = step.target { return node(for: target) }
        if let known = steps[ObjectIdentifier(step)] { return known }
        var node = RouteGraph.Node(kind: .step, title: step.title)
        while indices[node.id] != nil { node.number += 1 }
        let isContainer = if case .container = step.build { true } else { false }
        node.screens = isContainer ? [] : [step.screenClass].compactMap(\.self)
        node.interceptors = step.interceptorNames
        node.source = source(step.location)
        let index = add(node)
        steps[ObjectIdentifier(step)] = index
        if case .container(let container) = step.build {
            graph.groups.append(RouteGraph.Group(title: container.name, kind: container.kind))
            graph.nodes[index].group = graph.groups.count - 1
        }
        declare(index, at: step.location)
        pending.append((step, index))
        return index
    }

    // MARK: Groups

    private mutating func addGroup(_ title: String, _ kind: Screen.Kind, in parent: Int?) -> Int {
        graph.groups.append(RouteGraph.Group(title: title, kind: kind, parent: parent))
        return graph.groups.count - 1
    }

    /// Puts a node into a group, unless the node already has a group.
    private mutating func put(_ node: Int, in group: Int?) {
        if graph.nodes[node].group == nil { graph.nodes[node].group = group }
    }

    private mutating func addScreens(of id: ScreenID, in tree: ScreenTree, within group: Int?) {
        guard let screen = tree.screen(id) else { return }
        guard screen.kind.isContainer else {
            return put(node(forClass: screen.class), in: group)
        }
        let group = addGroup(screen.class, screen.kind, in: group)
        for child in screen.children { addScreens(of: child, in: tree, within: group) }
    }

    private mutating func addScreens(
        of template: ScreenTemplate,
        of node: Int? = nil,
        within group: Int?
    ) {
        guard template.class.kind.isContainer else {
            if node == nil { put(self.node(forClass: template.class.name), in: group) }
            return
        }
        let group = addGroup(template.class.name, template.class.kind, in: group)
        if let node { put(node, in: group) }
        for child in template.children { addScreens(of: child, within: group) }
    }

    private mutating func addScreens(of blueprint: Blueprint, of node: Int, within outer: Int?) {
        let group = addGroup(blueprint.class.name, blueprint.class.kind, in: outer)
        if outer == nil { put(node, in: group) }
        for child in blueprint.children {
            switch child {
            case .template(let template): addScreens(of: template, within: group)
            case .blueprint(let inner): addScreens(of: inner, of: node, within: group)
            case .route(let leaf):
                let to = self.node(for: leaf.target)
                put(to, in: group)
                addEdge(node, to: to, kind: .contains, label: leaf.via?.label)
            }
        }
    }

    // MARK: Edges

    private mutating func addEdge(
        _ from: Int,
        to: Int,
        kind: RouteGraph.Edge.Kind,
        label: String? = nil
    ) {
        let edge = RouteGraph.Edge(from: from, to: to, kind: kind, label: label)
        if knownEdges.insert(edge).inserted { graph.edges.append(edge) }
    }

    private mutating func addEdges(to step: LuaRouting.Step, _ node: Int) {
        // Without 'from', the screen is put on the visible screen, so there is no edge.
        let alternatives = step.from?.alternatives(at: step.location) ?? []
        let isChosen = if case .choice = step.from { true } else { false }
        let label = [isChosen ? "switch" : nil, step.via?.label].compactMap(\.self)
            .joined(separator: ", ")
        for (from, _) in alternatives {
            for parent in parents(from) {
                addEdge(parent, to: node, kind: .from, label: label.isEmpty ? nil : label)
                if case .step = from { put(node, in: graph.nodes[parent].group) }
            }
            if from == nil { graph.nodes[node].note = "a function chooses the parent" }
        }
        if alternatives.isEmpty, let action = step.via?.label {
            graph.nodes[node].note = "by \(action)"
        }
        if let fallback = step.fallback {
            addEdge(node, to: self.node(for: fallback), kind: .fallback)
        }
        for target in step.redirect?.targets ?? [] {
            addEdge(node, to: self.node(for: target), kind: .redirect)
        }
        switch step.build {
        case .blueprint(let blueprint): addScreens(of: blueprint, of: node, within: nil)
        case .template(let template): addScreens(of: template, of: node, within: nil)
        case .function, .fallback, .container, nil: break
        }
    }

    /// Returns the nodes of the screens that `from` names; empty if `from` is the visible screen.
    private mutating func parents(_ from: From?) -> [Int] {
        switch from {
        case .current, .choice, nil: return []
        case .root: return [add(RouteGraph.Node(kind: .screen, title: "root", isRoot: true))]
        case .route(let target): return [node(for: target)]
        case .step(let step): return [node(for: step)]
        case .finder(let finder):
            let classes = finder.class.map { [$0] } ?? finder.classes ?? []
            guard classes.isEmpty else { return classes.map { node(forClass: $0) } }
            return [add(RouteGraph.Node(kind: .screen, title: finder.title))]
        }
    }

    private mutating func add(_ redirect: Redirect) {
        guard let location = redirect.declaration, let from = declared[location] else { return }
        let target = node(for: redirect.target)
        for node in from { addEdge(node, to: target, kind: .redirect) }
    }
}

extension LuaRouting.Step {
    /// The names of the route's own interceptors.
    ///
    /// An interceptor that is a function has the name `intercept`.
    fileprivate var interceptorNames: [String] {
        intercept.map { if case .named(let name) = $0 { name } else { "intercept" } }
    }
}

extension Action {
    /// The name of the action; nil for the default, `push`.
    fileprivate var label: String? { if case .push = kind { nil } else { name } }
}
