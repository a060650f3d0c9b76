// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import CommandStreams
import ScenarioKit

/// The command `luaroute explain-error`, which prints the article about a code.
struct ExplainError: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain-error",
        abstract: "Explain the code of a diagnostic or an error, with an example.",
        discussion: """
            luaroute explain-error L0203      one diagnostic
            luaroute explain-error notFound   one error of a navigation
            luaroute explain-error            all codes, one per line

            Exit codes: 0 success, 64 the code does not exist.
            """
    )

    @Argument(
        help: ArgumentHelp("The code, such as L0203 or notFound.", valueName: "code"),
        completion: .list(CodeArticle.all.map(\.code))
    )
    var code: String?

    func validate() throws {
        guard let code, CodeArticle.named(code) == nil else { return }
        // Numbered codes begin with a capital letter. Users may type them in lower case.
        let word = code.contains(where: \.isNumber) ? code.uppercased() : code
        let known = CodeArticle.all.map(\.code)
        let error = UsageError("there is no code '\(code)'", word: word, known: known)
        throw ValidationError(error.message)
    }

    func run() throws {
        let streams = Streams()
        if let article = code.flatMap(CodeArticle.named) {
            streams.output(PrintedText(source: article.text))
        } else {
            streams.output(CodeArticle.list)
        }
        throw streams.exit(.success)
    }
}
#endif
