// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute version`, which prints the version.
struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version.",
        discussion: """
            '--verbose' also prints the known defects of the linked Lua, and the settings of the \
            project. A script that would trigger one of the defects gets an error. Each setting is \
            printed with its origin: the default, a line of 'luaroute.json', or the environment. \
            'luaroute.json' is searched for in the current folder, and then in each folder above, \
            up to a folder with a '.git'. The keys of 'luaroute.json' are the defaults of options: \
            'script', 'host', 'paths', 'tags' and 'budget'.
            """
    )

    @Flag(
        help:
            "Also print the known defects of Lua, and the settings of the project with their origins."
    )
    var verbose = false

    static var text: String { "luaroute \(Release.version) (\(Release.lua))" }

    func run() throws {
        let streams = Streams()
        let project = verbose ? try streams.project(.auto) : nil
        streams.output("\(Self.text)\n")
        if verbose { streams.output(Release.luaDefects) }
        if let project { streams.output(project.summary(environment: Streams.variable)) }
        throw streams.exit(.success)
    }
}
#endif
