// SPDX-License-Identifier: MIT

internal import RouteCore

/// The command `luaroute graph`: loads scripts, and writes the graph of their routes.
///
/// This type does everything except parsing the command line and ending the process, so that tests
/// can run it in their own process.
package struct GraphCommand: Sendable {
    /// The output formats.
    package enum Format: Sendable {
        /// A Mermaid flowchart.
        case mermaid
        /// A graph in the DOT language of Graphviz.
        case dot
        /// A single JSON document.
        case json
    }

    /// The scripts: a file, or a folder with a `main.lua`.
    package var script: String
    /// The options for loading the scripts.
    package var options: RunOptions
    /// The texts of the filter.
    ///
    /// A node is written if it contains one of the texts, or is connected to such a node. If there
    /// are no texts, all nodes are written.
    package var filter: [String] = []
    /// The output format.
    package var format = Format.mermaid

    /// Creates a command.
    package init(script: String = ".", options: RunOptions = RunOptions()) {
        self.script = script
        self.options = options
    }

    /// Writes the graph.
    ///
    /// - Returns: The exit code.
    package func run(_ console: Console) -> ExitCode {
        var graph: RouteGraph?
        var diagnostics: [Diagnostic] = []
        var code = ExitCode.success
        do throws(LoadedScripts.Failure) {
            var options = options
            try options.readHostFiles()
            let scripts = try LoadedScripts(script, options)
            if let diagnostic = try scripts.begin(given: nil, state: []) {
                diagnostics.append(diagnostic)
                code = .failed
            }
            graph = scripts.graph
            if !filter.isEmpty {
                graph?.keep(containing: filter)
                if graph?.nodes.isEmpty == true {
                    diagnostics.append(.noRoute(containing: filter))
                    code = max(code, .nothingSelected)
                }
            }
        } catch {
            diagnostics = error.diagnostics
            code = error.code
        }
        diagnostics.forEach(console.write)
        switch (format, graph) {
        case (.mermaid, let graph?):
            let chart = PrintedText(RouteGraphWriter(graph: graph).mermaid)
            console.output(chart)
            if let excess = RouteGraphWriter.excess(of: chart.text, graph) {
                console.errors(
                    "warning: Mermaid cannot draw \(excess): select nodes with '--filter', or use '--dot'\n"
                )
            }
        case (.dot, let graph?): console.output(PrintedText(RouteGraphWriter(graph: graph).dot))
        case (.json, _):
            let graph = graph ?? RouteGraph()
            console.output(
                Self.document.text(
                    of: CommandResult((script, graph), diagnostics: diagnostics, code: code)
                )
            )
        case (_, nil): break
        }
        return code
    }

    // MARK: Fields

    typealias Content = (script: String, graph: RouteGraph)

    static let document = DocumentFields<CommandResult<Content>>.result("graph") {
        DocumentField<Content>("script", \.script, help: "The path of the scripts.")
        RouteGraph.document.within(\.graph)
    }
}
