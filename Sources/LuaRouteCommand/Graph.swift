// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute graph`, which draws the routes of scripts.
struct Graph: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draw the routes, their parents, redirects, fallbacks and interceptors.",
        discussion: """
            luaroute graph shop.lua                          a Mermaid flowchart
            luaroute graph shop.lua --dot | dot -Tsvg -o shop.svg
            luaroute graph scripts/podcast --json            nodes, edges and groups
            luaroute graph shop.lua --filter order           only 'order' and its neighbours

            A node is a route with its URL patterns, or a screen or step that routes name in \
            'from'. A solid arrow leads from a parent to each route that is shown from this \
            parent, and is labelled with the action unless the action is 'push'. A solid arrow \
            also leads from a route that builds a tree to each route in the tree. A dashed arrow \
            leads from a route to its 'fallback', or from a route or interceptor to the target of \
            a 'router.redirect' in its code. A dotted arrow leads from a screen to each route of \
            its 'offers'. Stacks and tabs are drawn as boxes. To find them, the command runs \
            'router.start', and reads the trees that routes build.

            A warning is printed if the flowchart has more edges or text than Mermaid can draw.

            Exit codes: 0 success, 1 'router.start' failed, 3 a script failed to load, 4 nothing \
            matches '--filter', 64 usage error, 66 a script is missing, 74 the graph could not be \
            written.
            """
    )

    @OptionGroup var scripts: ScriptArgument

    @Flag(help: "Print a Mermaid flowchart. This is the default.")
    var mermaid = false

    @Flag(help: "Print a graph in the DOT language of Graphviz.")
    var dot = false

    @OptionGroup var rows: RowFilter

    @OptionGroup var host: HostOptions

    @OptionGroup var loading: LoadOptions

    func validate() throws {
        guard [mermaid, dot, loading.json].count(where: \.self) <= 1 else {
            throw ValidationError("'--mermaid', '--dot' and '--json' cannot be combined")
        }
    }

    func run() throws {
        let streams = Streams()
        let project = try streams.project(loading.color)
        var command = GraphCommand(
            script: scripts.path(in: project),
            options: loading.options(project)
        )
        host.apply(to: &command.options, project)
        command.filter = rows.filter
        command.format = loading.json ? .json : dot ? .dot : .mermaid
        throw streams.exit(command.run(streams.console(loading.color)))
    }
}
#endif
