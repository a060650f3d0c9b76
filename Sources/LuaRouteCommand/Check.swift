// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute check`, which loads scripts and reports errors and suspicious code.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Load scripts and report errors and suspicious code, without running scenarios.",
        discussion: """
            luaroute check scripts/podcast                 a bundle, and its scenario files
            luaroute check a.scenario                      a scenario file and its scripts
            luaroute check shop.lua --host ios.json        compare with a host manifest
            luaroute check shop.lua --capabilities c.json  check the allowed capabilities
            luaroute check shop.lua --links links.xml      compare with the links of the app
            luaroute check shop.lua --fix                  also add a missing API level
            luaroute explain-error L0203                   the meaning of a code

            Reports unknown names of routes, interceptors, actions and services; cycles in chains \
            and trees; invalid URL patterns, and patterns whose parameters differ from the \
            parameters that the route declares; wrong examples; unused declarations; and \
            requirements that the host does not meet. Also reports names in scenario files, \
            including their expectations, that the scripts do not declare. '--host' names the \
            manifest of the host. Default: 'host.json' beside the entry file.
            '--links' reports URLs of routes that no pattern of the file matches, and patterns of \
            the file that match no route.
            The capabilities that the scripts need are listed. With '--capabilities', they are \
            compared with the allowed capabilities.

            Exit codes: 0 nothing was found, 1 an error or a warning was found, 2 a scenario file \
            does not parse, 3 a script failed to load, 64 usage error, 66 an input is missing, 74 \
            the result could not be written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Scripts, scenario files, or folders. Default: the current folder.",
            valueName: "scripts"
        ),
        completion: .file(extensions: ["lua", "scenario"])
    )
    var paths: [String] = []

    @OptionGroup var scripts: ScriptOption

    @Option(
        help: ArgumentHelp(
            "The 'apple-app-site-association' file or Android manifest with which the URL "
                + "patterns of routes are compared.",
            valueName: "file"
        ),
        completion: .file()
    )
    var links: String?

    @Flag(
        help:
            "Add 'router.api' with the newest API level to entry files that do not name an API level."
    )
    var fix = false

    @OptionGroup var host: HostOptions

    @OptionGroup var files: FileOptions

    @OptionGroup var findings: FindingOptions

    @OptionGroup var loading: LoadOptions

    func validate() throws { try findings.validate(loading) }

    func run() throws {
        let streams = Streams()
        let project = try streams.project(loading.color)
        let defaults = project.paths.isEmpty ? [project.script].compactMap(\.self) : project.paths
        var command = CheckCommand(
            paths: paths.isEmpty && scripts.script == nil ? defaults : paths,
            options: loading.options(project)
        )
        command.options.script = scripts.script
        command.linksPath = links
        command.isFixing = fix
        command.options.fileRoot = files.root
        host.apply(to: &command.options, project)
        command.findings = findings.output
        command.format = loading.json ? .json : .text
        try findings.makeFolders(streams)
        throw streams.exit(command.run(streams.console(loading.color)))
    }
}
#endif
