// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Writes route graphs in the languages Mermaid and DOT.
///
/// Nodes without edges are arranged in rows inside boxes, so that a graph of many routes is not a
/// single column.
struct RouteGraphWriter {
    let graph: RouteGraph

    // MARK: Mermaid

    /// The graph as a Mermaid flowchart.
    var mermaid: EscapedText<MermaidLabel> {
        var lines: [EscapedText<MermaidLabel>] = ["flowchart LR"]
        addContents(of: nil, to: &lines, indent: "    ") { node, indent in
            let (title, details) = graph.lines(of: graph.nodes[node])
            let texts: [EscapedText<MermaidLabel>] = ([title] + details).map { "\($0)" }
            let kind = graph.nodes[node].kind
            let label: EscapedText<MermaidLabel> = "\"\(texts.joined(separator: "<br/>"))\""
            let box: EscapedText<MermaidLabel> =
                kind == .interceptor ? "{{\(label)}}" : "[\(label)]"
            return "\(indent)n\(node)\(box):::\(kind.rawValue)"
        } group: { id, title, indent in
            ["\(indent)subgraph \(id)[\"\(title)\"]"]
        } end: { indent in
            "\(indent)end"
        } row: { row, indent in
            "\(indent)" + row.map { "n\($0)" }.joined(separator: " ~~~ ")
        }
        for edge in graph.edges {
            let arrow: EscapedText<MermaidLabel> =
                switch edge.kind {
                case .from: "-->"
                case .contains: "--o"
                case .fallback, .redirect, .offers: "-.->"
                }
            let text: EscapedText<MermaidLabel> = edge.text.map { "|\"\($0)\"|" } ?? ""
            lines.append("    n\(edge.from) \(arrow)\(text) n\(edge.to)")
        }
        for kind in RouteGraph.Node.Kind.allCases {
            lines.append(
                // Sets the text colour, because the theme's text colour may be white, which is
                // illegible on light boxes.
                EscapedText(
                    escaped:
                        "    classDef \(kind.rawValue) fill:\(kind.fill),stroke:\(kind.stroke),"
                        + "color:#1a1a1a"
                )
            )
        }
        return lines.map { "\($0)\n" }.joined()
    }

    /// Returns a description of the default limits of Mermaid that the chart exceeds; nil if the
    /// chart exceeds none.
    static func excess(of chart: String, _ graph: RouteGraph) -> String? {
        let (edges, characters) = (graph.edges.count, chart.utf16.count)
        let hidden = graph.blocks.flatMap(\.rows).reduce(0) { $0 + $1.count - 1 }
        var parts: [String] = []
        if edges + hidden > edgeLimit {
            parts.append("\((edges + hidden).grouped) edges ('maxEdges' is \(edgeLimit.grouped))")
        }
        if characters > textLimit {
            parts.append(
                "\(characters.grouped) characters ('maxTextSize' is \(textLimit.grouped))"
            )
        }
        return parts.isEmpty ? nil : parts.joined(separator: " and ")
    }

    /// The default limits of Mermaid.
    private static let (edgeLimit, textLimit) = (500, 50_000)

    // MARK: DOT

    /// The graph in the DOT language of Graphviz.
    var dot: EscapedText<XML> {
        var lines: [EscapedText<XML>] = [
            "digraph routes {",
            "    graph [rankdir=LR, ranksep=0.6, nodesep=0.15, fontname=\"Helvetica\", fontsize=11]",
            "    node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11]",
            "    edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.7]",
        ]
        addContents(of: nil, to: &lines, indent: "    ") { node, indent in
            let (title, details) = graph.lines(of: graph.nodes[node])
            let kind = graph.nodes[node].kind
            let small: [EscapedText<XML>] = details.map {
                "<br/><font point-size=\"9\">\($0)</font>"
            }
            let shape: EscapedText<XML> =
                kind == .interceptor ? ", shape=hexagon, style=filled" : ""
            let text: EscapedText<XML> = "<b>\(title)</b>\(small.joined())"
            return
                "\(indent)n\(node) [label=<\(text)>, fillcolor=\"\(kind.fill)\", color=\"\(kind.stroke)\"\(shape)]"
        } group: { id, title, indent in
            [
                "\(indent)subgraph cluster_\(id) {",
                "\(indent)    graph [label=<\(title)>, style=\"rounded,filled\", color=\"#b0b8c0\", fillcolor=\"#00000008\"]",
            ]
        } end: { indent in
            "\(indent)}"
        } row: { row, indent in
            "\(indent)" + row.map { "n\($0)" }.joined(separator: " -> ") + " [style=invis]"
        }
        for edge in graph.edges {
            var attributes: [EscapedText<XML>] = []
            if let text = edge.text {
                attributes.append("label=<\(text)>")
            }
            switch edge.kind {
            case .from: break
            case .contains: attributes.append("arrowhead=odot")
            case .fallback: attributes += ["style=dashed", "color=\"#b06000\""]
            case .redirect: attributes += ["style=dashed", "color=\"#a03050\""]
            case .offers: attributes.append("style=dotted")
            }
            let list: EscapedText<XML> =
                attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
            lines.append("    n\(edge.from) -> n\(edge.to)\(list)")
        }
        lines.append("}")
        return lines.map { "\($0)\n" }.joined()
    }

    // MARK: Groups

