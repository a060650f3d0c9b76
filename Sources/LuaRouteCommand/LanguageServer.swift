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
            "Provide an editor with findings, completion, definitions and more.",
        discussion: """
            An editor starts this server, and communicates with it in LSP 3.17 over the standard \
            input and output. The server supports scenario files and the scripts of the same \
            folder.

            Scripts run only if 'initializationOptions.trusted' is true. Otherwise, the server \
            reports only syntax errors, and knows only the names that it finds in the text of the \
            files.

            Exit codes: 0 the client ended the server or has disconnected, 1 the client sent \
            'exit' without 'shutdown', 66 the input is not a message with a header.
            """
    )

    @Flag(
        help: """
            Communicate over the standard input and output. The server always communicates this \
            way, so the flag has no effect.
            """
    )
    var stdio = false

    func run() throws {
        // Creating `Streams` makes the process ignore `SIGPIPE`, which would end it when the client
        // has gone.
        let streams = Streams()
        let code = EditorSession().run {
            (try? StandardInput.next()) ?? nil
        } write: { text in
            Streams.write(text)
        } report: { problem in
            streams.errors("\(problem): start 'luaroute lsp' from an editor\n")
        }
        throw ArgumentParser.ExitCode(code)
    }
}
#endif
