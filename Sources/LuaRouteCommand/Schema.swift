// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute schema`, which prints the JSON Schema of a document.
struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of a document that luaroute reads or writes.",
        discussion: """
            luaroute schema run       the document of 'luaroute run --json'
            luaroute schema project   the file 'luaroute.json'
            luaroute schema           all documents, one per line

            The dialect is JSON Schema 2020-12. If a document consists of several lines, the \
            schema describes each line by itself. 'luaroute.json' may name its schema with the key \
            '$schema', for editors.

            Exit codes: 0 success, 64 the document does not exist.
            """
    )

    @Argument(
        help: ArgumentHelp("The name of the document, such as 'run'.", valueName: "document"),
        completion: .list(DocumentSchema.all.map(\.name))
    )
    var name: String?

    func validate() throws {
        guard let name, DocumentSchema.named(name) == nil else { return }
        let known = DocumentSchema.all.map(\.name)
        let error = UsageError(
            "there is no document '\(name)' in the list of 'luaroute schema'",
            word: name,
            known: known
        )
        throw ValidationError(error.message)
    }

    func run() throws {
        let streams = Streams()
        streams.output(name.flatMap(DocumentSchema.named)?.document ?? DocumentSchema.list)
        throw streams.exit(.success)
    }
}
#endif
