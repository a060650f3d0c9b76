// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute doc`, which prints the reference of a word.
struct Doc: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doc",
        abstract: "Print the reference of a function, key, step, condition, event or code.",
        discussion: """
            luaroute doc router.register   a Lua function
            luaroute doc register          all entries with this name
            luaroute doc user back         a step whose name has two words
            luaroute doc L0107             a code, like 'explain-error L0107'
            luaroute doc                   all names, one per line

            Exit codes: 0 success, 64 the name does not exist.
            """
    )

    @Argument(help: ArgumentHelp("The name, such as 'router.register'.", valueName: "name"))
    var words: [String] = []

    private var name: String { words.joined(separator: " ") }

    func validate() throws {
        guard !words.isEmpty, ReferenceEntry.named(name).isEmpty else { return }
        throw ValidationError(ReferenceEntry.unknown(name).message)
    }

    func run() throws {
        let streams = Streams()
        let entries = words.isEmpty ? [] : ReferenceEntry.named(name)
        if words.isEmpty { streams.output(ReferenceEntry.list) }
        for (index, entry) in entries.enumerated() {
            if index > 0 { streams.output("\n") }
            streams.output(PrintedText(source: entry.text))
        }
        throw streams.exit(.success)
    }
}
#endif
