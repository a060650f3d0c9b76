// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute explain`, which explains which routes match URLs, and why.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain which route a URL or a target matches, why, and what would happen.",
        discussion: """
            luaroute explain shop.lua shop://products/7?ref=mail
            luaroute explain --script scripts/podcast /shows/abc
            luaroute explain shop.lua 'Product/show(id=7)' --given 'nav[Main, Product]'
            cut -f 7 access.log | luaroute explain shop.lua - --json
            luaroute explain new - --diff old < links.txt

            Prints the matched route with the parameters read from the URL; the next matches; \
            the routings that 'router.dispatch' finds; the near misses, each with the segment \
            and the reason; the parts of the URL that are ignored. Then a dry run of the \
            navigation: the gates it waits at, what it needs, the interceptors, as if each let \
            it pass, each step with the screens that were considered and the reasons why they do not match, \
            the operations for the host, and the tree before and after. Nothing is changed; \
            'router.start' runs before, unless '--given' gives a tree.

            An argument that begins with a scheme or with '/' is a URL, \
            'Service/task(name=value)' a target, 'identifier|{json}' a route string, \
            'unready NAME leaving' a gate that closes. The first \
            argument names the scripts if it is a '.lua' file, or a folder with a 'main.lua'; \
            else '--script' does. Default: the current folder.

            '--diff' prints only the targets whose route, parameters, redirect, screen or failure \
            is another than with the older scripts, and the numbers of changes.

            Exit codes: 0 all targets would be reached, 1 some would not; with '--diff' 0 no \
            destination changed, 1 one did. 3 a script failed to load, 64 usage, 66 a script is missing, 74 the result could not be written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "URLs, targets as 'Service/task', route strings, or '-' to read them from stdin.",
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
            "Print the changes since these scripts.",
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
        // `validate()` does not check for missing targets, so that a misspelt option is reported
        // first.
        guard !targets.isEmpty else {
            let usage = PrintedText(source: LuaRoute.usageString(for: Self.self))
            streams.errors(
                """
                Error: no target to explain, such as '/shows/7', or '-'
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
