// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute links`, which writes the files that make Apple platforms and Android open
/// URLs in an app.
struct Links: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Write the file that lets iOS or Android open the URLs of routes in an app.",
        discussion: """
            luaroute links --apple ABCDE12345.com.example.shop shop.lua
            luaroute links --android com.example.shop shop.lua > links.xml

            For Apple, prints the file 'apple-app-site-association' of the site, with a component \
            for each pattern without a custom scheme. Routes that do not admit URLs come first, as \
            excluded components. For Android, prints a manifest with an intent filter for each \
            origin of 'router.links'.

            The files match each URL that 'router.url' prints, with or without a trailing slash. \
            Neither format has parameter kinds, and in both a parameter can match several \
            segments. A pattern with parameters may therefore match more URLs than the router \
            does. URLs that are valid only after 'router.rewrite' are not included.

            For Apple, each site has its own file of up to 128 KB: '--origin' selects the patterns \
            of one host.

            Exit codes: 0 success, 3 a script failed to load, 4 no route has a URL for the \
            platform, 64 usage error, 66 a script is missing, 74 the file could not be written.
            """
    )

    @OptionGroup var scripts: ScriptArgument

    @Option(
        help: ArgumentHelp(
            "The team prefix and bundle identifier of an app, joined by '.'; repeatable.",
            valueName: "team.bundle"
        )
    )
    var apple: [String] = []

    @Option(help: ArgumentHelp("The package name of the Android app.", valueName: "package"))
    var android: String?

    @Option(
        help: ArgumentHelp(
            "The host of the site. Default: all hosts of 'router.links'.",
            valueName: "host"
        )
    )
    var origin: String?

    @OptionGroup var loading: LoadOptions

    func validate() throws {
        guard apple.isEmpty != (android == nil) else {
            throw ValidationError(
                "exactly one platform must be given, with '--apple' or '--android'"
            )
        }
        for name in apple + [android].compactMap(\.self) where !LinksCommand.isIdentifier(name) {
            throw ValidationError("'\(name)' is not an identifier such as 'com.example.app'")
        }
        if let origin, !LinksCommand.isHost(origin) {
            throw ValidationError("'\(origin)' is not a host such as 'shop.example'")
        }
    }

    func run() throws {
        let streams = Streams()
        let project = try streams.project(loading.color)
        var command = LinksCommand(
            script: scripts.path(in: project),
            platform: android.map { .android($0) } ?? .apple(apple),
            host: origin,
            options: loading.options(project)
        )
        command.isJSON = loading.json
        throw streams.exit(command.run(streams.console(loading.color)))
    }
}
#endif