    /// Adds the nodes and nested groups of a group, or of the top level if the group is nil.
    private func addContents<Format>(
        of group: Int?,
        to lines: inout [EscapedText<Format>],
        indent: String,
        node: (_ node: Int, _ indent: String) -> EscapedText<Format>,
        group begin: (_ id: String, _ title: String, _ indent: String) -> [EscapedText<Format>],
        end: (_ indent: String) -> EscapedText<Format>,
        row: (_ nodes: ArraySlice<Int>, _ indent: String) -> EscapedText<Format>
    ) {
        let blocks = group == nil ? graph.blocks : []
        let placed = Set(blocks.flatMap(\.rows).joined())
        for index in graph.nodes.indices
        where graph.nodes[index].group == group && !placed.contains(index) {
            lines.append(node(index, indent))
        }
        for (index, inner) in graph.groups.enumerated() where inner.parent == group {
            lines += begin("g\(index)", inner.text, indent)
            addContents(
                of: index,
                to: &lines,
                indent: indent + "    ",
                node: node,
                group: begin,
                end: end,
                row: row
            )
            lines.append(end(indent))
        }
        for (index, block) in blocks.enumerated() {
            lines += begin("b\(index)", block.title, indent)
            for nodes in block.rows {
                lines += nodes.map { node($0, indent + "    ") }
                if nodes.count > 1 { lines.append(row(nodes, indent + "    ")) }
            }
            lines.append(end(indent))
        }
    }
}

/// The format of quoted labels in Mermaid.
///
/// Characters with a special meaning are escaped.
enum MermaidLabel: TextFormat {
    static func escaped(_ text: String) -> String {
        Terminal.escaped(text).replacing { scalar in
            switch scalar {
            case "\"", "#", "&", "<", ">", "`", "*", "_", "~", "\\", "|", ";": "#\(scalar.value);"
            default: nil
            }
        }
    }
}

extension RouteGraph.Group {
    /// The title, preceded by the kind unless both are equal.
    fileprivate var text: String {
        title == kind.rawValue ? title : "\(kind.rawValue) \(title)"
    }
}

extension RouteGraph.Edge {
    /// The label in drawings.
    fileprivate var text: String? {
        switch kind {
        case .from, .contains: label
        case .fallback, .redirect, .offers: kind.rawValue
        }
    }
}

extension RouteGraph.Node.Kind {
    fileprivate var fill: String {
        switch self {
        case .route: "#e8f0fe"
        case .screen: "#f4f4f4"
        case .step: "#ffffff"
        case .interceptor: "#fde7ec"
        case .fallback: "#fff1e0"
        }
    }

    fileprivate var stroke: String {
        switch self {
        case .route: "#4a74b8"
        case .screen, .step: "#808890"
        case .interceptor: "#a03050"
        case .fallback: "#b06000"
        }
    }
}

// MARK: Fields

extension RouteGraph {
    static let document = DocumentFields<Self>("graph") {
        DocumentField(
            "nodes",
            \.nodes,
            help: "The routes, screens, steps, interceptors and fallbacks."
        )
        DocumentField(
            "edges",
            listOf: edge,
            { graph in graph.edges.map { (graph, $0) } },
            help: "The arrows between the nodes."
        )
        DocumentField("groups", \.groups, help: "The stacks and tabs.")
    }

    private static let edge = DocumentFields<(graph: Self, edge: Edge)>("edge") {
        DocumentField(
            "from",
            { $0.graph.nodes[$0.edge.from].id },
            help: "The identifier of the node where the arrow begins."
        )
        DocumentField(
            "to",
            { $0.graph.nodes[$0.edge.to].id },
            help: "The identifier of the node where the arrow ends."
        )
        DocumentField("kind", \.edge.kind.rawValue, help: "The kind of arrow, such as 'redirect'.")
        DocumentField(
            "label",
            \.edge.label,
            help: "The action, unless it is 'push', and 'switch' if a switch chooses the parent."
        )
    }
}

extension RouteGraph.Node: DocumentRecord {
    static let document = DocumentFields<Self>("node") {
        Field("id", \.id, help: "The identifier of the node.")
        Field("kind", \.kind, help: "The kind of node, such as 'route'.")
        Field("title", \.title, help: "The title of the node.")
        Field("patterns", listOf: pattern, \.patterns, help: "The URL patterns.")
        Field("screens", \.screens, help: "The classes of the screens that the node shows.")
        Field("interceptors", \.interceptors, help: "The interceptors of the route.")
        Field("note", \.note, help: "A remark about the node.")
        Field("group", \.group, help: "The index of the group that contains the node.")
        Field("source", \.source, help: "The location of the declaration.")
    }

    private static let pattern = DocumentFields<(pattern: String, aliasOf: String?)>("pattern") {
        DocumentField("pattern", \.pattern, help: "The URL pattern.")
        DocumentField("aliasOf", \.aliasOf, help: "The main pattern, if this pattern is an alias.")
    }
}

extension RouteGraph.Node.Kind: DocumentValue {}

extension RouteGraph.Group: DocumentRecord {
    static let document = DocumentFields<Self>("group") {
        Field("title", \.title, help: "The title of the group.")
        Field("kind", \.kind.rawValue, help: "The kind of container.")
        Field("parent", \.parent, help: "The index of the enclosing group.")
    }
}
