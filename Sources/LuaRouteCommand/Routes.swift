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
            luaroute routes scripts/podcast --filter show  those with 'show' in a column
            luaroute routes new --diff old               what has changed since 'old'
            luaroute routes shop.lua --plain | cut -f 2  the patterns alone

            URL patterns come first, in the order of matching: if two match a URL, the first one \
            wins. A pattern with optional segments has a line for each number of them. The \
            routings of 'router.routing' follow, in the order in which 'router.dispatch' matches \
            them, then routes without a URL, by name.

            The columns: name; pattern; screen, which is empty if it is known only when the route \
            runs; reuse, the rule by which an existing screen is reused; interceptors, in the \
            order in which they run; source.

            Exit codes: 0 all is fine, 3 a script failed to load, 4 no route has the text of \
            '--filter', 64 usage, 66 a script is missing, 74 the list could not be written.
            """
    )

    @OptionGroup var scripts: ScriptArgument

    @OptionGroup var rows: RowFilter

    @Option(help: "The column to sort by; default: the order of matching.")
    var sort: RouteColumn?

    @Option(
        help: ArgumentHelp(
            "Print the changes since these scripts.",
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
