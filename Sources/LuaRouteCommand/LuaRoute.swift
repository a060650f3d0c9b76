// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute`.
@main
struct LuaRoute: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "luaroute",
        abstract: "Runs route scripts against scenario files, without a device.",
        discussion: """
            luaroute scripts/podcast              run the scenarios of a folder
            luaroute podcast.scenario:12          run the scenario at line 12
            luaroute --tags 'auth,!slow' --list   list scenarios tagged 'auth', not 'slow'
            luaroute check scripts/podcast        report problems without running scenarios
            luaroute routes scripts/podcast       list the routes with URLs and locations
            luaroute explain shop.lua /shows/7    show which route matches a URL, and why
            luaroute graph scripts/podcast        draw the routes for Mermaid or Graphviz
            luaroute explore scripts/podcast      try every step, and report defects
            luaroute repl scripts/podcast         take steps line by line, and undo them
            luaroute links --apple ID shop.lua    write the file for universal links
            luaroute types --swift Routes.swift   write the routes as Swift declarations
            luaroute types --lua routes.d.lua     write the routes for a Lua editor
            luaroute bundle scripts -o app.lrb    make, sign and verify bundles of scripts
            luaroute events app.jsonl             print the events of an app or a run
            luaroute fmt scripts --check          check the format of scenario files
            luaroute init shop                    write the files of a new project
            luaroute watch scripts/podcast        reload and run scenarios on each save
            luaroute lsp                          serve an editor while the user types
            luaroute doc router.register          print the reference of a name

            Exit codes: 0 success, 1 an expectation, a step or a check failed, or a target did not \
            match, 2 a scenario does not parse, 3 a script failed to load, 4 nothing was selected, \
            5 a search reached a limit and found no defect, 64 usage error, 66 an input is \
            missing, 70 an internal error of luaroute, 74 a result could not be written, 130 \
            interrupted, 143 terminated (both with partial results). If several codes apply, the \
            first of these is used: 70, 74, 66, 3, 2, 1, 5, 4.
            """,
        version: Version.text,
        subcommands: commands,
        // At each start, the parser would read all options of the default command, which takes 5 of
        // the 13 million instructions of `version`. So there is no default command if the first
        // argument names a command.
        defaultSubcommand: namesCommand ? nil : Run.self
    )

    private static let commands: [any ParsableCommand.Type] = [
        Run.self, Check.self, Routes.self, Explain.self, Graph.self, Explore.self, Repl.self,
        Links.self, Types.self, Bundle.self,
        Events.self, Format.self, Watch.self, Initialize.self, LanguageServerCommand.self,
        Version.self, Doc.self, Schema.self, ExplainError.self,
    ]

    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        let end = words.firstIndex(of: "--") ?? words.endIndex
        // Only 'run' accepts a value for '--json'. The other commands have a plain flag.
        if !namesCommand || words.first == Run.configuration.commandName {
            for index in words[..<end].indices where words[index].hasPrefix("--json=") {
                words[index] = "--json-form=\(words[index].dropFirst("--json=".count))"
            }
        }
        // For 'help' with an unknown command, the parser would print the general help.
        if words.first == "help", let word = words.dropFirst().first, !word.hasPrefix("-"),
            !(names + ["help"]).contains(word)
        {
            let error = UsageError("unknown command '\(word)'", word: word, known: names)
            let streams = Streams()
            streams.errors("Error: \(error.message)\nSee 'luaroute --help' for the commands.\n")
            exit(withError: streams.exit(.usage))
        }
        runProcess(words)
    }

    /// The names of the commands.
    static let names = commands.compactMap { $0.configuration.commandName }

    /// Whether the first argument is the name of a command.
    private static let namesCommand =
        CommandLine.arguments.dropFirst().first.map(names.contains) ?? false
}
#endif
