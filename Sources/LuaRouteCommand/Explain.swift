// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute explain`, which explains which routes match URLs, and why.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Explain which route a URL or target matches, and preview the navigation.",
        discussion: """
            luaroute explain shop.lua shop://products/7?ref=mail
            luaroute explain --script scripts/podcast /shows/abc
            luaroute explain shop.lua 'Product/show(id=7)' --given 'nav[Main, Product]'
            cut -f 7 access.log | luaroute explain shop.lua - --json
            luaroute explain new - --diff old < links.txt

            Prints the matched route with the parameters that were read from the URL, the next \
            matches, the routings that 'router.dispatch' finds, the near misses with the segment \
            and the reason of each mismatch, and the parts of the URL that are ignored. Then \
            prints a dry run of the navigation: the gates at which it waits, what the route needs, \
            the interceptors, each step with the screens that were considered and the reasons why \
            they do not match, the operations for the host, and the tree before and after. The dry \
            run assumes that every interceptor lets the navigation pass, and it changes nothing. \
            'router.start' runs first, unless '--given' specifies a tree.

            An argument that begins with a scheme or with '/' is a URL. An argument of the form \
            'Service/task(name=value)' is a target, 'identifier|{json}' is a route string, and \
            'unready NAME leaving' closes the gate NAME. The first argument names the scripts if \
            it is a '.lua' file, or a folder with a 'main.lua'. Otherwise, '--script' names the \
            scripts. Default: the current folder.

            '--diff' compares the scripts with older scripts. It prints only the targets whose \
            route, parameters, redirect, screen or failure has changed, and the number of changes \
            of each kind.

            Exit codes: 0 all targets would be reached, 1 a target would not be reached, 3 a \
            script failed to load, 64 usage error, 66 a script is missing, 74 the result could not \
            be written. With '--diff': 0 no destination changed, 1 a destination changed.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "URLs, targets such as 'Service/task', or route strings; '-' reads them from the "
                + "standard input.",
            valueName: "targets"
        )
    )
    var words: [String] = []

    @OptionGroup var scripts: ScriptOption

    @Option(
        help: ArgumentHelp(
            "The tree to start from, such as 'nav[Main]'. Default: the tree of 'router.start'.",
            valueName: "tree"
        )
    )
    var given: String?

    @Option(
        help: ArgumentHelp(
            "A field of 'router.state' to set, such as 'user=ann' or 'cart={items=2}'; repeatable.",
            valueName: "key=value"
        )
    )
    var state: [String] = []

    @Option(
        help: ArgumentHelp(
            "Compare with these older scripts, and print only the changes.",
            valueName: "other"
        ),
        completion: .file(extensions: ["lua"])
    )
    var diff: String?

    @OptionGroup var host: HostOptions

    @Flag(help: "Print all near misses, not only the nearest five.")
    var all = false

    @OptionGroup var loading: LoadOptions

    /// The first argument if it is the path of scripts; nil if it is a target.
    private var leadingScript: String? {
        guard scripts.script == nil, let first = words.first else { return nil }
        if first.hasSuffix(".lua"), !ExplainCommand.hasScheme(first) { return first }
        // A single name is never a target, so the argument is a path if such a file exists.
        let isPath = !first.contains("/") || first.hasSuffix("/") || first.hasPrefix(".")
        if isPath, first != ExplainCommand.inputMark, Streams.isThere(first) { return first }
        return words.count > 1 && Streams.isThere(first + "/main.lua") ? first : nil
    }

    private var targets: [String] { Array(words.dropFirst(leadingScript == nil ? 0 : 1)) }

    func run() throws {
        let streams = Streams()
        // `validate()` does not check for missing targets, so that a misspelled option is reported
        // first.
        guard !targets.isEmpty else {
            let usage = PrintedText(source: LuaRoute.usageString(for: Self.self))
            streams.errors(
                """
                Error: no target to explain: add a target such as '/shows/7', or '-' for stdin
                Usage: \(usage)
                  See 'luaroute explain --help' for more information.

                """
            )
            throw streams.exit(.usage)
        }
        let project = try streams.project(loading.color)
        var command = ExplainCommand(
            script: scripts.script ?? leadingScript ?? project.script ?? ".",
            targets: targets,
            options: loading.options(project)
        )
        host.apply(to: &command.options, project)
        command.other = diff
        command.given = given
        command.state = state
        command.showsAll = all
        command.format = loading.json ? .json : .text
        let input = StandardInput.lines
        // If the output is closed, no more input is read: the input may be endless.
        let code = command.run(
            input: { () throws(InputError) in streams.isClosed ? nil : try input.next() },
            streams.console(loading.color)
        )
        throw streams.exit(code)
    }
}
#endif
