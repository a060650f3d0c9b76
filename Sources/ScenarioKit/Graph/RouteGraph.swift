// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A graph with the routes of scripts as nodes, the relations between routes as edges, and
/// containers as groups.
struct RouteGraph: Sendable {
    struct Node: Sendable {
        enum Kind: String, Sendable, CaseIterable {
            case route
            /// A screen class that several routes show, or that no known route shows.
            case screen
            /// A step without a name, such as the result of `router.link` or `router.newNav`.
            case step
            case interceptor
            /// The screen function of `router.fallback`.
            case fallback
        }

        let kind: Kind
        /// The target of a route, the class of a screen, the name of a function, or the location of
        /// a step.
        let title: String
        /// The URL patterns.
        ///
        /// `aliasOf` is the main pattern if the pattern is an alias.
        var patterns: [(pattern: String, aliasOf: String?)] = []
        /// The classes of the screens.
        var screens: [String] = []
        /// The names of the interceptors that the declaration itself lists.
        var interceptors: [String] = []
        /// A remark about the node, such as `not registered`.
        var note: String?
        var source: RouteRow.Source?
        /// The index of the node's group; nil if the node is in no group.
        var group: Int?

        /// The number of the node among the steps with the same title, starting at 1.
        var number = 1
        /// Whether the node is the root of a window, regardless of the root's class.
        var isRoot = false

        /// An identifier for JSON documents that is the same each time for the same scripts.
        var id: String {
            if isRoot { return title }
            return "\(kind.rawValue) \(title)" + (number == 1 ? "" : " #\(number)")
        }
    }

    struct Edge: Sendable, Hashable {
        enum Kind: String, Sendable {
            /// An edge from a parent to a route whose screen is put on the parent.
            case from
            /// An edge from a route that builds a tree to a route whose screen is in that tree.
            case contains
            /// An edge from a route with a feature flag to the route that is used if the flag is
            /// off.
            case fallback
            /// An edge from a route or an interceptor to the target of a redirect.
            case redirect
            /// An edge from a screen to a route that the controls of the screen offer.
            case offers
        }

        let from: Int
        let to: Int
        let kind: Kind
        /// The label: the action unless it is `push`, and `switch` if a switch selects the parent.
        var label: String?
    }

    /// A container whose screens are drawn in one box.
    struct Group: Sendable {
        let title: String
        let kind: Screen.Kind
        /// The index of the surrounding group.
        var parent: Int?
    }

    var nodes: [Node] = []
    var edges: [Edge] = []
    var groups: [Group] = []

    /// Keeps only the nodes whose title, patterns or screens contain one of the given texts, and
    /// the neighbours of these nodes.
    ///
    /// Edges between two neighbours, and groups without nodes, are removed.
    mutating func keep(containing texts: [String]) {
        let isFound = nodes.map { node in
            ([node.title] + node.patterns.map(\.pattern) + node.screens)
                .contains { $0.contains(anyOf: texts) }
        }
        let isNear = { (edge: Edge) in isFound[edge.from] || isFound[edge.to] }
        var isKept = isFound
        for edge in edges where isNear(edge) {
            (isKept[edge.from], isKept[edge.to]) = (true, true)
        }
        var numbers: [Int: Int] = [:]
        for index in isKept.indices where isKept[index] { numbers[index] = numbers.count }
        nodes = nodes.indices.filter { isKept[$0] }.map { nodes[$0] }
        edges = edges.filter(isNear).compactMap { edge in
            guard let from = numbers[edge.from], let to = numbers[edge.to] else { return nil }
            return Edge(from: from, to: to, kind: edge.kind, label: edge.label)
        }
        removeEmptyGroups()
    }

    /// Removes the groups without nodes.
    mutating func removeEmptyGroups() {
        var isUsed = [Bool](repeating: false, count: groups.count)
        for node in nodes {
            var group = node.group
            while let index = group, !isUsed[index] {
                isUsed[index] = true
                group = groups[index].parent
            }
        }
        var numbers: [Int: Int] = [:]
        for index in isUsed.indices where isUsed[index] { numbers[index] = numbers.count }
        groups = groups.indices.filter { isUsed[$0] }.map { index in
            var group = groups[index]
            group.parent = group.parent.flatMap { numbers[$0] }
            return group
        }
        for index in nodes.indices {
            nodes[index].group = nodes[index].group.flatMap { numbers[$0] }
        }
    }

    /// Returns the nodes of the given kinds that have no edges and no group, in order.
    func loose(_ kinds: Set<Node.Kind>) -> [Int] {
        var linked: Set<Int> = []
        for edge in edges { linked.formUnion([edge.from, edge.to]) }
        return nodes.indices.filter {
            kinds.contains(nodes[$0].kind) && nodes[$0].group == nil && !linked.contains($0)
        }
    }

    /// The nodes without edges and groups, arranged in boxes.
    ///
    /// A box has about three times as many rows as columns, because nodes are wide.
    var blocks: [(title: String, rows: [ArraySlice<Int>])] {
        let parts: [(title: String, kinds: Set<Node.Kind>)] = [
            ("routes that open at the visible place", [.route]),
            ("interceptors and fallbacks", [.interceptor, .fallback]),
            ("other screens", [.screen, .step]),
        ]
        return parts.compactMap { title, kinds in
            let nodes = loose(kinds)
            guard !nodes.isEmpty else { return nil }
            var length = 1
            while length * length * 3 < nodes.count { length += 1 }
            let rows = stride(from: 0, to: nodes.count, by: length).map {
                nodes[$0..<min($0 + length, nodes.count)]
            }
            return (title, rows)
        }
    }

    /// Returns the title of a node, and the lines below the title.
    func lines(of node: Node) -> (title: String, details: [String]) {
        var details = node.patterns.map { $0.aliasOf == nil ? $0.pattern : "\($0.pattern) (alias)" }
        let service = node.title.prefix { $0 != "/" }
        if !node.screens.isEmpty, node.screens != [String(service)] {
            details.append("shows \(node.screens.joined(separator: ", "))")
        }
        if !node.interceptors.isEmpty {
            details.append("interceptors: \(node.interceptors.joined(separator: ", "))")
        }
        if let note = node.note { details.append(note) }
        let title =
            switch node.kind {
            case .interceptor: "interceptor \(node.title)"
            case .route, .screen, .step, .fallback: node.title
            }
        return (title, details)
    }
}
