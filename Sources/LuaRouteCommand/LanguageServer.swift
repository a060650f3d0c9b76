// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import LuaRouteEditor
import ScenarioKit

/// The command `luaroute lsp`, which runs a language server for an editor.
struct LanguageServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract:
            "Serve an editor: findings, completion, definitions and more, while the user types.",
        discussion: """
            An editor starts it, and speaks LSP 3.17 with it over the standard input and output. \
            It serves scenario files and the scripts of the same folder.

            Scripts run only if 'initializationOptions.trusted' is true; otherwise it reports \
            only syntax errors, and knows the names in the texts.

            Exit codes: 0 the client ended it, or is gone, 1 the client said 'exit' without \
            'shutdown'.
            """
    )

    @Flag(help: "Communicate over the standard input and output; this is always the case.")
    var stdio = false

    func run() throws {
        // `Streams` ignores `SIGPIPE`, which would end the process if the client has gone.
        _ = Streams()
        let code = EditorSession().run {
            (try? StandardInput.next()) ?? nil
        } write: { text in
            Streams.write(text)
        }
        throw ArgumentParser.ExitCode(code)
    }
}
#endif
