// SPDX-License-Identifier: MIT

internal import RouteCore

/// A drawable graph of the states of a search, grouped by their visible leaf.
struct StateGraph {
    private var graph = RouteGraph()

    init(_ states: SearchGraph<ReplayedApp.Mark>) {
        var nodes: [String: Int] = [:]
        var counts: [Int] = []
        var known: Set<RouteGraph.Edge> = []
        func node(_ index: Int) -> Int {
            let name = states[index].view.leaf ?? "no screen"
            if let node = nodes[name] { return node }
            graph.nodes.append(RouteGraph.Node(kind: .screen, title: name))
            counts.append(0)
            nodes[name] = counts.count - 1
            return counts.count - 1
        }
        for index in states.inner {
            let from = node(index)
            counts[from] += 1
            for edge in states[index].edges ?? [] {
                let to = node(edge.target)
                guard to != from else { continue }
                let label = edge.step.shortText
                let drawn = RouteGraph.Edge(from: from, to: to, kind: .from, label: label)
                if known.insert(drawn).inserted { graph.edges.append(drawn) }
            }
        }
        for (index, count) in counts.enumerated() {
            graph.nodes[index].note = count == 1 ? "1 state" : "\(count) states"
        }
    }

    /// Returns the text for a file in the format that its file name extension indicates: JSON, DOT
    /// or, by default, Mermaid.
    func text(for path: String) -> String {
        if path.hasByteSuffix(".dot") || path.hasByteSuffix(".gv") {
            return RouteGraphWriter(graph: graph).dot.text
        }
        guard path.hasByteSuffix(".json") else {
            return RouteGraphWriter(graph: graph).mermaid.text
        }
        return Self.document.text(of: graph).text
    }

    private static let document = DocumentFields<RouteGraph>("graph") {
        DocumentField<RouteGraph>.schema("graph")
        RouteGraph.document.list
    }
}
