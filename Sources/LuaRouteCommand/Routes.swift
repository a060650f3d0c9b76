// SPDX-License-Identifier: MIT

#if CommandLine
public import ArgumentParser
public import ScenarioKit

/// Lists what scripts register.
struct Routes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "List what is registered: routes, their URLs, and where they are from.",
        discussion: """
            luaroute routes shop.lua                     all routes of a script
            luaroute routes scripts/podcast --grep show  those with 'show' in a column
            luaroute routes new --diff old               what has changed since 'old'
            luaroute routes shop.lua --plain | cut -f 2  the patterns alone

            URL patterns come first, in the order of matching: of two that match one URL the \
            upper one wins. A pattern with optional segments has a line for each number of them. \
            The routings of 'router.routing' follow, in the order in which 'router.dispatch' \
            matches them, then routes without a URL, by name.

            The columns: name; pattern; screen, which is empty where only running the route \
            tells; reuse, how a screen that stands is gone back to; interceptors, in the order \
            in which they are asked; source.

            Exit codes: 0 all is fine, 3 a script failed to load, 4 no route has the text of \
            '--grep', 64 usage, 66 a script is missing, 74 the list could not be written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The scripts: a file, or a folder with a 'main.lua'; else the folder where you are.",
            valueName: "script"
        ),
        completion: .file(extensions: ["lua"])
    )
    var path: String?

    @Option(help: "The same as the argument.")
    var script: String?

    @Option(help: ArgumentHelp("Only routes with this text in a column.", valueName: "text"))
    var grep: String?

    @Option(help: "By which column to sort, in place of the order of matching.")
    var sort: RouteColumn?

    @Option(
        help: ArgumentHelp(
            "List what was added, removed and changed since these scripts.",
            valueName: "other"
        ),
        completion: .file(extensions: ["lua"])
    )
    var diff: String?

    @Flag(help: "Print columns with tabs between them, without a heading.")
    var plain = false

    @OptionGroup var loading: LoadOptions

    func validate() throws {
        guard path == nil || script == nil else {
            throw ValidationError("the scripts are named twice, '\(path ?? "")' and '--script'")
        }
        guard !plain || !loading.json else {
            throw ValidationError("'--plain' and '--json' exclude each other")
        }
        guard diff == nil || sort == nil else {
            throw ValidationError("'--diff' and '--sort' exclude each other")
        }
    }

    func run() throws {
        let streams = Streams()
        var command = RoutesCommand(script: path ?? script ?? ".", options: loading.options)
        command.other = diff
        command.filter = grep
        command.order = sort
        command.format = loading.json ? .json : plain ? .plain : .text
        command.width = streams.width
        command.isOutputColored = streams.isOutputColored(loading.color)
        command.isErrorsColored = streams.isErrorsColored(loading.color)
        throw streams.exit(command.run(output: streams.output, errors: streams.errors))
    }
}

extension RouteColumn: ExpressibleByArgument {}
#endif
