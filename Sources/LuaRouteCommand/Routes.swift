// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute routes`, which lists the registrations of scripts.
struct Routes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "List the registered routes with their URLs and locations.",
        discussion: """
            luaroute routes shop.lua                     all routes of a script
            luaroute routes scripts/podcast --filter show  routes with 'show' in a column
            luaroute routes new --diff old               what has changed since 'old'
            luaroute routes shop.lua --plain | cut -f 2  only the patterns

            URL patterns come first, in the order of matching: if two patterns match a URL, the \
            first pattern wins. A pattern with optional segments has one line for each possible \
            number of these segments. The routings of 'router.routing' follow, in the order in \
            which 'router.dispatch' matches them, followed by the routes without a URL, sorted by \
            name.

            The columns are: name; pattern; screen, which is empty if the screen is known only \
            when the route runs; reuse, which is the rule by which an existing screen is reused; \
            interceptors, in the order in which they run; and source, which is the location in the \
            scripts.

            Exit codes: 0 success, 3 a script failed to load, 4 no route matches '--filter', 64 \
            usage error, 66 a script is missing, 74 the list could not be written.
            """
    )

    @OptionGroup var scripts: ScriptArgument

    @OptionGroup var rows: RowFilter

    @Option(help: "The column by which routes are sorted. Default: the order of matching.")
    var sort: RouteColumn?

    @Option(
        help: ArgumentHelp(
            "Compare with these older scripts, and print only the changes.",
            valueName: "other"
        ),
        completion: .file(extensions: ["lua"])
    )
    var diff: String?

    @Flag(help: "Print tab-separated columns without a heading.")
    var plain = false

    @OptionGroup var loading: LoadOptions

    func validate() throws {
        guard !plain || !loading.json else {
            throw ValidationError("'--plain' and '--json' cannot be combined")
        }
        guard diff == nil || sort == nil else {
            throw ValidationError("'--diff' and '--sort' cannot be combined")
        }
    }

    func run() throws {
        let streams = Streams()
        let project = try streams.project(loading.color)
        var command = RoutesCommand(
            script: scripts.path(in: project),
            options: loading.options(project)
        )
        command.other = diff
        command.filter = rows.filter
        command.order = sort
        command.format = loading.json ? .json : plain ? .plain : .text
        throw streams.exit(command.run(streams.console(loading.color)))
    }
}

extension RouteColumn: ExpressibleByArgument {}
#endif
