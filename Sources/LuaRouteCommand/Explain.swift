// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// Says which route URLs lead to, and why.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say where a URL or a target leads, why, and what would happen.",
        discussion: """
            luaroute explain shop.lua shop://products/7?ref=mail
            luaroute explain --script scripts/podcast /shows/abc
            luaroute explain shop.lua 'Product/show(id=7)' --given 'nav[Main, Product(id=7)]'
            cut -f 7 access.log | luaroute explain shop.lua - --json

            Told are the route that wins, with what was read from the URL; the next matches; \
            the routings that 'router.dispatch' finds; the patterns that come near, each with the segment and the reason; what of the URL \
            takes no part. Then how the navigation would go: the gates it waits at, what it \
            needs, the interceptors that are asked, as if they let pass, each step with the \
            screens that were looked at and why they are not the ones, what the host would be \
            told, and the tree before and after. Nothing of it happens; 'router.start' runs \
            before, unless '--given' says a tree.

            What begins with a scheme or with '/' is a URL, 'Service/task(name=value)' a \
            target, 'identifier|{json}' a route string. The first argument names the scripts if it is a '.lua' file, or \
            a folder with a 'main.lua'; else '--script' does, or they are those of the folder \
            where you are.

            Exit codes: 0 each target would be reached, 1 one would not, 3 a script failed to \
            load, 64 usage, 66 a script is missing, 74 the result could not be written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "URLs, targets as 'Service/task', route strings, or '-' for one on each line of the input.",
            valueName: "targets"
        )
    )
    var words: [String] = []

    @Option(
        help: "The scripts: a file, or a folder with a 'main.lua'.",
        completion: .file(extensions: ["lua"])
    )
    var script: String?

    @Option(
        help: ArgumentHelp(
            "The tree in which to explain, such as 'nav[Main]'; else the one of 'router.start'.",
            valueName: "tree"
        )
    )
    var given: String?

    @Option(
        help: ArgumentHelp(
            "What to set in 'router.state' before, such as 'user=ann' or 'cart={items=2}'; repeatable.",
            valueName: "key=value"
        )
    )
    var state: [String] = []

    @OptionGroup var host: HostOptions

    @Flag(help: "Tell all patterns that come near, and not the nearest five alone.")
    var all = false

    @OptionGroup var loading: LoadOptions

    /// The scripts, where the first argument names them.
    private var leadingScript: String? {
        guard script == nil, let first = words.first else { return nil }
        if first.hasSuffix(".lua"), !first.contains("://") { return first }
        // No target is one name alone, so one that stands there is a path that was meant.
        let isPath = !first.contains("/") || first.hasSuffix("/") || first.hasPrefix(".")
        if isPath, first != ExplainCommand.inputMark, Streams.isThere(first) { return first }
        return words.count > 1 && Streams.isThere(first + "/main.lua") ? first : nil
    }

    private var targets: [String] { Array(words.dropFirst(leadingScript == nil ? 0 : 1)) }

    func run() throws {
        let streams = Streams()
        // Not when words are checked: an option that is misspelt is told first.
        guard !targets.isEmpty else {
            streams.errors(
                """
                Error: no target to explain, such as '/shows/7', or '-'
                Usage: \(LuaRoute.usageString(for: Self.self))
                  See 'luaroute explain --help' for more information.

                """
            )
            throw streams.exit(.usage)
        }
        var command = ExplainCommand(
            script: script ?? leadingScript ?? ".",
            targets: targets,
            options: loading.options
        )
        host.apply(to: &command.options)
        command.given = given
        command.state = state
        command.showsAll = all
        command.format = loading.json ? .json : .text
        command.width = streams.width
        command.isOutputColored = streams.isOutputColored(loading.color)
        command.isErrorsColored = streams.isErrorsColored(loading.color)
        let input = InputLines()
        // An input may have no end; the rest of it tells nobody anything.
        let code = command.run(
            input: { () throws(InputError) in streams.isClosed ? nil : try input.next() },
            output: streams.output,
            errors: streams.errors
        )
        throw streams.exit(code)
    }
}
#endif
