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
            With '--verbose' also the defects of the linked Lua that scripts get errors for, and \
            the settings of the project, each with its origin: the default, \
            a line of 'luaroute.json', or the environment. The file is that of the current \
            folder or of the nearest folder above it, up to one with a '.git'. Its keys are the \
            defaults of options: 'script', 'host', 'paths', 'tags' and 'budget'.
            """
    )

    @Flag(help: "Also print the settings of the project and their origins.")
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
